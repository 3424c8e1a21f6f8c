package io.ptx4j.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ptx4j.cases.CaseBuffer;
import io.ptx4j.cases.CaseException;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseSession;
import io.ptx4j.engine.Approximations;
import io.ptx4j.engine.Check;
import io.ptx4j.engine.MatrixSums;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.CompilationException;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.LaunchResult;
import io.ptx4j.runtime.PtxException;
import io.ptx4j.runtime.UnsupportedPtxException;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ptx run}. */
@Command(name = "run", description = "Runs kernels of a PTX file and shows how long they took and what they wrote.",
        mixinStandardHelpOptions = true, sortOptions = false,
        footer = {"", "Without --entry the launches run that the first lines of the file describe;",
            "'ptx test --help' shows such lines.", "",
            "An --arg is a number, whose type is that of the parameter, or what stands", "behind 'arg:' in a case:",
            "  --arg 1000", "  --arg 'n: u32 = 1000'",
            "  --arg 'x: buffer f32[1000] = iota'     a new buffer; its contents are iota,",
            "          zero, fill V, random SEED, @file.bin, or V, V, ...",
            "  --arg x                                the buffer x again",
            "  --arg 'x + 16'                         an address 16 bytes into it", "",
            "--out writes by the end of the name: .png (RGB, RGBA or grey bytes), .txt,", ".csv; anything else gets the raw bytes.", "",
            "Examples:", "  ptx run examples/saxpy.sm_75.ptx", "  ptx run saxpy.ptx --entry saxpy --grid 4 --block 256 \\",
            "      --arg 1000 --arg 2.5 --arg 'x: buffer f32[1000] = iota' \\",
            "      --arg 'y: buffer f32[1000] = fill 1' --out y=y.csv",
            "  ptx run mandelbrot.ptx --out rgb=mandelbrot.png:640x480 --repeat 20"})
final class RunCommand implements Callable<Integer> {
    private static final long CACHE_BYTES = 256L << 20;

    @Parameters(paramLabel = "FILE", description = "A PTX file.")
    private Path file;

    @Option(names = "--entry", paramLabel = "KERNEL", description = "Runs this kernel instead of the launches in the file.")
    private String entry;

    @Option(names = "--grid", paramLabel = "X[,Y[,Z]]", description = "Blocks, with --entry.")
    private String grid;

    @Option(names = "--block", paramLabel = "X[,Y[,Z]]", description = "Threads of a block, with --entry.")
    private String block;

    @Option(names = "--shared", paramLabel = "BYTES", description = "Dynamic shared memory of a block, with --entry.")
    private Integer shared;

    @Option(names = "--cluster", paramLabel = "X[,Y[,Z]]", description = "Blocks of a cluster, with --entry.")
    private String cluster;

    @Option(names = "--matrix", paramLabel = "SUMS",
            description = "How matrix instructions add up floating-point products: fused, or as GPUs do it: hopper. Default: what the case says, or fused.")
    private MatrixSums matrixSums;

    @Option(names = "--approximations", paramLabel = "BITS",
            description = "What approximate instructions give: portable, or as GPUs give it: hopper. Default: what the case says, or portable.")
    private Approximations approximations;

    @Option(names = "--cooperative", description = "All blocks are under way together, with --entry.")
    private boolean cooperative;

    @Option(names = "--arg", paramLabel = "ARG", description = "One argument, with --entry; repeat it for each parameter.")
    private List<String> arguments = new ArrayList<>();

    @Option(names = "--link", paramLabel = "FILE", description = "Another module of the same program; repeat it for more.")
    private List<Path> links = new ArrayList<>();

