package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All engines leave the same bits of thousands of random kernels ({@link Laboratories}). What fails prints the command that compares the kernel again. */
@Order(Integer.MAX_VALUE)
@Tag("thorough")
final class LaboratoryTest {
    private static final Pattern COUNT = Pattern.compile("(\\d+) kernels?, (\\d+) difference");
    private static final Pattern UNSUPPORTED = Pattern.compile("(\\d+) kernels? unsupported: ");
    private static final Pattern SEED = Pattern.compile("(?m)^seed (-?\\d+): ");

    @Test
    void enginesAgreeOnRandomKernels() throws IOException, InterruptedException {
        Laboratories laboratories = Laboratories.running();
        System.out.println("random kernels of -Dptx4j.fuzz.seed=" + laboratories.seed());
        int kernels = 0;
        for (ForkedLaboratory laboratory : laboratories.all()) {
            kernels += compared(laboratory);
        }
        assertTrue(kernels >= 10_000, "compared only " + kernels);
    }

    private static int compared(ForkedLaboratory laboratory) throws IOException, InterruptedException {
        String output = laboratory.output();
        Matcher count = COUNT.matcher(output);
        assertTrue(count.find(), () -> laboratory.command() + "\n" + output);
        assertEquals(0, Integer.parseInt(count.group(2)), () -> output + "\nagain:\n"
                + String.join("\n", SEED.matcher(output).results().map(found -> found.group(1)).distinct().map(laboratory::again).toList()));
        int compared = Integer.parseInt(count.group(1));
        int refused = UNSUPPORTED.matcher(output).results().mapToInt(found -> Integer.parseInt(found.group(1))).sum();
        assertTrue(refused <= compared / 10, () -> "too many kernels that an engine does not support: " + output);
        return compared;
    }
}
