package io.ptx4j.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text that {@code vprintf} prints: C's formats over the argument buffer that CUDA's compiler fills, in which each argument
 * is aligned to its own size (CUDA C++ Programming Guide: "Formatted Output").
 */
public final class DevicePrintf {
    private static final int LONGEST_TEXT = 1 << 16;
    /** Characters that one call may print. */
    private static final int LONGEST_OUTPUT = 1 << 20;
    /** The width and precision that C promises (C11, 7.21.6.1): a conversion may give 4,095 characters. */
    private static final int WIDEST = 4095;
    private static final Pattern DIRECTIVE =
            Pattern.compile("%([-+ #0]*)(\\*|\\d*)(?:\\.(\\*|\\d*))?(hh|h|ll|l|j|z|t|L|)([a-zA-Z%])");
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private long next;

    private DevicePrintf(MemorySegment memory, long arguments) {
        this.memory = memory;
        this.next = arguments;
    }

    /**
     * Formats.
     *
     * @param memory all of device memory
     * @param format generic address of the format, which ends with a zero byte
     * @param arguments generic address of the argument buffer; not read when the format takes none
     * @throws Fault if what is read lies outside device memory, a width or precision is above 4,095, or the text would have more than
     *     1,048,576 characters
     */
    public static String format(MemorySegment memory, long format, long arguments) {
        return new DevicePrintf(memory, arguments).format(text(memory, format));
    }

    /** The number of directives in the format at a generic address, which is what {@code vprintf} returns. */
    public static int directives(MemorySegment memory, long format) {
        return (int) text(memory, format).replace("%%", "").chars().filter(c -> c == '%').count();
    }

