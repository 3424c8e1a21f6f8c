package io.ptx4j.agreement;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** Logic, shifts and {@code prmt}, bit by bit where that says more. */
final class LogicModels {
    private LogicModels() {
    }

    /** @param table the constant that {@code lop3} takes */
    static Model of(Spelling spelling, int table) {
        ScalarType type = spelling.type();
        int n = type.bits();
        long mask = Model.mask(n);
        return switch (spelling.opcode()) {
            case AND -> spelling.family() == io.ptx4j.isa.Family.LOGIC ? x -> x[0] & x[1] : null;
            case OR -> x -> x[0] | x[1];
            case XOR -> x -> x[0] ^ x[1];
            case NOT -> x -> ~x[0] & mask;
            case CNOT -> x -> x[0] == 0 ? 1 : 0;
            case LOP3 -> x -> lop3(x, table);
            case SHF -> x -> funnel(spelling, x);
            case SHL -> x -> x[1] >= n ? 0 : x[0] << x[1] & mask;
            case SHR -> x -> shifted(x[0], Math.min(x[1], n), type);
            case PRMT -> x -> permuted(spelling.one(Modifier.Category.MODE), x);
            default -> null;
        };
    }

    /** The bit of the table that each place's three bits number; a is the highest. */
    private static long lop3(long[] x, int table) {
        long result = 0;
        for (int i = 0; i < 32; i++) {
            long index = (x[0] >>> i & 1) << 2 | (x[1] >>> i & 1) << 1 | x[2] >>> i & 1;
            result |= (long) (table >>> index & 1) << i;
        }
        return result;
    }

    private static long funnel(Spelling spelling, long[] x) {
        long both = x[1] << 32 | x[0];
        int by = (int) (spelling.has(Modifier.WRAP) ? x[2] % 32 : Math.min(x[2], 32));
        return (spelling.has(Modifier.L) ? by == 32 ? x[0] : (both << by) >>> 32 : both >>> by) & 0xffff_ffffL;
    }

    private static long shifted(long a, long by, ScalarType type) {
        int n = type.bits();
        long result = 0;
        for (int i = 0; i < n; i++) {
            long from = i + by;
            boolean bit = from < n ? (a >>> from & 1) != 0 : type.signed() && (a >>> n - 1 & 1) != 0;
            result |= bit ? 1L << i : 0;
        }
        return result;
    }

    private static long permuted(Modifier mode, long[] x) {
        long result = 0;
        int c = (int) x[2] & 3;
        for (int i = 0; i < 4; i++) {
            int selector = mode == null ? (int) (x[2] >>> 4 * i) & 15 : switch (mode) {
                case F4E -> c + i;
                case B4E -> c - i & 7;
                case RC8 -> c;
                case ECL -> Math.max(c, i);
                case ECR -> Math.min(c, i);
                default -> 2 * (c & 1) + (i & 1);
            };
            long source = (selector & 4) == 0 ? x[0] : x[1];
            long value = source >>> 8 * (selector & 3) & 0xff;
            result |= (selector < 8 ? value : value >= 0x80 ? 0xff : 0) << 8 * i;
        }
        return result;
    }
}
