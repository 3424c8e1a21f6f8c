package io.ptx4j.cli;

import io.ptx4j.runtime.EngineKind;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ptx check}. */
@Command(name = "check", description = "Parses, checks and compiles every kernel of every file; folders are searched for .ptx files.",
        mixinStandardHelpOptions = true,
        footer = {"", "Ends with 0 when everything compiles and with 1 when something does not,", "be it wrong or only unsupported.", "",
            "With --json, one line for each file, here broken into three:",
            "  {\"file\":\"a.ptx\",\"ok\":true,\"kernels\":2,\"compiled\":1,\"diagnostics\":[",
            "   {\"line\":12,\"column\":5,\"severity\":\"unsupported\",\"code\":\"unsupported\",", "    \"message\":\"...\",\"hint\":\"...\"}]}", "'hint' stands where something is known that would be right.",
            "'ok' is false only for faults of the PTX itself. Severities are error,", "warning, note, unsupported and internal (a fault of ptx4j).", "",
            "Examples:", "  ptx check kernel.ptx", "  ptx check --json build/ptx > report.jsonl"})
final class CheckCommand implements Callable<Integer> {
    /** Bytes of stack: deeply nested texts must not end the program. */
    private static final long STACK = 64L << 20;
    /** Files being worked on or waiting to be printed in their turn. */
    private static final int AHEAD = 64;

    @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files, or folders to search.")
    private List<Path> paths;

    @Option(names = "--link", paramLabel = "FILE", description = "Another module of the same program; repeat it for more.")
    private List<Path> links = new ArrayList<>();

    @Option(names = "--json", description = "One JSON object a line for each file.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private int files;
    private int faulty;
    private int kernels;
    private int compiled;
    private boolean fine = true;

    CheckCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        List<PtxFiles.Found> found = PtxFiles.of(paths);
        Deque<Future<CheckedFile>> waiting = new ArrayDeque<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(),
                task -> new Thread(null, task, "ptx-check", STACK)); Progress progress = new Progress(found.size())) {
            for (PtxFiles.Found file : found) {
                waiting.add(pool.submit(() -> CheckedFile.of(file.path(), links, EngineKind.JIT.create())));
                if (waiting.size() >= AHEAD) {
                    report(waiting.remove(), progress);
                }
            }
            while (!waiting.isEmpty()) {
                report(waiting.remove(), progress);
            }
        }
        summary();
        return fine && files > 0 ? Ptx.FINE : Ptx.PROBLEM;
    }

    private void report(Future<CheckedFile> future, Progress progress) throws InterruptedException {
        CheckedFile checked;
        try {
            checked = future.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible.getCause());
        }
        files++;
        faulty += checked.ok() ? 0 : 1;
        kernels += checked.kernels();
        compiled += checked.compiled();
        fine &= checked.fine();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(json(checked));
        } else if (!checked.findings().isEmpty()) {
            progress.wipe();
            checked.findings().forEach(finding -> out.println(finding.text()));
        }
        out.flush();
        progress.step(checked.file().toString());
    }

    private void summary() {
        PrintWriter out = json ? spec.commandLine().getErr() : spec.commandLine().getOut();
        if (files == 0) {
            spec.commandLine().getErr().println("ptx: no .ptx file in " + paths);
        } else if (!json) {
            out.printf("%d %s, %d with errors; %d of %d kernels compiled%n", files, files == 1 ? "file" : "files", faulty, compiled, kernels);
        }
        out.flush();
        spec.commandLine().getErr().flush();
    }

    private static String json(CheckedFile checked) {
        return Json.object(json -> {
            json.writeStringField("file", checked.file().toString());
            json.writeBooleanField("ok", checked.ok());
            json.writeNumberField("kernels", checked.kernels());
            json.writeNumberField("compiled", checked.compiled());
            json.writeArrayFieldStart("diagnostics");
            for (CheckedFile.Finding finding : checked.findings()) {
                finding.write(json);
            }
            json.writeEndArray();
        });
    }
}
