package io.ptx4j.jit.support;

/**
 * What an atomic operation puts in place of the old value (manual: "atom", "red"). Values are raw bits. The two classes that
 * call these differ in how they reach memory only.
 */
final class AtomicUpdates {
    private AtomicUpdates() {
    }

    static int add32(int old, int value) {
        return old + value;
    }

    static int min32(int old, int value) {
        return Math.min(old, value);
    }

    static int max32(int old, int value) {
        return Math.max(old, value);
    }

    static int minUnsigned32(int old, int value) {
        return Integer.compareUnsigned(old, value) < 0 ? old : value;
    }

    static int maxUnsigned32(int old, int value) {
        return Integer.compareUnsigned(old, value) > 0 ? old : value;
    }

    static int and32(int old, int value) {
        return old & value;
    }

    static int or32(int old, int value) {
        return old | value;
    }

    static int xor32(int old, int value) {
        return old ^ value;
    }

    static int increment32(int old, int value) {
        return Integer.compareUnsigned(old, value) >= 0 ? 0 : old + 1;
    }

    static int decrement32(int old, int value) {
        return old == 0 || Integer.compareUnsigned(old, value) > 0 ? value : old - 1;
    }

    static long add64(long old, long value) {
        return old + value;
    }

    static long min64(long old, long value) {
        return Math.min(old, value);
    }

    static long max64(long old, long value) {
        return Math.max(old, value);
    }

    static long minUnsigned64(long old, long value) {
        return Long.compareUnsigned(old, value) < 0 ? old : value;
    }

    static long maxUnsigned64(long old, long value) {
        return Long.compareUnsigned(old, value) > 0 ? old : value;
    }

    static long and64(long old, long value) {
        return old & value;
    }

    static long or64(long old, long value) {
        return old | value;
    }

    static long xor64(long old, long value) {
        return old ^ value;
    }

    static int addF32(int old, int value) {
        return Float.floatToRawIntBits(Canonical.canonical(Float.intBitsToFloat(old) + Float.intBitsToFloat(value)));
    }

    /** On global memory subnormals are flushed (docs/numerics.md, "Atomics"). */
    static int addFlushedF32(int old, int value) {
        float sum = FlushF32.ftz(Float.intBitsToFloat(old)) + FlushF32.ftz(Float.intBitsToFloat(value));
        return Float.floatToRawIntBits(FlushF32.ftz(Canonical.canonical(sum)));
    }

    /** On global memory a NaN stays as it is (docs/numerics.md, "Atomics"). */
    static long addF64(long old, long value) {
        double a = Double.longBitsToDouble(old);
        double b = Double.longBitsToDouble(value);
        return b != b ? value : a != a ? old : Double.doubleToRawLongBits(Canonical.canonical(a + b, a));
    }

    /** On shared memory the NaN of the old value comes first. */
    static long addSharedF64(long old, long value) {
        return addQuietF64(value, old);
    }

    /** The sum as {@code add.f64} gives it. */
    static long addQuietF64(long first, long second) {
        double a = Double.longBitsToDouble(first);
        double b = Double.longBitsToDouble(second);
        return Double.doubleToRawLongBits(Canonical.canonical(a + b, a, b));
    }

    static int addF16x2(int old, int value) {
        return HalfOps.addF16(old & 0xFFFF, value & 0xFFFF) | HalfOps.addF16(old >>> 16, value >>> 16) << 16;
    }

    static int addBf16x2(int old, int value) {
        return HalfOps.addBf16(old & 0xFFFF, value & 0xFFFF) | HalfOps.addBf16(old >>> 16, value >>> 16) << 16;
    }

    static int minF16x2(int old, int value) {
        return HalfOps.minF16(old & 0xFFFF, value & 0xFFFF) | HalfOps.minF16(old >>> 16, value >>> 16) << 16;
    }

    static int maxF16x2(int old, int value) {
        return HalfOps.maxF16(old & 0xFFFF, value & 0xFFFF) | HalfOps.maxF16(old >>> 16, value >>> 16) << 16;
    }

    static int minBf16x2(int old, int value) {
        return HalfOps.minBf16(old & 0xFFFF, value & 0xFFFF) | HalfOps.minBf16(old >>> 16, value >>> 16) << 16;
    }

    static int maxBf16x2(int old, int value) {
        return HalfOps.maxBf16(old & 0xFFFF, value & 0xFFFF) | HalfOps.maxBf16(old >>> 16, value >>> 16) << 16;
    }
}
