package io.ptx4j.interpreter;

import io.ptx4j.isa.ScalarType;

import java.math.BigInteger;

/** Values as raw bits in a {@code long}: the low {@code width} bits count, those above are zero. */
final class Bits {
    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

    private Bits() {
    }

    /** {@code width} ones. */
    static long mask(int width) {
        return width >= 64 ? -1L : (1L << width) - 1;
    }

    static long cut(long bits, int width) {
        return bits & mask(width);
    }

    /** The two's complement number that {@code width} bits stand for. */
    static long signed(long bits, int width) {
        return bits << 64 - width >> 64 - width;
    }

    /** The number that raw bits of an integer type stand for; one of 64 unsigned bits reads as negative from 2^63 on. */
    static long value(long bits, ScalarType type) {
        return type.signed() ? signed(bits, type.bits()) : bits;
    }

    /** The number that raw bits of an integer type stand for. */
    static BigInteger exact(long bits, ScalarType type) {
        BigInteger value = BigInteger.valueOf(value(bits, type));
        return type.signed() || value.signum() >= 0 ? value : value.add(TWO_TO_64);
    }

    static int compare(long a, long b, ScalarType type) {
        return type.signed() ? Long.compare(value(a, type), value(b, type)) : Long.compareUnsigned(a, b);
    }

    /** Bits {@code from} to {@code from + width - 1}, moved down. */
    static long field(long bits, int from, int width) {
        return cut(bits >>> from, width);
    }

    static boolean bit(long bits, int place) {
        return (bits >>> place & 1) != 0;
    }

    /** The nearest number that fits a signed type of {@code width} bits, as raw bits; {@code width} is at most 32. */
    static long saturated(long value, int width) {
        long limit = 1L << width - 1;
        return cut(Math.clamp(value, -limit, limit - 1), width);
    }

    /** The nearest number that an integer type of at most 32 bits has, as raw bits. */
    static long saturated(long value, ScalarType type) {
        return type.signed() ? saturated(value, type.bits()) : Math.clamp(value, 0, mask(type.bits()));
    }
}
