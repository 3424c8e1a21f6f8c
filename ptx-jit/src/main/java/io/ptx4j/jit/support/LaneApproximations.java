package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.PortableApproximations.MINUS_HALF_PI_HIGH;
import static io.ptx4j.jit.support.PortableApproximations.MINUS_HALF_PI_LOW;
import static io.ptx4j.jit.support.PortableApproximations.ROOT_OF_HALF;
import static io.ptx4j.jit.support.PortableApproximations.ROUNDER;
import static io.ptx4j.jit.support.PortableApproximations.TWO_OVER_PI;
import static io.ptx4j.jit.support.VectorLanes.FLOAT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * The approximate functions of {@link PortableApproximations} for a group's lanes: the same operations in the same order, on vectors. Each method takes sources
 * from the beginning of an array and leaves results there, with canonical NaNs; elements behind the last lane, up to a whole vector, may change. Lanes with
 * values that need more than that are done one by one.
 *
 * <p>No method here takes or returns a vector: HotSpot stops inlining in the middle of a caller that has become large, and what crosses a call that stays
 * is made an object.
 */
public final class LaneApproximations {
    private static final int LENGTH = FLOAT.length();
    private static final int ROUNDER_BITS = Float.floatToRawIntBits(ROUNDER);
    private static final float[] EX2 = floats(0x3920bd2e, 0x3aaf84a3, 0x3c1d96e9, 0x3d6357bd, 0x3e75fdee, 0x3f317218, 0x3f800000);
    private static final float[] LG2 = floats(0x3e00d04a, 0xbe53bcd2, 0x3e5caa2d, 0xbe74c0df, 0x3e936e81, 0xbeb8adbc, 0x3ef639b4, 0xbf38aa39, 0x3fb8aa3b);
    private static final float[] SINE = floats(0xb94caae6, 0x3c0883be, 0xbe2aaaa3, 0x3f800000);
    private static final float[] COSINE = floats(0xbab23c12, 0x3d2a9fd5, 0xbeffffdd, 0x3f800000);
    private static final float[] TANH_ABOVE = floats(0x3ac79a4f, 0x3deb7c9a, 0x3f800000);
    private static final float[] TANH_BELOW = floats(0x386e03ee, 0x3c90b537, 0x3ee58552, 0x3f800000);

    private LaneApproximations() {
    }

    private static float[] floats(int... bits) {
        float[] floats = new float[bits.length];
        for (int i = 0; i < bits.length; i++) {
            floats[i] = Float.intBitsToFloat(bits[i]);
        }
        return floats;
    }

    /** {@code ex2.approx.f32}. */
    public static void ex2(float[] values, int lanes) {
        for (int at = 0; at < lanes; at += LENGTH) {
            FloatVector x = FloatVector.fromArray(FLOAT, values, at).max(-152f).min(129f);
            FloatVector rounded = x.add(ROUNDER);
            FloatVector f = x.sub(rounded.sub(ROUNDER));
            FloatVector p = FloatVector.broadcast(FLOAT, EX2[0]);
            for (int i = 1; i < EX2.length; i++) {
                p = f.fma(p, FloatVector.broadcast(FLOAT, EX2[i]));
            }
            IntVector whole = rounded.reinterpretAsInts().sub(ROUNDER_BITS);
            IntVector half = whole.lanewise(VectorOperators.ASHR, 1);
            FloatVector first = half.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
            FloatVector second = whole.sub(half).add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
            FloatVector result = p.mul(first).mul(second);
            result.blend(Canonical.F32, result.compare(VectorOperators.NE, result)).intoArray(values, at);
        }
    }

    /** {@code lg2.approx.f32}. */
    public static void lg2(float[] values, int lanes) {
        for (int at = 0; at < lanes; at += LENGTH) {
            FloatVector a = FloatVector.fromArray(FLOAT, values, at);
            if (!a.compare(VectorOperators.GE, Float.MIN_NORMAL).and(a.compare(VectorOperators.LE, Float.MAX_VALUE)).allTrue()) {
                for (int lane = at; lane < at + LENGTH; lane++) {
                    values[lane] = PortableApproximations.lg2F32(values[lane]);
                }
                continue;
            }
            IntVector bits = a.reinterpretAsInts();
            IntVector e = bits.sub(ROOT_OF_HALF).lanewise(VectorOperators.ASHR, 23);
            FloatVector f = bits.sub(e.lanewise(VectorOperators.LSHL, 23)).reinterpretAsFloats().sub(1f);
            FloatVector p = FloatVector.broadcast(FLOAT, LG2[0]);
            for (int i = 1; i < LG2.length; i++) {
                p = f.fma(p, FloatVector.broadcast(FLOAT, LG2[i]));
            }
            f.fma(p, (FloatVector) e.convert(VectorOperators.I2F, 0)).intoArray(values, at);
        }
    }

