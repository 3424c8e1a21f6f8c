package io.ptx4j.agreement;

import io.ptx4j.interpreter.IntegerModel;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** What an instruction gives, written from the manual and docs/numerics.md a third time: shares no code with either engine. */
@FunctionalInterface
interface Model {
    /** Raw bits of the result, cut to its type, for raw bits of the sources, already cut to theirs. */
    long of(long[] x);

    /**
     * The model of a spelling's first result; null for an approximation.
     *
     * @param constant what a source that must be a constant is
     */
    static Model of(Spelling spelling, int constant) {
        return switch (spelling.opcode()) {
            case SET, SETP, SELP, SLCT -> ComparisonModels.of(spelling);
            case CVT -> ConversionModels.of(spelling);
            case MOV -> x -> x[0];
            default -> switch (spelling.family()) {
                case INTEGER -> new IntegerModel(spelling, spelling.type())::result;
                case LOGIC, DATA_MOVEMENT -> LogicModels.of(spelling, constant);
                default -> FloatModels.of(spelling);
            };
        };
    }

    static Soft.Format format(ScalarType type) {
        return switch (type.element()) {
            case F64 -> Soft.Format.F64;
            case F32 -> Soft.Format.F32;
            case F16 -> Soft.Format.F16;
            case BF16 -> Soft.Format.BF16;
            case TF32 -> Soft.Format.TF32;
            case E4M3 -> Soft.Format.E4M3;
            case E5M2 -> Soft.Format.E5M2;
            case E2M1 -> Soft.Format.E2M1;
            case E2M3 -> Soft.Format.E2M3;
            case E3M2 -> Soft.Format.E3M2;
            default -> throw new AssertionError(type + " is no floating-point type");
        };
    }

    static Soft.Mode mode(Spelling spelling) {
        Modifier rounding = spelling.one(Modifier.Category.ROUNDING);
        return rounding == null ? Soft.Mode.RN : switch (rounding) {
            case RZ, RZI -> Soft.Mode.RZ;
            case RM, RMI -> Soft.Mode.RM;
            case RP, RPI -> Soft.Mode.RP;
            case RNA -> Soft.Mode.RNA;
            default -> Soft.Mode.RN;
        };
    }

    static long mask(int bits) {
        return bits == 64 ? -1 : (1L << bits) - 1;
    }

    /** {@code model} on each of {@code lanes} lanes of {@code width} bits. */
    static Model lanes(int lanes, int width, Model model) {
        return x -> {
            long result = 0;
            long[] lane = new long[x.length];
            for (int i = 0; i < lanes; i++) {
                for (int k = 0; k < x.length; k++) {
                    lane[k] = x[k] >>> i * width & mask(width);
                }
                result |= model.of(lane) << i * width;
            }
            return result;
        };
    }
}
