package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Bits.bit;
import static io.ptx4j.interpreter.Bits.cut;
import static io.ptx4j.interpreter.Bits.signed;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/**
 * The manual's "Extended-Precision Integer Arithmetic Instructions". Everything is one addition: {@code a - b} is
 * {@code a + ~b + 1}, its carry-out is NOT borrow, and that is what CC.CF keeps after a subtraction.
 */
final class ExtendedPrecision {
    /** @param carry out of the top place */
    record Sum(long bits, boolean carry) {
    }

    private ExtendedPrecision() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case ADD, ADDC, SUB, SUBC, MAD, MADC -> sum(instruction.spelling(), operands.destination(0), operands.sources(1));
            default -> null;
        };
    }

    private static Step sum(Spelling spelling, Destination d, Source[] sources) {
        boolean writesCarry = spelling.has(Modifier.CC);
        return thread -> {
            Sum sum = sum(spelling, thread.gather(sources), thread.carry);
            d.write(thread, sum.bits);
            if (writesCarry) {
                thread.carry = sum.carry;
            }
        };
    }

    /** @param carryIn CC.CF before the instruction */
    static Sum sum(Spelling spelling, long[] x, boolean carryIn) {
        int n = spelling.type().bits();
        long carry = carryIn ? 1 : 0;
        return switch (spelling.opcode()) {
            case ADD -> sum(spelling, x[0], x[1], 0);
            case ADDC -> sum(spelling, x[0], x[1], carry);
            case SUB -> sum(spelling, x[0], cut(~x[1], n), 1);
            case SUBC -> sum(spelling, x[0], cut(~x[1], n), carry);
            case MAD -> sum(spelling, product(spelling, x[0], x[1]), x[2], 0);
            case MADC -> sum(spelling, product(spelling, x[0], x[1]), x[2], carry);
            default -> throw new IllegalArgumentException(spelling + " is no addition");
        };
    }

    /** Forms that the manual does not have are as GPUs do them: {@code madc.hi} of 16 bits takes bits 32 and up, {@code madc.hi.sat} does not saturate. */
    private static long product(Spelling spelling, long a, long b) {
        ScalarType type = spelling.type();
        if (spelling.has(Modifier.HI) && type.bits() == 16) {
            return cut(Bits.value(a, type) * Bits.value(b, type) >> 32, 16);
        }
        return spelling.has(Modifier.HI) ? IntegerArithmetic.highProduct(type, a, b) : IntegerArithmetic.lowProduct(type, a, b);
    }

    private static boolean saturates(Spelling spelling) {
        return spelling.has(Modifier.SAT) && spelling.opcode() != Opcode.MADC;
    }

    private static Sum sum(Spelling spelling, long a, long b, long carry) {
        int n = spelling.type().bits();
        long sum = cut(a + b + carry, n);
        boolean carryOut = bit(a & b | (a | b) & ~sum, n - 1);
        return new Sum(saturates(spelling) ? Bits.saturated(signed(a, n) + signed(b, n) + carry, n) : sum, carryOut);
    }
}
