package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When large kernels are tried in the vector shape: their scalar code has got no faster. */
final class SteadinessTest {
    private static final long APART = 1_000;

    @Test
    void codeThatGetsFasterIsNotSteady() {
        Steadiness steadiness = new Steadiness(APART);
        double each = 5_000;
        for (int look = 0; look < 12; look++, each *= 0.7) {
            steadiness.ran(2 * APART, (long) (2e6 * APART / each));
            assertFalse(steadiness.reached());
        }
        steadiness.ran(2 * APART, (long) (2e6 * APART / each));
        assertFalse(steadiness.reached());
        // No faster than the best before, once and again.
        steadiness.ran(2 * APART, (long) (2e6 * APART / each));
        assertFalse(steadiness.reached());
        steadiness.ran(2 * APART, (long) (1e6 * APART / each));
        assertTrue(steadiness.reached());
    }

    @Test
    void littleWorkIsNotLookedAt() {
        Steadiness steadiness = new Steadiness(APART);
        for (int n = 0; n < 10; n++) {
            steadiness.ran(APART / 10, 1);
        }
        assertFalse(steadiness.reached());
        for (int n = 0; n < 40; n++) {
            steadiness.ran(APART / 10, 1);
        }
        assertTrue(steadiness.reached());
    }

    /** Of which blocks have more and less to do, so that chance makes some looks the best for ever. */
    @Test
    void someDay() {
        Steadiness steadiness = new Steadiness(APART);
        double each = 1e9;
        int looks = 0;
        while (!steadiness.reached()) {
            steadiness.ran(2 * APART, (long) (2e6 * APART / each) + 1);
            each *= 0.6;
            looks++;
        }
        assertTrue(looks <= 24, looks + " looks");
    }
}
