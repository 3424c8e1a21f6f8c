package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/**
 * cvt to packed types. The lanes come from one packed source, or from as many f32 sources as there are lanes, the first for the
 * highest lane; the sources of {@code .rs} end with the random bits, those of {@code .scaled} with the scale factors.
 */
record PackedConversion(ScalarType to, ScalarType from, FloatResult result, boolean stochastic) implements Arithmetic {
    static PackedConversion of(Spelling spelling) {
        ScalarType to = spelling.type();
        boolean stochastic = spelling.has(Modifier.RS);
        Rounding rounding = stochastic ? Rounding.Fixed.NEAREST_EVEN : Rounding.of(spelling);
        Format format = to == ScalarType.UE8M0X2 || to == ScalarType.S2F6X2 ? null : Format.of(to);
        FloatResult result = new FloatResult(
                format, rounding, false, false, spelling.has(Modifier.RELU), spelling.has(Modifier.SATFINITE));
        return new PackedConversion(to, spelling.types().get(1), result, stochastic);
    }

    @Override
    public long apply(Spelling spelling, long[] sources) {
        long packed = 0;
        for (int lane = 0; lane < to.lanes(); lane++) {
            Exact source = from.packed()
                    ? decode(Lanes.lane(from, sources[0], lane)) : Format.F32.decode(sources[to.lanes() - 1 - lane]);
            boolean scaled = spelling.has(Modifier.SCALED_N2_UE8M0);
            source = scaled ? scaled(source, ScaleFactor.decode(Lanes.lane(ScalarType.UE8M0X2, sources[sources.length - 1], lane))) : source;
            packed |= Lanes.inLane(to, convert(source, lane, sources), lane);
        }
        return packed;
    }

    private Exact decode(long bits) {
        return switch (from) {
            case UE8M0X2 -> ScaleFactor.decode(bits);
            case S2F6X2 -> FixedPoint.decode(bits);
            default -> Format.of(from).decode(bits);
        };
    }

    /** Divided by the scale factor on the way to s2f6, multiplied by it on the way from there. */
    private Exact scaled(Exact source, Exact factor) {
        return to == ScalarType.S2F6X2 && factor instanceof Exact.Number power
                ? ExactArithmetic.multiply(source, Exact.powerOfTwo(-power.exponent())) : ExactArithmetic.multiply(source, factor);
    }

    private long convert(Exact source, int lane, long[] sources) {
        if (to == ScalarType.S2F6X2) {
            boolean clamped = result.relu() && source.negative() && !source.isNaN();
            return FixedPoint.round(clamped ? Exact.zero(false) : source);
        }
        if (source.isNaN()) {
            return to == ScalarType.UE8M0X2 ? ScaleFactor.round(source, result.rounding(), false) : result.format().nan();
        }
        if (to == ScalarType.UE8M0X2) {
            return ScaleFactor.round(source, result.rounding(), result.satFinite());
        }
        return (stochastic ? result.with(random(lane, (int) sources[sources.length - 1])) : result).bits(source);
    }

    /** Which of the random bits a lane uses (docs/numerics.md, "Stochastic rounding"). */
    private Rounding random(int lane, int bits) {
        int half = switch (to) {
            case F16X2, BF16X2 -> bits >>> 16 * lane;
            case E2M1X4 -> lane < 2 ? bits >>> 8 & 0xff00 | bits & 0xff : bits >>> 16 & 0xff00 | bits >>> 8 & 0xff;
            default -> bits >>> 16 * (lane / 2);
        };
        if (to == ScalarType.F16X2) {
            return new Rounding.Stochastic(13, half & 0x1fff);
        }
        boolean reversed = to.lanes() == 4 && lane % 2 != 0;
        return new Rounding.Stochastic(16, reversed ? Integer.reverse(half) >>> 16 : half & 0xffff);
    }
}
