package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.DOUBLE;
import static io.ptx4j.jit.support.VectorLanes.FLOAT;
import static io.ptx4j.jit.support.VectorLanes.INT;

import io.ptx4j.engine.SpecialFunction;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * {@link HopperApproximations} for a group's lanes. Each method takes sources from the beginning of an array, divisors from {@code lanes} on, and leaves results
 * at the beginning; elements behind the last lane, up to a whole vector, may change. Where a vector has sources or results out of the ordinary, its lanes are done one by one.
 *
 * <p>Polynomials are 41 bits wide. Here they are made of two words: with a place of {@code h · 2^split + l}, {@code C0 + C1·h} and {@code C1·l + C2·square + bias}. As in
 * {@link LaneApproximations}, no method takes or returns a vector; what goes from step to step goes through arrays.
 */
public final class LaneHopperApproximations {
    private static final int LENGTH = INT.length();
    private static final int FRACTION = 0x7fffff;
    private static final int ONE = 1 << 23;

    /** What goes from step to step. */
    public static final class Steps {
        /** Rows and places, as the functions find them: the row's number stands before the place. */
        final int[] fractions;
        final int[] rows;
        final int[] upper;
        final int[] lower;
        final float[] results;

        /** For groups of so many lanes, and twice as many halves. */
        public Steps(int lanes) {
            int length = 2 * lanes + LENGTH;
            fractions = new int[length];
            rows = new int[length];
            upper = new int[length];
            lower = new int[length];
            results = new float[length];
        }
    }

    /** A function's coefficients by degree. */
    private static final class Table {
        final int[] constants;
        final int[] factors;
        final int[] squares;
        /** Bits of a place. */
        final int width;
        final int split;
        final int bias;

        Table(SpecialFunction function, int width, int shift, int more, int split, int bias) {
            int intervals = function.intervals();
            constants = new int[intervals];
            factors = new int[intervals];
            squares = new int[intervals];
            for (int i = 0; i < intervals; i++) {
                constants[i] = function.coefficient(i, 0) << shift - split;
                factors[i] = function.coefficient(i, 1);
                squares[i] = function.coefficient(i, 2) << more;
            }
            this.width = width;
            this.split = split;
            this.bias = bias;
        }

        /** Doubles rows from the middle on: what is in units half as large there has one unit then. */
        Table doubledFromMiddle() {
            for (int i = factors.length / 2; i < factors.length; i++) {
                factors[i] <<= 1;
                squares[i] <<= 1;
            }
            return this;
        }
    }

    private static final Table RCP = new Table(SpecialFunction.RCP, 16, 13, 0, 8, 0x7e7);
    private static final Table RSQRT = new Table(SpecialFunction.RSQRT, 17, 14, 2, 8, 0x3fff);
    private static final Table SQRT = new Table(SpecialFunction.SQRT, 17, 15, 0, 9, 0x7fff).doubledFromMiddle();
    private static final Table EX2 = new Table(SpecialFunction.EX2, 17, 13, 0, 8, 0x17e2);
    private static final Table LG2 = new Table(SpecialFunction.LG2, 17, 12, 1, 8, 0x345);
    private static final Table SIN = new Table(SpecialFunction.SIN, 17, 11, 0, 8, 0);

    private static final int[] TANH_CUT = HopperApproximations.TANH_CUT;
    private static final int[] TANH_FIRST = HopperApproximations.TANH_FIRST;
    /** By binade, how many zeros at the end of its coefficients are left out here: with them there would not be room. */
    private static final int[] TANH_ZEROS = {7, 7, 7, 6, 6, 5, 4, 4, 3, 1, 3};
    private static final Table TANH = tangents();

    @FunctionalInterface
    private interface Single {
        float of(float a);
    }

    private LaneHopperApproximations() {
    }

    private static Table tangents() {
        var table = new Table(SpecialFunction.TANH, 17, 9, 0, 9, 0);
        for (int binade = 0; binade < TANH_ZEROS.length; binade++) {
            int end = binade + 1 < TANH_FIRST.length ? TANH_FIRST[binade + 1] : table.factors.length;
            for (int i = TANH_FIRST[binade]; i < end; i++) {
                table.constants[i] <<= 7 - TANH_ZEROS[binade];
                table.factors[i] >>= TANH_ZEROS[binade];
                table.squares[i] >>= TANH_ZEROS[binade];
            }
        }
        return table;
    }

