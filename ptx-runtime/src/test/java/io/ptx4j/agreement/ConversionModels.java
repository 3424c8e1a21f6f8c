package io.ptx4j.agreement;

import io.ptx4j.agreement.Soft.Format;
import io.ptx4j.agreement.Soft.Kind;
import io.ptx4j.agreement.Soft.Mode;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** {@code cvt} between plain types and {@code cvt.pack}; to and from packed types see {@link PackedModels}. */
final class ConversionModels {
    private final Spelling spelling;
    private final ScalarType to;
    private final ScalarType from;
    private final Mode mode;
    private final boolean ftz;
    private final boolean sat;
    private final boolean integral;

    private ConversionModels(Spelling spelling) {
        this.spelling = spelling;
        this.to = spelling.type();
        this.from = spelling.types().get(1);
        this.mode = Model.mode(spelling);
        this.ftz = spelling.has(Modifier.FTZ);
        this.sat = spelling.has(Modifier.SAT);
        Modifier rounding = spelling.one(Modifier.Category.ROUNDING);
        this.integral = rounding == Modifier.RNI || rounding == Modifier.RZI || rounding == Modifier.RMI || rounding == Modifier.RPI;
    }

    static Model of(Spelling spelling) {
        ConversionModels models = new ConversionModels(spelling);
        if (spelling.has(Modifier.PACK)) {
            return models::pack;
        }
        if (models.to.packed()) {
            return PackedModels.of(spelling);
        }
        if (!models.to.isFloat()) {
            return models.from.isFloat() ? x -> models.toInteger(x[0]) : x -> models.resized(x[0]);
        }
        return models.from.isFloat() ? x -> models.toFloat(x[0]) : x -> models.fromInteger(x[0]);
    }

    /** Both clamped; the first lies above the second, and above both what {@code c} has. */
    private long pack(long[] x) {
        int width = to.bits();
        long low = clamped((int) x[0]) << width | clamped((int) x[1]);
        return Model.mask(32) & (width == 16 ? low : x[2] << 2 * width | low);
    }

    private long clamped(long value) {
        long least = to.signed() ? -1L << to.bits() - 1 : 0;
        long greatest = to.signed() ? ~least : Model.mask(to.bits());
        return Math.max(least, Math.min(value, greatest)) & Model.mask(to.bits());
    }

    private long resized(long bits) {
        boolean huge = !from.signed() && bits < 0;
        int unused = 64 - from.bits();
        long value = from.signed() ? bits << unused >> unused : bits;
        if (!sat) {
            return value & Model.mask(to.bits());
        }
        if (huge || to.bits() == 64) {
            return huge ? to.signed() ? Model.mask(to.bits() - 1) : Model.mask(to.bits()) : to.signed() ? value : Math.max(0, value);
        }
        return clamped(value);
    }

    private Soft source(Format format, long bits) {
        Soft a = Soft.decode(format, bits);
        boolean flushed = ftz && format == Format.F32 && to != ScalarType.F16 && a.kind() == Kind.FINITE && a.exponent() < format.least();
        return flushed ? Soft.zero(a.negative()) : a;
    }

    private long toInteger(long bits) {
        int width = to.bits();
        Soft a = source(Model.format(from), bits);
        if (a.kind() == Kind.NAN) {
            return from == ScalarType.F64 || width == 64 ? 1L << width - 1 : 0;
        }
        a = a.integral(mode);
        boolean negative = a.negative() && a.kind() != Kind.ZERO;
        if (negative && !to.signed()) {
            return 0;
        }
        long limit = !to.signed() ? Model.mask(width) : negative ? 1L << width - 1 : Model.mask(width - 1);
        long magnitude = a.kind() == Kind.ZERO ? 0 : a.kind() == Kind.INFINITE || a.exponent() > 63 ? limit
                : a.exponent() == 63 ? a.significand() << 1 : a.significand() >>> 62 - a.exponent();
        magnitude = Long.compareUnsigned(magnitude, limit) > 0 ? limit : magnitude;
        return (negative ? -magnitude : magnitude) & Model.mask(width);
    }

    private long fromInteger(long bits) {
        int unused = 64 - from.bits();
        long value = from.signed() ? bits << unused >> unused : bits;
        boolean negative = from.signed() && value < 0;
        Soft number = Soft.of(negative, negative ? -value : value, 0);
        return clampedToUnit(number.encode(Model.format(to), mode), Model.format(to));
    }

    private long clampedToUnit(long bits, Format format) {
        if (!sat) {
            return bits;
        }
        return (bits & format.sign()) != 0 ? 0 : Math.min(bits, Soft.of(false, 1, 0).encode(format, Mode.RN));
    }

    private long toFloat(long bits) {
        Format format = Model.format(to);
        Format source = Model.format(from);
        boolean plain = !ftz && !sat;
        if (plain && !integral && source == format && (format == Format.F32 || format == Format.F64)) {
            return bits;
        }
        if (plain && source == Format.BF16 && format == Format.F32) {
            return bits << 16;
        }
        Soft a = source(source, bits);
        if (a.kind() == Kind.NAN) {
            return nan(a, source, format, bits);
        }
        a = integral ? a.integral(mode) : a;
        boolean tiny = ftz && format == Format.F32 && a.kind() == Kind.FINITE && a.withPrecision(format, mode).exponent() < format.least();
        return clampedToUnit(finite(tiny ? Soft.zero(a.negative()) : a, format, mode, spelling), format);
    }

    /** Rounded, with {@code .relu} and {@code .satfinite} as the spelling has them. */
    static long finite(Soft a, Format format, Mode mode, Spelling spelling) {
        long code = a.encode(format, mode);
        if (spelling.has(Modifier.RELU) && (code & format.sign()) != 0) {
            return 0;
        }
        boolean infinite = format.infinity() && (code & format.sign() - 1) == format.greatest() + 1 << format.unused();
        return spelling.has(Modifier.SATFINITE) && infinite ? code - (1L << format.unused()) : code;
    }

    private long nan(Soft a, Format source, Format format, long bits) {
        if (format == Format.TF32) {
            long cut = bits & ~0x1fffL;
            return mode != Mode.RNA ? 0x7fff_e000L : spelling.has(Modifier.SATFINITE) ? cut - 0x2000 : cut;
        }
        if (sat) {
            return 0;
        }
        if (source != Format.F64 && format != Format.F64) {
            return format == Format.F32 ? 0x7fff_ffffL : 0x7fff;
        }
        boolean flushed = ftz && source == Format.F32;
        long payload = flushed ? Model.mask(23) << 29 : a.payload();
        long quiet = 1L << format.fractionBits() - 1;
        return (a.negative() && !flushed ? format.sign() : 0) | format.greatest() + 1 | quiet | payload >>> 52 - format.fractionBits();
    }
}
