package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.syntax.Constant;
import io.ptx4j.syntax.Constant.Real;
import io.ptx4j.syntax.Constant.Single;
import io.ptx4j.syntax.Constant.Whole;

/** Turns constants into the bits of a type. */
final class Immediates {
    /** Whoever writes a larger integer for a float means its bits. */
    private static final int SMALL = 1 << 20;

    private Immediates() {
    }

    /** How the constant would be written for a type that does not take it as it is; empty when nobody knows. */
    static String hint(Constant constant, ScalarType type) {
        return switch (constant) {
            case Whole(long value, boolean _) when type == ScalarType.F32 || type == ScalarType.F64 -> Math.abs(value) < SMALL ? "write " + value + ".0"
                    : "the bits of a float are written " + (type == ScalarType.F32 ? "0f%08X".formatted((int) value) : "0d%016X".formatted(value));
            case Whole _ -> "";
            case Real _, Single _ -> type.isInteger() ? "an integer is expected, such as 1 or 0x1F" : "";
        };
    }

    static String text(Constant constant) {
        return switch (constant) {
            case Whole(long value, boolean _) -> String.valueOf(value);
            case Real(double value) -> String.valueOf(value);
            case Single(int bits) -> String.valueOf(Float.intBitsToFloat(bits));
        };
    }

    /** The constant as a value of {@code type}; null where the type takes no such constant. */
    static Operand.Immediate of(Constant constant, ScalarType type) {
        return switch (constant) {
            case Whole(long value, boolean _) -> type.isInteger() && !type.packed() ? whole(value, type)
                    : type == ScalarType.PRED ? new Operand.Immediate(type, value == 0 ? 0 : 1) : null;
            case Real(double value) -> switch (type) {
                case F32 -> new Operand.Immediate(type, Float.floatToRawIntBits((float) value) & 0xFFFFFFFFL);
                case F64, B64 -> new Operand.Immediate(type, Double.doubleToRawLongBits(value));
                default -> null;
            };
            case Single(int bits) -> switch (type) {
                case F32, B32 -> new Operand.Immediate(type, bits & 0xFFFFFFFFL);
                case F64 -> new Operand.Immediate(type, Double.doubleToRawLongBits(Float.intBitsToFloat(bits)));
                default -> null;
            };
        };
    }

    private static Operand.Immediate whole(long value, ScalarType type) {
        int unused = Math.max(0, Long.SIZE - type.bits());
        return new Operand.Immediate(type, type.signed() ? value << unused >> unused : value << unused >>> unused);
    }
}
