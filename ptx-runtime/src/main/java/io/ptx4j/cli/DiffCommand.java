package io.ptx4j.cli;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseException;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ptx diff}. */
@Command(name = "diff", description = "Runs the launches of a case file on every engine and code shape and compares all memory bit by bit after each.",
        mixinStandardHelpOptions = true,
        footer = {"", "Each engine has one worker, so that they agree on races too. What a launch",
            "fails with is compared as well.",
            "Ends with 1 when there is a difference.", "", "Example:", "  ptx diff examples/sha256.sm_75.ptx"})
final class DiffCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "A case file.")
    private Path file;

    @Option(names = "--link", paramLabel = "FILE", description = "Another module of the same program; repeat it for more.")
    private List<Path> links = new ArrayList<>();

    @Spec
    private CommandSpec spec;

    DiffCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        CaseFile read = CaseReader.read(file).with(PtxFiles.read(links));
        if (read.launches().isEmpty()) {
            throw new CaseException(file.toString(), "no launch: line, so there is nothing to compare");
        }
        List<EngineTrace> traces = new ArrayList<>();
        for (CaseEngine engine : CaseEngine.values()) {
            traces.add(EngineTrace.of(read, engine));
        }
        int differences = 0;
        for (EngineTrace other : traces.subList(1, traces.size())) {
            String difference = traces.getFirst().differenceTo(other);
            if (difference != null) {
                differences++;
                out.println(difference);
            }
        }
        if (differences == 0) {
            out.println(file + ": " + read.launches().size() + (read.launches().size() == 1 ? " launch" : " launches")
                    + ", no difference between " + String.join(", ", traces.stream().map(EngineTrace::engine).toList())
                    + traces.getFirst().ending());
        }
        out.flush();
        return differences == 0 ? Ptx.FINE : Ptx.PROBLEM;
    }
}
