package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
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
    /** The same for a number times 2^32. */
    private static final double UPPER_UNIT = 0x1p84;
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
        if (SmallFloatVectors.fits(i)) {
            SmallFloatVectors.emit(vc, i);
            return;
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
        boolean integral = isWhole(modifiers, rounding) && modifiers.size() == 1;
        if (to.isInteger() && from.isInteger()) {
            fromIntegerToInteger(modifiers);
        } else if (from.isInteger() && nearest) {
            fromInteger();
        } else if (to.isInteger() && to.bits() <= 32 && from == ScalarType.F32 && isWhole(modifiers, rounding)) {
            boolean matters = flushes && (rounding == Modifier.RMI || rounding == Modifier.RPI);
            eachWord(part -> clamped(whole(single(part, matters), rounding)));
        } else if (to.isInteger() && integral && (from == ScalarType.F64 || from == ScalarType.F32 && to == ScalarType.S64)) {
            fromDouble(rounding, laneByLane);
        } else if (to.isInteger() && to.bits() <= 32 && HalfNumbers.isHalf(from) && integral) {
            eachWord(part -> clamped(whole(halves(from).number(i.operand(1), part), rounding)));
        } else if (to == ScalarType.F32 && from == ScalarType.F32 && isCopy(modifiers, rounding)) {
            each(Kind.FLOAT, part -> rounding == null ? single(part, flushes) : whole(single(part, flushes), rounding), part -> FloatVectors.pop(vc, i, part));
        } else if (to == ScalarType.F64 && from == ScalarType.F64 && integral) {
            wholeDouble(rounding, laneByLane);
        } else if (HalfNumbers.isHalf(to) && from == to && integral) {
            eachWord(part -> halves(to).rounded(whole(halves(to).number(i.operand(1), part), rounding)));
        } else if (to == ScalarType.F32 && from == ScalarType.F16 && modifiers.isEmpty()) {
            each(part -> halves(from).number(i.operand(1), part));
        } else if (to == ScalarType.F32 && from == ScalarType.BF16 && modifiers.isEmpty()) {
            each(Kind.FLOAT, part -> halves(from).number(i.operand(1), part), part -> vc.popFloats(i.operand(0), part));
        } else if ((to == ScalarType.F16 || to == ScalarType.BF16) && from == ScalarType.F32 && isNearest(modifiers)) {
            eachWord(part -> half(1, part));
        } else if (to == ScalarType.F64 && from == ScalarType.F32 && modifiers.isEmpty()) {
            widen(laneByLane);
        } else if (to == ScalarType.F32 && from == ScalarType.F64 && nearest) {
            narrow(laneByLane);
        } else {
            throw new NoCode("no vector form");
        }
    }

    private HalfNumbers halves(ScalarType type) {
        return new HalfNumbers(vc, t, type);
    }

    /** To nearest, with negative results made +0 or not. */
    private static boolean isNearest(Set<Modifier> modifiers) {
        return modifiers.contains(Modifier.RN) && Set.of(Modifier.RN, Modifier.RELU).containsAll(modifiers);
    }

    /** To whole numbers; those that become integers are clamped with {@code .sat} or without. */
    private static boolean isWhole(Set<Modifier> modifiers, Modifier rounding) {
        return rounding != null && INTEGRAL.contains(rounding) && Set.of(rounding, Modifier.SAT, Modifier.FTZ).containsAll(modifiers);
    }

    private static boolean isCopy(Set<Modifier> modifiers, Modifier rounding) {
        return rounding == null ? !modifiers.isEmpty() && Set.of(Modifier.SAT, Modifier.FTZ).containsAll(modifiers) : isWhole(modifiers, rounding);
    }

    private void fromIntegerToInteger(Set<Modifier> modifiers) {
        if (modifiers.isEmpty()) {
            resize();
        } else if (modifiers.equals(Set.of(Modifier.SAT))) {
            clamp();
        } else {
            throw new NoCode("no vector form");
        }
    }

    /** To nearest; a half is that of an f32, which is exact or, from 2^24 on, more than any f16. */
    private void fromInteger() {
        boolean half = to == ScalarType.F16 || to == ScalarType.BF16 && from.bits() <= 16;
        if (to == ScalarType.F64) {
            each(Kind.DOUBLE, from.bits() <= 32 ? this::doubleOfInteger : this::doubleOfLong, part -> vc.popDoubles(i.operand(0), part));
        } else if (to == ScalarType.F32 && from.bits() <= 32) {
            each(this::singleOfInteger);
        } else if (half && from.bits() <= 32) {
            eachWord(part -> halves(to).rounded(singleOfInteger(part)));
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

    private Term singleOfInteger(int part) {
        return from == ScalarType.U32 ? singleOfUnsigned(part) : singleOfSigned(part);
    }

    /** The upper word times 2^32 and the lower one, both exact, so that their sum is rounded once. */
    private Term doubleOfLong(int part) {
        vc.pushLongs(i.operand(1), part);
        Term all = t.pop(Kind.LONG);
        if (from.signed()) {
            return t.convert("L2D", all, Kind.DOUBLE, 0);
        }
        Term low = t.number(t.binary("OR", t.binary("AND", all, 0xffff_ffffL), Double.doubleToRawLongBits(UNIT)));
        Term high = t.number(t.binary("OR", t.binary("LSHR", all, 32), Double.doubleToRawLongBits(UPPER_UNIT)));
        return t.binary("ADD", t.binary("SUB", high, t.constant(UPPER_UNIT + UNIT)), low);
    }

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
        boolean wide = a.kind() == Kind.DOUBLE;
        if (rounding == Modifier.RZI && to.isInteger()) {
            return a;
        }
        Term magnitude = t.unary("ABS", a);
        Term sign = t.binary("AND", t.bits(a), wide ? Long.MIN_VALUE : Integer.MIN_VALUE);
        Term large = wide ? t.constant(UNIT) : t.constant(WHOLE);
        Term nearest = t.binary("SUB", t.binary("ADD", magnitude, large), large);
        Term one = wide ? t.constant(1d) : t.constant(1f);
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

    // From f64

    /** The source as f64. */
    private void pushWide(int part) {
        if (from == ScalarType.F64) {
            vc.pushDoubles(i.operand(1), part);
        } else {
            vc.pushFloats(i.operand(1), part / vc.group.spread());
            vc.convert("F2D", Kind.DOUBLE, part % vc.group.spread());
        }
    }

    private Term wide(int part) {
        pushWide(part);
        return t.pop(Kind.DOUBLE);
    }

    private void wholeDouble(Modifier rounding, Runnable laneByLane) {
        RareLanes nan = new RareLanes(vc, Kind.DOUBLE);
        for (int part = 0; part < Kind.DOUBLE.parts(vc.group); part++) {
            t.begin();
            Term result = whole(wide(part), rounding);
            t.compare("NE", result, result);
            nan.note();
            t.push(result);
            nan.keep(part);
        }
        nan.finishNans(part -> vc.popDoubles(i.operand(0), part), laneByLane);
    }

    /** What a NaN becomes depends on the type. */
    private void fromDouble(Modifier rounding, Runnable laneByLane) {
        if (to == ScalarType.U64) {
            throw new NoCode("no vector form");
        }
        boolean words = to.bits() <= 32;
        RareLanes nan = new RareLanes(vc, words ? Kind.INT : Kind.LONG);
        if (words) {
            for (int part = 0; part < vc.group.vectors(); part++) {
                t.begin();
                vc.pushLowWords(part, p -> t.push(integer(p, rounding, nan)));
                nan.keep(part);
            }
        } else {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                t.begin();
                t.push(integer(part, rounding, nan));
                nan.keep(part);
            }
        }
        nan.finishNans(part -> {
            if (words) {
                vc.popInts(i.operand(0), part);
            } else {
                vc.popLongs(i.operand(0), part);
            }
        }, laneByLane, Kind.DOUBLE, this::pushWide);
    }

    /** 64-bit lanes with the integers, clamped to their type. */
    private Term integer(int part, Modifier rounding, RareLanes nan) {
        Term a = wide(part);
        t.compare("NE", a, a);
        nan.note();
        Term all = t.convert("D2L", whole(a, rounding), Kind.LONG, 0);
        return to.bits() == 64 ? all : t.binary("MIN", t.binary("MAX", all, to.least()), to.greatest());
    }

    // f16 and bf16

    private void emitPair() {
        if (i.spelling().has(Modifier.PACK)) {
            pack();
            return;
        }
        if (to != ScalarType.F16X2 && to != ScalarType.BF16X2 || from != ScalarType.F32 || i.operands().size() != 3 || !isNearest(i.spelling().modifiers())) {
            throw new NoCode("no vector form");
        }
        eachWord(part -> t.binary("OR", t.binary("LSHL", half(1, part), 16), half(2, part)));
    }

    /** The first source above the second in the lowest bits; a third moves up and fills the rest. */
    private void pack() {
        if (to.bits() < 8) {
            throw new NoCode("no vector form");
        }
        long all = (1L << to.bits()) - 1;
        eachWord(part -> {
            Term packed = t.binary("OR", t.binary("LSHL", t.binary("AND", narrowed(1, part), all), to.bits()), t.binary("AND", narrowed(2, part), all));
            if (i.operands().size() == 3) {
                return packed;
            }
            vc.pushInts(i.operand(3), part);
            return t.binary("OR", packed, t.binary("LSHL", t.pop(Kind.INT), 2 * to.bits()));
        });
    }

    private Term narrowed(int operand, int part) {
        vc.pushInts(i.operand(operand), part);
        return t.binary("MIN", t.binary("MAX", t.pop(Kind.INT), to.least()), to.greatest());
    }

    /** An f32 operand rounded to a half, to nearest; NaNs are the canonical one. */
    private Term half(int operand, int part) {
        vc.pushFloats(i.operand(operand), part);
        Term half = halves(to).rounded(t.pop(Kind.FLOAT));
        return i.spelling().has(Modifier.RELU) ? t.choose(half, "GT", 0x7fff, t.constant(0), half) : half;
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
