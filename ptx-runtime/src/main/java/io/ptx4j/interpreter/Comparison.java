package io.ptx4j.interpreter;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** The manual's "Comparison and Selection Instructions", of half precision too. */
final class Comparison {
    private static final long ONE_AS_F32 = 0x3F80_0000L;

    private Comparison() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        return switch (spelling.opcode()) {
            case SET -> set(spelling);
            case SELP -> (s, x) -> x[2] != 0 ? x[0] : x[1];
            case SLCT -> (s, x) -> notNegative(s, x[2]) ? x[0] : x[1];
            default -> null;
        };
    }

    /** {@code setp}; null for anything else. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case SETP -> setPredicate(instruction.spelling(), operands);
            default -> null;
        };
    }

    /**
     * {@code p = (a cmp b) BoolOp c, q = !(a cmp b) BoolOp c}; for a packed type p is the low lane's and q the high lane's. Where
     * both are one register, p's result stays (docs/numerics.md).
     */
    private static Step setPredicate(Spelling spelling, Operands operands) {
        Destination p = operands.destination(0);
        boolean two = spelling.form().operands().get(1).role() == OperandSpec.Role.DESTINATION;
        Destination q = two ? operands.destination(1) : new Destination.Nowhere();
        Source[] x = operands.sources(two ? 2 : 1);
        ScalarType type = spelling.type();
        ScalarType element = type.element();
        return thread -> {
            long a = x[0].bits(thread);
            long b = x[1].bits(thread);
            long c = x.length > 2 ? x[2].bits(thread) : 0;
            boolean low = holds(spelling, element, Bits.cut(a, element.bits()), Bits.cut(b, element.bits()));
            boolean high = type.packed()
                    ? holds(spelling, element, a >>> element.bits(), b >>> element.bits())
                    : !low;
            q.write(thread, combined(spelling, high, c));
            p.write(thread, combined(spelling, low, c));
        };
    }

    private static Arithmetic set(Spelling spelling) {
        ScalarType type = spelling.lastType();
        if (type.packed() || spelling.type().packed()) {
            return packedSet(spelling);
        }
        long yes = yes(spelling.type());
        return (s, x) -> combined(s, holds(s, type, x[0], x[1]), x.length > 2 ? x[2] : 0) != 0 ? yes : 0;
    }

    /** Both lanes side by side. */
    private static Arithmetic packedSet(Spelling spelling) {
        ScalarType element = spelling.lastType().element();
        int n = element.bits();
        long yes = Bits.cut(yes(spelling.type().element()), n);
        return (s, x) -> {
            long result = 0;
            for (int place = 0; place < 2 * n; place += n) {
                boolean holds = holds(s, element, Bits.field(x[0], place, n), Bits.field(x[1], place, n));
                result |= combined(s, holds, x.length > 2 ? x[2] : 0) != 0 ? yes << place : 0;
            }
            return result;
        };
    }

    /** What {@code set} gives for true: 1.0 or all ones. */
    private static long yes(ScalarType type) {
        return switch (type) {
            case F32 -> ONE_AS_F32;
            case F16 -> 0x3C00;
            case BF16 -> 0x3F80;
            default -> Bits.mask(type.bits());
        };
    }

    private static boolean notNegative(Spelling spelling, long c) {
        ScalarType type = spelling.lastType();
        return type.isFloat()
                ? FloatComparison.holds(Modifier.GE, type, spelling.has(Modifier.FTZ), c, 0)
                : Bits.value(c, type) >= 0;
    }

    static boolean holds(Spelling spelling, ScalarType type, long a, long b) {
        Modifier comparison = spelling.comparison();
        return type.isFloat()
                ? FloatComparison.holds(comparison, type, spelling.has(Modifier.FTZ), a, b)
                : holds(comparison, type, a, b);
    }

    private static boolean holds(Modifier comparison, ScalarType type, long a, long b) {
        int order = Bits.compare(a, b, type);
        return switch (comparison) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT, LO -> order < 0;
            case LE, LS -> order <= 0;
            case GT, HI -> order > 0;
            case GE, HS -> order >= 0;
            default -> throw new IllegalArgumentException(comparison + " compares no integers");
        };
    }

    /** {@code holds BoolOp c}, or {@code holds} alone. */
    private static long combined(Spelling spelling, boolean holds, long c) {
        Modifier operator = spelling.one(Modifier.Category.BOOLEAN);
        long t = holds ? 1 : 0;
        if (operator == null) {
            return t;
        }
        return switch (operator) {
            case AND -> t & c;
            case OR -> t | c;
            case XOR -> t ^ c;
            default -> throw new IllegalArgumentException(operator + " is no boolean operator");
        };
    }
}