    /** {@code sin.approx.f32}. */
    public static void sin(float[] values, int lanes) {
        sine(values, lanes, 0);
    }

    /** {@code cos.approx.f32}. */
    public static void cos(float[] values, int lanes) {
        sine(values, lanes, 1);
    }

    /** The sine of angles, {@code quarters} quarter turns further; that of 0 turns has the sign of its source. */
    private static void sine(float[] values, int lanes, int quarters) {
        for (int at = 0; at < lanes; at += LENGTH) {
            FloatVector source = FloatVector.fromArray(FLOAT, values, at);
            FloatVector a = source.abs();
            if (!a.compare(VectorOperators.LE, 0x1p22f).allTrue()) {
                for (int lane = at; lane < at + LENGTH; lane++) {
                    values[lane] = quarters == 0 ? PortableApproximations.sinF32(values[lane]) : PortableApproximations.cosF32(values[lane]);
                }
                continue;
            }
            FloatVector rounded = a.mul(TWO_OVER_PI).add(ROUNDER);
            FloatVector n = rounded.sub(ROUNDER);
            FloatVector r = n.fma(FloatVector.broadcast(FLOAT, MINUS_HALF_PI_LOW), n.fma(FloatVector.broadcast(FLOAT, MINUS_HALF_PI_HIGH), a));
            IntVector q = rounded.reinterpretAsInts().sub(ROUNDER_BITS).add(quarters);
            FloatVector s = r.mul(r);
            FloatVector sine = FloatVector.broadcast(FLOAT, SINE[0]);
            FloatVector cosine = FloatVector.broadcast(FLOAT, COSINE[0]);
            for (int i = 1; i < SINE.length; i++) {
                sine = s.fma(sine, FloatVector.broadcast(FLOAT, SINE[i]));
                cosine = s.fma(cosine, FloatVector.broadcast(FLOAT, COSINE[i]));
            }
            VectorMask<Float> odd = q.lanewise(VectorOperators.AND, 1).compare(VectorOperators.NE, 0).cast(FLOAT);
            IntVector sign = q.and(2).lanewise(VectorOperators.LSHL, 30);
            if (quarters == 0) {
                sign = sign.lanewise(VectorOperators.XOR, source.reinterpretAsInts().and(Integer.MIN_VALUE));
            }
            r.mul(sine).blend(cosine, odd).reinterpretAsInts().lanewise(VectorOperators.XOR, sign).reinterpretAsFloats().intoArray(values, at);
        }
    }

    /** {@code tanh.approx.f32}. */
    public static void tanh(float[] values, int lanes) {
        for (int at = 0; at < lanes; at += LENGTH) {
            FloatVector a = FloatVector.fromArray(FLOAT, values, at);
            FloatVector s = a.mul(a);
            FloatVector above = FloatVector.broadcast(FLOAT, TANH_ABOVE[0]);
            for (int i = 1; i < TANH_ABOVE.length; i++) {
                above = s.fma(above, FloatVector.broadcast(FLOAT, TANH_ABOVE[i]));
            }
            FloatVector below = FloatVector.broadcast(FLOAT, TANH_BELOW[0]);
            for (int i = 1; i < TANH_BELOW.length; i++) {
                below = s.fma(below, FloatVector.broadcast(FLOAT, TANH_BELOW[i]));
            }
            FloatVector quotient = a.mul(above).div(below);
            FloatVector result = quotient.blend(Canonical.F32, quotient.compare(VectorOperators.NE, quotient));
            IntVector one = a.reinterpretAsInts().and(Integer.MIN_VALUE).or(Float.floatToRawIntBits(1f));
            result.blend(one.reinterpretAsFloats(), a.abs().compare(VectorOperators.GE, 6f)).intoArray(values, at);
        }
    }
}
