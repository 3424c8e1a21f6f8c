package io.ptx4j.differential;

import io.ptx4j.isa.ScalarType;
import java.util.SplittableRandom;

/** The registers that random instructions read and write, and constants of any type. */
final class Registers {
    static final int PREDICATES = 6;
    static final int HALVES = 6;
    static final int WORDS = 10;
    static final int DOUBLES = 6;
    static final int FLOATS = 4;
    static final int FLOAT_DOUBLES = 2;
    static final String DECLARATIONS = """
            .reg .pred %%p<%d>; .reg .b16 %%h<%d>; .reg .b32 %%r<%d>; .reg .b64 %%d<%d>; .reg .f32 %%f<%d>; .reg .f64 %%g<%d>;"""
            .formatted(PREDICATES, HALVES, WORDS, DOUBLES, FLOATS, FLOAT_DOUBLES);
    private static final long[] EDGES = {0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffffL,
        0x80000000L, 0xffffffffL, 0x100000000L, Long.MAX_VALUE, Long.MIN_VALUE, -1, -2, -128};
    private static final double[] NUMBERS = {0, -0.0, 1, -1, 0.5, 1.5, 2, -3, 1e-3, 65504, 0x1p31, 0x1p-126, 0x1p-149, 0x1p-1030, 3.4e38, 1e300,
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 3.14159265358979};

    private final SplittableRandom random;

    Registers(SplittableRandom random) {
        this.random = random;
    }

    String predicate() {
        return "%p" + random.nextInt(PREDICATES);
    }

    String word() {
        return "%r" + random.nextInt(WORDS);
    }

    /** An untyped register of 16, 32 or 64 bits. */
    String ofBits(int bits) {
        return switch (bits) {
            case 16 -> "%h" + random.nextInt(HALVES);
            case 32 -> word();
            case 64 -> "%d" + random.nextInt(DOUBLES);
            default -> throw new IllegalArgumentException("registers of " + bits + " bits");
        };
    }

    static int bitsOf(String register) {
        return switch (register.charAt(1)) {
            case 'h' -> 16;
            case 'r', 'f' -> 32;
            case 'd', 'g' -> 64;
            default -> throw new IllegalArgumentException(register);
        };
    }

    /** A register that an operand of {@code type} may be; null if there is none. */
    String of(ScalarType type, boolean wider) {
        if (type == ScalarType.PRED) {
            return predicate();
        }
        if (type == ScalarType.F32 && random.nextInt(100) < 40) {
            return "%f" + random.nextInt(FLOATS);
        }
        if (type == ScalarType.F64 && random.nextInt(100) < 40) {
            return "%g" + random.nextInt(FLOAT_DOUBLES);
        }
        int bits = type.bits();
        if (wider && type.isFloat() && bits < 32) {
            bits = random.nextBoolean() ? 32 : Math.max(16, bits);
        } else if (wider && !type.isFloat()) {
            int widest = random.nextInt(4);
            bits = Math.max(bits, widest < 2 ? 16 : widest == 2 ? 32 : 64);
        }
        return bits == 16 || bits == 32 || bits == 64 ? ofBits(bits) : null;
    }

    /** A constant of {@code type}; null if it has none. */
    String constant(ScalarType type) {
        return switch (type) {
            case F32 -> "0f%08x".formatted(Float.floatToRawIntBits((float) number()));
            case F64 -> "0d%016x".formatted(Double.doubleToRawLongBits(number()));
            case B16, U16 -> Long.toString(edge() & 0xffff);
            case S16 -> Long.toString((short) edge());
            case B32, U32 -> "0x" + Integer.toHexString((int) edge());
            case S32 -> Integer.toString((int) edge());
            case B64, U64, S64 -> "0x" + Long.toHexString(edge());
            default -> null;
        };
    }

    private double number() {
        return NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private long edge() {
        return random.nextInt(3) == 0 ? random.nextLong() >> random.nextInt(64) : EDGES[random.nextInt(EDGES.length)];
    }

    /** Eight bytes that mean something as integer, float, two floats or four halves. */
    long source() {
        return switch (random.nextInt(6)) {
            case 0 -> EDGES[random.nextInt(EDGES.length)];
            case 1 -> Double.doubleToRawLongBits(number());
            case 2 -> (long) Float.floatToRawIntBits((float) number()) << 32 | Float.floatToRawIntBits((float) number()) & 0xffffffffL;
            case 3 -> Double.doubleToRawLongBits(random.nextDouble(-100, 100));
            case 4 -> (long) Float.floatToRawIntBits((float) random.nextDouble(-9, 9)) << 32
                    | Float.floatToRawIntBits((float) random.nextDouble(-1e6, 1e6)) & 0xffffffffL;
            default -> random.nextLong() >> random.nextInt(64);
        };
    }
}
