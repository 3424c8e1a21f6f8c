package io.ptx4j.interpreter;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.math.BigInteger;

/** The manual's "Scalar Video Instructions". Every intermediate result is the exact number. */
final class Video {
    /** The number that a source operand, or the part of it that is selected, stands for. */
    @FunctionalInterface
    private interface Number {
        BigInteger of(ThreadState thread);
    }

    private Video() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VSET -> scalar(instruction, operands);
            case VMAD -> multiplyAdd(instruction, operands);
            default -> null;
        };
    }

    private static Number number(Instruction instruction, int index, ScalarType type, Operands operands) {
        Operand operand = instruction.operand(index);
        if (operand instanceof Operand.Part part) {
            Source whole = operands.source(part.reg());
            int width = part.laneBits();
            int place = part.lanes().isEmpty() ? 0 : part.lanes().getFirst() * width;
            return thread -> number(Bits.field(whole.bits(thread), place, width), width, type);
        }
        Source whole = operands.source(operand);
        return thread -> number(whole.bits(thread), 32, type);
    }

    private static BigInteger number(long bits, int width, ScalarType type) {
        return BigInteger.valueOf(type.signed() ? Bits.signed(bits, width) : bits);
    }

    private static Step scalar(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        boolean set = spelling.comparison() != null;
        ScalarType result = set ? ScalarType.U32 : spelling.type();
        Number a = number(instruction, 1, spelling.types().get(set ? 0 : 1), operands);
        Number b = number(instruction, 2, spelling.types().get(set ? 1 : 2), operands);
        boolean hasThird = instruction.operands().size() > 3 && !operands.absent(3);
        Number c = hasThird ? number(instruction, 3, result, operands) : thread -> BigInteger.ZERO;
        Operand.Part merged = instruction.operand(0) instanceof Operand.Part part && !part.lanes().isEmpty() ? part : null;
        Destination d = operands.destination(instruction.operand(0) instanceof Operand.Part part ? part.reg() : instruction.operand(0));
        return thread -> {
            BigInteger t = combined(spelling, a.of(thread), b.of(thread));
            t = saturated(spelling, t, result, merged == null ? 32 : merged.laneBits());
            BigInteger third = c.of(thread);
            long bits = second(spelling, t, third).longValue();
            d.write(thread, merged == null ? Bits.cut(bits, 32) : merge(merged, bits, third.longValue()));
        };
    }

    private static BigInteger combined(Spelling spelling, BigInteger a, BigInteger b) {
        return switch (spelling.opcode()) {
            case VADD -> a.add(b);
            case VSUB -> a.subtract(b);
            case VABSDIFF -> a.subtract(b).abs();
            case VMIN -> a.min(b);
            case VMAX -> a.max(b);
            case VSHL -> a.shiftLeft(amount(spelling, b));
            case VSHR -> a.shiftRight(amount(spelling, b));
            case VSET -> holds(spelling, a, b) ? BigInteger.ONE : BigInteger.ZERO;
            default -> throw new IllegalArgumentException(spelling + " is no scalar video instruction");
        };
    }

    private static int amount(Spelling spelling, BigInteger b) {
        return spelling.has(Modifier.CLAMP) ? b.min(BigInteger.valueOf(32)).intValue() : b.intValue() & 31;
    }

    private static boolean holds(Spelling spelling, BigInteger a, BigInteger b) {
        return holds(spelling.comparison(), a.compareTo(b));
    }

    static boolean holds(Modifier comparison, int order) {
        return switch (comparison) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            case GE -> order >= 0;
            default -> throw new IllegalArgumentException(comparison + " compares no integers");
        };
    }

    /** With {@code .sat}, clamped to what {@code width} bits of the result type hold. */
    private static BigInteger saturated(Spelling spelling, BigInteger t, ScalarType type, int width) {
        if (!spelling.has(Modifier.SAT)) {
            return t;
        }
        BigInteger end = BigInteger.ONE.shiftLeft(type.signed() ? width - 1 : width);
        BigInteger least = type.signed() ? end.negate() : BigInteger.ZERO;
        return t.max(least).min(end.subtract(BigInteger.ONE));
    }

    private static BigInteger second(Spelling spelling, BigInteger t, BigInteger c) {
        return spelling.has(Modifier.ADD) ? t.add(c)
                : spelling.has(Modifier.MIN) ? t.min(c)
                : spelling.has(Modifier.MAX) ? t.max(c)
                : t;
    }

    /** The selected part of the result stands in {@code c}. */
    private static long merge(Operand.Part part, long t, long c) {
        long mask = Bits.mask(part.laneBits()) << part.lanes().getFirst() * part.laneBits();
        return Bits.cut(c & ~mask | t << part.lanes().getFirst() * part.laneBits() & mask, 32);
    }

    private static boolean minus(Instruction instruction, int index) {
        return instruction.operand(index) instanceof Operand.Part part && part.minus();
    }

    /** {@code vmad}: a minus sign inverts the product or c, and 1 is added; the word c is inverted before it is extended. */
    private static Step multiplyAdd(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Destination d = operands.destination(0);
        ScalarType typeA = spelling.types().get(1);
        ScalarType typeB = spelling.types().get(2);
        Number a = number(instruction, 1, typeA, operands);
        Number b = number(instruction, 2, typeB, operands);
        Number c = number(instruction, 3, ScalarType.U32, operands);
        boolean minusProduct = minus(instruction, 1) != minus(instruction, 2);
        boolean minusC = minus(instruction, 3);
        boolean signed = typeA.signed() || typeB.signed() || minusProduct || minusC;
        boolean plusOne = spelling.has(Modifier.PO) || minusProduct || minusC;
        int shift = spelling.has(Modifier.SHR7) ? 7 : spelling.has(Modifier.SHR15) ? 15 : 0;
        return thread -> {
            BigInteger product = a.of(thread).multiply(b.of(thread));
            long word = c.of(thread).longValue();
            BigInteger sum = (minusProduct ? product.not() : product)
                    .add(number(Bits.cut(minusC ? ~word : word, 32), 32, signed ? ScalarType.S32 : ScalarType.U32))
                    .add(plusOne ? BigInteger.ONE : BigInteger.ZERO)
                    .shiftRight(shift);
            BigInteger result = saturated(spelling, sum, signed ? ScalarType.S32 : ScalarType.U32, 32);
            d.write(thread, Bits.cut(result.longValue(), 32));
        };
    }
}
