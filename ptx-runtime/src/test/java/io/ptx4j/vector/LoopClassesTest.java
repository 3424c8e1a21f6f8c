package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.jvm.OtherJvm;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Vectors that come round a loop stay in registers of the machine, whatever HotSpot knows of classes from profiles: in a process that has run many kernels it trusts
 * them no more. A JVM that never does so tells.
 */
@Tag("thorough")
final class LoopClassesTest {
    private static final int SECONDS = 40;
    private static final int MOST_FAILED = 20;

    @Test
    void loopsMakeNoObjectsWithoutProfiles() throws IOException, InterruptedException {
        makeNoObjects("-XX:PerMethodTrapLimit=0");
    }

    /** HotSpot moves tests out of loops, and makes code anew where such a test fails: in each launch, if it is one of turns that the loop never makes. */
    @Test
    void testsOutsideOfLoopsSeldomFail() throws IOException, InterruptedException {
        String output = makeNoObjects("-Xlog:deoptimization=debug");
        long failed = output.lines().filter(line -> line.contains("ptx4j.kernels.") && line.contains(" predicate ")).count();
        assertTrue(failed < MOST_FAILED, () -> failed + " times\n" + output);
    }

    private static String makeNoObjects(String flag) throws IOException, InterruptedException {
        List<String> command = OtherJvm.command(List.of("-Xmx1g", "-XX:+UseSerialGC", flag));
        command.addAll(List.of(LoopRuns.class.getName(), String.valueOf(SECONDS)));
        Process process = OtherJvm.start(command);
        String output = OtherJvm.output(process);
        assertEquals(0, process.exitValue(), output);
        Matcher made = Pattern.compile(LoopRuns.MADE + "(\\d+)").matcher(output);
        int kernels = 0;
        while (made.find()) {
            kernels++;
            assertTrue(Long.parseLong(made.group(1)) <= LoopRuns.FEW, output);
        }
        assertEquals(LoopRuns.KERNELS.size(), kernels, output);
        return output;
    }
}
