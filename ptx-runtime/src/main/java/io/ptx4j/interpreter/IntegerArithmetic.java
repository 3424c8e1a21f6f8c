package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Bits.bit;
import static io.ptx4j.interpreter.Bits.compare;
import static io.ptx4j.interpreter.Bits.cut;
import static io.ptx4j.interpreter.Bits.exact;
import static io.ptx4j.interpreter.Bits.field;
import static io.ptx4j.interpreter.Bits.mask;
import static io.ptx4j.interpreter.Bits.saturated;
import static io.ptx4j.interpreter.Bits.signed;
import static io.ptx4j.interpreter.Bits.value;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** The manual's "Integer Arithmetic Instructions". */
final class IntegerArithmetic {
    private static final long NOT_FOUND = 0xFFFF_FFFFL;

    private IntegerArithmetic() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        ScalarType type = spelling.type();
        if (type.packed()) {
            Arithmetic lane = definition(spelling, type.element());
            return lane == null ? null : lanewise(lane, type);
        }
        return definition(spelling, type);
    }

    private static Arithmetic definition(Spelling spelling, ScalarType type) {
        int n = type.bits();
        boolean saturate = spelling.has(Modifier.SAT);
        return switch (spelling.opcode()) {
            case ADD -> saturate
                    ? (s, x) -> saturated(value(x[0], type) + value(x[1], type), type)
                    : (s, x) -> cut(x[0] + x[1], n);
            case SUB -> saturate
                    ? (s, x) -> saturated(value(x[0], type) - value(x[1], type), type)
                    : (s, x) -> cut(x[0] - x[1], n);
            case MUL -> multiply(spelling, type);
            case MAD -> multiplyAdd(spelling, type);
            case MUL24 -> (s, x) -> product24(s, x[0], x[1]);
            case MAD24 -> saturate
                    ? (s, x) -> saturated(signed(product24(s, x[0], x[1]), 32) + signed(x[2], 32), 32)
                    : (s, x) -> cut(product24(s, x[0], x[1]) + x[2], 32);
            case SAD -> (s, x) -> cut(x[2] + (compare(x[0], x[1], type) < 0 ? x[1] - x[0] : x[0] - x[1]), n);
            case DIV -> (s, x) -> quotient(type, x[0], x[1]);
            case REM -> (s, x) -> remainder(type, x[0], x[1]);
            case ABS -> (s, x) -> bit(x[0], n - 1) ? cut(-x[0], n) : x[0];
            case NEG -> (s, x) -> cut(-x[0], n);
            case MIN -> (s, x) -> relu(s, type, compare(x[0], x[1], type) < 0 ? x[0] : x[1]);
            case MAX -> (s, x) -> relu(s, type, compare(x[0], x[1], type) > 0 ? x[0] : x[1]);
            default -> bitwise(spelling, type);
        };
    }

    private static Arithmetic bitwise(Spelling spelling, ScalarType type) {
        int n = type.bits();
        return switch (spelling.opcode()) {
            case POPC -> (s, x) -> Long.bitCount(x[0]);
            case CLZ -> (s, x) -> Long.numberOfLeadingZeros(x[0]) - (64 - n);
            case BFIND -> (s, x) -> find(s, type, x[0]);
            case FNS -> (s, x) -> findNth(x[0], x[1], (int) x[2]);
            case BREV -> (s, x) -> Long.reverse(x[0]) >>> 64 - n;
            case BFE -> (s, x) -> extract(type, x[0], place(n, x[1]), place(n, x[2]));
            case BFI -> (s, x) -> insert(n, x[0], x[1], place(n, x[2]), place(n, x[3]));
            case SZEXT -> (s, x) -> extend(s, type, x[0], x[1]);
            case BMSK -> (s, x) -> bitMask(s, x[0], x[1]);
            case DP4A -> (s, x) -> cut(dot(s, 8, x[0], x[1], 4, 0) + x[2], 32);
            case DP2A -> (s, x) -> cut(dot(s, 16, x[0], x[1], 2, s.has(Modifier.HI) ? 2 : 0) + x[2], 32);
            default -> null;
        };
    }

    /** A position or length of a bit field: the low byte counts, but for fields of 64 bits the whole word (docs/numerics.md, "Integers"). */
    private static int place(int n, long word) {
        return (int) (n == 64 ? Math.min(word, 0xff) : word & 0xff);
    }

    private static Arithmetic lanewise(Arithmetic lane, ScalarType type) {
        int n = type.element().bits();
        return (spelling, x) -> {
            long result = 0;
            long[] sources = new long[x.length];
            for (int i = 0; i < type.lanes(); i++) {
                for (int k = 0; k < x.length; k++) {
                    sources[k] = field(x[k], i * n, n);
                }
                result |= lane.apply(spelling, sources) << i * n;
            }
            return result;
        };
    }

    private static Arithmetic multiply(Spelling spelling, ScalarType type) {
        int n = type.bits();
        if (spelling.has(Modifier.WIDE)) {
            return (s, x) -> cut(value(x[0], type) * value(x[1], type), 2 * n);
        }
        return spelling.has(Modifier.HI)
                ? (s, x) -> highProduct(type, x[0], x[1])
                : (s, x) -> lowProduct(type, x[0], x[1]);
    }

    private static Arithmetic multiplyAdd(Spelling spelling, ScalarType type) {
        int n = type.bits();
        if (spelling.has(Modifier.WIDE)) {
            return (s, x) -> cut(value(x[0], type) * value(x[1], type) + x[2], 2 * n);
        }
        if (spelling.has(Modifier.SAT)) {
            return (s, x) -> saturated(signed(highProduct(type, x[0], x[1]), n) + signed(x[2], n), n);
        }
        return spelling.has(Modifier.HI)
                ? (s, x) -> cut(highProduct(type, x[0], x[1]) + x[2], n)
                : (s, x) -> cut(x[0] * x[1] + x[2], n);
    }

    /** Bits 0 to n-1 of the product. */
    static long lowProduct(ScalarType type, long a, long b) {
        return cut(a * b, type.bits());
    }

    /** Bits n to 2n-1 of the product. */
    static long highProduct(ScalarType type, long a, long b) {
        int n = type.bits();
        if (n < 64) {
            return cut(value(a, type) * value(b, type) >>> n, n);
        }
        return exact(a, type).multiply(exact(b, type)).shiftRight(64).longValue();
    }

    /** The low 24 bits of the sources count; {@code .hi} takes bits 16 to 47 of the product. */
    private static long product24(Spelling spelling, long a, long b) {
        boolean signed = spelling.type().signed();
        long x = signed ? signed(cut(a, 24), 24) : cut(a, 24);
        long y = signed ? signed(cut(b, 24), 24) : cut(b, 24);
        return field(x * y, spelling.has(Modifier.HI) ? 16 : 0, 32);
    }

    /** Division by zero gives all ones, as the code that ptxas makes for it does; the least number by -1 gives itself. */
    private static long quotient(ScalarType type, long a, long b) {
        int n = type.bits();
        if (b == 0) {
            return mask(n);
        }
        return cut(type.signed() ? value(a, type) / value(b, type) : Long.divideUnsigned(a, b), n);
    }

    /** Takes the sign of the dividend; by zero all ones. */
    private static long remainder(ScalarType type, long a, long b) {
        int n = type.bits();
        if (b == 0) {
            return mask(n);
        }
        return cut(type.signed() ? value(a, type) % value(b, type) : Long.remainderUnsigned(a, b), n);
    }

    private static long relu(Spelling spelling, ScalarType type, long result) {
        return spelling.has(Modifier.RELU) && value(result, type) < 0 ? 0 : result;
    }

    private static long find(Spelling spelling, ScalarType type, long a) {
        int n = type.bits();
        long bits = type.signed() && bit(a, n - 1) ? cut(~a, n) : a;
        if (bits == 0) {
            return NOT_FOUND;
        }
        int place = 63 - Long.numberOfLeadingZeros(bits);
        return spelling.has(Modifier.SHIFTAMT) ? n - 1 - place : place;
    }

    private static long findNth(long mask, long base, int offset) {
        if (offset == Integer.MIN_VALUE) {
            return 0;
        }
        if (base > 31) {
            return NOT_FOUND;
        }
        if (offset == 0) {
            return bit(mask, (int) base) ? base : NOT_FOUND;
        }
        long missing = Math.abs((long) offset);
        for (int place = (int) base; place >= 0 && place < 32; place += Integer.signum(offset)) {
            if (bit(mask, place) && --missing == 0) {
                return place;
            }
        }
        return NOT_FOUND;
    }

    private static long extract(ScalarType type, long a, int position, int length) {
        int msb = type.bits() - 1;
        boolean sign = type.signed() && length != 0 && bit(a, Math.min(position + length - 1, msb));
        long result = 0;
        for (int i = 0; i <= msb; i++) {
            if (i < length && position + i <= msb ? bit(a, position + i) : sign) {
                result |= 1L << i;
            }
        }
        return result;
    }

    private static long insert(int n, long a, long b, int position, int length) {
        if (position >= n) {
            return b;
        }
        long field = mask(length) << position;
        return cut(b & ~field | a << position & field, n);
    }

    private static long extend(Spelling spelling, ScalarType type, long a, long b) {
        if (b >= 32 && spelling.has(Modifier.CLAMP)) {
            return a;
        }
        int length = (int) (b & 31);
        if (length == 0) {
            return 0;
        }
        return cut(type.signed() ? signed(a, length) : cut(a, length), 32);
    }

    private static long bitMask(Spelling spelling, long a, long b) {
        boolean clamp = spelling.has(Modifier.CLAMP);
        if (clamp && a >= 32) {
            return 0;
        }
        int position = (int) (a & 31);
        long width = clamp ? Math.min(b, 32) : b & 31;
        return cut(mask((int) width) << position, 32);
    }

    /** Sum of {@code count} products of elements of {@code a}, {@code width} bits each, with bytes of {@code b} from {@code first} on. */
    private static long dot(Spelling spelling, int width, long a, long b, int count, int first) {
        boolean signedA = spelling.type().signed();
        boolean signedB = spelling.lastType().signed();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long x = field(a, i * width, width);
            long y = field(b, (first + i) * 8, 8);
            sum += (signedA ? signed(x, width) : x) * (signedB ? signed(y, 8) : y);
        }
        return sum;
    }
}
