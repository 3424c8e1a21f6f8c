package io.ptx4j.interpreter;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.ZERO;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.math.BigInteger;

/** Integer instructions a second time, on numbers of any size and bit by bit, written from the manual alone. */
public final class IntegerModel {
    private static final BigInteger NONE = BigInteger.valueOf(0xFFFF_FFFFL);

    private final Spelling spelling;
    private final ScalarType type;
    private final int n;

    public IntegerModel(Spelling spelling, ScalarType type) {
        this.spelling = spelling;
        this.type = type;
        this.n = type.bits();
    }

    static BigInteger unsigned(long bits, int width) {
        return new BigInteger(Long.toUnsignedString(bits)).mod(ONE.shiftLeft(width));
    }

    static BigInteger number(long bits, int width, boolean signed) {
        BigInteger value = unsigned(bits, width);
        return signed && value.testBit(width - 1) ? value.subtract(ONE.shiftLeft(width)) : value;
    }

    private BigInteger number(long bits) {
        return number(bits, n, type.signed());
    }

    /** Raw bits of the result, of as many bits as the destination has. */
    public long result(long[] x) {
        if (type.packed()) {
            return lanes(x);
        }
        BigInteger result = exact(x);
        if (spelling.has(Modifier.SAT)) {
            BigInteger least = type.signed() ? ONE.shiftLeft(n - 1).negate() : ZERO;
            result = result.max(least).min(least.add(ONE.shiftLeft(n)).subtract(ONE));
        }
        ScalarType destination = spelling.typeOf(spelling.form().operands().getFirst());
        int width = destination.packed() ? n : destination.bits();
        return result.mod(ONE.shiftLeft(width)).longValue();
    }

    private long lanes(long[] x) {
        long result = 0;
        IntegerModel lane = new IntegerModel(spelling, type.element());
        int width = type.element().bits();
        for (int shift = 0; shift < type.bits(); shift += width) {
            long[] sources = new long[x.length];
            for (int i = 0; i < x.length; i++) {
                sources[i] = x[i] >>> shift & (1L << width) - 1;
            }
            result |= lane.result(sources) << shift;
        }
        return result;
    }

    private BigInteger exact(long[] x) {
        BigInteger a = number(x[0]);
        BigInteger b = x.length > 1 ? number(x[1]) : null;
        return switch (spelling.opcode()) {
            case ADD -> a.add(b);
            case SUB -> a.subtract(b);
            case MUL -> part(a.multiply(b));
            case MAD -> spelling.has(Modifier.WIDE)
                    ? a.multiply(b).add(number(x[2], 2 * n, type.signed()))
                    : part(a.multiply(b)).add(number(x[2]));
            case MUL24 -> product24(x);
            case MAD24 -> product24(x).add(number(x[2]));
            case SAD -> a.subtract(b).abs().add(number(x[2]));
            case DIV -> b.signum() == 0 ? ONE.negate() : a.divide(b);
            case REM -> b.signum() == 0 ? ONE.negate() : a.remainder(b);
            case ABS -> a.abs();
            case NEG -> a.negate();
            case MIN -> spelling.has(Modifier.RELU) ? a.min(b).max(ZERO) : a.min(b);
            case MAX -> spelling.has(Modifier.RELU) ? a.max(b).max(ZERO) : a.max(b);
            default -> bits(x, a);
        };
    }

    private BigInteger bits(long[] x, BigInteger a) {
        return switch (spelling.opcode()) {
            case POPC -> BigInteger.valueOf(a.bitCount());
            case CLZ -> BigInteger.valueOf(n - a.bitLength());
            case BFIND -> find(a);
            case FNS -> findNth(x);
            case BREV -> reversed(a);
            case BFE -> extracted(unsigned(x[0], n), place(x[1]), place(x[2]));
            case BFI -> inserted(a, unsigned(x[1], n), place(x[2]), place(x[3]));
            case SZEXT -> extended(unsigned(x[0], 32), x[1]);
            case BMSK -> mask(x[0], x[1]);
            case DP4A -> dot(x, 8, 4, 0);
            case DP2A -> dot(x, 16, 2, spelling.has(Modifier.HI) ? 2 : 0);
            default -> throw new AssertionError("no model of " + spelling);
        };
    }

