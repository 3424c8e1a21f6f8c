package io.ptx4j.cli;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseException;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseRunner;
import io.ptx4j.engine.Check;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ptx test}. */
@Command(name = "test", description = "Runs case files on every engine and code shape and checks what they expect; folders are searched for .ptx files.",
        mixinStandardHelpOptions = true,
        footer = {"", "A case is a PTX text whose first lines say how to launch it and what must come out:",
            "  // launch: saxpy grid=4 block=256", "  // arg: n: u32 = 1000", "  // arg: x: buffer f32[1000] = iota",
            "  // arg: y: buffer f32[1000] = fill 1", "  // expect: y[0..2] = 1.0, 3.5, 6.0", "",
            "Ends with 1 when a case fails or none ran. Files of a folder without such",
            "lines are passed over and counted.", "",
            "Examples:", "  ptx test examples/", "  ptx test --engine jit --junit-xml report.xml cases/ more/sort.ptx"})
final class TestCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "PATH", description = "Case files, or folders to search.")
    private List<Path> paths;

    @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = "all", description = "all (the default), jit (in every code shape) or interpreter.")
    private EngineChoice engines;

    @Option(names = "--check", paramLabel = "CHECK", split = ",",
            description = "Watches all kernels for memory, init, race or sync errors; several between commas.")
    private List<String> checks = new ArrayList<>();

    @Option(names = "--junit-xml", paramLabel = "FILE", description = "Also writes a report that build servers read.")
    private Path junitXml;

    @Spec
    private CommandSpec spec;

    private final List<TestResult> results = new ArrayList<>();
    private final Set<Check> more = EnumSet.noneOf(Check.class);
    private int withoutCase;

    TestCommand() {}

    @Override
    public Integer call() throws IOException {
        try {
            checks.forEach(word -> more.add(Check.named(word)));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        List<PtxFiles.Found> found = PtxFiles.of(paths);
        try (Progress progress = new Progress(found.size())) {
            for (PtxFiles.Found file : found) {
                int before = results.size();
                test(file);
                for (TestResult result : results.subList(before, results.size())) {
                    if (!result.failures().isEmpty()) {
                        progress.wipe();
                        out.println("FAILED " + result.file() + " (" + result.engine() + ")");
                        result.failures().forEach(failure -> out.println(failure.indent(2).stripTrailing()));
                    }
                }
                out.flush();
                progress.step(file.path().toString());
            }
        }
        if (junitXml != null) {
            JUnitXml.write(junitXml, results);
        }
        return summary(out);
    }

    private int summary(PrintWriter out) {
        long failed = results.stream().filter(result -> !result.failures().isEmpty()).count();
        if (withoutCase > 0) {
            out.println(withoutCase + (withoutCase == 1 ? " file has" : " files have") + " no case");
        }
        if (results.isEmpty()) {
            out.println("nothing ran: there is no case in " + paths);
        }
        out.println(results.size() - failed + " passed, " + failed + " failed");
        out.flush();
        return failed == 0 && !results.isEmpty() ? Ptx.FINE : Ptx.PROBLEM;
    }

    private void test(PtxFiles.Found file) {
        CaseFile read;
        try {
            read = CaseReader.read(file.path());
        } catch (IOException | CaseException wrong) {
            results.add(new TestResult(file.path(), "reading", List.of(Ptx.text(wrong)), 0));
            return;
        }
        if (!read.isCase()) {
            if (file.named()) {
                results.add(new TestResult(file.path(), "reading", CaseRunner.failures(read, CaseEngine.JIT_SCALAR.create()), 0));
            } else {
                withoutCase++;
            }
            return;
        }
        // No engine runs a text that must not compile.
        List<CaseEngine> runs = read.isWrong() ? engines.engines().subList(0, 1) : engines.engines();
        for (CaseEngine engine : runs) {
            long start = System.nanoTime();
            List<String> failures;
            try {
                failures = CaseRunner.failures(read, engine.create(), more);
            } catch (RuntimeException | Error broken) {
                failures = List.of("a fault of ptx4j: " + broken);
            }
            results.add(new TestResult(file.path(), read.isWrong() ? "check" : engine.toString(), failures,
                    System.nanoTime() - start));
        }
    }
}
