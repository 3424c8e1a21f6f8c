package io.ptx4j.agreement;

import io.ptx4j.agreement.Soft.Format;
import io.ptx4j.agreement.Soft.Kind;
import io.ptx4j.agreement.Soft.Mode;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** Floating-point arithmetic of every width, mixed precision too; not the approximations. */
final class FloatModels {
    private final Spelling spelling;
    private final Opcode opcode;
    private final Format format;
    private final Mode mode;
    private final boolean ftz;
    private final boolean relu;
    private final boolean half;

    private FloatModels(Spelling spelling, ScalarType type) {
        this.spelling = spelling;
        this.opcode = spelling.opcode();
        this.format = Model.format(type);
        this.mode = Model.mode(spelling);
        this.ftz = spelling.has(Modifier.FTZ);
        this.relu = spelling.has(Modifier.RELU);
        this.half = format == Format.F16 || format == Format.BF16;
    }

    /** The model of a spelling; null for an approximation. */
    static Model of(Spelling spelling) {
        if (spelling.has(Modifier.APPROX) || spelling.has(Modifier.FULL) || spelling.opcode() == Opcode.MAD && spelling.one(Modifier.Category.ROUNDING) == null) {
            return null;
        }
        ScalarType type = spelling.type();
        if (spelling.types().size() == 2) {
            return mixed(spelling);
        }
        Model one = new FloatModels(spelling, type).scalar();
        return type.packed() ? Model.lanes(2, type.element().bits(), one) : one;
    }

    /** The sources of the narrow type are first converted, which is exact. */
    private static Model mixed(Spelling spelling) {
        FloatModels single = new FloatModels(spelling, ScalarType.F32);
        Format narrow = Model.format(spelling.lastType());
        return x -> {
            Soft[] a = new Soft[x.length];
            for (int k = 0; k < x.length; k++) {
                a[k] = Soft.decode(k < x.length - 1 ? narrow : Format.F32, x[k]);
            }
            return single.finish(single.compute(a), a);
        };
    }

    private Model scalar() {
        return switch (opcode) {
            case TESTP -> x -> testp(x[0]) ? 1 : 0;
            case COPYSIGN -> x -> x[1] & format.sign() - 1 | x[0] & format.sign();
            case MIN, MAX -> this::extreme;
            default -> x -> {
                if (spelling.has(Modifier.OOB) && ((x[0] & 0x7fff) == 0x7ff7 || (x[1] & 0x7fff) == 0x7ff7)) {
                    return 0;
                }
                Soft[] a = new Soft[x.length];
                for (int k = 0; k < x.length; k++) {
                    a[k] = source(x[k]);
                }
                return finish(compute(a), a);
            };
        };
    }

    private Soft source(long bits) {
        Soft a = Soft.decode(format, bits);
        return ftz && a.kind() == Kind.FINITE && a.exponent() < format.least() ? Soft.zero(a.negative()) : a;
    }

    private Soft compute(Soft[] a) {
        for (int k : nans(a.length)) {
            if (a[k].kind() == Kind.NAN) {
                return a[k];
            }
        }
        return switch (opcode) {
            case ADD -> Soft.add(a[0], a[1], mode);
            case SUB -> Soft.add(a[0], a[1].negated(), mode);
            case MUL -> Soft.multiply(a[0], a[1]);
            case FMA, MAD -> Soft.multiplyAdd(a[0], a[1], a[2], mode);
            case DIV -> Soft.divide(format, a[0], a[1]);
            case RCP -> Soft.divide(format, Soft.of(false, 1, 0), a[0]);
            case SQRT -> Soft.root(format, a[0]);
            case ABS -> a[0].magnitude();
            case NEG -> a[0].negated();
            default -> throw new AssertionError("no model of " + spelling);
        };
    }

    /** The sources in the order in which a NaN among them is taken. */
    private int[] nans(int sources) {
        return sources == 3 ? new int[] {1, 2, 0} : sources == 1 ? new int[] {0} : opcode == Opcode.DIV ? new int[] {0, 1} : new int[] {1, 0};
    }

    private long finish(Soft exact, Soft[] sources) {
        if (exact.kind() == Kind.NAN) {
            return spelling.has(Modifier.SAT) ? 0 : nan(exact);
        }
        boolean tiny = ftz && exact.kind() == Kind.FINITE && exact.withPrecision(format, mode).exponent() < format.least();
        return clamped((tiny ? Soft.zero(exact.negative()) : exact).encode(format, mode));
    }

    private long clamped(long bits) {
        if ((spelling.has(Modifier.SAT) || relu) && (bits & format.sign()) != 0) {
            return 0;
        }
        return spelling.has(Modifier.SAT) ? Math.min(bits, Soft.of(false, 1, 0).encode(format, Mode.RN)) : bits;
    }

    private long nan(Soft nan) {
        return half ? 0x7fff : format == Format.F32 ? 0x7fff_ffffL
                : (nan.negative() ? format.sign() : 0) | 0x7ff8_0000_0000_0000L | nan.payload();
    }

    private boolean testp(long bits) {
        Soft a = Soft.decode(format, bits);
        boolean subnormal = a.kind() == Kind.FINITE && a.exponent() < format.least();
        return switch (spelling.one(Modifier.Category.MODE)) {
            case FINITE -> a.kind() == Kind.ZERO || a.kind() == Kind.FINITE;
            case INFINITE -> a.kind() == Kind.INFINITE;
            case NUMBER -> a.kind() != Kind.NAN;
            case NOTANUMBER -> a.kind() == Kind.NAN;
            case NORMAL -> a.kind() == Kind.ZERO || a.kind() == Kind.FINITE && !subnormal;
            case SUBNORMAL -> subnormal;
            default -> throw new AssertionError(spelling.text());
        };
    }

    /** -0 lies below +0; without .NaN a number beats a NaN; .xorsign gives the sources' signs to a result that is a number. */
    private long extreme(long[] x) {
        boolean abs = spelling.has(Modifier.ABS);
        boolean nans = spelling.has(Modifier.NAN);
        boolean negative = false;
        Soft best = null;
        for (long bits : x) {
            Soft a = source(bits);
            negative ^= a.negative();
            a = abs ? a.magnitude() : a;
            if (best == null) {
                best = a;
            } else if (a.kind() == Kind.NAN || best.kind() == Kind.NAN) {
                best = nans == (a.kind() == Kind.NAN) || a.kind() == Kind.NAN && best.kind() == Kind.NAN ? a : best;
            } else {
                int order = Soft.compare(a, best);
                order = order != 0 ? order : Boolean.compare(best.negative(), a.negative());
                best = (opcode == Opcode.MIN ? order < 0 : order > 0) ? a : best;
            }
        }
        if (best.kind() == Kind.NAN) {
            return nan(best);
        }
        long result = best.encode(format, Mode.RN);
        return spelling.has(Modifier.XORSIGN) && negative ? result ^ format.sign() : result;
    }
}
