package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Bits.cut;
import static io.ptx4j.interpreter.Bits.value;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** The manual's "Logic and Shift Instructions". */
final class Logic {
    private Logic() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        int n = spelling.type().bits();
        return switch (spelling.opcode()) {
            case AND -> (s, x) -> x[0] & x[1];
            case OR -> (s, x) -> x[0] | x[1];
            case XOR -> (s, x) -> x[0] ^ x[1];
            case NOT -> (s, x) -> cut(~x[0], n);
            case CNOT -> (s, x) -> x[0] == 0 ? 1 : 0;
            case LOP3 -> hasPredicate(spelling) ? null : (s, x) -> cut(lookUp(x[0], x[1], x[2], x[3]), n);
            case SHF -> (s, x) -> funnel(s, x[0], x[1], x[2]);
            case SHL -> (s, x) -> x[1] >= n ? 0 : cut(x[0] << x[1], n);
            case SHR -> (s, x) -> cut(shiftRight(s.type(), x[0], x[1]), n);
            default -> null;
        };
    }

    /** {@code lop3} with a predicate result: {@code p = (d != 0) BoolOp q}; null for anything else. */
    static Step step(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        return switch (spelling.opcode()) {
            case LOP3 -> {
                if (!hasPredicate(spelling)) {
                    yield null;
                }
                Destination d = operands.destination(0);
                Destination p = operands.destination(1);
                Source[] x = operands.sources(2);
                yield thread -> {
                    long result = lookUp(x[0].bits(thread), x[1].bits(thread), x[2].bits(thread), x[3].bits(thread));
                    long q = x[4].bits(thread);
                    long nonzero = result != 0 ? 1 : 0;
                    d.write(thread, result);
                    p.write(thread, spelling.has(Modifier.AND) ? nonzero & q : nonzero | q);
                };
            }
            default -> null;
        };
    }

    private static boolean hasPredicate(Spelling spelling) {
        return spelling.has(Modifier.AND) || spelling.has(Modifier.OR) || spelling.has(Modifier.XOR);
    }

    /** Bit {@code abc} of the table for each place of 32-bit operands. */
    private static long lookUp(long a, long b, long c, long table) {
        long result = 0;
        for (int row = 0; row < 8; row++) {
            if (Bits.bit(table, row)) {
                result |= (Bits.bit(row, 2) ? a : ~a) & (Bits.bit(row, 1) ? b : ~b) & (Bits.bit(row, 0) ? c : ~c);
            }
        }
        return cut(result, 32);
    }

    /** Shifts the 64 bits {@code b:a}; left gives the upper word, right the lower one. */
    private static long funnel(Spelling spelling, long a, long b, long amount) {
        long n = spelling.has(Modifier.CLAMP) ? Math.min(amount, 32) : amount & 31;
        long both = b << 32 | a;
        return spelling.has(Modifier.L) ? both << n >>> 32 : cut(both >>> n, 32);
    }

    /** Amounts from the width on shift everything out. */
    private static long shiftRight(ScalarType type, long a, long amount) {
        if (amount >= type.bits()) {
            return value(a, type) < 0 && type.signed() ? -1 : 0;
        }
        return type.signed() ? value(a, type) >> amount : a >>> amount;
    }
}
