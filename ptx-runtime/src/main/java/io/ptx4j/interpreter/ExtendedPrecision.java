package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Bits.bit;
import static io.ptx4j.interpreter.Bits.cut;
import static io.ptx4j.interpreter.Bits.signed;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/**
 * The manual's "Extended-Precision Integer Arithmetic Instructions". Everything is one addition: {@code a - b} is
 * {@code a + ~b + 1}, its carry-out is NOT borrow, and that is what CC.CF keeps after a subtraction.
 */
final class ExtendedPrecision {
    /** The third addend is CC.CF. */
    private static final int CARRY = -1;

    private ExtendedPrecision() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Destination d = operands.destination(0);
        Source[] x = operands.sources(1);
        return switch (spelling.opcode()) {
            case ADD -> sum(spelling, d, x[0], x[1], 0);
            case ADDC -> sum(spelling, d, x[0], x[1], CARRY);
            case SUB -> sum(spelling, d, x[0], complement(spelling, x[1]), 1);
            case SUBC -> sum(spelling, d, x[0], complement(spelling, x[1]), CARRY);
            case MAD -> sum(spelling, d, product(spelling, x[0], x[1]), x[2], 0);
            case MADC -> sum(spelling, d, product(spelling, x[0], x[1]), x[2], CARRY);
            default -> null;
        };
    }

    private static Source complement(Spelling spelling, Source b) {
        int n = spelling.type().bits();
        return thread -> cut(~b.bits(thread), n);
    }

    private static Source product(Spelling spelling, Source a, Source b) {
        ScalarType type = spelling.type();
        return spelling.has(Modifier.HI)
                ? thread -> IntegerArithmetic.highProduct(type, a.bits(thread), b.bits(thread))
                : thread -> IntegerArithmetic.lowProduct(type, a.bits(thread), b.bits(thread));
    }

    private static Step sum(Spelling spelling, Destination d, Source a, Source b, int third) {
        int n = spelling.type().bits();
        boolean writesCarry = spelling.has(Modifier.CC);
        boolean saturates = spelling.has(Modifier.SAT);
        return thread -> {
            long x = a.bits(thread);
            long y = b.bits(thread);
            long carry = third == CARRY ? thread.carry ? 1 : 0 : third;
            long sum = cut(x + y + carry, n);
            d.write(thread, saturates ? Bits.saturated(signed(x, n) + signed(y, n) + carry, n) : sum);
            if (writesCarry) {
                thread.carry = carryOut(x, y, sum, n);
            }
        };
    }

    /** Out of the top place: two of the three bits added there were ones. */
    private static boolean carryOut(long a, long b, long sum, int n) {
        return bit(a & b | (a | b) & ~sum, n - 1);
    }
}
