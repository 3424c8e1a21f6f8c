package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.VideoOps;

/** Scalar video instructions (manual: "Scalar Video Instructions"): exact in {@code long} until the result is cut to a word. */
final class VideoEmitter {
    private VideoEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        if (i.opcode() == Opcode.VMAD) {
            multiplyAdd(c, i);
            return;
        }
        Spelling spelling = i.spelling();
        boolean set = spelling.comparison() != null;
        ScalarType result = set ? ScalarType.U32 : i.type();
        pushNumber(c, i.operand(1), spelling.types().get(set ? 0 : 1));
        pushNumber(c, i.operand(2), spelling.types().get(set ? 1 : 2));
        combine(c.code(), i);
        Operand.Part merged = i.operand(0) instanceof Operand.Part part && !part.lanes().isEmpty() ? part : null;
        if (spelling.has(Modifier.SAT)) {
            clamp(c.code(), result, merged == null ? 32 : merged.laneBits());
        }
        second(c, i, result);
        c.code().op(Op.L2I);
        if (merged != null) {
            merge(c, merged, i.operand(3));
        }
        c.pop(whole(i.operand(0)), JvmType.INT);
    }

    static Operand whole(Operand operand) {
        return operand instanceof Operand.Part part ? part.reg() : operand;
    }

    /** Pushes the byte, half or word that an operand selects, as the type reads it. */
    private static void pushNumber(ThreadCode c, Operand operand, ScalarType type) {
        Code code = c.code();
        if (operand instanceof Operand.Part part && !part.lanes().isEmpty()) {
            c.pushInt(part.reg());
            lane(code, part.laneBits(), part.lanes().getFirst(), type.signed());
            code.op(Op.I2L);
            return;
        }
        c.pushInt(whole(operand));
        extend(code, type.signed());
    }

    private static void extend(Code code, boolean signed) {
        if (signed) {
            code.op(Op.I2L);
        } else {
            code.call(Integer.class, "toUnsignedLong");
        }
    }

    /** Makes of the word on the stack one of its bytes or halves. */
    static void lane(Code code, int bits, int lane, boolean signed) {
        if (lane > 0) {
            code.push(lane * bits).op(Op.IUSHR);
        }
        if (signed) {
            code.op(bits == 8 ? Op.I2B : Op.I2S);
        } else {
            code.push((1 << bits) - 1).op(Op.IAND);
        }
    }

    private static void combine(Code code, Instruction i) {
        switch (i.opcode()) {
            case VADD -> code.op(Op.LADD);
            case VSUB -> code.op(Op.LSUB);
            case VABSDIFF -> code.op(Op.LSUB).call(Math.class, "abs", long.class);
            case VMIN -> code.call(Math.class, "min", long.class, long.class);
            case VMAX -> code.call(Math.class, "max", long.class, long.class);
            case VSHL -> code.call(VideoOps.class, i.spelling().has(Modifier.WRAP) ? "vshlWrap" : "vshlClamp");
            case VSHR -> code.call(VideoOps.class, i.spelling().has(Modifier.WRAP) ? "vshrWrap" : "vshrClamp");
            case VSET -> code.op(Op.LCMP).test(ComparisonEmitter.condition(i.spelling().comparison())).op(Op.I2L);
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static void clamp(Code code, ScalarType type, int bits) {
        long end = 1L << (type.signed() ? bits - 1 : bits);
        code.push(end - 1).call(Math.class, "min", long.class, long.class);
        code.push(type.signed() ? -end : 0L).call(Math.class, "max", long.class, long.class);
    }

    private static void second(ThreadCode c, Instruction i, ScalarType result) {
        Code code = c.code();
        Modifier operation = i.spelling().one(Modifier.Category.OPERATION);
        if (operation == null) {
            return;
        }
        pushNumber(c, i.operand(3), result);
        switch (operation) {
            case ADD -> code.op(Op.LADD);
            case MIN -> code.call(Math.class, "min", long.class, long.class);
            case MAX -> code.call(Math.class, "max", long.class, long.class);
            default -> throw new NoCode("operation " + operation + " is not supported");
        }
    }

    /** Puts the result on the stack into a byte or half of {@code rest}. */
    private static void merge(ThreadCode c, Operand.Part part, Operand rest) {
        int place = part.lanes().getFirst() * part.laneBits();
        int mask = (1 << part.laneBits()) - 1;
        Code code = c.code().push(mask).op(Op.IAND).push(place).op(Op.ISHL);
        c.pushInt(whole(rest));
        code.push(~(mask << place)).op(Op.IAND).op(Op.IOR);
    }

    private static boolean minus(Operand operand) {
        return operand instanceof Operand.Part part && part.minus();
    }

    /** {@code vmad}: a minus sign inverts the product or c, and 1 is added; the word c is inverted before it is extended. */
    private static void multiplyAdd(ThreadCode c, Instruction i) {
        Spelling spelling = i.spelling();
        ScalarType typeA = spelling.types().get(1);
        ScalarType typeB = spelling.types().get(2);
        boolean minusProduct = minus(i.operand(1)) != minus(i.operand(2));
        boolean minusC = minus(i.operand(3));
        boolean signed = typeA.signed() || typeB.signed() || minusProduct || minusC;
        Code code = c.code();
        pushNumber(c, i.operand(1), typeA);
        pushNumber(c, i.operand(2), typeB);
        c.pushInt(whole(i.operand(3)));
        if (minusC) {
            code.push(-1).op(Op.IXOR);
        }
        extend(code, signed);
        if (minusProduct || minusC || spelling.has(Modifier.PO)) {
            code.push(1L).op(Op.LADD);
        }
        if (signed) {
            code.push(minusProduct ? -1 : 0);
        }
        code.push(spelling.has(Modifier.SHR7) ? 7 : spelling.has(Modifier.SHR15) ? 15 : 0);
        code.call(VideoOps.class, (spelling.has(Modifier.SAT) ? "vmadSat" : "vmad") + (signed ? "S" : "U"));
        c.pop(whole(i.operand(0)), JvmType.INT);
    }
}
