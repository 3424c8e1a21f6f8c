package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.FLOAT;
import static io.ptx4j.jit.support.VectorLanes.HALVES;
import static io.ptx4j.jit.support.VectorLanes.INT;

import java.util.Arrays;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Arithmetic of f16 and bf16 ({@link HalfOps}) for a group's lanes, rounded to nearest. Sources are {@link VectorFrame#halves}: of each lane two numbers, the lower one first, of which the
 * upper one is +0 where an instruction has only one. The second source lies two numbers a lane behind the first, and so on; the result takes the place of the first, with canonical NaNs.
 * What lies behind the numbers, up to a whole vector, may change.
 *
 * <p>{@link Float#float16ToFloat} and {@link Float#floatToFloat16}, for which the Vector API has no operations, HotSpot makes one instruction for a whole vector in such loops.
 * As in {@link LaneApproximations}, no method takes or returns a vector.
 */
public final class LaneHalves {
    private static final short F16_INFINITY = 0x7c00;
    private static final short F16_ONE = 0x3c00;
    private static final short BF16_INFINITY = 0x7f80;
    private static final short BF16_ONE = 0x3f80;
    /** The bits of an f32 that a bf16 lacks, and what they are half way between two such. */
    private static final int BELOW = 0xffff;
    private static final int HALF_WAY = 0x8000;

    private LaneHalves() {
    }

    /** {@code add.f16}. */
    public static void addF16(VectorFrame frame, int lanes) {
        short[] x = frame.halves;
        float[] results = frame.halfProducts;
        int count = 2 * lanes;
        for (int i = 0; i < count; i++) {
            results[i] = Float.float16ToFloat(x[i]) + Float.float16ToFloat(x[count + i]);
        }
        narrow(results, x, count);
    }

    /** {@code sub.f16}. */
    public static void subF16(VectorFrame frame, int lanes) {
        short[] x = frame.halves;
        float[] results = frame.halfProducts;
        int count = 2 * lanes;
        for (int i = 0; i < count; i++) {
            results[i] = Float.float16ToFloat(x[i]) - Float.float16ToFloat(x[count + i]);
        }
        narrow(results, x, count);
    }

    /** {@code mul.f16}. */
    public static void mulF16(VectorFrame frame, int lanes) {
        short[] x = frame.halves;
        float[] results = frame.halfProducts;
        int count = 2 * lanes;
        for (int i = 0; i < count; i++) {
            results[i] = Float.float16ToFloat(x[i]) * Float.float16ToFloat(x[count + i]);
        }
        narrow(results, x, count);
    }

    /** {@code fma.f16}: products are exact in f32; their sums are rounded to odd there, so that rounding them again is as if it were done once. */
    public static void fmaF16(VectorFrame frame, int lanes) {
        short[] x = frame.halves;
        float[] products = frame.halfProducts;
        float[] addends = frame.halfAddends;
        int count = 2 * lanes;
        for (int i = 0; i < count; i++) {
            products[i] = Float.float16ToFloat(x[i]) * Float.float16ToFloat(x[count + i]);
        }
        for (int i = 0; i < count; i++) {
            addends[i] = Float.float16ToFloat(x[2 * count + i]);
        }
        sumToOdd(products, addends, count);
        narrow(products, x, count);
    }

    /** From another array: where HotSpot does not know {@code count} it makes no vectors of a loop that stores into the array that it loads from behind. */
    private static void narrow(float[] results, short[] x, int count) {
        for (int i = 0; i < count; i++) {
            x[i] = Float.floatToFloat16(results[i]);
        }
        canonical(x, count);
    }

    /** Adds numbers, none of which overflows, and makes the last bit of a sum that is not exact 1 and the others what they would be if it were cut off. */
    private static void sumToOdd(float[] a, float[] b, int count) {
        for (int at = 0; at < count; at += FLOAT.length()) {
            FloatVector p = FloatVector.fromArray(FLOAT, a, at);
            FloatVector c = FloatVector.fromArray(FLOAT, b, at);
            FloatVector sum = p.add(c);
            FloatVector second = sum.sub(p);
            FloatVector missed = p.sub(sum.sub(second)).add(c.sub(second));
            IntVector bits = sum.reinterpretAsInts();
            // One less where what is missed has the other sign.
            IntVector cut = bits.add(bits.lanewise(VectorOperators.XOR, missed.reinterpretAsInts()).lanewise(VectorOperators.ASHR, 31));
            VectorMask<Float> inexact = missed.lanewise(VectorOperators.ABS).compare(VectorOperators.GT, 0f);
            sum.blend(cut.or(1).reinterpretAsFloats(), inexact).intoArray(a, at);
        }
    }

    private static void canonical(short[] x, int count) {
        for (int at = 0; at < count; at += HALVES.length()) {
            ShortVector half = ShortVector.fromArray(HALVES, x, at);
            VectorMask<Short> nan = half.and(Short.MAX_VALUE).compare(VectorOperators.GT, F16_INFINITY);
            half.blend((short) Canonical.HALF, nan).intoArray(x, at);
        }
    }

    /** {@code .sat} on f16 results: clamped to [+0, 1], NaN becomes +0. */
    public static void satF16(VectorFrame frame, int lanes) {
        for (int at = 0; at < 2 * lanes; at += HALVES.length()) {
            ShortVector half = ShortVector.fromArray(HALVES, frame.halves, at);
            VectorMask<Short> nan = half.compare(VectorOperators.GT, F16_INFINITY);
            half.max((short) 0).min(F16_ONE).blend((short) 0, nan).intoArray(frame.halves, at);
        }
    }

    /** {@code .relu} on results: +0 where the sign is set. */
    public static void relu(VectorFrame frame, int lanes) {
        for (int at = 0; at < 2 * lanes; at += HALVES.length()) {
            ShortVector.fromArray(HALVES, frame.halves, at).max((short) 0).intoArray(frame.halves, at);
        }
    }

    /** {@code add.bf16}: the first source times 1 and the second. */
    public static void addBf16(VectorFrame frame, int lanes) {
        int count = 2 * lanes;
        System.arraycopy(frame.halves, count, frame.halves, 2 * count, count);
        Arrays.fill(frame.halves, count, 2 * count, BF16_ONE);
        fmaBf16(frame, lanes);
    }

    /** {@code sub.bf16}: the second source times -1 and the first. */
    public static void subBf16(VectorFrame frame, int lanes) {
        int count = 2 * lanes;
        System.arraycopy(frame.halves, 0, frame.halves, 2 * count, count);
        System.arraycopy(frame.halves, count, frame.halves, 0, count);
        Arrays.fill(frame.halves, count, 2 * count, (short) (BF16_ONE | Short.MIN_VALUE));
        fmaBf16(frame, lanes);
    }

    /** {@code mul.bf16}: the product and -0. */
    public static void mulBf16(VectorFrame frame, int lanes) {
        Arrays.fill(frame.halves, 4 * lanes, 6 * lanes, Short.MIN_VALUE);
        fmaBf16(frame, lanes);
    }

    /** {@code fma.rn.bf16}: an f32 sum is rounded once more; where it is half way between two numbers, what it misses tells which of them. */
    public static void fmaBf16(VectorFrame frame, int lanes) {
        short[] x = frame.halves;
        int count = 2 * lanes;
        for (int at = 0; at < count; at += HALVES.length()) {
            IntVector a = ShortVector.fromArray(HALVES, x, at).reinterpretAsInts();
            IntVector b = ShortVector.fromArray(HALVES, x, count + at).reinterpretAsInts();
            IntVector c = ShortVector.fromArray(HALVES, x, 2 * count + at).reinterpretAsInts();
            FloatVector upperA = a.and(~BELOW).reinterpretAsFloats();
            FloatVector upperB = b.and(~BELOW).reinterpretAsFloats();
            FloatVector upperC = c.and(~BELOW).reinterpretAsFloats();
            FloatVector lowerA = a.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
            FloatVector lowerB = b.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
            FloatVector lowerC = c.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
            FloatVector upper = upperA.fma(upperB, upperC);
            FloatVector lower = lowerA.fma(lowerB, lowerC);
            IntVector high = upper.reinterpretAsInts();
            IntVector low = lower.reinterpretAsInts();
            VectorMask<Integer> highHalf = high.and(BELOW).compare(VectorOperators.EQ, HALF_WAY);
            VectorMask<Integer> lowHalf = low.and(BELOW).compare(VectorOperators.EQ, HALF_WAY);
            if (highHalf.or(lowHalf).anyTrue()) {
                // Exact: products of two numbers of 8 bits that lose some are less than 2^-134, and no sum with one of them is half way.
                FloatVector upperProduct = upperA.mul(upperB);
                FloatVector lowerProduct = lowerA.mul(lowerB);
                FloatVector upperSecond = upper.sub(upperProduct);
                FloatVector lowerSecond = lower.sub(lowerProduct);
                FloatVector upperMissed = upperProduct.sub(upper.sub(upperSecond)).add(upperC.sub(upperSecond));
                FloatVector lowerMissed = lowerProduct.sub(lower.sub(lowerSecond)).add(lowerC.sub(lowerSecond));
                // One more or less in the last bit, as in sumToOdd.
                IntVector highCut = high.add(high.lanewise(VectorOperators.XOR, upperMissed.reinterpretAsInts()).lanewise(VectorOperators.ASHR, 31)).or(1);
                IntVector lowCut = low.add(low.lanewise(VectorOperators.XOR, lowerMissed.reinterpretAsInts()).lanewise(VectorOperators.ASHR, 31)).or(1);
                high = high.blend(highCut, highHalf.and(upperMissed.compare(VectorOperators.NE, 0f).cast(INT)));
                low = low.blend(lowCut, lowHalf.and(lowerMissed.compare(VectorOperators.NE, 0f).cast(INT)));
            }
            high = high.add(HALF_WAY - 1).add(high.lanewise(VectorOperators.LSHR, 16).and(1)).and(~BELOW)
                    .blend(Canonical.HALF << 16, upper.compare(VectorOperators.NE, upper).cast(INT));
            low = low.add(HALF_WAY - 1).add(low.lanewise(VectorOperators.LSHR, 16).and(1)).lanewise(VectorOperators.LSHR, 16)
                    .blend(Canonical.HALF, lower.compare(VectorOperators.NE, lower).cast(INT));
            high.or(low).reinterpretAsShorts().intoArray(x, at);
        }
    }

    // Minima, maxima and signs

    /** {@code min.f16}. */
    public static void minF16(VectorFrame frame, int lanes) {
        extreme(frame, lanes, false, F16_INFINITY, false);
    }

    /** {@code max.f16}. */
    public static void maxF16(VectorFrame frame, int lanes) {
        extreme(frame, lanes, true, F16_INFINITY, false);
    }

    /** {@code min.NaN.f16}. */
    public static void minNanF16(VectorFrame frame, int lanes) {
        extreme(frame, lanes, false, F16_INFINITY, true);
    }

    /** {@code max.NaN.f16}. */
    public static void maxNanF16(VectorFrame frame, int lanes) {
        extreme(frame, lanes, true, F16_INFINITY, true);
    }

    /** {@code min.bf16}. */
    public static void minBf16(VectorFrame frame, int lanes) {
        extreme(frame, lanes, false, BF16_INFINITY, false);
    }

    /** {@code max.bf16}. */
    public static void maxBf16(VectorFrame frame, int lanes) {
        extreme(frame, lanes, true, BF16_INFINITY, false);
    }

    /** {@code min.NaN.bf16}. */
    public static void minNanBf16(VectorFrame frame, int lanes) {
        extreme(frame, lanes, false, BF16_INFINITY, true);
    }

    /** {@code max.NaN.bf16}. */
    public static void maxNanBf16(VectorFrame frame, int lanes) {
        extreme(frame, lanes, true, BF16_INFINITY, true);
    }

    /** Bits below the sign turned over make of negative numbers integers in their order, and of -0 one less than +0. */
    private static void extreme(VectorFrame frame, int lanes, boolean greatest, short infinity, boolean passesNan) {
        short[] x = frame.halves;
        int count = 2 * lanes;
        for (int at = 0; at < count; at += HALVES.length()) {
            ShortVector a = ShortVector.fromArray(HALVES, x, at);
            ShortVector b = ShortVector.fromArray(HALVES, x, count + at);
            ShortVector orderOfA = a.lanewise(VectorOperators.XOR, a.lanewise(VectorOperators.ASHR, 15).and(Short.MAX_VALUE));
            ShortVector orderOfB = b.lanewise(VectorOperators.XOR, b.lanewise(VectorOperators.ASHR, 15).and(Short.MAX_VALUE));
            VectorMask<Short> noA = a.and(Short.MAX_VALUE).compare(VectorOperators.GT, infinity);
            VectorMask<Short> noB = b.and(Short.MAX_VALUE).compare(VectorOperators.GT, infinity);
            VectorMask<Short> isA = greatest ? orderOfB.compare(VectorOperators.LT, orderOfA) : orderOfA.compare(VectorOperators.LT, orderOfB);
            ShortVector number = b.blend(a, isA.andNot(noA).or(noB));
            number.blend((short) Canonical.HALF, passesNan ? noA.or(noB) : noA.and(noB)).intoArray(x, at);
        }
    }

    /** {@code abs.f16}. */
    public static void absF16(VectorFrame frame, int lanes) {
        signs(frame, lanes, false, F16_INFINITY);
    }

    /** {@code neg.f16}. */
    public static void negF16(VectorFrame frame, int lanes) {
        signs(frame, lanes, true, F16_INFINITY);
    }

    /** {@code abs.bf16}. */
    public static void absBf16(VectorFrame frame, int lanes) {
        signs(frame, lanes, false, BF16_INFINITY);
    }

    /** {@code neg.bf16}. */
    public static void negBf16(VectorFrame frame, int lanes) {
        signs(frame, lanes, true, BF16_INFINITY);
    }

    private static void signs(VectorFrame frame, int lanes, boolean turn, short infinity) {
        for (int at = 0; at < 2 * lanes; at += HALVES.length()) {
            ShortVector half = ShortVector.fromArray(HALVES, frame.halves, at);
            ShortVector magnitude = half.and(Short.MAX_VALUE);
            ShortVector result = turn ? half.lanewise(VectorOperators.XOR, Short.MIN_VALUE) : magnitude;
            result.blend((short) Canonical.HALF, magnitude.compare(VectorOperators.GT, infinity)).intoArray(frame.halves, at);
        }
    }
}
