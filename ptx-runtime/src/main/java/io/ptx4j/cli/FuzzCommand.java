package io.ptx4j.cli;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.differential.Laboratory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ptx fuzz}. */
@Command(name = "fuzz", description = "Generates random kernels and compares what the engines make of them, bit by bit.",
        mixinStandardHelpOptions = true,
        footer = {"", "A kernel on which engines differ, or on which one fails, is reduced and saved as a", "case file for 'ptx diff' and 'ptx test'.",
            "Ends with 1 when there is one.", "", "Example:", "  ptx fuzz --time 60 --engine vector --out found"})
final class FuzzCommand implements Callable<Integer> {
    @Option(names = "--seed", paramLabel = "S", description = "The first seed; each kernel has the next one. Default: by the clock.")
    private Long seed;

    @Option(names = "--time", paramLabel = "SECONDS", description = "How long to go on. Default: 60, or without end when --count is given.")
    private Long seconds;

    @Option(names = "--count", paramLabel = "N", description = "How many kernels to compare.")
    private Long count;

    @Option(names = "--engine", paramLabel = "SHAPE", description = "Which code of the JIT to compare with the interpreter: scalar or vector. Default: both.")
    private String shape;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder for case files. Default: the current one.")
    private Path folder = Path.of("");

    @Spec
    private CommandSpec spec;

    FuzzCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        long first = seed == null ? System.currentTimeMillis() * 1000 : seed;
        long nanos = seconds != null ? TimeUnit.SECONDS.toNanos(seconds) : count != null ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(60);
        List<String> engines = engines();
        out.println("seeds from " + first);
        out.flush();
        try (Laboratory laboratory = new Laboratory(engines, folder, line -> {
            out.println(line);
            out.flush();
        })) {
            List<Laboratory.Finding> findings = laboratory.run(first, count == null ? Long.MAX_VALUE : count, nanos);
            laboratory.unsupported().forEach((what, times) -> out.println(times + (times == 1 ? " kernel unsupported: " : " kernels unsupported: ") + what));
            out.println(laboratory.kernels() + " kernels, " + findings.size() + (findings.size() == 1 ? " difference" : " differences"));
            out.flush();
            return findings.isEmpty() ? Ptx.FINE : Ptx.PROBLEM;
        }
    }

    private List<String> engines() {
        if (shape == null) {
            return List.of();
        }
        List<String> found = Stream.of(CaseEngine.values()).filter(engine -> engine != CaseEngine.INTERPRETER).map(CaseEngine::toString)
                .filter(name -> name.endsWith(shape)).toList();
        if (found.size() != 1) {
            throw new ParameterException(spec.commandLine(), "--engine is scalar or vector, not '" + shape + "'");
        }
        return found;
    }
}
