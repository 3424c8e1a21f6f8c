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
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.support.VideoOps;

/**
 * Scalar video instructions (manual: "Scalar Video Instructions"): exact until the result is cut to a word, in {@code long} or, where bytes
 * and halves leave room for it or only the low 32 bits count, in {@code int}.
 */
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
        ScalarType typeA = spelling.types().get(set ? 0 : 1);
        ScalarType typeB = spelling.types().get(set ? 1 : 2);
        Range range = Range.of(i.opcode(), Range.of(i.operand(1), typeA), Range.of(i.operand(2), typeB));
        Modifier second = spelling.one(Modifier.Category.OPERATION);
        boolean wrapping = (i.opcode() == Opcode.VADD || i.opcode() == Opcode.VSUB) && !spelling.has(Modifier.SAT)
                && (second == null || second == Modifier.ADD);
        boolean wide = !wrapping && (range == null || !range.isWord());
        pushNumber(c, i.operand(1), typeA, wide);
        pushNumber(c, i.operand(2), typeB, wide);
        combine(c.code(), i, wide);
        Operand.Part merged = i.operand(0) instanceof Operand.Part part && !part.lanes().isEmpty() ? part : null;
        if (spelling.has(Modifier.SAT)) {
            clamp(c.code(), result, merged == null ? 32 : merged.laneBits(), wide, range);
        }
        second(c, i, result, wide);
        if (merged != null) {
            merge(c, merged, i.operand(3));
        }
        c.pop(Operands.whole(i.operand(0)), JvmType.INT);
    }

    /** The numbers that a value may be. */
    private record Range(long least, long greatest) {
        static Range of(Operand operand, ScalarType type) {
            int bits = operand instanceof Operand.Part part && !part.lanes().isEmpty() ? part.laneBits() : 32;
            return type.signed() ? new Range(-1L << bits - 1, (1L << bits - 1) - 1) : new Range(0, (1L << bits) - 1);
        }

        /** Of a result; null if it may be far greater than its sources. */
        static Range of(Opcode opcode, Range a, Range b) {
            return switch (opcode) {
                case VADD -> new Range(a.least + b.least, a.greatest + b.greatest);
                case VSUB -> new Range(a.least - b.greatest, a.greatest - b.least);
                case VABSDIFF -> new Range(0, Math.max(a.greatest - b.least, b.greatest - a.least));
                case VMIN, VMAX -> new Range(Math.min(a.least, b.least), Math.max(a.greatest, b.greatest));
                default -> null;
            };
        }

        boolean isWord() {
            return least == (int) least && greatest == (int) greatest;
        }
    }

    /** Pushes the byte, half or word that an operand selects, as the type reads it; as {@code long} where {@code wide}. */
    private static void pushNumber(ThreadCode c, Operand operand, ScalarType type, boolean wide) {
        Code code = c.code();
        if (operand instanceof Operand.Part part && !part.lanes().isEmpty()) {
            c.pushInt(part.reg());
            lane(code, part.laneBits(), part.lanes().getFirst(), type.signed());
            if (wide) {
                code.op(Op.I2L);
            }
            return;
        }
        c.pushInt(Operands.whole(operand));
        if (wide) {
            extend(code, type.signed());
        }
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

    private static void combine(Code code, Instruction i, boolean wide) {
        switch (i.opcode()) {
            case VADD -> code.op(wide ? Op.LADD : Op.IADD);
            case VSUB -> code.op(wide ? Op.LSUB : Op.ISUB);
            case VABSDIFF -> code.op(wide ? Op.LSUB : Op.ISUB).call(Math.class, "abs", wide ? long.class : int.class);
            case VMIN -> extreme(code, "min", wide);
            case VMAX -> extreme(code, "max", wide);
            case VSHL -> code.call(VideoOps.class, i.spelling().has(Modifier.WRAP) ? "vshlWrap" : "vshlClamp");
            case VSHR -> code.call(VideoOps.class, i.spelling().has(Modifier.WRAP) ? "vshrWrap" : "vshrClamp");
            case VSET -> code.op(Op.LCMP).test(ComparisonEmitter.condition(i.spelling().comparison())).op(Op.I2L);
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static void extreme(Code code, String method, boolean wide) {
        Class<?> type = wide ? long.class : int.class;
        code.call(Math.class, method, type, type);
    }

    private static void clamp(Code code, ScalarType type, int bits, boolean wide, Range range) {
        long end = 1L << (type.signed() ? bits - 1 : bits);
        if (range == null || range.greatest >= end) {
            push(code, end - 1, wide);
            extreme(code, "min", wide);
        }
        if (range == null || range.least < (type.signed() ? -end : 0)) {
            push(code, type.signed() ? -end : 0, wide);
            extreme(code, "max", wide);
        }
    }

    private static void push(Code code, long value, boolean wide) {
        if (wide) {
            code.push(value);
        } else {
            code.push((int) value);
        }
    }

    /** Leaves the result's low 32 bits. */
    private static void second(ThreadCode c, Instruction i, ScalarType result, boolean wide) {
        Code code = c.code();
        Modifier operation = i.spelling().one(Modifier.Category.OPERATION);
        boolean compares = operation == Modifier.MIN || operation == Modifier.MAX;
        if (wide && !compares) {
            code.op(Op.L2I);
        } else if (!wide && compares) {
            code.op(Op.I2L);
        }
        if (operation != null) {
            pushNumber(c, i.operand(3), result, compares);
            switch (operation) {
                case ADD -> code.op(Op.IADD);
                case MIN -> extreme(code, "min", true);
                case MAX -> extreme(code, "max", true);
                default -> throw new NoCode("operation " + operation + " is not supported");
            }
        }
        if (compares) {
            code.op(Op.L2I);
        }
    }

    /** Puts the result on the stack into a byte or half of {@code rest}. */
    private static void merge(ThreadCode c, Operand.Part part, Operand rest) {
        int place = part.lanes().getFirst() * part.laneBits();
        int mask = (1 << part.laneBits()) - 1;
        Code code = c.code().push(mask).op(Op.IAND).push(place).op(Op.ISHL);
        c.pushInt(Operands.whole(rest));
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
        pushNumber(c, i.operand(1), typeA, true);
        pushNumber(c, i.operand(2), typeB, true);
        c.pushInt(Operands.whole(i.operand(3)));
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
        c.pop(Operands.whole(i.operand(0)), JvmType.INT);
    }
}
