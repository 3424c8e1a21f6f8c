package io.ptx4j.jit.support;

import java.math.BigInteger;
import java.util.function.BinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Assertions;

/** Integer operations as the manual writes them, on numbers without a width. */
record IntegerReference(int width, boolean signed) {
    static final IntegerReference U16 = new IntegerReference(16, false);
    static final IntegerReference S16 = new IntegerReference(16, true);
    static final IntegerReference U32 = new IntegerReference(32, false);
    static final IntegerReference S32 = new IntegerReference(32, true);
    static final IntegerReference U64 = new IntegerReference(64, false);
    static final IntegerReference S64 = new IntegerReference(64, true);

    /** The number that the low bits of {@code bits} stand for. */
    BigInteger number(long bits) {
        BigInteger unsigned = BigInteger.valueOf(bits).mod(modulus());
        return signed && unsigned.testBit(width - 1) ? unsigned.subtract(modulus()) : unsigned;
    }

    /** The low bits of a number, zero-extended. */
    long bits(BigInteger number) {
        return number.mod(modulus()).longValue();
    }

    BigInteger min() {
        return signed ? BigInteger.ONE.shiftLeft(width - 1).negate() : BigInteger.ZERO;
    }

    BigInteger max() {
        return min().add(modulus()).subtract(BigInteger.ONE);
    }

    BigInteger clamp(BigInteger number) {
        return number.max(min()).min(max());
    }

    private BigInteger modulus() {
        return BigInteger.ONE.shiftLeft(width);
    }

    /** Checks an operation of 16 or 32 bits on pairs of edge values and on random ones. */
    void check(String name, IntBinaryOperator actual, BinaryOperator<BigInteger> expected) {
        int[] edges = Samples.ints();
        for (int a : edges) {
            for (int b : edges) {
                check(name, narrow(a), narrow(b), actual, expected);
            }
        }
        var random = Samples.random();
        for (int i = 0; i < 20_000; i++) {
            check(name, narrow(random.nextInt() >> random.nextInt(32)), narrow(random.nextInt() >>> random.nextInt(32)), actual, expected);
        }
    }

    /** Checks an operation of 64 bits on pairs of edge values and on random ones. */
    void checkLong(String name, LongBinaryOperator actual, BinaryOperator<BigInteger> expected) {
        long[] edges = Samples.longs();
        for (long a : edges) {
            for (long b : edges) {
                checkLong(name, a, b, actual, expected);
            }
        }
        var random = Samples.random();
        for (int i = 0; i < 20_000; i++) {
            checkLong(name, random.nextLong() >> random.nextInt(64), random.nextLong() >>> random.nextInt(64), actual, expected);
        }
    }

    int narrow(int a) {
        return width == 16 ? a & 0xffff : a;
    }

    private void check(String name, int a, int b, IntBinaryOperator actual, BinaryOperator<BigInteger> expected) {
        long wanted = bits(expected.apply(number(a), number(b)));
        if (actual.applyAsInt(a, b) != (int) wanted) {
            Assertions.assertEquals(Long.toHexString(wanted), Integer.toHexString(actual.applyAsInt(a, b)),
                    () -> "%s(%x, %x)".formatted(name, a, b));
        }
    }

    private void checkLong(String name, long a, long b, LongBinaryOperator actual, BinaryOperator<BigInteger> expected) {
        long wanted = bits(expected.apply(number(a), number(b)));
        if (actual.applyAsLong(a, b) != wanted) {
            Assertions.assertEquals(Long.toHexString(wanted), Long.toHexString(actual.applyAsLong(a, b)),
                    () -> "%s(%x, %x)".formatted(name, a, b));
        }
    }
}
