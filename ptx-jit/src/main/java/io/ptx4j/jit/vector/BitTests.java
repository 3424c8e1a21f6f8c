package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

/** {@code testp} and {@code copysign} on vectors, which look at the bits of numbers and not at their values. */
final class BitTests {
    private final VectorCode vc;
    private final Instruction i;
    private final Terms t;
    private final boolean wide;

    private BitTests(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.t = new Terms(vc);
        this.wide = i.type() == ScalarType.F64;
    }

    static void emit(VectorCode vc, Instruction i) {
        BitTests tests = new BitTests(vc, i);
        if (i.opcode() == Opcode.TESTP) {
            tests.testp();
        } else {
            tests.copysign();
        }
    }

    private Kind kind() {
        return wide ? Kind.LONG : Kind.INT;
    }

    private Term bits(int operand, int part) {
        if (wide) {
            vc.pushDoubles(i.operand(operand), part);
            return t.bits(t.pop(Kind.DOUBLE));
        }
        vc.pushFloatBits(i.operand(operand), part);
        return t.bits(t.pop(Kind.FLOAT));
    }

    private void testp() {
        Local found = t.mask();
        for (int part = 0; part < kind().parts(vc.group); part++) {
            t.begin();
            pushTest(t.binary("AND", bits(1, part), wide ? Long.MAX_VALUE : Integer.MAX_VALUE));
            vc.place(kind(), part);
            if (part > 0) {
                vc.code.load(found).op(Op.LOR);
            }
            vc.code.store(found);
        }
        vc.code.load(found);
        vc.popBits(i.operand(0));
    }

    /** Leaves the bits of the lanes in which a magnitude is such. */
    private void pushTest(Term magnitude) {
        long infinity = wide ? Double.doubleToRawLongBits(Double.POSITIVE_INFINITY) : Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
        long normal = wide ? Double.doubleToRawLongBits(Double.MIN_NORMAL) : Float.floatToRawIntBits(Float.MIN_NORMAL);
        Modifier property = i.spelling().one(Modifier.Category.MODE);
        switch (property.spelling()) {
            case "finite" -> compare("LT", magnitude, infinity);
            case "infinite" -> compare("EQ", magnitude, infinity);
            case "number" -> compare("LE", magnitude, infinity);
            case "notanumber" -> compare("GT", magnitude, infinity);
            // Zeros are normal. Next below zero comes the greatest number of no sign.
            case "normal" -> {
                compare("EQ", magnitude, 0);
                compare("ULT", t.binary("SUB", magnitude, normal), infinity - normal);
                vc.code.op(Op.LOR);
            }
            case "subnormal" -> compare("ULT", t.binary("SUB", magnitude, 1), normal - 1);
            default -> throw new NoCode("no vector form");
        }
    }

    private void compare(String comparison, Term a, long constant) {
        t.compare(comparison, a, t.constant(kind(), constant));
    }

    /** The sign of the first source, and all else of the second. */
    private void copysign() {
        for (int part = 0; part < kind().parts(vc.group); part++) {
            t.begin();
            Term sign = t.binary("AND", bits(1, part), wide ? Long.MIN_VALUE : Integer.MIN_VALUE);
            Term all = t.binary("OR", sign, t.binary("AND", bits(2, part), wide ? Long.MAX_VALUE : Integer.MAX_VALUE));
            t.push(t.number(all));
            if (wide) {
                vc.popDoubles(i.operand(0), part);
            } else {
                vc.popFloats(i.operand(0), part);
            }
        }
    }
}
