package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.jvm.OtherJvm;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rounding goes on as it was once HotSpot has compiled it for floats and then meets doubles: with {@code BigInteger.shiftRight} in it the compiler of JDK 25 lost a number on its way out of compiled code
 * (its option {@code ReduceAllocationMerges}), in every second process.
 */
@Tag("thorough")
final class CompiledRoundingTest {
    @ParameterizedTest
    @ValueSource(ints = {30, 31, 32})
    void doublesFollowFloats(int launches) throws IOException, InterruptedException {
        List<String> command = OtherJvm.command(List.of("-Xmx512m"));
        command.addAll(List.of(CompiledRoundingRuns.class.getName(), String.valueOf(launches)));
        Process process = OtherJvm.start(command);
        String output = OtherJvm.output(process);
        assertEquals(0, process.exitValue(), output);
    }
}
