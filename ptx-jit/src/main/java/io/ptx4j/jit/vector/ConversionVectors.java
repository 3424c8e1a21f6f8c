package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** Conversions on vectors, where floating-point results are rounded to nearest. */
final class ConversionVectors {
    /** From here on every f32 is a whole number. */
    private static final float WHOLE = 0x1p23f;
    /** Added to a number below 2^32 as the lowest bits, it is that number as f64. */
    private static final double UNIT = 0x1p52;
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
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
        if (i.opcode() != Opcode.CVT) {
            throw new NoCode("no vector form");
        }
        ConversionVectors conversion = new ConversionVectors(vc, i);
        if (i.operands().size() == 2) {
            conversion.emit(laneByLane);
        } else {
            conversion.emitPair();
        }
    }

    private void emit(Runnable laneByLane) {
        Set<Modifier> modifiers = i.spelling().modifiers();
        boolean nearest = modifiers.equals(Set.of(Modifier.RN));
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        boolean flushes = i.spelling().has(Modifier.FTZ);
        boolean integral = rounding != null && INTEGRAL.contains(rounding) && modifiers.size() == (flushes ? 2 : 1);
        if (to.isInteger() && from.isInteger() && modifiers.isEmpty()) {
            resize();
        } else if (to.isInteger() && from.isInteger() && modifiers.equals(Set.of(Modifier.SAT))) {
            clamp();
        } else if (to == ScalarType.F32 && from.isInteger() && from.bits() <= 32 && nearest) {
            each(from == ScalarType.U32 ? this::singleOfUnsigned : this::singleOfSigned);
        } else if (to == ScalarType.F64 && from.isInteger() && from.bits() <= 32 && nearest) {
            each(Kind.DOUBLE, this::doubleOfInteger, part -> vc.popDoubles(i.operand(0), part));
        } else if (to == ScalarType.F32 && from == ScalarType.F32 && integral) {
            each(part -> whole(single(part, flushes), rounding));
        } else if (to.isInteger() && to.bits() <= 32 && from == ScalarType.F32 && integral) {
            boolean matters = flushes && (rounding == Modifier.RMI || rounding == Modifier.RPI);
            eachWord(part -> clamped(whole(single(part, matters), rounding)));
        } else if (to == ScalarType.F32 && from == ScalarType.F16 && modifiers.isEmpty()) {
            each(this::singleOfHalf);
        } else if (to == ScalarType.F32 && from == ScalarType.BF16 && modifiers.isEmpty()) {
            each(Kind.FLOAT, this::singleOfBf16, part -> vc.popFloats(i.operand(0), part));
        } else if ((to == ScalarType.F16 || to == ScalarType.BF16) && from == ScalarType.F32 && nearest) {
            eachWord(part -> half(1, part));
        } else if (to == ScalarType.F64 && from == ScalarType.F32 && modifiers.isEmpty()) {
            widen(laneByLane);
        } else if (to == ScalarType.F32 && from == ScalarType.F64 && nearest) {
            narrow(laneByLane);
        } else {
            throw new NoCode("no vector form");
        }
    }

    private void each(IntFunction<Term> formula) {
        each(Kind.FLOAT, formula, part -> vc.popArithmetic(i.operand(0), part));
    }

    private void eachWord(IntFunction<Term> formula) {
        each(Kind.INT, formula, part -> vc.popInts(i.operand(0), part));
    }

    /** Emits the formula of one vector for each vector of the result, and stores it. */
    private void each(Kind kind, IntFunction<Term> formula, IntConsumer pop) {
        for (int part = 0; part < kind.parts(vc.group); part++) {
            t.begin();
            t.push(formula.apply(part));
            pop.accept(part);
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
            return to.bits() == 32 ? word : t.binary("MIN", t.binary("MAX", word, to.least()), to.greatest());
        }
        Term half = t.constant(0x1p31f);
        Term low = t.convert("F2I", t.binary("MAX", a, t.constant(0f)), Kind.INT, 0);
        Term high = t.binary("XOR", t.convert("F2I", t.binary("SUB", a, half), Kind.INT, 0), Integer.MIN_VALUE);
        return t.choose(a, "GE", half, high, low);
    }

    // f16 and bf16

    /** The exponent is moved by a product, which is exact also for a subnormal half; that of infinities and NaNs is the highest of f32. */
    private Term singleOfHalf(int part) {
        vc.pushInts(i.operand(1), part);
        Term half = t.pop(Kind.INT);
        Term magnitude = t.number(t.binary("LSHL", t.binary("AND", half, 0x7fff), 13));
        Term moved = t.binary("MUL", magnitude, t.constant(0x1p112f));
        Term bits = t.bits(moved);
        Term all = t.choose(moved, "GE", 0x10000, t.binary("OR", bits, INFINITY), bits);
        return t.number(t.binary("OR", all, t.binary("LSHL", t.binary("AND", half, 0x8000), 16)));
    }

    /** NaNs keep their payload. */
    private Term singleOfBf16(int part) {
        vc.pushInts(i.operand(1), part);
        return t.number(t.binary("LSHL", t.pop(Kind.INT), 16));
    }

    private void emitPair() {
        if (to != ScalarType.F16X2 && to != ScalarType.BF16X2 || from != ScalarType.F32 || i.operands().size() != 3
                || !i.spelling().modifiers().equals(Set.of(Modifier.RN))) {
            throw new NoCode("no vector form");
        }
        eachWord(part -> t.binary("OR", t.binary("LSHL", half(1, part), 16), half(2, part)));
    }

    /** An f32 operand rounded to a half, to nearest; NaNs are the canonical one. */
    private Term half(int operand, int part) {
        vc.pushFloats(i.operand(operand), part);
        Term single = t.pop(Kind.FLOAT);
        Term bits = t.bits(single);
        Term half = to.element() == ScalarType.F16 ? f16(single, bits) : t.binary("LSHR", nearest(bits, 16), 16);
        return t.choose(single, "NE", single, t.constant(Canonical.HALF), half);
    }

    /** Bits that cut off at a place are those of the nearest number, of two as near the even one. */
    private Term nearest(Term bits, int place) {
        Term odd = t.binary("AND", t.binary("LSHR", bits, place), 1);
        return t.binary("ADD", t.binary("ADD", bits, (1L << place - 1) - 1), odd);
    }

    /** Below the least normal half a sum rounds, whose last bit is worth a subnormal one's. */
    private Term f16(Term single, Term bits) {
        Term magnitude = t.binary("AND", bits, Integer.MAX_VALUE);
        Term normal = t.binary("LSHR", t.binary("SUB", nearest(magnitude, 13), 112 << 23), 13);
        Term tiny = t.binary("SUB", t.bits(t.binary("ADD", t.unary("ABS", single), t.constant(0.5f))), Float.floatToRawIntBits(0.5f));
        Term some = t.choose(magnitude, "LT", 113 << 23, tiny, t.binary("MIN", normal, 0x7c00));
        return t.binary("OR", some, t.binary("AND", t.binary("LSHR", bits, 16), 0x8000));
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
        nan.finishNans(part -> vc.popDoubles(i.operand(0), part), laneByLane);
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
        nan.finishNans(part -> vc.popFloats(i.operand(0), part), laneByLane);
    }

    // From integer to integer

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
            return fits ? a : t.binary("UMIN", a, to.greatest());
        }
        Term low = to.signed() && to.bits() >= from.bits() ? a : t.binary("MAX", a, to.least());
        return to.bits() > from.bits() || to.bits() == from.bits() ? low : t.binary("MIN", low, to.greatest());
    }

    private void resize() {
        boolean word = to.bits() == 32 && vc.isWord(i.operand(0)) && ThreadCode.typeOf(i.operand(1)).bits() == 64;
        if (to.bits() > 32 || word) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.pushLongs(i.operand(1), part);
                if (word && vc.words.isKnown(i.operand(1), part)) {
                    vc.words.storeCut(((Operand.Reg) i.operand(0)).register(), part);
                } else {
                    vc.popLongs(i.operand(0), part);
                }
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