    @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = "jit", description = "jit (the default) or interpreter.")
    private EngineKind engine;

    @Option(names = "--shape", paramLabel = "SHAPE", description = "scalar or vector; chosen by the JIT unless given.")
    private CodeShape shape;

    @Option(names = "--workers", paramLabel = "N", description = "Threads of the host; one for each processor by default.")
    private Integer workers;

    @Option(names = "--check", paramLabel = "CHECK", split = ",",
            description = "Watches kernels for memory, init, race or sync errors; several between commas.")
    private List<String> checks = new ArrayList<>();

    @Option(names = "--findings", paramLabel = "N", defaultValue = "1",
            description = "Goes on behind races and reads of unwritten bytes that --check finds, and tells of up to N errors.")
    private int findings;

    @Option(names = "--repeat", paramLabel = "N", defaultValue = "1",
            description = "Runs everything N times, each time from the same contents, and shows the median time.")
    private int repeat;

    @Option(names = "--cache", paramLabel = "DIR", description = "Keeps generated code in a folder that only you may write.")
    private Path cache;

    @Option(names = "--prepare", description = "Makes the kernels as fast as they get before the first run, which takes seconds.")
    private boolean prepare;

    @ArgGroup(validate = false, heading = "%nLimits:%n")
    private LimitOptions limits = new LimitOptions();

    @Option(names = "--out", paramLabel = "NAME=FILE", description = "Writes a buffer or module variable to a file afterwards.")
    private List<String> outs = new ArrayList<>();

    @Option(names = "--json", description = "One JSON object instead of text.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    RunCommand() {}

    @Override
    public Integer call() throws IOException {
        List<OutputFile> files = new ArrayList<>();
        CaseFile read;
        try {
            outs.forEach(out -> files.add(OutputFile.parse(out)));
            checks.forEach(Check::named);
            checkUsage();
            read = (entry == null ? CaseReader.read(file) : fromOptions()).with(PtxFiles.read(links));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage());
        }
        if (read.launches().isEmpty()) {
            return fail(file + " has no launch: line, so there is nothing to run; name a kernel with --entry (ptx info " + file + " lists them)");
        }
        try (Device device = open(read); CaseSession session = new CaseSession(read, device)) {
            return run(read, session, files);
        } catch (CompilationException wrong) {
            return fail(wrong.getMessage(), wrong.diagnostics(), List.of());
        } catch (UnsupportedPtxException unsupported) {
            return fail(unsupported.getMessage() + (engine == EngineKind.JIT ? "\n'--engine interpreter' may run it" : ""));
        } catch (KernelException failed) {
            return fail(failed.getMessage(), List.of(), failed.findings());
        } catch (PtxException | CaseException failed) {
            return fail(Ptx.text(failed));
        }
    }

    private void checkUsage() {
        if (entry == null && (grid != null || block != null || shared != null || cluster != null || cooperative || !arguments.isEmpty())) {
            throw new IllegalArgumentException("--grid, --block, --shared, --cluster, --cooperative and --arg go with --entry");
        }
        if (entry != null && (grid == null || block == null)) {
            throw new IllegalArgumentException("--entry needs --grid and --block");
        }
        if (shape != null && engine != EngineKind.JIT) {
            throw new IllegalArgumentException("--shape goes with the JIT only");
        }
        if (findings < 1) {
            throw new IllegalArgumentException("--findings must be more than 0");
        }
        if (repeat < 1 || workers != null && workers < 1) {
            throw new IllegalArgumentException("--repeat and --workers must be more than 0");
        }
        limits.apply(Device.builder());
    }

    private CaseFile fromOptions() throws IOException {
        List<CaseFile.Argument> parsed = new ArrayList<>();
        try {
            arguments.forEach(text -> parsed.add(CaseReader.argument(text)));
        } catch (CaseException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        }
        var launch = new CaseFile.Launch(file.toString(), entry, Extents.parse("--grid", grid), Extents.parse("--block", block),
                shared == null ? 0 : shared,
                cluster == null ? null : Extents.parse("--cluster", cluster), cooperative, parsed);
        return new CaseFile(SourceFile.read(file), Path.of("").toAbsolutePath(), List.of(), List.of(launch), List.of(), List.of(), List.of(),
                List.of(), null, Set.of(), List.of(), MatrixSums.FUSED, Approximations.PORTABLE);
    }

    private Device open(CaseFile read) {
        Device.Builder builder = read.configure(Device.builder()).engine(shape == null ? engine.create() : new Jit(shape.wanted)).findings(findings);
        checks.forEach(word -> builder.checks(Check.named(word)));
        if (matrixSums != null) {
            builder.matrixSums(matrixSums);
        }
        if (approximations != null) {
            builder.approximations(approximations);
        }
        if (json) {
            // What kernels print must not stand between the lines that a program reads.
            builder.output(System.err);
        }
        if (cache != null) {
            try {
                builder.codeCache(cache, CACHE_BYTES);
            } catch (IllegalArgumentException | UncheckedIOException unusable) {
                throw new ParameterException(spec.commandLine(), "--cache " + cache + ": " + unusable.getMessage());
            }
        }
        if (workers != null) {
            builder.workers(workers);
        }
        limits.apply(builder);
        return builder.open();
    }

    private int run(CaseFile read, CaseSession session, List<OutputFile> files) throws IOException {
        List<CaseSession.Prepared> launches = new ArrayList<>();
        List<List<LaunchResult>> results = new ArrayList<>();
        for (CaseFile.Launch launch : read.launches()) {
            launches.add(session.prepare(launch));
            results.add(new ArrayList<>());
        }
        for (OutputFile out : files) {
            if (session.find(out.name(), null) == null) {
                return fail("there is no buffer or module variable " + out.name() + " to write to " + out.file());
            }
        }
        if (prepare) {
            launches.forEach(CaseSession.Prepared::warmUp);
        }
        try (Progress progress = new Progress(repeat)) {
            for (int round = 0; round < repeat; round++) {
                if (round > 0) {
                    session.reset();
                }
                for (int i = 0; i < launches.size(); i++) {
                    results.get(i).add(launches.get(i).run());
                }
                progress.step(file.toString());
            }
        }
        for (OutputFile out : files) {
            try {
                out.write(session.find(out.name(), null), read.shows());
            } catch (IllegalArgumentException noPicture) {
                return fail(noPicture.getMessage());
            }
        }
        List<CaseBuffer> outputs = session.outputs();
        var report = new RunReport(file, engine.toString(), session.module().device().workers(), results, outputs,
                read.expectations().size(), session.mismatches(), files, pictures(read, files));
        if (json) {
            spec.commandLine().getOut().println(report.json());
            spec.commandLine().getOut().flush();
        } else {
            report.print(spec.commandLine().getOut());
        }
        return report.mismatches().isEmpty() ? Ptx.FINE : Ptx.PROBLEM;
    }

    private static void write(JsonGenerator object, List<KernelException.Finding> found) throws IOException {
        object.writeArrayFieldStart("findings");
        for (KernelException.Finding one : found) {
            object.writeStartObject();
            object.writeStringField("kind", one.first().kind().name());
            object.writeStringField("error", one.first().getMessage());
            object.writeNumberField("times", one.times());
            object.writeEndObject();
        }
        object.writeEndArray();
    }

    private static List<String> pictures(CaseFile read, List<OutputFile> files) {
        return read.shows().stream().map(CaseFile.Show::name)
                .filter(name -> files.stream().noneMatch(file -> file.name().equals(name))).toList();
    }

    private int fail(String problem) {
        return fail(problem, List.of(), List.of());
    }

    private int fail(String problem, List<Diagnostic> diagnostics, List<KernelException.Finding> all) {
        if (json) {
            spec.commandLine().getOut().println(Json.object(object -> {
                object.writeStringField("file", file.toString());
                object.writeBooleanField("ok", false);
                object.writeStringField("error", problem);
                if (!diagnostics.isEmpty()) {
                    object.writeArrayFieldStart("diagnostics");
                    for (Diagnostic found : diagnostics) {
                        CheckedFile.Finding.of(found).write(object);
                    }
                    object.writeEndArray();
                }
                if (findings > 1) {
                    write(object, all);
                }
            }));
            spec.commandLine().getOut().flush();
        } else {
            spec.commandLine().getErr().println("ptx: " + problem);
            spec.commandLine().getErr().flush();
        }
        return Ptx.PROBLEM;
    }
}
