package io.ptx4j.isa;

import static io.ptx4j.isa.ScalarType.Kind.BITS;
import static io.ptx4j.isa.ScalarType.Kind.FLOAT;
import static io.ptx4j.isa.ScalarType.Kind.OPAQUE;
import static io.ptx4j.isa.ScalarType.Kind.PREDICATE;
import static io.ptx4j.isa.ScalarType.Kind.SIGNED;
import static io.ptx4j.isa.ScalarType.Kind.UNSIGNED;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** A fundamental, packed, alternate or sub-byte type of PTX (manual: "Types", "Packed Data Types", "Alternate Floating-Point Data Formats"). */
public enum ScalarType {
    B1(BITS, 1), B4(BITS, 4), B8(BITS, 8), B16(BITS, 16), B32(BITS, 32), B64(BITS, 64), B128(BITS, 128),
    U2(UNSIGNED, 2), U4(UNSIGNED, 4), U8(UNSIGNED, 8), U16(UNSIGNED, 16), U32(UNSIGNED, 32), U64(UNSIGNED, 64),
    S2(SIGNED, 2), S4(SIGNED, 4), S8(SIGNED, 8), S16(SIGNED, 16), S32(SIGNED, 32), S64(SIGNED, 64),
    F16(FLOAT, 16), BF16(FLOAT, 16), TF32(FLOAT, 32), F32(FLOAT, 32), F64(FLOAT, 64),
    E4M3(FLOAT, 8), E5M2(FLOAT, 8), E2M1(FLOAT, 4), E2M3(FLOAT, 6), E3M2(FLOAT, 6), UE8M0(FLOAT, 8), UE4M3(FLOAT, 8),
    /** Fixed point, a signed byte times 2^-6 (manual: "Fixed-point Data format"); it converts as floating-point numbers do. */
    S2F6(FLOAT, 8),
    U8X4(U8, 4), S8X4(S8, 4), U16X2(U16, 2), S16X2(S16, 2), F16X2(F16, 2), BF16X2(BF16, 2), F32X2(F32, 2),
    E4M3X2(E4M3, 2), E5M2X2(E5M2, 2), E4M3X4(E4M3, 4), E5M2X4(E5M2, 4),
    E2M1X2(E2M1, 2), E2M1X4(E2M1, 4), E2M3X2(E2M3, 2, 8), E2M3X4(E2M3, 4, 8), E3M2X2(E3M2, 2, 8), E3M2X4(E3M2, 4, 8),
    UE8M0X2(UE8M0, 2), S2F6X2(S2F6, 2),
    PRED(PREDICATE, 1),
    B1024(BITS, 1024), TEXREF(OPAQUE, 64), SAMPLERREF(OPAQUE, 64), SURFREF(OPAQUE, 64);

    /** How the bits of a value are read. */
    public enum Kind { BITS, UNSIGNED, SIGNED, FLOAT, PREDICATE, OPAQUE }

    private static final Map<String, ScalarType> BY_NAME = new HashMap<>();

    static {
        for (ScalarType type : values()) {
            BY_NAME.put(type.spelling(), type);
        }
    }

    private final Kind kind;
    private final int bits;
    private final ScalarType element;
    private final int lanes;
    private final String spelling = name().toLowerCase(Locale.ROOT);

    ScalarType(Kind kind, int bits) {
        this.kind = kind;
        this.bits = bits;
        this.element = this;
        this.lanes = 1;
    }

    ScalarType(ScalarType element, int lanes) {
        this(element, lanes, element.bits);
    }

    ScalarType(ScalarType element, int lanes, int bitsPerLane) {
        this.kind = element.kind;
        this.bits = lanes * bitsPerLane;
        this.element = element;
        this.lanes = lanes;
    }

    /** The type named {@code name} without its dot ({@code "u32"}), or null. */
    public static ScalarType named(String name) {
        return BY_NAME.get(name);
    }

    public Kind kind() {
        return kind;
    }

    /** Width of a value in bits; all lanes together for a packed type, 1 for a predicate. */
    public int bits() {
        return bits;
    }

    /** Width in memory in bytes, at least 1. */
    public int bytes() {
        return Math.max(1, bits / 8);
    }

    /** The least number of an integer type. */
    public long least() {
        return signed() ? -1L << bits() - 1 : 0;
    }

    /** The greatest number of an integer type; for {@link #U64} as an unsigned one. */
    public long greatest() {
        return -1L >>> 64 - bits() + (signed() ? 1 : 0);
    }

    /** Element type of a packed type; the type itself otherwise. */
    public ScalarType element() {
        return element;
    }

    /** Number of packed lanes, 1 for a plain type. */
    public int lanes() {
        return lanes;
    }

    public boolean packed() {
        return lanes > 1;
    }

    public boolean signed() {
        return kind == SIGNED;
    }

    public boolean isFloat() {
        return kind == FLOAT;
    }

    /** Signed, unsigned or untyped bits. */
    public boolean isInteger() {
        return kind == SIGNED || kind == UNSIGNED || kind == BITS;
    }

    /** The integer type of the same kind and twice the width ({@code mul.wide}). */
    public ScalarType widened() {
        return switch (this) {
            case U8 -> U16;
            case S8 -> S16;
            case B8 -> B16;
            case U16 -> U32;
            case S16 -> S32;
            case B16 -> B32;
            case U32 -> U64;
            case S32 -> S64;
            case B32 -> B64;
            case B64 -> B128;
            case F16, BF16 -> F32;
            case F32 -> F64;
            default -> throw new IllegalArgumentException("no type is twice as wide as " + this);
        };
    }

    /** The untyped type of a width of 8, 16, 32, 64 or 128 bits. */
    public static ScalarType bitsOf(int bits) {
        return switch (bits) {
            case 1 -> PRED;
            case 8 -> B8;
            case 16 -> B16;
            case 32 -> B32;
            case 64 -> B64;
            case 128 -> B128;
            default -> throw new IllegalArgumentException("no untyped type of " + bits + " bits");
        };
    }

    /** Spelling without the dot. */
    public String spelling() {
        return spelling;
    }

    @Override
    public String toString() {
        return "." + spelling;
    }
}
