package io.ptx4j.cli;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.UnsupportedKernelException;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.Jit;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ptx info}. */
@Command(name = "info", description = "Shows the kernels of a PTX file: parameters, memory, instructions, and how the JIT would run them.",
        mixinStandardHelpOptions = true, footer = {"", "Example:", "  ptx info examples/sha256.sm_75.ptx"})
final class InfoCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "A PTX file.")
    private Path file;

    @Spec
    private CommandSpec spec;

    InfoCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        CheckedModule checked = Checker.check(SourceFile.read(file));
        checked.diagnostics().forEach(found -> out.println(found.render()));
        if (checked.ok()) {
            Module module = checked.module();
            out.println(file + ": PTX " + module.version() + " for " + module.target() + ", " + module.addressBits() + "-bit addresses, "
                    + module.kernels().size() + (module.kernels().size() == 1 ? " kernel, " : " kernels, ")
                    + module.functions().size() + (module.functions().size() == 1 ? " function" : " functions"));
            for (Variable variable : module.variables()) {
                if (variable.space() == StateSpace.GLOBAL || variable.space() == StateSpace.CONST) {
                    out.println("variable " + variable.name() + ": " + variable.bytes() + " bytes " + variable.space());
                }
            }
            Jit jit = new Jit();
            Program program = new Program(module, new long[module.variableCount()], 0);
            for (Kernel kernel : module.kernels().values()) {
                out.println();
                KernelFacts.of(module, kernel).lines(shape(jit, program, kernel)).forEach(out::println);
            }
        }
        out.flush();
        return checked.ok() ? Ptx.FINE : Ptx.PROBLEM;
    }

    private static String anew(List<Instruction> atomics) {
        String places = atomics.stream().map(i -> i.spelling() + " in line " + i.location().line()).distinct().collect(Collectors.joining(", "));
        return places.isEmpty() ? "" : ", but a block that comes to " + places + " begins anew in the scalar shape";
    }

    private static String shape(Jit jit, Program program, Kernel kernel) {
        var block = CheckedFile.shape(kernel);
        try {
            var code = jit.prepare(program, kernel, block);
            return code.shape() + " for a block of " + block + ", " + code.localBytesPerThread() + " bytes of local memory a thread"
                    + jit.notVectorizable(program, kernel, block).map(why -> "; vector: no, " + why).orElseGet(() -> "; vector: yes" + anew(jit.beginningAnew(program, kernel, block)));
        } catch (UnsupportedKernelException cannot) {
            var first = cannot.unsupported().getFirst();
            return "none: line " + first.location().line() + ": " + first.construct() + ": " + first.reason()
                    + (cannot.unsupported().size() > 1 ? " (and " + (cannot.unsupported().size() - 1) + " more)" : "");
        } catch (RuntimeException | Error broken) {
            return "none, by a fault of ptx4j: " + broken;
        }
    }
}
