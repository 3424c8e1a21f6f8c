package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;

/**
 * The bits that {@code bfe} takes out and {@code bfi} puts in (manual: "Integer Arithmetic Instructions: bfe", "bfi"), where the code says
 * which: as compilers write both. The low byte of each number counts, of 64-bit fields the word.
 *
 * @param position the lowest bit
 * @param length how many; beyond the highest one {@code bfe.s} gives copies of the sign
 * @param width of the register, in bits
 */
public record BitField(int position, int length, int width) {
    /** The field whose position and length are the operands {@code first} and the next one, or null if one of them is no constant. */
    public static BitField of(Instruction i, int first) {
        return i.operand(first) instanceof Operand.Immediate position && i.operand(first + 1) instanceof Operand.Immediate length
                ? new BitField(number(i, position), number(i, length), i.type().bits()) : null;
    }

    private static int number(Instruction i, Operand.Immediate given) {
        int bits = (int) given.bits();
        return i.type().bits() < Long.SIZE ? bits & 0xff : (bits & -Long.SIZE) == 0 ? bits : Long.SIZE;
    }

    /** Whether {@code bfe} gives 0 whatever the bits are. */
    public boolean isEmpty(boolean signed) {
        return length == 0 || !signed && position >= width;
    }

    /** How far {@code bfe} moves the register up before it moves down by {@link #right}. */
    public int left() {
        return Math.max(0, width - position - length);
    }

    /** At most the width less 1: beyond the register there are copies of its sign. */
    public int right() {
        return left() + Math.min(position, width - 1);
    }

    /** The bits of the register that {@code bfi} replaces. */
    public long mask() {
        long ones = length >= Long.SIZE ? -1 : (1L << length) - 1;
        return position >= width ? 0 : ones << position;
    }
}