    /** The two words of each lane's polynomial, of {@link Steps#fractions}. */
    private static void polynomials(Steps steps, int lanes, Table table) {
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector fraction = IntVector.fromArray(INT, steps.fractions, at);
            fraction.lanewise(VectorOperators.LSHR, table.width).intoArray(steps.rows, at);
            IntVector place = fraction.and((1 << table.width) - 1);
            IntVector x = place.lanewise(VectorOperators.LSHL, 17 - table.width);
            IntVector square = IntVector.zero(INT);
            for (int i = 2; i < 17; i++) {
                square = square.add(x.lanewise(VectorOperators.LSHL, 31 - i).lanewise(VectorOperators.ASHR, 31).and(x.lanewise(VectorOperators.LSHR, 18 - i)));
            }
            IntVector factor = IntVector.fromArray(INT, table.factors, 0, steps.rows, at);
            IntVector constant = IntVector.fromArray(INT, table.constants, 0, steps.rows, at);
            IntVector ofSquare = IntVector.fromArray(INT, table.squares, 0, steps.rows, at);
            constant.add(factor.mul(place.lanewise(VectorOperators.LSHR, table.split))).intoArray(steps.upper, at);
            factor.mul(place.and((1 << table.split) - 1)).add(ofSquare.mul(square.lanewise(VectorOperators.LSHR, 1))).add(table.bias).intoArray(steps.lower, at);
        }
    }

    /** Polynomials shifted down to significands, which take the place of their upper words. */
    private static void significands(Steps steps, int lanes, Table table, int down) {
        polynomials(steps, lanes, table);
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector lower = IntVector.fromArray(INT, steps.lower, at).lanewise(VectorOperators.ASHR, table.split);
            lower.add(IntVector.fromArray(INT, steps.upper, at)).lanewise(VectorOperators.LSHR, down - table.split).intoArray(steps.upper, at);
        }
    }

    /** Takes results of vectors whose sources lie between both bounds, and have the others done one by one. */
    private static void take(float[] values, Steps steps, int lanes, boolean magnitudes, float least, float greatest, Single single) {
        for (int at = 0; at < lanes; at += LENGTH) {
            FloatVector a = FloatVector.fromArray(FLOAT, values, at);
            FloatVector ordered = magnitudes ? a.abs() : a;
            if (ordered.compare(VectorOperators.GE, least).and(ordered.compare(VectorOperators.LE, greatest)).allTrue()) {
                FloatVector.fromArray(FLOAT, steps.results, at).intoArray(values, at);
            } else {
                for (int lane = at; lane < at + LENGTH; lane++) {
                    values[lane] = single.of(values[lane]);
                }
            }
        }
    }

    private static void reciprocals(float[] values, int from, Steps steps, int lanes) {
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector bits = FloatVector.fromArray(FLOAT, values, from + at).reinterpretAsInts();
            bits.and(FRACTION).intoArray(steps.fractions, at);
        }
        significands(steps, lanes, RCP, 15);
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector bits = FloatVector.fromArray(FLOAT, values, from + at).reinterpretAsInts();
            IntVector exponent = bits.lanewise(VectorOperators.LSHR, 23).and(0xff);
            IntVector significand = IntVector.fromArray(INT, steps.upper, at);
            IntVector.broadcast(INT, 253).sub(exponent).lanewise(VectorOperators.LSHL, 23).add(significand).sub(ONE).or(bits.and(Integer.MIN_VALUE)).reinterpretAsFloats()
                    .intoArray(steps.results, at);
        }
    }

    /** {@code rcp.approx.f32}. */
    public static void rcpF32(float[] values, Steps steps, int lanes) {
        reciprocals(values, 0, steps, lanes);
        take(values, steps, lanes, true, Float.MIN_NORMAL, 0x1p126f, HopperApproximations::rcpF32);
    }

    /** {@code rcp.approx.ftz.f32}. */
    public static void rcpFtzF32(float[] values, Steps steps, int lanes) {
        reciprocals(values, 0, steps, lanes);
        take(values, steps, lanes, true, Float.MIN_NORMAL, 0x1p126f, HopperApproximations::rcpFtzF32);
    }

    /** Of numbers in [1, 4). */
    private static void fractionsOf4(float[] values, Steps steps, int lanes) {
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector bits = FloatVector.fromArray(FLOAT, values, at).reinterpretAsInts();
            // The exponent's bias is odd.
            bits.and(2 * ONE - 1).lanewise(VectorOperators.XOR, ONE).intoArray(steps.fractions, at);
        }
    }

    private static void inverseRoots(float[] values, Steps steps, int lanes) {
        fractionsOf4(values, steps, lanes);
        significands(steps, lanes, RSQRT, 16);
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector bits = FloatVector.fromArray(FLOAT, values, at).reinterpretAsInts();
            IntVector half = bits.lanewise(VectorOperators.LSHR, 23).sub(127).lanewise(VectorOperators.ASHR, 1);
            IntVector significand = IntVector.fromArray(INT, steps.upper, at);
            significand = significand.blend(2 * ONE, bits.and(2 * ONE - 1).compare(VectorOperators.EQ, ONE));
            IntVector.broadcast(INT, 126).sub(half).lanewise(VectorOperators.LSHL, 23).add(significand).sub(ONE).reinterpretAsFloats().intoArray(steps.results, at);
        }
    }

    /** {@code rsqrt.approx.f32}. */
    public static void rsqrtF32(float[] values, Steps steps, int lanes) {
        inverseRoots(values, steps, lanes);
        take(values, steps, lanes, false, Float.MIN_NORMAL, Float.MAX_VALUE, HopperApproximations::rsqrtF32);
    }

    /** {@code rsqrt.approx.ftz.f32}. */
    public static void rsqrtFtzF32(float[] values, Steps steps, int lanes) {
        inverseRoots(values, steps, lanes);
        take(values, steps, lanes, false, Float.MIN_NORMAL, Float.MAX_VALUE, HopperApproximations::rsqrtFtzF32);
    }

    private static void roots(float[] values, Steps steps, int lanes) {
        fractionsOf4(values, steps, lanes);
        significands(steps, lanes, SQRT, 17);
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector bits = FloatVector.fromArray(FLOAT, values, at).reinterpretAsInts();
            IntVector half = bits.lanewise(VectorOperators.LSHR, 23).sub(127).lanewise(VectorOperators.ASHR, 1);
            IntVector significand = IntVector.fromArray(INT, steps.upper, at);
            half.add(127).lanewise(VectorOperators.LSHL, 23).add(significand).sub(ONE).reinterpretAsFloats().intoArray(steps.results, at);
        }
    }

    /** {@code sqrt.approx.f32}. */
    public static void sqrtF32(float[] values, Steps steps, int lanes) {
        roots(values, steps, lanes);
        take(values, steps, lanes, false, Float.MIN_NORMAL, Float.MAX_VALUE, HopperApproximations::sqrtF32);
    }

    /** {@code sqrt.approx.ftz.f32}. */
    public static void sqrtFtzF32(float[] values, Steps steps, int lanes) {
        roots(values, steps, lanes);
        take(values, steps, lanes, false, Float.MIN_NORMAL, Float.MAX_VALUE, HopperApproximations::sqrtFtzF32);
    }

    /** Powers whose results have this mask's bits. */
    private static void powers(float[] values, Steps steps, int lanes, int mask) {
        for (int at = 0; at < lanes; at += LENGTH) {
            FloatVector a = FloatVector.fromArray(FLOAT, values, at);
            IntVector magnitude = (IntVector) a.abs().mul(0x1p23f).convert(VectorOperators.F2I, 0);
            IntVector negated = magnitude.not().blend(magnitude.neg(), magnitude.and(FRACTION).compare(VectorOperators.EQ, 0));
            IntVector fixed = magnitude.blend(negated, a.compare(VectorOperators.LT, 0).cast(INT));
            fixed.and(FRACTION).intoArray(steps.fractions, at);
            // The power of two, until the results are made.
            fixed.lanewise(VectorOperators.ASHR, 23).reinterpretAsFloats().intoArray(steps.results, at);
        }
        significands(steps, lanes, EX2, 15);
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector whole = FloatVector.fromArray(FLOAT, steps.results, at).reinterpretAsInts();
            IntVector significand = IntVector.fromArray(INT, steps.upper, at);
            whole.add(127).lanewise(VectorOperators.LSHL, 23).add(significand).sub(ONE).and(mask).reinterpretAsFloats().intoArray(steps.results, at);
        }
    }

    /** {@code ex2.approx.f32}. */
    public static void ex2F32(float[] values, Steps steps, int lanes) {
        powers(values, steps, lanes, -1);
        take(values, steps, lanes, false, -126, 127.9f, HopperApproximations::ex2F32);
    }

    /** {@code ex2.approx.ftz.f32}. */
    public static void ex2FtzF32(float[] values, Steps steps, int lanes) {
        powers(values, steps, lanes, -1);
        take(values, steps, lanes, false, -126, 127.9f, HopperApproximations::ex2FtzF32);
    }

    /** {@code ex2.approx.f16}, of numbers and to a number that f16 has. */
    public static void ex2F16(float[] values, Steps steps, int lanes) {
        powers(values, steps, lanes, -1 << 13);
        take(values, steps, lanes, false, -14, 15.9f, a -> HalfOps.fromF16(HopperApproximations.cutF16(HopperApproximations.ex2FtzF32(a))));
    }

    /** {@code ex2.approx.ftz.bf16}, of numbers and to a number that bf16 has. */
    public static void ex2Bf16(float[] values, Steps steps, int lanes) {
        powers(values, steps, lanes, -1 << 16);
        take(values, steps, lanes, false, -126, 127.9f, a -> HalfOps.fromBf16(HopperApproximations.cutBf16(HopperApproximations.ex2FtzF32(a))));
    }

    /** {@code lg2.approx.f32}. */
    public static void lg2F32(float[] values, Steps steps, int lanes) {
        logarithms(values, steps, lanes);
        take(values, steps, lanes, false, Float.MIN_NORMAL, Float.MAX_VALUE, HopperApproximations::lg2F32);
    }

    /** {@code lg2.approx.ftz.f32}. */
    public static void lg2FtzF32(float[] values, Steps steps, int lanes) {
        logarithms(values, steps, lanes);
        take(values, steps, lanes, false, Float.MIN_NORMAL, Float.MAX_VALUE, HopperApproximations::lg2FtzF32);
    }

    private static void logarithms(float[] values, Steps steps, int lanes) {
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector bits = FloatVector.fromArray(FLOAT, values, at).reinterpretAsInts();
            bits.and(FRACTION).intoArray(steps.fractions, at);
        }
        polynomials(steps, lanes, LG2);
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector bits = FloatVector.fromArray(FLOAT, values, at).reinterpretAsInts();
            IntVector exponent = bits.lanewise(VectorOperators.LSHR, 23).sub(127);
            IntVector upper = IntVector.fromArray(INT, steps.upper, at);
            IntVector lower = IntVector.fromArray(INT, steps.lower, at).lanewise(VectorOperators.ASHR, 2);
            IntVector result = IntVector.zero(INT);
            for (int part = 0; part < LENGTH / DOUBLE.length(); part++) {
                // In units of 2^-36: 64 · upper + lower are behind the point.
                DoubleVector logarithm = ((DoubleVector) exponent.convertShape(VectorOperators.I2D, DOUBLE, part)).mul(0x1p36)
                        .add(((DoubleVector) upper.convertShape(VectorOperators.I2D, DOUBLE, part)).mul(64)).add(lower.convertShape(VectorOperators.I2D, DOUBLE, part));
                VectorMask<Double> negative = logarithm.compare(VectorOperators.LT, 0);
                DoubleVector magnitude = logarithm.blend(DoubleVector.broadcast(DOUBLE, -1).sub(logarithm), negative).mul(0x1p-36);
                LongVector cut = magnitude.reinterpretAsLongs().sub(1023L - 127 << 52).lanewise(VectorOperators.LSHR, 29);
                cut = cut.blend(cut.lanewise(VectorOperators.OR, 1L << 31), negative.cast(VectorLanes.LONG));
                result = result.or(cut.convertShape(VectorOperators.L2I, INT, -part));
            }
            result.blend(0, bits.compare(VectorOperators.EQ, 127 << 23)).reinterpretAsFloats().intoArray(steps.results, at);
        }
    }

    /** {@code sin.approx.f32}, with and without {@code .ftz}. */
    public static void sinF32(float[] values, Steps steps, int lanes) {
        sines(values, steps, lanes, 0);
        take(values, steps, lanes, true, 0, 0x1p8f, HopperApproximations::sinF32);
    }

    /** {@code cos.approx.f32}, with and without {@code .ftz}. */
    public static void cosF32(float[] values, Steps steps, int lanes) {
        sines(values, steps, lanes, 1);
        take(values, steps, lanes, true, 0, 0x1p8f, HopperApproximations::cosF32);
    }

    private static void sines(float[] values, Steps steps, int lanes, int quarters) {
        FloatVector turn = FloatVector.broadcast(FLOAT, Float.intBitsToFloat(0x3e22f983));
        for (int at = 0; at < lanes; at += LENGTH) {
            FloatVector source = FloatVector.fromArray(FLOAT, values, at);
            FloatVector a = source.abs();
            FloatVector nearest = a.mul(turn);
            // Cut off: the number before, where the nearest one is beyond the product.
            VectorMask<Float> beyond = a.fma(turn, nearest.neg()).compare(VectorOperators.LT, 0);
            IntVector below = nearest.reinterpretAsInts();
            FloatVector turns = below.blend(below.sub(1), beyond.cast(INT)).reinterpretAsFloats();
            IntVector fixed = (IntVector) turns.mul(0x1p25f).convert(VectorOperators.F2I, 0);
            IntVector quarter = fixed.lanewise(VectorOperators.ASHR, 23).add(quarters);
            fixed.lanewise(VectorOperators.XOR, quarter.and(1).neg()).and(FRACTION).intoArray(steps.fractions, at);
            IntVector sign = quarter.and(2).lanewise(VectorOperators.LSHL, 30);
            if (quarters == 0) {
                sign = sign.lanewise(VectorOperators.XOR, source.reinterpretAsInts().and(Integer.MIN_VALUE));
            }
            sign.reinterpretAsFloats().intoArray(steps.results, at);
        }
        polynomials(steps, lanes, SIN);
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector upper = IntVector.fromArray(INT, steps.upper, at);
            IntVector lower = IntVector.fromArray(INT, steps.lower, at);
            IntVector result = FloatVector.fromArray(FLOAT, steps.results, at).reinterpretAsInts();
            for (int part = 0; part < LENGTH / DOUBLE.length(); part++) {
                DoubleVector sine = ((DoubleVector) upper.convertShape(VectorOperators.I2D, DOUBLE, part)).mul(256)
                        .add(lower.convertShape(VectorOperators.I2D, DOUBLE, part)).mul(0x1p-37);
                LongVector bits = sine.reinterpretAsLongs();
                LongVector cut = bits.sub(1023L - 127 << 52).lanewise(VectorOperators.LSHR, 29).blend(0, bits.compare(VectorOperators.EQ, 0));
                result = result.or(cut.convertShape(VectorOperators.L2I, INT, -part));
            }
            result.reinterpretAsFloats().intoArray(steps.results, at);
        }
    }

    /** Tangents whose results have this mask's bits. */
    private static void tangents(float[] values, Steps steps, int lanes, int mask) {
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector bits = FloatVector.fromArray(FLOAT, values, at).reinterpretAsInts();
            IntVector exponent = bits.lanewise(VectorOperators.LSHR, 23).and(0xff);
            exponent.sub(119).max(0).min(TANH_ZEROS.length - 1).intoArray(steps.rows, at);
            IntVector fraction = bits.and(FRACTION).lanewise(VectorOperators.LSHR, IntVector.fromArray(INT, TANH_CUT, 0, steps.rows, at));
            IntVector scale = exponent.min(126).sub(126).add(IntVector.fromArray(INT, TANH_ZEROS, 0, steps.rows, at));
            IntVector first = IntVector.fromArray(INT, TANH_FIRST, 0, steps.rows, at);
            first.lanewise(VectorOperators.LSHL, TANH.width).add(fraction).intoArray(steps.fractions, at);
            // The power of two, until the results are made.
            scale.lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats().intoArray(steps.results, at);
        }
        polynomials(steps, lanes, TANH);
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector upper = IntVector.fromArray(INT, steps.upper, at);
            IntVector lower = IntVector.fromArray(INT, steps.lower, at);
            IntVector result = FloatVector.fromArray(FLOAT, steps.results, at).reinterpretAsInts();
            for (int part = 0; part < LENGTH / DOUBLE.length(); part++) {
                DoubleVector tangent = ((DoubleVector) upper.convertShape(VectorOperators.I2D, DOUBLE, part)).mul(512)
                        .add(lower.convertShape(VectorOperators.I2D, DOUBLE, part)).mul(0x1p-40);
                LongVector cut = tangent.reinterpretAsLongs().sub(1023L - 127 << 52).lanewise(VectorOperators.LSHR, 29);
                result = result.add(cut.convertShape(VectorOperators.L2I, INT, -part));
            }
            IntVector bits = FloatVector.fromArray(FLOAT, values, at).reinterpretAsInts();
            IntVector magnitude = bits.and(Integer.MAX_VALUE);
            result = result.blend(127 << 23, magnitude.compare(VectorOperators.GE, 130 << 23)).blend(magnitude, magnitude.compare(VectorOperators.LT, 119 << 23));
            result.or(bits.and(Integer.MIN_VALUE)).and(mask).reinterpretAsFloats().intoArray(steps.results, at);
        }
    }

    /** {@code tanh.approx.f32}. */
    public static void tanhF32(float[] values, Steps steps, int lanes) {
        tangents(values, steps, lanes, -1);
        take(values, steps, lanes, true, 0, Float.MAX_VALUE, HopperApproximations::tanhF32);
    }

    /** {@code tanh.approx.f16}, of numbers and to a number that f16 has. */
    public static void tanhF16(float[] values, Steps steps, int lanes) {
        tangents(values, steps, lanes, -1 << 13);
        take(values, steps, lanes, true, 0x1p-13f, Float.MAX_VALUE, a -> HalfOps.fromF16(HopperApproximations.cutF16(HopperApproximations.tanhF32(a))));
    }

    /** {@code tanh.approx.bf16}, of numbers and to a number that bf16 has. */
    public static void tanhBf16(float[] values, Steps steps, int lanes) {
        tangents(values, steps, lanes, -1 << 16);
        take(values, steps, lanes, true, 0, Float.MAX_VALUE, a -> HalfOps.fromBf16(HopperApproximations.cutBf16(HopperApproximations.tanhF32(a))));
    }

    @FunctionalInterface
    private interface Quotient {
        float of(float a, float b);
    }

    /** Where divisors, dividends and quotients are ordinary: the dividend times the reciprocal. */
    private static void quotients(float[] values, Steps steps, int lanes, Quotient single) {
        reciprocals(values, lanes, steps, lanes);
        for (int at = 0; at < lanes; at += LENGTH) {
            FloatVector a = FloatVector.fromArray(FLOAT, values, at);
            FloatVector b = FloatVector.fromArray(FLOAT, values, lanes + at).abs();
            FloatVector quotient = a.mul(FloatVector.fromArray(FLOAT, steps.results, at));
            FloatVector magnitude = quotient.abs();
            // A quotient of zero is that of zero: a smaller one would have been flushed or not.
            VectorMask<Float> ordinary = magnitude.compare(VectorOperators.GT, Float.MIN_NORMAL).or(a.compare(VectorOperators.EQ, 0))
                    .and(a.abs().compare(VectorOperators.GE, Float.MIN_NORMAL).or(a.compare(VectorOperators.EQ, 0)))
                    .and(b.compare(VectorOperators.GE, Float.MIN_NORMAL)).and(b.compare(VectorOperators.LE, 0x1p126f));
            if (ordinary.allTrue()) {
                quotient.intoArray(values, at);
            } else {
                for (int lane = at; lane < Math.min(at + LENGTH, lanes); lane++) {
                    values[lane] = single.of(values[lane], values[lanes + lane]);
                }
            }
        }
    }

    /** {@code div.approx.f32}. */
    public static void divF32(float[] values, Steps steps, int lanes) {
        quotients(values, steps, lanes, HopperApproximations::divF32);
    }

    /** {@code div.approx.ftz.f32}. */
    public static void divFtzF32(float[] values, Steps steps, int lanes) {
        quotients(values, steps, lanes, HopperApproximations::divFtzF32);
    }

    /** {@code div.full.f32}. */
    public static void divFullF32(float[] values, Steps steps, int lanes) {
        quotients(values, steps, lanes, HopperApproximations::divFullF32);
    }

    /** {@code div.full.ftz.f32}. */
    public static void divFullFtzF32(float[] values, Steps steps, int lanes) {
        quotients(values, steps, lanes, HopperApproximations::divFullFtzF32);
    }
}
