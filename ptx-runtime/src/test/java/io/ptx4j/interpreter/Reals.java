package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.isa.ScalarType;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Floating-point types as the tests see them: through Java's own float and double, decimal numbers and neighbours. */
record Reals(ScalarType type, int fractionBits, int exponentBits) {
    static final Reals F32 = new Reals(ScalarType.F32, 23, 8);
    static final Reals F64 = new Reals(ScalarType.F64, 52, 11);
    static final Reals F16 = new Reals(ScalarType.F16, 10, 5);
    static final Reals BF16 = new Reals(ScalarType.BF16, 7, 8);

    /** A real number that need not have an end, known by comparison. */
    @FunctionalInterface
    interface Unrounded {
        int compareTo(BigDecimal other);
    }

    enum Direction { NEAREST, ZERO, DOWN, UP }

    static Direction direction(String rounding) {
        return switch (rounding) {
            case "rz", "rzi" -> Direction.ZERO;
            case "rm", "rmi" -> Direction.DOWN;
            case "rp", "rpi" -> Direction.UP;
            default -> Direction.NEAREST;
        };
    }

    long sign() {
        return 1L << fractionBits + exponentBits;
    }

    long infinity() {
        return (1L << exponentBits) - 1 << fractionBits;
    }

    boolean isNaN(long bits) {
        return (bits & sign() - 1) > infinity();
    }

    boolean isInfinite(long bits) {
        return (bits & sign() - 1) == infinity();
    }

    boolean isFinite(long bits) {
        return (bits & sign() - 1) < infinity();
    }

    boolean isNegative(long bits) {
        return (bits & sign()) != 0;
    }

    /** Java's value of {@code bits}, which is exact in double. */
    double toDouble(long bits) {
        return switch (type) {
            case F64 -> Double.longBitsToDouble(bits);
            case F32 -> Float.intBitsToFloat((int) bits);
            case F16 -> Float.float16ToFloat((short) bits);
            case BF16 -> Float.intBitsToFloat((int) bits << 16);
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    BigDecimal value(long bits) {
        return new BigDecimal(toDouble(bits));
    }

    BigDecimal leastNormal() {
        return value(1L << fractionBits);
    }

    /** Fails unless {@code bits} is {@code exact} rounded in {@code direction}. */
    void assertRounded(Unrounded exact, Direction direction, long bits, Object context) {
        assertTrue(!isNaN(bits), () -> "NaN for a number: " + context);
        int sign = exact.compareTo(BigDecimal.ZERO);
        if (sign != 0) {
            assertTrue(isNegative(bits) == sign < 0, () -> "sign: " + context + " gave " + Long.toHexString(bits));
        }
        Unrounded magnitude = sign < 0 ? other -> -exact.compareTo(other.negate()) : exact;
        Direction outward = switch (direction) {
            case DOWN -> sign < 0 ? Direction.UP : Direction.ZERO;
            case UP -> sign < 0 ? Direction.ZERO : Direction.UP;
            case ZERO, NEAREST -> direction;
        };
        assertTrue(isRounded(magnitude, outward, bits & sign() - 1), () -> context + " gave " + Long.toHexString(bits));
    }

    private boolean isRounded(Unrounded exact, Direction direction, long bits) {
        BigDecimal half = new BigDecimal("0.5");
        BigDecimal result = step(bits);
        BigDecimal below = bits == 0 ? null : step(bits - 1);
        int order = exact.compareTo(result);
        return switch (direction) {
            case ZERO -> order >= 0 && bits < infinity() && (bits == infinity() - 1 || exact.compareTo(step(bits + 1)) < 0);
            case UP -> bits == infinity() ? exact.compareTo(below) > 0
                    : order <= 0 && (below == null || exact.compareTo(below) > 0);
            case NEAREST, DOWN -> {
                int low = below == null ? 1 : exact.compareTo(result.add(below).multiply(half));
                int high = bits == infinity() ? -1 : exact.compareTo(result.add(step(bits + 1)).multiply(half));
                boolean even = (bits & 1) == 0;
                yield (low > 0 || low == 0 && even) && (high < 0 || high == 0 && even);
            }
        };
    }

    /** The value of a magnitude; for infinity the number that would follow the greatest one. */
    private BigDecimal step(long bits) {
        return bits < infinity() ? value(bits) : value(bits - 1).multiply(BigDecimal.TWO).subtract(value(bits - 2));
    }

    /** Values at which arithmetic changes its ways, of both signs. */
    long[] edges() {
        long one = (1L << exponentBits - 1) - 1 << fractionBits;
        long least = 1L << fractionBits;
        List<Long> edges = new ArrayList<>(List.of(0L, 1L, 2L, least - 1, least, least + 1, one - 1, one, one + 1, one - least,
                one + least, one + least / 2, one + 2 * least - 1, infinity() - 1, infinity() - least, infinity(),
                infinity() + least / 2, infinity() + 1, one + fractionBits * least, one + (fractionBits + 1) * least,
                one - fractionBits * least / 2, least * 3 / 2, one / 2 + least / 2));
        return edges.stream().flatMap(bits -> Stream.of(bits, bits | sign())).mapToLong(Long::longValue)
                .distinct().toArray();
    }

    /** Bits that often meet: exponents lie near each other, fractions are often short or full of ones. */
    long[] random(Random random, int count) {
        long[] bits = new long[count];
        long center = random.nextLong() & infinity();
        for (int i = 0; i < count; i++) {
            long spread = (long) (random.nextGaussian() * (fractionBits + 2)) << fractionBits;
            long exponent = random.nextInt(16) == 0 ? random.nextLong() & infinity() : Math.clamp(center + spread, 0, infinity()) & infinity();
            long fraction = switch (random.nextInt(4)) {
                case 0 -> random.nextLong() << random.nextInt(fractionBits + 1);
                case 1 -> -1L << random.nextInt(fractionBits + 1);
                default -> random.nextLong();
            };
            bits[i] = exponent | fraction & (1L << fractionBits) - 1 | random.nextLong() & sign();
        }
        return bits;
    }
}