    private BigInteger part(BigInteger product) {
        if (spelling.has(Modifier.WIDE)) {
            return product;
        }
        BigInteger part = (spelling.has(Modifier.HI) ? product.shiftRight(n) : product).mod(ONE.shiftLeft(n));
        return type.signed() && part.testBit(n - 1) ? part.subtract(ONE.shiftLeft(n)) : part;
    }

    private BigInteger product24(long[] x) {
        BigInteger product = number(x[0], 24, type.signed()).multiply(number(x[1], 24, type.signed()));
        BigInteger part = (spelling.has(Modifier.HI) ? product.shiftRight(16) : product).mod(ONE.shiftLeft(32));
        return type.signed() && part.testBit(31) ? part.subtract(ONE.shiftLeft(32)) : part;
    }

    private BigInteger find(BigInteger a) {
        int length = a.bitLength();
        if (length == 0) {
            return NONE;
        }
        return BigInteger.valueOf(spelling.has(Modifier.SHIFTAMT) ? n - length : length - 1);
    }

    private static BigInteger findNth(long[] x) {
        int offset = (int) x[2];
        if (offset == Integer.MIN_VALUE) {
            return BigInteger.ZERO;
        }
        if (x[1] > 31) {
            return NONE;
        }
        if (offset == 0) {
            return (x[0] >> x[1] & 1) == 1 ? BigInteger.valueOf(x[1]) : NONE;
        }
        long found = 0;
        for (long place = x[1]; place >= 0 && place < 32; place += offset > 0 ? 1 : -1) {
            found += x[0] >> place & 1;
            if (found == Math.abs((long) offset)) {
                return BigInteger.valueOf(place);
            }
        }
        return NONE;
    }

    private BigInteger reversed(BigInteger a) {
        BigInteger result = ZERO;
        for (int i = 0; i < n; i++) {
            result = a.testBit(i) ? result.setBit(n - 1 - i) : result;
        }
        return result;
    }

    /** A place or length: a byte, of 64-bit fields a word, and more than 255 is as good as that. */
    private int place(long word) {
        return n < 64 ? (int) word & 255 : (int) Math.min(word & 0xffff_ffffL, 255);
    }

    private BigInteger extracted(BigInteger a, int position, int length) {
        BigInteger field = a.shiftRight(position).mod(ONE.shiftLeft(length));
        int top = Math.min(position + length, n) - 1;
        boolean negative = type.signed() && length > 0 && a.testBit(top);
        int known = Math.max(0, Math.min(length, n - position));
        return negative ? field.subtract(ONE.shiftLeft(known)) : field;
    }

    private BigInteger inserted(BigInteger a, BigInteger b, int position, int length) {
        BigInteger result = b;
        for (int i = 0; i < length && position + i < n; i++) {
            result = a.testBit(i) ? result.setBit(position + i) : result.clearBit(position + i);
        }
        return result;
    }

    private BigInteger extended(BigInteger a, long b) {
        if (b >= 32 && spelling.has(Modifier.CLAMP)) {
            return a;
        }
        int length = (int) (b % 32);
        return length == 0 ? ZERO : number(a.longValue(), length, type.signed());
    }

    private BigInteger mask(long a, long b) {
        boolean wrap = spelling.has(Modifier.WRAP);
        long from = wrap ? a % 32 : a;
        long length = wrap ? b % 32 : b;
        BigInteger result = ZERO;
        for (long place = from; place < 32 && place < from + length; place++) {
            result = result.setBit((int) place);
        }
        return result;
    }

    private BigInteger dot(long[] x, int width, int count, int first) {
        BigInteger sum = unsigned(x[2], 32);
        for (int i = 0; i < count; i++) {
            BigInteger a = number(x[0] >>> i * width, width, spelling.types().get(0).signed());
            BigInteger b = number(x[1] >>> (first + i) * 8, 8, spelling.types().get(1).signed());
            sum = sum.add(a.multiply(b));
        }
        return sum;
    }
}
