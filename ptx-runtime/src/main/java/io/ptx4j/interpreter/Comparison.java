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
        Test test = Test.of(spelling, element);
        return thread -> {
            long a = x[0].bits(thread);
            long b = x[1].bits(thread);
            long c = x.length > 2 ? x[2].bits(thread) : 0;
            boolean low = test.holds(Bits.cut(a, element.bits()), Bits.cut(b, element.bits()));
            boolean high = type.packed()
                    ? test.holds(a >>> element.bits(), b >>> element.bits())
                    : !low;
            q.write(thread, test.combined(high, c));
            p.write(thread, test.combined(low, c));
        };
    }

    private static Arithmetic set(Spelling spelling) {
        ScalarType type = spelling.lastType();
        if (type.packed() || spelling.type().packed()) {
            return packedSet(spelling);
        }
        long yes = yes(spelling.type());
        Test test = Test.of(spelling, type);
        return (s, x) -> test.combined(test.holds(x[0], x[1]), x.length > 2 ? x[2] : 0) != 0 ? yes : 0;
    }

    /** Both lanes side by side. */
    private static Arithmetic packedSet(Spelling spelling) {
        ScalarType element = spelling.lastType().element();
        int n = element.bits();
        long yes = Bits.cut(yes(spelling.type().element()), n);
        Test test = Test.of(spelling, element);
        return (s, x) -> {
            long result = 0;
            for (int place = 0; place < 2 * n; place += n) {
                boolean holds = test.holds(Bits.field(x[0], place, n), Bits.field(x[1], place, n));
                result |= test.combined(holds, x.length > 2 ? x[2] : 0) != 0 ? yes << place : 0;
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

    /**
     * What an instruction asks of its sources, looked up once.
     *
     * @param operator that combines the answer with a third source; null for none
     */
    private record Test(ScalarType type, Modifier comparison, boolean ftz, Modifier operator) {
        static Test of(Spelling spelling, ScalarType type) {
            return new Test(type, spelling.comparison(), spelling.has(Modifier.FTZ), spelling.one(Modifier.Category.BOOLEAN));
        }

        boolean holds(long a, long b) {
            return type.isFloat() ? FloatComparison.holds(comparison, type, ftz, a, b) : Comparison.holds(comparison, type, a, b);
        }

        /** {@code holds BoolOp c}, or {@code holds} alone. */
        long combined(boolean holds, long c) {
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
}
