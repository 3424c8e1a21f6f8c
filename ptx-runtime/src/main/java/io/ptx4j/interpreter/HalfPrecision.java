package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

/** Definitions of the manual's half precision floating-point instructions. */
final class HalfPrecision {
    /** What TMA fills in for elements outside a tensor (manual: "Tensors"), in f16 and in bf16. */
    private static final long OUT_OF_BOUNDS = 0x7ff7;

    private HalfPrecision() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        Arithmetic scalar = switch (spelling.opcode()) {
            case ADD, SUB, MUL -> FloatingPoint.arithmetic(spelling);
            case FMA -> spelling.has(Modifier.OOB) ? guarded(FloatingPoint.arithmetic(spelling)) : FloatingPoint.arithmetic(spelling);
            case ABS, NEG -> FloatingPoint.sign(spelling);
            case MIN, MAX -> MinMax.of(spelling);
            case EX2, TANH -> Approximation.definition(spelling);
            default -> null;
        };
        return scalar == null ? null : Lanes.each(spelling.type(), scalar);
    }

    private static Arithmetic guarded(Arithmetic fma) {
        return (s, x) -> isOutOfBounds(x[0]) || isOutOfBounds(x[1]) ? 0 : fma.apply(s, x);
    }

    private static boolean isOutOfBounds(long factor) {
        return (factor & 0x7fff) == OUT_OF_BOUNDS;
    }
}
