package io.ptx4j.differential;

import io.ptx4j.isa.ScalarType;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The registers that random instructions read and write, and constants of any type. */
final class Registers {
    /** A kind of register; names are a letter and a number. */
    enum Kind {
        PREDICATE('p', 1, 6, ScalarType.PRED, ScalarType.PRED), HALF('h', 16, 6, ScalarType.B16, ScalarType.U16), WORD('r', 32, 10, ScalarType.B32, ScalarType.U32),
        DOUBLE('d', 64, 6, ScalarType.B64, ScalarType.U64), FLOAT('f', 32, 5, ScalarType.F32, ScalarType.F32), FLOAT_DOUBLE('g', 64, 3, ScalarType.F64, ScalarType.F64),
        QUAD('x', 128, 3, ScalarType.B128, ScalarType.B128);

        private static final Kind[] KINDS = values();
        final char letter;
        final int bits;
        final int most;
        final ScalarType type;
        private final ScalarType typed;

        Kind(char letter, int bits, int most, ScalarType type, ScalarType typed) {
            this.letter = letter;
            this.bits = bits;
            this.most = most;
            this.type = type;
            this.typed = typed;
        }

        String declaration(Dialect dialect, String prefix) {
            return ".reg " + (dialect.style() == Dialect.Style.TYPED ? typed : type) + " %" + prefix + letter + "<" + most + ">;";
        }

        static Kind of(String register) {
            char letter = register.charAt(register.charAt(1) == 'z' ? 2 : 1);
            for (Kind kind : KINDS) {
                if (kind.letter == letter) {
                    return kind;
                }
            }
            throw new IllegalArgumentException(register + " is no register");
        }
    }

    private static final long[] EDGES = {0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffffL,
        0x80000000L, 0xffffffffL, 0x100000000L, Long.MAX_VALUE, Long.MIN_VALUE, -1, -2, -128};
    private static final double[] NUMBERS = {0, -0.0, 1, -1, 0.5, 1.5, 2, -3, 1e-3, 65504, 0x1p31, 0x1p-126, 0x1p-149, 0x1p-1030, 3.4e38, 1e300,
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 3.14159265358979};

    private final SplittableRandom random;
    private final Dialect dialect;
    /** How many of each kind there are, so that small kernels have few and values flow. */
    private final int[] counts = new int[Kind.values().length];

    /** @param size how many statements there are to be */
    Registers(SplittableRandom random, Dialect dialect, int size) {
        this.random = random;
        this.dialect = dialect;
        for (Kind kind : Kind.values()) {
            counts[kind.ordinal()] = Math.clamp(2 + size / 16L, 2, kind.most);
        }
    }

    /** Declarations of all kinds; {@code prefix} stands before the letters. */
    static String declarations(Dialect dialect, String prefix) {
        return Stream.of(Kind.values()).filter(kind -> kind != Kind.QUAD || dialect.compareTo(Dialect.SM_100) >= 0)
                .map(kind -> kind.declaration(dialect, prefix)).collect(Collectors.joining(" "));
    }

    Dialect dialect() {
        return dialect;
    }

    String any(Kind kind) {
        return "%" + kind.letter + random.nextInt(counts[kind.ordinal()]);
    }

    /** A predicate or its opposite. */
    String condition() {
        return (random.nextBoolean() ? "" : "!") + predicate();
    }

    String predicate() {
        return any(Kind.PREDICATE);
    }

    String word() {
        return any(Kind.WORD);
    }

    /** A register of 16, 32, 64 or 128 bits that holds no float by its type. */
    String ofBits(int bits) {
        return switch (bits) {
            case 16 -> any(Kind.HALF);
            case 32 -> word();
            case 64 -> any(Kind.DOUBLE);
            case 128 -> any(Kind.QUAD);
            default -> throw new IllegalArgumentException("registers of " + bits + " bits");
        };
    }

    /** A register that an operand of {@code type} may be; null if there is none. */
    String of(ScalarType type, boolean wider) {
        if (type == ScalarType.PRED) {
            return predicate();
        }
        if ((type == ScalarType.F32 || type == ScalarType.F64) && ofFloatType(type)) {
            return any(type == ScalarType.F32 ? Kind.FLOAT : Kind.FLOAT_DOUBLE);
        }
        int bits = type.bits();
        if (wider && type.isFloat() && bits < 32) {
            bits = random.nextBoolean() ? 32 : Math.max(16, bits);
        } else if (wider && !type.isFloat() && bits <= 64) {
            int widest = random.nextInt(4);
            bits = Math.max(bits, widest < 2 ? 16 : widest == 2 ? 32 : 64);
        }
        boolean quad = bits == 128 && dialect.compareTo(Dialect.SM_100) >= 0;
        boolean typed = dialect.style() == Dialect.Style.TYPED && type.isFloat();
        return !typed && (bits == 16 || bits == 32 || bits == 64 || quad) ? ofBits(bits) : null;
    }

    private boolean ofFloatType(ScalarType type) {
        return switch (dialect.style()) {
            case TYPED -> true;
            case FLOATS -> random.nextInt(100) < 90;
            case UNTYPED -> random.nextInt(100) < (type == ScalarType.F32 ? 10 : 20);
        };
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
        return switch (random.nextInt(7)) {
            case 0 -> EDGES[random.nextInt(EDGES.length)];
            case 1 -> Double.doubleToRawLongBits(number());
            case 2 -> pair((float) number(), (float) number());
            case 3 -> Double.doubleToRawLongBits(random.nextDouble(-100, 100));
            case 4 -> pair((float) random.nextDouble(-9, 9), (float) random.nextDouble(-1e6, 1e6));
            case 5 -> (long) half() << 48 | (long) half() << 32 | (long) half() << 16 | half();
            default -> random.nextLong() >> random.nextInt(64);
        };
    }

    private static long pair(float high, float low) {
        return (long) Float.floatToRawIntBits(high) << 32 | Float.floatToRawIntBits(low) & 0xffffffffL;
    }

    private int half() {
        return Float.floatToFloat16((float) (random.nextBoolean() ? number() : random.nextDouble(-50, 50))) & 0xffff;
    }
}
