package io.ptx4j.agreement;

import io.ptx4j.agreement.Soft.Kind;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** {@code set}, {@code setp}, {@code selp} and {@code slct}. */
final class ComparisonModels {
    private ComparisonModels() {
    }

    static Model of(Spelling spelling) {
        return switch (spelling.opcode()) {
            case SELP -> x -> x[2] != 0 ? x[0] : x[1];
            case SLCT -> x -> spelling.lastType() == ScalarType.S32 ? (int) x[2] >= 0 ? x[0] : x[1] : selectsFirst(spelling, x[2]) ? x[0] : x[1];
            case SETP -> {
                long mask = spelling.type().packed() ? 0xffff : -1;
                yield x -> combined(spelling, holds(spelling, x[0] & mask, x[1] & mask), x) ? 1 : 0;
            }
            default -> set(spelling);
        };
    }

    /** q of {@code setp}: of packed halves the upper one's result, else that of the inverted comparison. */
    static Model second(Spelling spelling) {
        return spelling.type().packed()
                ? x -> combined(spelling, holds(spelling, x[0] >>> 16, x[1] >>> 16), x) ? 1 : 0
                : x -> combined(spelling, !holds(spelling, x[0], x[1]), x) ? 1 : 0;
    }

    private static boolean selectsFirst(Spelling spelling, long bits) {
        return Float.intBitsToFloat((int) bits) >= (spelling.has(Modifier.FTZ) ? -Float.MIN_NORMAL + Float.MIN_VALUE : 0);
    }

    private static Model set(Spelling spelling) {
        ScalarType to = spelling.type();
        ScalarType from = spelling.lastType();
        long yes = to.isFloat() ? Soft.of(false, 1, 0).encode(Model.format(to), Soft.Mode.RN) : Model.mask(to.bits());
        if (!from.packed()) {
            return x -> combined(spelling, holds(spelling, x[0], x[1]), x) ? yes : 0;
        }
        // Both lanes side by side, in halves also where the result is an integer.
        return x -> {
            boolean low = combined(spelling, holds(spelling, x[0] & 0xffff, x[1] & 0xffff), x);
            boolean high = combined(spelling, holds(spelling, x[0] >>> 16, x[1] >>> 16), x);
            return (low ? yes & 0xffff : 0) | (high ? (yes & 0xffff) << 16 : 0);
        };
    }

    private static boolean combined(Spelling spelling, boolean holds, long[] x) {
        Modifier operator = spelling.one(Modifier.Category.BOOLEAN);
        return operator == null ? holds : switch (operator) {
            case AND -> holds && x[2] != 0;
            case OR -> holds || x[2] != 0;
            default -> holds != (x[2] != 0);
        };
    }

    private static boolean holds(Spelling spelling, long a, long b) {
        ScalarType type = spelling.opcode() == Opcode.SETP ? spelling.type() : spelling.lastType();
        Modifier comparison = spelling.comparison();
        if (!type.isFloat()) {
            int unused = 64 - type.bits();
            boolean signed = type.signed();
            int order = signed ? Long.compare(a << unused, b << unused) : Long.compare(a + Long.MIN_VALUE, b + Long.MIN_VALUE);
            return holds(comparison, order);
        }
        Soft.Format format = Model.format(type);
        Soft x = flushed(spelling, format, Soft.decode(format, a));
        Soft y = flushed(spelling, format, Soft.decode(format, b));
        boolean unordered = x.kind() == Kind.NAN || y.kind() == Kind.NAN;
        return switch (comparison) {
            case NUM -> !unordered;
            case ISNAN -> unordered;
            case EQU, NEU, LTU, LEU, GTU, GEU -> unordered || holds(comparison, Soft.compare(x, y));
            default -> !unordered && holds(comparison, Soft.compare(x, y));
        };
    }

    private static Soft flushed(Spelling spelling, Soft.Format format, Soft a) {
        boolean tiny = spelling.has(Modifier.FTZ) && a.kind() == Kind.FINITE && a.exponent() < format.least();
        return tiny ? Soft.zero(a.negative()) : a;
    }

    private static boolean holds(Modifier comparison, int order) {
        return switch (comparison) {
            case EQ, EQU -> order == 0;
            case NE, NEU -> order != 0;
            case LT, LTU, LO -> order < 0;
            case LE, LEU, LS -> order <= 0;
            case GT, GTU, HI -> order > 0;
            case GE, GEU, HS -> order >= 0;
            default -> throw new AssertionError(comparison.toString());
        };
    }
}
