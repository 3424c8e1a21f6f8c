package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.FLOAT;
import static io.ptx4j.jit.support.VectorLanes.INT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Arithmetic of f16 and bf16 ({@link HalfOps}) for a group's lanes, rounded to nearest. Sources are the words of a lane from the beginning of an array, those of the second
 * source {@code lanes} behind the first's and so on; results take the place of the first. Elements behind the last lane, up to a whole vector, may change. A word has one number or,
 * {@code packed}, two. A vector with infinities or NaNs is done lane by lane.
 *
 * <p>As in {@link LaneApproximations}, no method takes or returns a vector.
 */
public final class LaneHalves {
    private static final int LENGTH = INT.length();
    /** Exponents of two f16 or bf16, all ones where they are infinite or no numbers; the lowest bit of each carries such over. */
    private static final int F16_EXPONENTS = 0x7c00_7c00;
    private static final int F16_LEAST = 0x0400_0400;
    private static final int BF16_EXPONENTS = 0x7f80_7f80;
    private static final int BF16_LEAST = 0x0080_0080;
    private static final int CARRIES = 0x8000_8000;
    /** Three bits below the sign of an f16 that stands high in an f32, which has three bits more of exponent, and what its number has to be multiplied by. */
    private static final int F16_IN_F32 = 0x8fff_e000;
    private static final float F16_SCALE = 0x1p112f;
    /** Added to an f32 from 2^-14 on before 13 bits are dropped: half of the last that stays, less one, and the difference of exponents. */
    private static final int F16_ROUND = 0xfff - (112 << 23);
    private static final int F16_NORMAL = 113 << 23;
    private static final int F16_INFINITY = 0x7c00;
    private static final float HALF = 0.5f;

    private LaneHalves() {
    }

    /** {@code add.rn.f16} and {@code add.rn.f16x2}. */
    public static void addF16(int[] values, int lanes, boolean packed) {
        sumF16(values, lanes, packed, 0);
    }

    /** {@code sub.rn.f16} and {@code sub.rn.f16x2}. */
    public static void subF16(int[] values, int lanes, boolean packed) {
        sumF16(values, lanes, packed, CARRIES);
    }

    private static void sumF16(int[] values, int lanes, boolean packed, int signs) {
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector a = IntVector.fromArray(INT, values, at);
            IntVector b = IntVector.fromArray(INT, values, at + lanes).lanewise(VectorOperators.XOR, signs);
            if (a.and(F16_EXPONENTS).add(F16_LEAST).or(b.and(F16_EXPONENTS).add(F16_LEAST)).and(CARRIES).compare(VectorOperators.NE, 0).anyTrue()) {
                for (int lane = at; lane < at + LENGTH; lane++) {
                    int x = values[lane];
                    int y = values[lane + lanes] ^ signs;
                    int low = HalfOps.addF16(x & 0xffff, y & 0xffff);
                    values[lane] = packed ? HalfOps.addF16(x >>> 16, y >>> 16) << 16 | low : low;
                }
                continue;
            }
            for (int half = packed ? 0 : 1; half < 2; half++) {
                IntVector high = packed && half == 0 ? a : a.lanewise(VectorOperators.LSHL, 16);
                FloatVector x = high.lanewise(VectorOperators.ASHR, 3).and(F16_IN_F32).reinterpretAsFloats().mul(F16_SCALE);
                high = packed && half == 0 ? b : b.lanewise(VectorOperators.LSHL, 16);
                FloatVector y = high.lanewise(VectorOperators.ASHR, 3).and(F16_IN_F32).reinterpretAsFloats().mul(F16_SCALE);
                x.add(y).intoArray(null, 0);
            }
        }
    }
}
