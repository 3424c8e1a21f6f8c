package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;
import java.math.BigInteger;

/** Which of the two neighbours of an exact value a result takes (manual: "Rounding Modifiers"). */
sealed interface Rounding {
    /**
     * Whether a magnitude goes to the neighbour away from zero.
     *
     * @param odd whether the neighbour towards zero has an odd significand
     * @param discarded what lies beyond that neighbour, in units of 2^-width of the last place
     */
    boolean away(boolean negative, boolean odd, BigInteger discarded, int width);

    /** A magnitude in units of 2^{@code width}, {@code width} at least 1. */
    default BigInteger rounded(boolean negative, BigInteger magnitude, int width) {
        // Not shiftRight: C2 of JDK 25 loses what that gives on the way out of compiled code (ReduceAllocationMerges).
        BigInteger[] parts = magnitude.divideAndRemainder(BigInteger.ONE.shiftLeft(width));
        return away(negative, magnitude.testBit(width), parts[1], width) ? parts[0].add(BigInteger.ONE) : parts[0];
    }

    /** Whether a magnitude beyond every finite number becomes infinity and not the greatest number. */
    boolean overflowsToInfinity(boolean negative);

    enum Fixed implements Rounding {
        NEAREST_EVEN, NEAREST_AWAY, TOWARD_ZERO, DOWN, UP;

        @Override
        public boolean away(boolean negative, boolean odd, BigInteger discarded, int width) {
            int half = width == 0 ? -1 : discarded.compareTo(BigInteger.ONE.shiftLeft(width - 1));
            return switch (this) {
                case NEAREST_EVEN -> half > 0 || half == 0 && odd;
                case NEAREST_AWAY -> half >= 0;
                case TOWARD_ZERO -> false;
                case DOWN -> negative && discarded.signum() != 0;
                case UP -> !negative && discarded.signum() != 0;
            };
        }

        @Override
        public boolean overflowsToInfinity(boolean negative) {
            return switch (this) {
                case NEAREST_EVEN, NEAREST_AWAY -> true;
                case TOWARD_ZERO -> false;
                case DOWN -> negative;
                case UP -> !negative;
            };
        }
    }

    /** {@code .rs}: away from zero when the discarded part and {@code random} of 2^{@code bits} carry into the last place. */
    record Stochastic(int bits, long random) implements Rounding {
        @Override
        public boolean away(boolean negative, boolean odd, BigInteger discarded, int width) {
            BigInteger sum = discarded.shiftLeft(bits).add(BigInteger.valueOf(random).shiftLeft(width));
            return sum.bitLength() > bits + width;
        }

        @Override
        public boolean overflowsToInfinity(boolean negative) {
            return true;
        }
    }

    /** The rounding that {@code spelling} names; to nearest even when it names none. */
    static Fixed of(Spelling spelling) {
        Modifier modifier = spelling.one(Modifier.Category.ROUNDING);
        if (modifier == null) {
            return Fixed.NEAREST_EVEN;
        }
        return switch (modifier) {
            case RN, RNI -> Fixed.NEAREST_EVEN;
            case RZ, RZI -> Fixed.TOWARD_ZERO;
            case RM, RMI -> Fixed.DOWN;
            case RP, RPI -> Fixed.UP;
            case RNA -> Fixed.NEAREST_AWAY;
            default -> throw new IllegalArgumentException(modifier + " needs random bits or is no rounding");
        };
    }
}
