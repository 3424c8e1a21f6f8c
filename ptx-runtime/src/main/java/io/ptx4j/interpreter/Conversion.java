package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** Definitions of the manual's cvt and cvt.pack; choices it leaves open are in docs/numerics.md. */
final class Conversion {
    private Conversion() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        ScalarType to = spelling.type();
        ScalarType from = spelling.types().size() < 2 ? null : spelling.types().get(1);
        return switch (spelling.opcode()) {
            case CVT -> spelling.has(Modifier.PACK) ? IntegerConversion.pack(spelling)
                    : to.packed() ? PackedConversion.of(spelling)
                    : !to.isFloat() && !from.isFloat() ? IntegerConversion.resize(spelling)
                    : !to.isFloat() ? IntegerConversion.fromFloat(spelling)
                    : !from.isFloat() ? IntegerConversion.toFloat(spelling)
                    : floats(spelling, Format.of(from), Format.of(to));
            default -> null;
        };
    }

    private static Arithmetic floats(Spelling spelling, Format from, Format to) {
        FloatResult result = FloatResult.of(spelling, spelling.type());
        boolean plain = !result.ftz() && !result.sat();
        if (from == to && (to == Format.F32 || to == Format.F64) && plain && !isIntegral(spelling)) {
            return (s, x) -> x[0];
        }
        if (from == Format.BF16 && to == Format.F32 && plain) {
            return (s, x) -> x[0] << 16;
        }
        return (s, x) -> convert(spelling, from, result, x[0]);
    }

    private static long convert(Spelling spelling, Format from, FloatResult result, long bits) {
        boolean flushes = result.ftz() && from == Format.F32 && result.format() != Format.F16;
        Exact a = from.decode(flushes ? from.flushed(bits) : bits);
        if (a instanceof Exact.NotANumber nan) {
            return nan(spelling, from, result, flushes ? (Exact.NotANumber) from.decode(from.nan()) : nan, bits);
        }
        if (isIntegral(spelling) && a instanceof Exact.Number number) {
            a = new Exact.Number(number.negative(), number.toInteger(result.rounding()).abs(), 0);
        }
        boolean flushesResult = result.ftz() && result.format() == Format.F32;
        return (flushesResult ? result : result.withoutFlush()).bits(a);
    }

    private static long nan(Spelling spelling, Format from, FloatResult result, Exact.NotANumber nan, long bits) {
        if (result.format() == Format.TF32 && result.rounding() == Rounding.Fixed.NEAREST_AWAY) {
            long cut = bits & ~0x1fffL;
            return result.satFinite() ? cut - 0x2000 : cut;
        }
        boolean keepsPayload = from == Format.F64 || result.format() == Format.F64;
        return result.sat() ? 0 : keepsPayload ? result.quiet(nan) : result.format().nan();
    }

    /** Whether an integer rounding is spelled: the result is an integral value in a floating-point format. */
    private static boolean isIntegral(Spelling spelling) {
        Modifier rounding = spelling.one(Modifier.Category.ROUNDING);
        return rounding == Modifier.RNI || rounding == Modifier.RZI || rounding == Modifier.RMI || rounding == Modifier.RPI;
    }
}
