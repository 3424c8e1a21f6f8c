package io.ptx4j.cli;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.UnsupportedKernelException;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.GeneratedClass;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Dim3;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ptx dump}. */
@Command(name = "dump", description = "Writes what becomes of each kernel of a PTX file: the checked program, the class and its listing.",
        mixinStandardHelpOptions = true,
        footer = {"", "For each kernel K: K.ir (the checked program), K.asm (the bytecode), K.class;",
            "and the PTX text itself, whose lines the class names. Long names are cut.", "", "Examples:", "  ptx dump examples/saxpy.sm_75.ptx --to /tmp/saxpy",
            "  ptx dump examples/saxpy.sm_75.ptx --to /tmp/saxpy --shape vector --block 256"})
final class DumpCommand implements Callable<Integer> {
    private static final int LONGEST_NAME = 200;

    @Parameters(paramLabel = "FILE", description = "A PTX file.")
    private Path file;

    @Option(names = "--to", required = true, paramLabel = "DIR", description = "A folder; made when it is not there.")
    private Path folder;

    @Option(names = "--entry", paramLabel = "KERNEL", description = "Only this kernel.")
    private String entry;

    @Option(names = "--shape", paramLabel = "SHAPE", description = "scalar (the default) or vector.")
    private CodeShape shape = CodeShape.SCALAR;

    @Option(names = "--block", paramLabel = "X[,Y[,Z]]",
            description = "Threads of a block, for which code is generated; what the kernel asks for, or 256, unless given.")
    private String block;

    @Spec
    private CommandSpec spec;

    DumpCommand() {}

    @Override
    public Integer call() throws IOException {
        Dim3 threads = threads();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        CheckedModule checked = Checker.check(SourceFile.read(file));
        checked.diagnostics().forEach(found -> err.println(found.render()));
        int dumped = 0;
        int failed = 0;
        if (checked.ok()) {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(file.getFileName()), checked.module().text());
            for (Kernel kernel : checked.module().kernels().values()) {
                if (entry == null || entry.equals(kernel.name())) {
                    dumped++;
                    failed += dump(checked.module(), kernel, threads) ? 0 : 1;
                }
            }
            out.println(dumped + (dumped == 1 ? " kernel" : " kernels") + " written to " + folder);
        }
        out.flush();
        err.flush();
        return dumped > 0 && failed == 0 ? Ptx.FINE : Ptx.PROBLEM;
    }

    private Dim3 threads() {
        if (block == null) {
            return null;
        }
        try {
            Dim3 threads = Extents.parse("--block", block);
            if (threads.count() < 1 || threads.count() > BlockShape.MOST_THREADS) {
                throw new IllegalArgumentException("--block " + block + ": a block has 1 to " + BlockShape.MOST_THREADS + " threads");
            }
            return threads;
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage());
        }
    }

    /** Names of files have 255 bytes, those of kernels made from templates have more. */
    private static String fileName(String kernel) {
        String name = kernel.replace('%', '_');
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "-" + Integer.toHexString(name.hashCode());
    }

    private boolean dump(Module module, Kernel kernel, Dim3 threads) throws IOException {
        String name = fileName(kernel.name());
        Files.writeString(folder.resolve(name + ".ir"), ProgramText.of(module, kernel));
        BlockShape blockShape = threads == null ? CheckedFile.shape(kernel) : new BlockShape(threads.x(), threads.y(), threads.z());
        Program program = new Program(module, new long[module.variableCount()], 0);
        Jit jit = new Jit(shape.wanted);
        GeneratedClass generated;
        try {
            Optional<String> reason = shape == CodeShape.VECTOR ? jit.notVectorizable(program, kernel, blockShape) : Optional.empty();
            if (reason.isPresent()) {
                spec.commandLine().getErr().println(file + ": kernel " + kernel.name() + " has no vector shape: " + reason.get());
                return false;
            }
            generated = jit.classOf(program, kernel, blockShape);
        } catch (UnsupportedKernelException cannot) {
            cannot.unsupported().forEach(one -> spec.commandLine().getErr().println(
                    file + ":" + one.location() + ": unsupported: " + one.construct() + ": " + one.reason()));
            return false;
        }
        Files.write(folder.resolve(name + ".class"), generated.bytes());
        Files.writeString(folder.resolve(name + ".asm"), generated.listing());
        return true;
    }
}
