package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.Set;
import java.util.function.IntFunction;

/** Conversions on vectors, where floating-point results are rounded to nearest. */
final class ConversionVectors {
    /** From here on every f32 is a whole number. */
    private static final float WHOLE = 0x1p23f;
    /** Added to a number below 2^32 as the lowest bits, it is that number as f64. */
    private static final double UNIT = 0x1p52;
    private static final Set<Modifier> INTEGRAL = Set.of(Modifier.RNI, Modifier.RZI, Modifier.RMI, Modifier.RPI);

    private final VectorCode vc;
    private final Instruction i;
    private final ScalarType to;
    private final ScalarType from;
    private final Terms t;

    private ConversionVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.to = i.type();
        this.from = i.spelling().lastType();
        this.t = new Terms(vc);
    }

    /** @param laneByLane emits the instruction for each lane by itself, where a lane has a NaN whose payload counts */
    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        if (i.opcode() != Opcode.CVT || i.operands().size() != 2) {
            throw new NoCode("no vector form");
        }
        new ConversionVectors(vc, i).emit(laneByLane);
    }

    private void emit(Runnable laneByLane) {
        Set<Modifier> modifiers = i.spelling().modifiers();
        boolean nearest = modifiers.equals(Set.of(Modifier.RN));
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        boolean flushes = i.spelling().has(Modifier.FTZ);
        boolean integral = rounding != null && INTEGRAL.contains(rounding) && modifiers.size() == (flushes ? 2 : 1);
        if (to.isInteger() && from.isInteger() && modifiers.isEmpty()) {
            integer(vc, i, to);
        } else if (to.isInteger() && from.isInteger() && modifiers.equals(Set.of(Modifier.SAT))) {
            clamp();
        } else if (to == ScalarType.F32 && from.isInteger() && from.bits() <= 32 && nearest) {
            each(from == ScalarType.U32 ? this::singleOfUnsigned : this::singleOfSigned);
        } else if (to == ScalarType.F64 && from.isInteger() && from.bits() <= 32 && nearest) {
            eachDouble(this::doubleOfInteger);
        } else if (to == ScalarType.F32 && from == ScalarType.F32 && integral) {
            each(part -> whole(single(part, flushes), rounding));
        } else if (to.isInteger() && to.bits() <= 32 && from == ScalarType.F32 && integral) {
            boolean matters = flushes && (rounding == Modifier.RMI || rounding == Modifier.RPI);
            eachWord(part -> clamped(whole(single(part, matters), rounding)));
        } else if (to == ScalarType.F64 && from == ScalarType.F32 && modifiers.isEmpty()) {
            widen(laneByLane);
        } else if (to == ScalarType.F32 && from == ScalarType.F64 && nearest) {
            narrow(laneByLane);
        } else {
            throw new NoCode("no vector form");
        }
    }

    private void each(IntFunction<Term> formula) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            t.begin();
            t.push(formula.apply(part));
            vc.popArithmetic(i.operand(0), part);
        }
    }

    private void eachWord(IntFunction<Term> formula) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            t.begin();
            t.push(formula.apply(part));
            vc.popInts(i.operand(0), part);
        }
    }

    private void eachDouble(IntFunction<Term> formula) {
        for (int part = 0; part < Kind.DOUBLE.parts(vc.group); part++) {
            t.begin();
            t.push(formula.apply(part));
            vc.popDoubles(i.operand(0), part);
        }
    }

    // From integers

    private Term singleOfSigned(int part) {
        vc.pushInts(i.operand(1), part);
        vc.convert("I2F", Kind.FLOAT, 0);
        return t.pop(Kind.FLOAT);
    }

    private Term singleOfUnsigned(int part) {
        pushNarrowed(part, this::doubleOfInteger);
        return t.pop(Kind.FLOAT);
    }

    private Term doubleOfInteger(int part) {
        vc.pushExtended(i.operand(1), from.signed(), part);
        Term word = t.pop(Kind.LONG);
        double zero = from.signed() ? 1.5 * UNIT : UNIT;
        Term placed = t.binary("ADD", word, Double.doubleToRawLongBits(zero));
        return t.binary("SUB", t.number(placed), t.constant(zero));
    }

    /** Pushes as one vector of f32 the f64 lanes that stand for it. */
    private void pushNarrowed(int part, IntFunction<Term> doubles) {
        for (int n = 0; n < vc.group.spread(); n++) {
            t.push(doubles.apply(vc.group.spread() * part + n));
            vc.convert("D2F", Kind.FLOAT, -n);
            vc.code.call(Kind.FLOAT.type, "reinterpretAsInts");
            if (n > 0) {
                vc.binary(Kind.INT, "OR");
            }
        }
        vc.code.call(Kind.INT.type, "reinterpretAsFloats");
    }

    // From f32

    private Term single(int part, boolean flushes) {
        vc.pushFloats(i.operand(1), part);
        if (flushes) {
            FloatVectors.flush(vc);
        }
        return t.pop(Kind.FLOAT);
    }

    /** A whole number with the sign of a, also if it is zero. Numbers that are large, infinite or none stay. */
    private Term whole(Term a, Modifier rounding) {
        if (rounding == Modifier.RZI && to != ScalarType.F32) {
            return a;
        }
        Term magnitude = t.unary("ABS", a);
        Term sign = t.binary("AND", t.bits(a), Integer.MIN_VALUE);
        Term large = t.constant(WHOLE);
        Term nearest = t.binary("SUB", t.binary("ADD", magnitude, large), large);
        Term one = t.constant(1f);
        Term rounded = switch (rounding) {
            case RNI -> nearest;
            case RZI -> t.choose(nearest, "GT", magnitude, t.binary("SUB", nearest, one), nearest);
            default -> {
                Term down = t.choose(nearest, "GT", magnitude, t.binary("SUB", nearest, one), nearest);
                Term up = t.choose(nearest, "LT", magnitude, t.binary("ADD", nearest, one), nearest);
                yield rounding == Modifier.RMI ? t.choose(sign, "LT", 0, up, down) : t.choose(sign, "LT", 0, down, up);
            }
        };
        Term signed = t.number(t.binary("OR", t.bits(rounded), sign));
        return t.choose(magnitude, "LT", large, signed, a);
    }

    /** A whole number as an integer, the nearest there is; NaN as 0. */
    private Term clamped(Term a) {
        if (to != ScalarType.U32) {
            Term word = t.convert("F2I", a, Kind.INT, 0);
            return to.bits() == 32 ? word : t.binary("MIN", t.binary("MAX", word, least(to)), greatest(to));
        }
        Term half = t.constant(0x1p31f);
        Term low = t.convert("F2I", t.binary("MAX", a, t.constant(0f)), Kind.INT, 0);
        Term high = t.binary("XOR", t.convert("F2I", t.binary("SUB", a, half), Kind.INT, 0), Integer.MIN_VALUE);
        return t.choose(a, "GE", half, high, low);
    }

    /** The sign and what fits of the payload of a NaN are kept, which Java leaves open. */
    private void widen(Runnable laneByLane) {
        RareLanes nan = new RareLanes(vc, Kind.DOUBLE);
        for (int part = 0; part < vc.group.vectors(); part++) {
            for (int n = 0; n < vc.group.spread(); n++) {
                t.begin();
                vc.pushFloats(i.operand(1), part);
                vc.convert("F2D", Kind.DOUBLE, n);
                Term result = t.pop(Kind.DOUBLE);
                t.compare("NE", result, result);
                nan.note();
                t.push(result);
                nan.keep(vc.group.spread() * part + n);
            }
        }
        nan.finish(part -> vc.popDoubles(i.operand(0), part), laneByLane);
    }

    private void narrow(Runnable laneByLane) {
        RareLanes nan = new RareLanes(vc, Kind.FLOAT);
        for (int part = 0; part < vc.group.vectors(); part++) {
            t.begin();
            pushNarrowed(part, p -> {
                vc.pushDoubles(i.operand(1), p);
                return t.pop(Kind.DOUBLE);
            });
            Term result = t.pop(Kind.FLOAT);
            t.compare("NE", result, result);
            nan.note();
            t.push(result);
            nan.keep(part);
        }
        nan.finish(part -> vc.popFloats(i.operand(0), part), laneByLane);
    }

    // From integer to integer

    private static long least(ScalarType type) {
        return type.signed() ? -1L << type.bits() - 1 : 0;
    }

    private static long greatest(ScalarType type) {
        return type.signed() ? ~least(type) : type.bits() == 64 ? -1 : ~(-1L << type.bits());
    }

    private void clamp() {
        if (to.bits() <= 32 && from.bits() <= 32) {
            eachWord(part -> {
                vc.pushInts(i.operand(1), part);
                return clamp(t.pop(Kind.INT));
            });
        } else if (to.bits() == 64) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                pushClamped(part);
                vc.popLongs(i.operand(0), part);
            }
        } else {
            for (int part = 0; part < vc.group.vectors(); part++) {
                vc.pushLowWords(part, this::pushClamped);
                vc.popInts(i.operand(0), part);
            }
        }
    }

    private void pushClamped(int part) {
        t.begin();
        vc.pushLongs(i.operand(1), part);
        t.push(clamp(t.pop(Kind.LONG)));
    }

    private Term clamp(Term a) {
        if (!from.signed()) {
            boolean fits = to.bits() > from.bits() || to.bits() == from.bits() && !to.signed();
            return fits ? a : t.binary("UMIN", a, greatest(to));
        }
        Term low = to.signed() && to.bits() >= from.bits() ? a : t.binary("MAX", a, least(to));
        return to.bits() > from.bits() || to.bits() == from.bits() ? low : t.binary("MIN", low, greatest(to));
    }

    private static void integer(VectorCode vc, Instruction i, ScalarType to) {
        if (to.bits() > 32) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.pushLongs(i.operand(1), part);
                vc.popLongs(i.operand(0), part);
            }
            return;
        }
        if (to.bits() == 32 && vc.isWord(i.operand(0)) && ThreadCode.typeOf(i.operand(1)).bits() == 64) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.pushLongs(i.operand(1), part);
                vc.popLongs(i.operand(0), part);
            }
            return;
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushInts(i.operand(1), part);
            if (to.bits() < 32) {
                int cut = 32 - to.bits();
                vc.binary(Kind.INT, "LSHL", cut);
                vc.binary(Kind.INT, to.signed() ? "ASHR" : "LSHR", cut);
            }
            vc.popInts(i.operand(0), part);
        }
    }
}