    /** The text that ends with a zero byte at a generic address. */
    public static String text(MemorySegment memory, long address) {
        long start = address - AddressSpace.ORIGIN;
        long end = start;
        check(memory, start, 1);
        while (end - start < LONGEST_TEXT && memory.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
            check(memory, end, 1);
        }
        return new String(memory.asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    private static void check(MemorySegment memory, long offset, int bytes) {
        if (offset < 0 || offset > memory.byteSize() - bytes) {
            throw new Fault(Fault.Kind.OUT_OF_BOUNDS, "access out of bounds", 0, -1, -1, offset + AddressSpace.ORIGIN, bytes, "vprintf", null);
        }
    }

    private String format(String format) {
        Matcher directive = DIRECTIVE.matcher(format);
        StringBuilder out = new StringBuilder();
        while (directive.find()) {
            directive.appendReplacement(out, Matcher.quoteReplacement(one(directive)));
            if (out.length() > LONGEST_OUTPUT) {
                throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "vprintf of more than " + LONGEST_OUTPUT + " characters", 0, -1, -1);
            }
        }
        return directive.appendTail(out).toString();
    }

    private int nextInt() {
        next = (next + 3) / 4 * 4;
        check(memory, next - AddressSpace.ORIGIN, 4);
        int value = memory.get(INT, next - AddressSpace.ORIGIN);
        next += 4;
        return value;
    }

    private long nextLong() {
        next = (next + 7) / 8 * 8;
        check(memory, next - AddressSpace.ORIGIN, 8);
        long value = memory.get(LONG, next - AddressSpace.ORIGIN);
        next += 8;
        return value;
    }

    private String one(Matcher directive) {
        String flags = directive.group(1);
        int width = number(directive.group(2), 0);
        if (width < 0) {
            flags += "-";
            width = -width;
        }
        int precision = directive.group(3) == null ? -1 : number(directive.group(3), 0);
        char conversion = directive.group(5).charAt(0);
        String length = directive.group(4);
        String body = switch (conversion) {
            case '%' -> "%";
            case 'd', 'i' -> signed(integer(length, true), flags, precision);
            case 'u' -> digits(Long.toUnsignedString(integer(length, false)), precision);
            case 'o' -> octal(integer(length, false), flags, precision);
            case 'x', 'X' -> hexadecimal(integer(length, false), flags, precision, conversion);
            case 'p' -> "0x" + Long.toHexString(nextLong());
            case 'c' -> String.valueOf((char) (nextInt() & 0xFF));
            case 's' -> cut(text(memory, nextLong()), precision);
            case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A' -> floating(Double.longBitsToDouble(nextLong()), flags, precision, conversion);
            default -> directive.group();
        };
        boolean zeros = flags.contains("0") && !flags.contains("-") && "csp%".indexOf(conversion) < 0 && !endless(conversion, body)
                && (precision < 0 || "diuoxX".indexOf(conversion) < 0);
        return pad(body, width, flags.contains("-"), zeros);
    }

    /** Infinities and NaN, which are not filled with zeros. */
    private static boolean endless(char conversion, String body) {
        String lower = body.toLowerCase(Locale.ROOT);
        return "fFeEgGaA".indexOf(conversion) >= 0 && (lower.endsWith("inf") || lower.endsWith("nan"));
    }

    private int number(String text, int missing) {
        long number = text.equals("*") ? nextInt() : text.isEmpty() ? missing : text.length() > 9 ? Long.MAX_VALUE : Long.parseLong(text);
        if (Math.abs(number) > WIDEST) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "vprintf with a width or precision of " + (text.equals("*") ? number : text)
                    + "; at most " + WIDEST + " is possible", 0, -1, -1);
        }
        return (int) number;
    }

    private long integer(String length, boolean signed) {
        return switch (length) {
            case "l", "ll", "j", "z", "t" -> nextLong();
            case "h" -> signed ? (short) nextInt() : nextInt() & 0xFFFF;
            case "hh" -> signed ? (byte) nextInt() : nextInt() & 0xFF;
            default -> signed ? nextInt() : Integer.toUnsignedLong(nextInt());
        };
    }

    private static String signed(long value, String flags, int precision) {
        String digits = digits(Long.toUnsignedString(Math.abs(value)), precision);
        return value < 0 ? "-" + digits : flags.contains("+") ? "+" + digits : flags.contains(" ") ? " " + digits : digits;
    }

    private static String digits(String digits, int precision) {
        if (precision == 0 && digits.equals("0")) {
            return "";
        }
        return "0".repeat(Math.max(0, precision - digits.length())) + digits;
    }

    private static String hexadecimal(long value, String flags, int precision, char conversion) {
        String text = (flags.contains("#") && value != 0 ? "0x" : "") + digits(Long.toHexString(value), precision);
        return conversion == 'X' ? text.toUpperCase(Locale.ROOT) : text;
    }

    private static String octal(long value, String flags, int precision) {
        String digits = digits(Long.toOctalString(value), precision);
        return flags.contains("#") && !digits.startsWith("0") ? "0" + digits : digits;
    }

    private static String cut(String text, int precision) {
        return precision >= 0 && precision < text.length() ? text.substring(0, precision) : text;
    }

    private static String floating(double value, String flags, int precision, char conversion) {
        char lower = Character.toLowerCase(conversion);
        boolean negative = Double.doubleToRawLongBits(value) < 0;
        double magnitude = Math.abs(value);
        String digits = Double.isNaN(value) ? "nan" : Double.isInfinite(value) ? "inf" : switch (lower) {
            case 'f' -> point(new BigDecimal(magnitude).setScale(precision < 0 ? 6 : precision, RoundingMode.HALF_EVEN).toPlainString(), flags);
            case 'e' -> scientific(magnitude, precision < 0 ? 6 : precision, flags.contains("#"));
            case 'g' -> shortest(magnitude, precision < 0 ? 6 : Math.max(1, precision), flags.contains("#"));
            default -> hexadecimal(magnitude, precision);
        };
        String sign = negative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
        return Character.isUpperCase(conversion) ? (sign + digits).toUpperCase(Locale.ROOT) : sign + digits;
    }

    /** {@code %g}: the shorter of the two styles, without trailing zeros unless asked for. */
    private static String shortest(double value, int precision, boolean keepZeros) {
        String scientific = scientific(value, precision - 1, keepZeros);
        int exponent = Integer.parseInt(scientific.substring(scientific.indexOf('e') + 1));
        if (exponent < -4 || exponent >= precision) {
            int e = scientific.indexOf('e');
            return (keepZeros ? scientific.substring(0, e) : trimmed(scientific.substring(0, e))) + scientific.substring(e);
        }
        String fixed = new BigDecimal(value).setScale(precision - 1 - exponent, RoundingMode.HALF_EVEN).toPlainString();
        return keepZeros ? fixed.contains(".") ? fixed : fixed + "." : trimmed(fixed);
    }

    private static String point(String digits, String flags) {
        return flags.contains("#") && !digits.contains(".") ? digits + "." : digits;
    }

    /** {@code %e} of the exact value, halves to even, as C rounds. */
    private static String scientific(double value, int precision, boolean keepPoint) {
        BigDecimal exact = new BigDecimal(value).round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
        String digits = exact.unscaledValue().toString();
        int exponent = exact.signum() == 0 ? 0 : digits.length() - 1 - exact.scale();
        digits = exact.signum() == 0 ? "0".repeat(precision + 1) : digits.length() > precision + 1 ? digits.substring(0, precision + 1)
                : digits + "0".repeat(precision + 1 - digits.length());
        String mantissa = digits.charAt(0) + (precision > 0 ? "." + digits.substring(1) : keepPoint ? "." : "");
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /** {@code %a}: with a precision, rounded to so many hexadecimal digits, halves to even. */
    private static String hexadecimal(double value, int precision) {
        if (precision < 0 || precision >= 13 || value == 0) {
            String text = Double.toHexString(value).replaceFirst("\\.0p", "p").replaceFirst("p(\\d)", "p+$1");
            int digits = text.contains(".") ? text.indexOf('p') - text.indexOf('.') - 1 : 0;
            return precision <= digits ? text : text.replace("p", (digits == 0 ? "." : "") + "0".repeat(precision - digits) + "p");
        }
        long bits = Double.doubleToRawLongBits(value);
        int exponent = Math.max(-1022, Math.getExponent(value));
        long mantissa = (bits & (1L << 52) - 1) | (Math.getExponent(value) >= -1022 ? 1L << 52 : 0);
        int dropped = 52 - 4 * precision;
        long kept = mantissa >>> dropped;
        long rest = mantissa & (1L << dropped) - 1;
        long half = 1L << dropped - 1;
        kept += rest > half || rest == half && (kept & 1) != 0 ? 1 : 0;
        String fraction = precision == 0 ? "" : "." + String.format(Locale.ROOT, "%0" + precision + "x", kept & (1L << 4 * precision) - 1);
        return "0x" + Long.toHexString(kept >>> 4 * precision) + fraction + "p" + (exponent < 0 ? "" : "+") + exponent;
    }

    private static String trimmed(String digits) {
        return digits.contains(".") ? digits.replaceFirst("\\.?0+$", "") : digits;
    }

    private static String pad(String text, int width, boolean left, boolean zeros) {
        if (text.length() >= width) {
            return text;
        }
        String fill = (zeros ? "0" : " ").repeat(width - text.length());
        if (left) {
            return text + fill;
        }
        int sign = zeros && !text.isEmpty() && "+- ".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
        sign += text.startsWith("0x", sign) || text.startsWith("0X", sign) ? 2 : 0;
        return zeros ? text.substring(0, sign) + fill + text.substring(sign) : fill + text;
    }
}
