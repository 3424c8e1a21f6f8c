package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.support.LaneQuotients;
import io.ptx4j.jit.vector.Terms.Term;

/**
 * Quotients and remainders of integers on vectors (manual: "div", "rem"), through f64. Up to 32 bits there both sources and their product with a quotient are
 * exact, and a quotient rounded to a whole number is at most one too large, which the sign of what is left tells. Divided by zero all bits are ones.
 */
final class DivisionVectors {
    /** Added to a number below 2^32, it leaves the nearest whole number in the low word of the sum's bits. */
    private static final double WHOLE = 0x1p52;

    private final VectorCode vc;
    private final Instruction i;
    private final Terms t;

    private DivisionVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.t = new Terms(vc);
    }

    static void emit(VectorCode vc, Instruction i) {
        if (i.type().bits() > 32) {
            emitLong(vc, i);
            return;
        }
        DivisionVectors division = new DivisionVectors(vc, i);
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushLowWords(part, p -> {
                division.t.begin();
                division.t.push(i.type().signed() ? division.signed(p) : division.unsigned(p));
            });
            vc.popInts(i.operand(0), part);
        }
    }

    /** In code that all kernels share: in line it would be a method of its own for every second instruction. */
    private static void emitLong(VectorCode vc, Instruction i) {
        vc.leave(i.operand(1), true, 0);
        vc.leave(i.operand(2), true, 1);
        vc.pushLanes(true);
        vc.code.push(vc.group.lanes()).push(i.type().signed() ? 1 : 0).push(i.opcode() == Opcode.REM ? 1 : 0).call(LaneQuotients.class, "divide");
        vc.takeLongs(i.operand(0), 0);
    }

    private Term source(int operand, boolean signed, int part) {
        vc.pushExtended(i.operand(operand), signed, part);
        return t.pop(Kind.LONG);
    }

    private Term unsigned(int part) {
        return result(source(1, false, part), source(2, false, part));
    }

    /** The quotient has the product of the signs, the remainder the dividend's. */
    private Term signed(int part) {
        Term a = source(1, true, part);
        Term b = source(2, true, part);
        Term magnitude = result(t.unary("ABS", a), t.unary("ABS", b));
        Term sign = t.binary("ASHR", i.opcode() == Opcode.DIV ? t.binary("XOR", a, b) : a, 63);
        Term result = t.binary("SUB", t.binary("XOR", magnitude, sign), sign);
        return t.choose(b, "EQ", 0, t.constant(Kind.LONG, -1), result);
    }

    /** Of numbers from 0 to 2^32, the result in the low word. */
    private Term result(Term a, Term b) {
        Term whole = t.constant(WHOLE);
        Term dividend = toDouble(a, whole);
        Term divisor = toDouble(b, whole);
        Term near = t.binary("ADD", t.binary("DIV", dividend, divisor), whole);
        Term left = t.fma(t.unary("NEG", t.binary("SUB", near, whole)), divisor, dividend);
        Term below = t.binary("ASHR", t.bits(left), 63);
        Term result = i.opcode() == Opcode.DIV ? t.binary("ADD", t.bits(near), below)
                : t.bits(t.binary("ADD", t.binary("ADD", left, t.number(t.binary("AND", t.bits(divisor), below))), whole));
        return i.type().signed() ? result : t.choose(b, "EQ", 0, t.constant(Kind.LONG, -1), result);
    }

    private Term toDouble(Term a, Term whole) {
        return t.binary("SUB", t.number(t.binary("OR", a, Double.doubleToRawLongBits(WHOLE))), whole);
    }
}
