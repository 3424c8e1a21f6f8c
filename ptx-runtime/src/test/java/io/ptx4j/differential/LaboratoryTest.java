package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** All engines leave the same bits of thousands of random kernels, with narrow, middle and wide vectors. */
final class LaboratoryTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int EACH = LONG ? 330_000 : 3_400;
    /** With HotSpot's optimizing compiler, which costs more than the kernels do. */
    private static final int OPTIMIZED = LONG ? 10_000 : 0;
    private static final Pattern COUNT = Pattern.compile("(\\d+) kernels?, (\\d+) difference");
    private static final Pattern UNSUPPORTED = Pattern.compile("(\\d+) kernels? unsupported: ");

    @Test
    void enginesAgreeOnRandomKernels() throws IOException, InterruptedException {
        List<ForkedLaboratory> laboratories = new ArrayList<>(List.of(start(16, false, 1, EACH), start(32, false, 1 + 2L * EACH, EACH),
                start(64, false, 1 + EACH, EACH)));
        if (OPTIMIZED > 0) {
            // A build must not fail by chance, so only the long run draws new seeds.
            long fresh = System.currentTimeMillis() * 1000;
            System.out.println("random kernels: ptx fuzz --seed " + fresh + " --count " + OPTIMIZED);
            laboratories.add(start(64, true, fresh, OPTIMIZED));
        }
        int kernels = 0;
        for (ForkedLaboratory laboratory : laboratories) {
            String output = laboratory.output();
            Matcher count = COUNT.matcher(output);
            assertTrue(count.find(), () -> laboratory.command() + "\n" + output);
            assertEquals(0, Integer.parseInt(count.group(2)), () -> laboratory.command() + "\n" + output);
            int compared = Integer.parseInt(count.group(1));
            int refused = UNSUPPORTED.matcher(output).results().mapToInt(found -> Integer.parseInt(found.group(1))).sum();
            assertTrue(refused <= compared / 10, () -> "too many kernels that an engine does not support: " + output);
            kernels += compared;
        }
        assertTrue(kernels >= 10_000, "compared only " + kernels);
    }

    private static ForkedLaboratory start(int vectorBytes, boolean optimizing, long seed, int count) {
        return ForkedLaboratory.start(vectorBytes, optimizing, "--seed", Long.toString(seed), "--count", Integer.toString(count),
                "--out", Path.of("target", "fuzz").toString());
    }
}
