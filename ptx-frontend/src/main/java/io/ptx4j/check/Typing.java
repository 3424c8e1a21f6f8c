package io.ptx4j.check;

import static io.ptx4j.isa.ScalarType.Kind.BITS;
import static io.ptx4j.isa.ScalarType.Kind.FLOAT;

import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import java.util.List;

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

    /**
     * Whether registers may stand together in one vector: all of one width; untyped ones with any other, the others only with
     * their like. The vector then counts as untyped where one of them is.
     */
    static boolean together(List<ScalarType> declared) {
        ScalarType other = null;
        for (ScalarType type : declared) {
            if (type == ScalarType.PRED || type.bits() != declared.getFirst().bits()) {
                return false;
            }
            if (type.kind() != BITS) {
                if (other != null && !(other == type || other.isInteger() && type.isInteger() && !other.packed() && !type.packed())) {
                    return false;
                }
                other = type;
            }
        }
        return true;
    }

    /** Whether registers that may stand together fit the elements of a vector access. */
    static boolean vectorFits(List<ScalarType> declared, ScalarType wanted) {
        ScalarType first = declared.getFirst();
        boolean untyped = declared.stream().anyMatch(type -> type.kind() == BITS);
        boolean integerAsFloat = wanted.isFloat() && first.isInteger() && first.bits() == wanted.bits();
        return first.bits() >= wanted.bits() && (untyped || integerAsFloat || fitsWider(first, wanted));
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
