package io.ptx4j.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Generates kernels one after the other, compares the engines on each, and keeps what it finds. */
public final class Laboratory implements AutoCloseable {
    private final KernelJudge judge;
    private final Map<String, Integer> unsupported = new TreeMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final Path folder;
    private final Consumer<String> log;
    private long kernels;

    /**
     * A kernel on which engines differ.
     *
     * @param kernel the reduced kernel
     * @param file the case file it was saved in; null if none
     */
    public record Finding(long seed, Difference difference, RandomKernel kernel, Path file) {
    }

    /**
     * @param engines which to compare with the interpreter ({@code "jit scalar"}, {@code "jit vector"}); all if there are none
     * @param folder where to save what is found; null for nowhere
     * @param log told of each finding
     */
    public Laboratory(Collection<String> engines, Path folder, Consumer<String> log) {
        this.judge = new KernelJudge(engines);
        this.folder = folder;
        this.log = log;
    }

    /** Compares {@code count} kernels, of the seeds from {@code seed} on, or fewer when {@code nanos} are over. */
    public void run(long seed, long count, long nanos) throws IOException {
        long start = System.nanoTime();
        for (long i = 0; i < count && System.nanoTime() - start < nanos; i++) {
            one(seed + i);
            kernels++;
        }
    }

    private void one(long seed) throws IOException {
        RandomKernel kernel = KernelGenerator.generate(seed);
        Difference difference = judge.compare(kernel);
        if (difference == null) {
            return;
        }
        if (difference.kind() == Difference.Kind.UNSUPPORTED) {
            unsupported.merge(difference.text().lines().skip(1).findFirst().orElse(difference.text()).replaceFirst("^.*: ", ""), 1, Integer::sum);
            return;
        }
        log.accept("seed " + seed + ": " + difference + "; reducing");
        boolean generated = difference.kind() == Difference.Kind.REJECTED;
        RandomKernel small = generated ? kernel : Reducer.reduce(judge, kernel, difference);
        Difference last = judge.compare(small);
        Path file = folder == null ? null : save(small, last == null ? difference : last);
        findings.add(new Finding(seed, last == null ? difference : last, small, file));
        log.accept("seed " + seed + ": " + (last == null ? difference : last) + (file == null ? "\n" + small.text() : "; saved as " + file));
    }

    private Path save(RandomKernel kernel, Difference difference) throws IOException {
        Files.createDirectories(folder);
        byte[][] expected = difference.kind() == Difference.Kind.REJECTED ? null : judge.expected(kernel);
        return Files.writeString(folder.resolve("fuzz-" + kernel.seed() + ".ptx"),
                CaseText.of(kernel, "Seed " + kernel.seed() + ", " + difference, expected));
    }

    /** What was found so far. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Kernels compared so far. */
    public long kernels() {
        return kernels;
    }

    /** What engines said they do not support, with how often. */
    public Map<String, Integer> unsupported() {
        return Map.copyOf(unsupported);
    }

    @Override
    public void close() {
        judge.close();
    }
}
