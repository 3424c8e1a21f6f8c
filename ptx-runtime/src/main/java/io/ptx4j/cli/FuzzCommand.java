package io.ptx4j.cli;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.differential.Laboratory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
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
            "Ends with 1 when there is one.", "", "Example:", "  ptx fuzz --time 60 --engine vector --out found",
            "  ptx fuzz --seed 1 --count 1000000 --shard 2/8 --progress second.txt"})
final class FuzzCommand implements Callable<Integer> {
    /** After so many kernels progress is noted. */
    private static final long NOTED = 100;

    @Option(names = "--seed", paramLabel = "S", description = "The first seed; each kernel has the next one. Default: by the clock.")
    private Long seed;

    @Option(names = "--time", paramLabel = "SECONDS", description = "How long to go on. Default: 60, or without end when --count is given.")
    private Long seconds;

    @Option(names = "--count", paramLabel = "N", description = "How many kernels to compare, with those of --progress.")
    private Long count;

    @Option(names = "--shard", paramLabel = "I/N", description = "Compare only the I-th of N equal parts of --count, so that N processes share the work.")
    private String shard;

    @Option(names = "--progress", paramLabel = "FILE", description = "Note in this file how far it got; if it is there already, go on from there.")
    private Path progress;

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
        FuzzProgress before = begin();
        long most = count == null ? Long.MAX_VALUE : end() - start();
        long nanos = seconds != null ? TimeUnit.SECONDS.toNanos(seconds) : count != null ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(60);
        out.println("seeds from " + (before.seed() + before.kernels()) + (before.kernels() > 0 ? "; " + before.kernels() + " kernels compared before" : ""));
        out.flush();
        long began = System.nanoTime();
        FuzzProgress now = before;
        try (Laboratory laboratory = new Laboratory(engines(), folder, line -> {
            out.println(line);
            out.flush();
        })) {
            while (now.kernels() < most && System.nanoTime() - began < nanos) {
                laboratory.run(before.seed() + now.kernels(), Math.min(NOTED, most - now.kernels()), nanos - (System.nanoTime() - began));
                long unsupported = laboratory.unsupported().values().stream().mapToLong(times -> times).sum();
                now = new FuzzProgress(before.seed(), before.kernels() + laboratory.kernels(), before.unsupported() + unsupported,
                        before.differences() + laboratory.findings().size());
                if (progress != null) {
                    now.write(progress);
                }
            }
            laboratory.unsupported().forEach((what, times) -> out.println(times + (times == 1 ? " kernel unsupported: " : " kernels unsupported: ") + what));
        }
        out.println(now.kernels() + " kernels, " + now.differences() + (now.differences() == 1 ? " difference" : " differences"));
        out.flush();
        return now.differences() == 0 ? Ptx.FINE : Ptx.PROBLEM;
    }

    /** Where to begin: where an earlier run ended, or at the first seed. */
    private FuzzProgress begin() throws IOException {
        long first = (seed == null ? System.currentTimeMillis() * 1000 : seed) + (shard == null ? 0 : start());
        if (progress == null || !Files.exists(progress)) {
            return new FuzzProgress(first, 0, 0, 0);
        }
        FuzzProgress before = FuzzProgress.read(progress);
        if (seed != null && before.seed() != first) {
            throw new ParameterException(spec.commandLine(), progress + " is of seeds from " + before.seed() + ", not from " + first);
        }
        return before;
    }

    /** How many kernels the shards before this one have. */
    private long start() {
        return inParts(part() - 1);
    }

    private long end() {
        return inParts(part());
    }

    private long inParts(long parts) {
        long of = shards();
        return count / of * parts + Math.min(parts, count % of);
    }

    private long part() {
        return shard == null ? 1 : shardNumber(0);
    }

    private long shards() {
        return shard == null ? 1 : shardNumber(1);
    }

    private long shardNumber(int index) {
        if (!shard.matches("[1-9]\\d{0,5}/[1-9]\\d{0,5}") || count == null) {
            throw new ParameterException(spec.commandLine(), "--shard is I/N, such as 2/8, and needs --count; not '" + shard + "'");
        }
        List<Long> numbers = Stream.of(shard.split("/")).map(Long::valueOf).toList();
        if (numbers.get(0) > numbers.get(1)) {
            throw new ParameterException(spec.commandLine(), "there is no part " + shard);
        }
        return numbers.get(index);
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
