package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.jit.scalar.Permutation;

import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

/** {@code prmt} by a constant is what it is by a register. */
final class PermutationTest {
    @Test
    void everySelectorGivesWhatTheGeneralFormDoes() {
        SplittableRandom random = new SplittableRandom(1);
        for (int selector = 0; selector < 1 << 16; selector++) {
            int a = random.nextInt();
            int b = random.nextInt();
            int result = 0;
            for (Permutation.Term term : Permutation.of(selector)) {
                int source = term.operand() == 1 ? a : b;
                int moved = term.left() >= 0 ? source << term.left() : source >>> -term.left();
                result |= (term.sign() ? moved >> 31 : moved) & term.mask();
            }
            assertEquals(BitOps.prmt(a, b, selector), result, "selector " + Integer.toHexString(selector));
        }
    }
}
