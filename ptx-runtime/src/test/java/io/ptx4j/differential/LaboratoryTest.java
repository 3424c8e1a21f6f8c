package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * All engines leave the same bits of thousands of random kernels, with narrow, middle and wide vectors: of new ones each time, the first of which
 * {@code -Dptx4j.fuzz.seed=S} names, and of some that never change. What fails prints the command that compares the kernel again. The
 * long run goes on where an earlier one was stopped, as long as {@code target} is there.
 */
final class LaboratoryTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    /** New kernels for each width of vectors. */
    private static final int EACH = LONG ? 330_000 : 2_600;
    /** Kernels that are the same in each build, with the widest vectors. */
    private static final int FIXED = LONG ? 0 : 2_600;
    private static final int WIDEST = 64;
    /** By bytes of vectors: what makes small kernels go the ways of large ones. Vector code is cut into small pieces, and all functions stand out of line. */
    private static final Map<Integer, List<String>> PROPERTIES = Map.of(16, List.of("-Dptx4j.jit.vector.piece=1000"), 32, List.of("-Dptx4j.jit.inlined=1"));
    /** With HotSpot's optimizing compiler, which costs more than the kernels do. */
    private static final int OPTIMIZED = LONG ? 10_000 : 0;
    private static final Path FOLDER = Path.of("target", "fuzz");
    private static final Pattern COUNT = Pattern.compile("(\\d+) kernels?, (\\d+) difference");
    private static final Pattern UNSUPPORTED = Pattern.compile("(\\d+) kernels? unsupported: ");
    private static final Pattern SEED = Pattern.compile("(?m)^seed (-?\\d+): .*; reducing$");

    @Test
    void enginesAgreeOnRandomKernels() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        long seed = Long.getLong("ptx4j.fuzz.seed", new SplittableRandom().nextLong(1L << 40));
        System.out.println("random kernels of -Dptx4j.fuzz.seed=" + seed);
        List<ForkedLaboratory> laboratories = new ArrayList<>(List.of(start(16, false, seed, EACH), start(32, false, seed + EACH, EACH),
                start(WIDEST, false, seed + 2L * EACH, EACH)));
        if (FIXED > 0) {
            laboratories.add(start(WIDEST, false, 1, FIXED));
        }
        if (OPTIMIZED > 0) {
            laboratories.add(start(WIDEST, true, seed + 3L * EACH, OPTIMIZED));
        }
        int kernels = 0;
        for (ForkedLaboratory laboratory : laboratories) {
            kernels += compared(laboratory);
        }
        assertTrue(kernels >= 10_000, "compared only " + kernels);
    }

    private static int compared(ForkedLaboratory laboratory) throws IOException, InterruptedException {
        String output = laboratory.output();
        Matcher count = COUNT.matcher(output);
        assertTrue(count.find(), () -> laboratory.command() + "\n" + output);
        assertEquals(0, Integer.parseInt(count.group(2)), () -> output + "\nagain:\n"
                + String.join("\n", SEED.matcher(output).results().map(found -> laboratory.again(found.group(1))).toList()));
        int compared = Integer.parseInt(count.group(1));
        int refused = UNSUPPORTED.matcher(output).results().mapToInt(found -> Integer.parseInt(found.group(1))).sum();
        assertTrue(refused <= compared / 10, () -> "too many kernels that an engine does not support: " + output);
        return compared;
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
