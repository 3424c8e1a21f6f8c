package io.ptx4j.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Processes that compare random kernels with narrow, middle and wide vectors: new ones each time, the first of which
 * {@code -Dptx4j.fuzz.seed=S} names, and some that never change. They take what time the other tests leave. The
 * long run goes on where an earlier one was stopped, as long as {@code target} is there.
 */
record Laboratories(long seed, List<ForkedLaboratory> all) {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    /** New kernels for each width of vectors. */
    private static final int EACH = LONG ? 330_000 : 2_500;
    /** Kernels that are the same in each build, with the widest vectors. */
    private static final int FIXED = LONG ? 0 : 2_500;
    private static final int WIDEST = 64;
    /** By bytes of vectors: what makes small kernels go the ways of large ones. Vector code is cut into small pieces, and all functions stand out of line. */
    private static final Map<Integer, List<String>> PROPERTIES = Map.of(16, List.of("-Dptx4j.jit.vector.piece=1000"), 32, List.of("-Dptx4j.jit.inlined=1"));
    /** With HotSpot's optimizing compiler, which costs more than the kernels do. */
    private static final int OPTIMIZED = LONG ? 10_000 : 0;
    private static final Path FOLDER = Path.of("target", "fuzz");

    private static Laboratories running;

    /** Those of this run of tests, which are started where they are not there yet. */
    static synchronized Laboratories running() throws IOException {
        if (running == null) {
            running = start();
        }
        return running;
    }

    private static Laboratories start() throws IOException {
        Files.createDirectories(FOLDER);
        long seed = Long.getLong("ptx4j.fuzz.seed", new SplittableRandom().nextLong(1L << 40));
        List<ForkedLaboratory> all = new ArrayList<>(List.of(start(16, false, seed, EACH), start(32, false, seed + EACH, EACH),
                start(WIDEST, false, seed + 2L * EACH, EACH)));
        if (FIXED > 0) {
            all.add(start(WIDEST, false, 1, FIXED));
        }
        if (OPTIMIZED > 0) {
            all.add(start(WIDEST, true, seed + 3L * EACH, OPTIMIZED));
        }
        return new Laboratories(seed, all);
    }

    private static ForkedLaboratory start(int vectorBytes, boolean optimizing, long seed, int count) {
        List<String> arguments = new ArrayList<>(List.of("--count", Integer.toString(count), "--out", FOLDER.toString()));
        Path progress = FOLDER.resolve((optimizing ? "optimized" : "vectors of " + vectorBytes + " bytes") + ".progress");
        if (LONG) {
            arguments.addAll(List.of("--progress", progress.toString()));
        }
        if (!LONG || !Files.exists(progress)) {
            arguments.addAll(List.of("--seed", Long.toString(seed)));
        }
        return ForkedLaboratory.start(vectorBytes, optimizing, PROPERTIES.getOrDefault(vectorBytes, List.of()), arguments);
    }
}
