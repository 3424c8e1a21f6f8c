package io.ptx4j.check;

import static io.ptx4j.isa.ScalarType.Kind.BITS;
import static io.ptx4j.isa.ScalarType.Kind.FLOAT;

import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;

/** Which registers an instruction type takes (manual: "Type Information for Instructions and Operands"). */
final class Typing {
    private Typing() {
    }

    /** Whether a register declared as {@code declared} may stand where {@code spec} wants {@code wanted}. */
    static boolean fits(ScalarType declared, ScalarType wanted, OperandSpec spec) {
        if (spec.wider()) {
            return fitsWider(declared, wanted);
        }
        return fitsExactly(declared, wanted, spec.rule() == OperandSpec.TypeRule.FIXED);
    }

    /** An element of a vector access: any class of register that is wide enough. */
    static boolean fitsElement(ScalarType declared, ScalarType wanted) {
        return declared != ScalarType.PRED && declared.bits() >= wanted.bits();
    }

    private static boolean fitsExactly(ScalarType declared, ScalarType wanted, boolean fixed) {
        if (wanted == ScalarType.PRED || declared == ScalarType.PRED) {
            return wanted == declared;
        }
        if (declared.bits() != wanted.bits()) {
            return false;
        }
        if (wanted.packed()) {
            return declared.kind() == BITS || declared == ScalarType.F16X2 && wanted.bits() == 32 && wanted != ScalarType.BF16X2;
        }
        return switch (wanted.kind()) {
            case BITS -> true;
            case UNSIGNED, SIGNED -> declared.isInteger() && !declared.packed() || declared == ScalarType.F16X2 && !fixed;
            case FLOAT -> declared.kind() == BITS || declared == wanted;
            case PREDICATE, OPAQUE -> declared == wanted;
        };
    }

    /** Loads, stores and conversions: the register may be wider than the type. */
    private static boolean fitsWider(ScalarType declared, ScalarType wanted) {
        if (declared == ScalarType.PRED || declared.bits() < wanted.bits()) {
            return false;
        }
        return switch (wanted.kind()) {
            case BITS -> true;
            case UNSIGNED, SIGNED -> declared.isInteger() && !declared.packed() || declared == ScalarType.F16X2;
            case FLOAT -> declared.kind() == BITS || declared == wanted;
            case PREDICATE, OPAQUE -> declared == wanted;
        };
    }
}
