package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.reflect.Constructor;
import java.util.function.LongToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The laboratory finds wrong compilers: all of {@link Mutant#ALL} in the long run, a few otherwise. */
final class MutantsTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int MOST = 10_000;
    /** In the normal run every so manieth, of which each must show within so many kernels. */
    private static final int STRIDE = 10;
    private static final int FEW = 1_000;

    @Test
    void thereAreThirty() {
        assertEquals(30, Mutant.ALL.size());
    }

    @TestFactory
    Stream<DynamicTest> mutantsAreFound() {
        return Mutant.ALL.stream().filter(mutant -> LONG || Mutant.ALL.indexOf(mutant) % STRIDE == 0)
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
