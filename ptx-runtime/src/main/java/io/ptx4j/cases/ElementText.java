package io.ptx4j.cases;

import io.ptx4j.isa.ScalarType;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Elements as text and as bits. */
public final class ElementText {
    /** What buffers and scalars may be made of. */
    public static final Set<ScalarType> TYPES = EnumSet.of(
            ScalarType.U8, ScalarType.U16, ScalarType.U32, ScalarType.U64, ScalarType.S8, ScalarType.S16, ScalarType.S32,
            ScalarType.S64, ScalarType.B8, ScalarType.B16, ScalarType.B32, ScalarType.B64, ScalarType.F16, ScalarType.BF16,
            ScalarType.F32, ScalarType.F64);

    private ElementText() {
    }

    static String typeNames() {
        return TYPES.stream().map(ScalarType::spelling).collect(Collectors.joining(" "));
    }

    /**
     * The bits of a literal.
     *
     * @throws NumberFormatException with a text for people, if it is none of {@code type}
     */
    static long parse(ScalarType type, String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (type.isFloat()) {
            return parseFloat(type, word);
        }
        BigInteger value;
        boolean hexadecimal = word.startsWith("0x");
        try {
            value = hexadecimal ? new BigInteger(word.substring(2), 16) : new BigInteger(word);
        } catch (NumberFormatException none) {
            throw new NumberFormatException("'" + text + "' is no integer");
        }
        BigInteger span = BigInteger.ONE.shiftLeft(type.bits());
        BigInteger half = span.shiftRight(1);
        boolean negative = type.kind() != ScalarType.Kind.UNSIGNED;
        boolean large = type.kind() != ScalarType.Kind.SIGNED || hexadecimal;
        if (value.compareTo(negative ? half.negate() : BigInteger.ZERO) < 0 || value.compareTo(large ? span : half) >= 0) {
            throw new NumberFormatException("'" + text + "' does not fit " + type.spelling());
        }
        return value.longValue() & mask(type);
    }

    private static long parseFloat(ScalarType type, String word) {
        boolean bits = word.startsWith("0x") || word.startsWith("0f") && type.bits() <= 32 || word.startsWith("0d") && type.bits() == 64;
        try {
            if (bits) {
                BigInteger value = new BigInteger(word.substring(2), 16);
                if (value.bitLength() > type.bits() || value.signum() < 0) {
                    throw new NumberFormatException("'" + word + "' has more bits than " + type.spelling());
                }
                return value.longValue();
            }
            return switch (word) {
                case "nan" -> nan(type);
                case "inf", "+inf" -> fromDouble(type, Double.POSITIVE_INFINITY);
                case "-inf" -> fromDouble(type, Double.NEGATIVE_INFINITY);
                default -> type == ScalarType.F32 ? Float.floatToRawIntBits(Float.parseFloat(digits(word))) & 0xFFFF_FFFFL
                        : fromDouble(type, Double.parseDouble(digits(word)));
            };
        } catch (NumberFormatException none) {
            throw none.getMessage() != null && none.getMessage().contains("more bits") ? none
                    : new NumberFormatException("'" + word + "' is no " + type.spelling());
        }
    }

    /** Java also takes {@code 1f}, {@code NaN} and hexadecimal floats; only digits are wanted here. */
    private static String digits(String word) {
        if (!word.matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)(e[-+]?\\d+)?")) {
            throw new NumberFormatException();
        }
        return word;
    }

    private static long nan(ScalarType type) {
        return switch (type) {
            case F16 -> 0x7FFF;
            case BF16 -> 0x7FFF;
            case F32 -> 0x7FFF_FFFFL;
            default -> 0x7FF8_0000_0000_0000L;
        };
    }

    static long fromDouble(ScalarType type, double value) {
        return switch (type) {
            case F16 -> Float.floatToFloat16(oddFloat(value)) & 0xFFFFL;
            case BF16 -> brainFloat(oddFloat(value));
            case F32 -> Float.floatToRawIntBits((float) value) & 0xFFFF_FFFFL;
            default -> Double.doubleToRawLongBits(value);
        };
    }

    /** Rounds to odd, so that rounding once more to a narrower type is as if done at once. */
    private static float oddFloat(double value) {
        float near = (float) value;
        if (near == value || Double.isNaN(value) || Float.isInfinite(near) || (Float.floatToRawIntBits(near) & 1) != 0) {
            return near;
        }
        return near < value ? Math.nextUp(near) : Math.nextDown(near);
    }

    private static long brainFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        return Float.isNaN(value) ? bits >>> 16 | 0x40 : bits + 0x7FFF + (bits >>> 16 & 1) >>> 16;
    }

    /** The value of a float element. */
    static double toDouble(ScalarType type, long bits) {
        return switch (type) {
            case F16 -> Float.float16ToFloat((short) bits);
            case BF16 -> Float.intBitsToFloat((int) bits << 16);
            case F32 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }

    /** An element as people write it; floats as short as it is exact for their type. */
    public static String format(ScalarType type, long bits) {
        return switch (type.kind()) {
            case UNSIGNED -> Long.toUnsignedString(bits);
            case SIGNED -> Long.toString(signed(type, bits));
            case FLOAT -> type == ScalarType.F64 ? Double.toString(toDouble(type, bits)) : Float.toString((float) toDouble(type, bits));
            case BITS, PREDICATE, OPAQUE -> hexadecimal(type, bits);
        };
    }

    /** All bits of an element. */
    public static String hexadecimal(ScalarType type, long bits) {
        String digits = Long.toHexString(bits);
        return "0x" + "0".repeat(type.bits() / 4 - digits.length()) + digits;
    }

    static long signed(ScalarType type, long bits) {
        int unused = 64 - type.bits();
        return bits << unused >> unused;
    }

    static long mask(ScalarType type) {
        return -1L >>> 64 - type.bits();
    }
}
