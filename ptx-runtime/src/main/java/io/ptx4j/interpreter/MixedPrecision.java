package io.ptx4j.interpreter;

import io.ptx4j.isa.Spelling;

/** Definitions of the manual's mixed precision floating-point instructions: factors in f16 or bf16, addend and result in f32. */
final class MixedPrecision {
    private MixedPrecision() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        FloatResult result = FloatResult.of(spelling, spelling.type());
        Format half = Format.of(spelling.lastType());
        Rounding rounding = result.rounding();
        return switch (spelling.opcode()) {
            case ADD -> (s, x) -> result.bits(ExactArithmetic.add(half.decode(x[0]), result.read(x[1]), rounding));
            case SUB -> (s, x) -> result.bits(ExactArithmetic.add(half.decode(x[0]), result.read(x[1]).negate(), rounding));
            case FMA -> (s, x) -> result.bits(
                    ExactArithmetic.multiplyAdd(half.decode(x[0]), half.decode(x[1]), result.read(x[2]), rounding));
            default -> null;
        };
    }
}
