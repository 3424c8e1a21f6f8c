package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.waiting.Part;
import java.lang.reflect.Constructor;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The laboratory finds wrong compilers: all of {@link Mutant#ALL} in the long run, or every Nth with {@code -Dptx4j.part=K/N}, a few otherwise. */
@Tag("thorough")
final class MutantsTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int MOST = 10_000;
    /** In the normal run every so manieth, of which each must show within so many kernels. */
    private static final int STRIDE = 10;
    private static final int FEW = 1_000;

    @Test
    void thereAreThirtyAtLeast() {
        assertTrue(Mutant.ALL.size() >= 30, "there are " + Mutant.ALL.size());
    }

    @TestFactory
    Stream<DynamicTest> mutantsAreFound() {
        return IntStream.range(0, Mutant.ALL.size()).filter(i -> LONG ? Part.has(i) : i % STRIDE == 0).mapToObj(Mutant.ALL::get)
                .map(mutant -> dynamicTest(mutant.toString(), () -> found(mutant)));
    }

    private static void found(Mutant mutant) throws ReflectiveOperationException {
        Constructor<?> hunt = mutant.loader().loadClass(MutantHunt.class.getName()).getDeclaredConstructor();
        hunt.setAccessible(true);
        int kernels = ((LongToIntFunction) hunt.newInstance()).applyAsInt(LONG ? MOST : FEW);
        System.out.println(mutant + ": " + kernels + " kernels");
        assertTrue(kernels > 0, "not found");
    }
}
