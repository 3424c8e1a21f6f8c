package io.ptx4j.agreement;

import java.math.BigInteger;

/**
 * A floating-point number taken apart, and arithmetic on it with nothing but integers: a third opinion, faster than decimal numbers.
 * A finite number is {@code significand · 2^(exponent - 62)} with bit 62 of the significand set; the significand's last bit also says
 * that something below it was lost, which rounding sees.
 *
 * @param payload of a NaN: its fraction, left-justified in 52 bits
 */
record Soft(Kind kind, boolean negative, long significand, int exponent, long payload) {
    enum Kind { ZERO, FINITE, INFINITE, NAN }

    enum Mode { RN, RZ, RM, RP, RNA }

    private static final int TOP = 62;

    /**
     * A format.
     *
     * @param greatest code of the greatest finite magnitude
     * @param infinity whether the code behind it is infinity and the ones behind that are NaN
     * @param unused low bits that are always zero
     */
    record Format(int exponentBits, int fractionBits, long greatest, boolean infinity, int unused) {
        static final Format F64 = ieee(11, 52);
        static final Format F32 = ieee(8, 23);
        static final Format F16 = ieee(5, 10);
        static final Format BF16 = ieee(8, 7);
        static final Format TF32 = new Format(8, 10, (0xffL << 10) - 1, true, 13);
        static final Format E4M3 = new Format(4, 3, 0x7e, false, 0);
        static final Format E5M2 = ieee(5, 2);
        static final Format E2M1 = new Format(2, 1, 7, false, 0);
        static final Format E2M3 = new Format(2, 3, 0x1f, false, 0);
        static final Format E3M2 = new Format(3, 2, 0x1f, false, 0);

        private static Format ieee(int exponentBits, int fractionBits) {
            return new Format(exponentBits, fractionBits, ((1L << exponentBits) - 1 << fractionBits) - 1, true, 0);
        }

        int least() {
            return 2 - (1 << exponentBits - 1);
        }

        long sign() {
            return 1L << exponentBits + fractionBits + unused;
        }
    }

    static Soft zero(boolean negative) {
        return new Soft(Kind.ZERO, negative, 0, 0, 0);
    }

    static Soft infinite(boolean negative) {
        return new Soft(Kind.INFINITE, negative, 0, 0, 0);
    }

    static Soft nan() {
        return new Soft(Kind.NAN, true, 0, 0, 1L << 51);
    }

    /** {@code magnitude · 2^scale}; the magnitude is an unsigned number whose last bit may stand for lost ones. */
    static Soft of(boolean negative, long magnitude, int scale) {
        if (magnitude == 0) {
            return zero(negative);
        }
        int zeros = Long.numberOfLeadingZeros(magnitude);
        return zeros == 0 ? new Soft(Kind.FINITE, negative, magnitude >>> 1 | magnitude & 1, scale + 63, 0)
                : new Soft(Kind.FINITE, negative, magnitude << zeros - 1, scale + 63 - zeros, 0);
    }

    static Soft decode(Format f, long bits) {
        boolean negative = (bits & f.sign()) != 0;
        long code = (bits & f.sign() - 1) >>> f.unused;
        if (code > f.greatest) {
            long fraction = code & (1L << f.fractionBits) - 1;
            return f.infinity && fraction == 0 ? infinite(negative) : new Soft(Kind.NAN, negative, 0, 0, fraction << 52 - f.fractionBits);
        }
        int field = (int) (code >>> f.fractionBits);
        long fraction = code & (1L << f.fractionBits) - 1;
        return of(negative, field == 0 ? fraction : fraction | 1L << f.fractionBits, Math.max(field, 1) - 1 + f.least() - f.fractionBits);
    }

    /** The bits of this number, rounded; NaN is the caller's. */
    long encode(Format f, Mode mode) {
        long sign = negative ? f.sign() : 0;
        return switch (kind) {
            case ZERO -> sign;
            case NAN -> throw new IllegalStateException("NaN");
            case INFINITE -> sign | (f.infinity ? f.greatest + 1 : f.greatest) << f.unused;
            case FINITE -> {
                int shift = TOP - f.fractionBits + Math.max(0, f.least() - exponent);
                int field = Math.clamp(exponent - f.least(), 0, 1 << f.exponentBits);
                long code = ((long) field << f.fractionBits) + rounded(shift, mode);
                boolean away = mode == Mode.RN || mode == Mode.RNA || mode == (negative ? Mode.RM : Mode.RP);
                yield sign | (Long.compareUnsigned(code, f.greatest) <= 0 ? code : f.infinity && away ? f.greatest + 1 : f.greatest) << f.unused;
            }
        };
    }

    /** The significand without its last {@code shift} bits, rounded. */
    private long rounded(int shift, Mode mode) {
        long kept = shift > 63 ? 0 : significand >>> shift;
        long rest = shift > 63 ? 1 : significand - (kept << shift);
        int half = shift > 63 ? -1 : Long.compare(rest, 1L << shift - 1);
        boolean up = switch (mode) {
            case RN -> half > 0 || half == 0 && (kept & 1) != 0;
            case RNA -> half >= 0;
            case RZ -> false;
            case RM -> negative && rest != 0;
            case RP -> !negative && rest != 0;
        };
        return up ? kept + 1 : kept;
    }

    /** This number rounded to the format's precision with unbounded exponent. */
    Soft withPrecision(Format f, Mode mode) {
        return kind == Kind.FINITE ? of(negative, rounded(TOP - f.fractionBits, mode), exponent - f.fractionBits) : this;
    }

    /** Rounded to an integer of any size, as a number. */
    Soft integral(Mode mode) {
        if (kind != Kind.FINITE || exponent >= TOP) {
            return this;
        }
        return of(negative, rounded(Math.min(TOP - exponent, 64), mode), 0);
    }

    Soft negated() {
        return kind == Kind.NAN ? this : new Soft(kind, !negative, significand, exponent, payload);
    }

    Soft magnitude() {
        return new Soft(kind, false, significand, exponent, payload);
    }

    static Soft add(Soft a, Soft b, Mode mode) {
        if (a.kind == Kind.INFINITE || b.kind == Kind.INFINITE) {
            return a.kind == b.kind && a.negative != b.negative ? nan() : a.kind == Kind.INFINITE ? a : b;
        }
        if (a.kind == Kind.ZERO && b.kind == Kind.ZERO) {
            return zero(a.negative == b.negative ? a.negative : mode == Mode.RM);
        }
        if (a.kind == Kind.ZERO || b.kind == Kind.ZERO) {
            return a.kind == Kind.ZERO ? b : a;
        }
        boolean aIsLarger = a.exponent != b.exponent ? a.exponent > b.exponent : a.significand >= b.significand;
        Soft large = aIsLarger ? a : b;
        Soft small = aIsLarger ? b : a;
        long low = shiftedWithTrace(small.significand, large.exponent - small.exponent);
        if (a.negative == b.negative) {
            return of(large.negative, large.significand + low, large.exponent - TOP);
        }
        long difference = large.significand - low;
        return difference == 0 ? zero(mode == Mode.RM) : of(large.negative, difference, large.exponent - TOP);
    }

    private static long shiftedWithTrace(long bits, int by) {
        return by == 0 ? bits : by > 63 ? bits == 0 ? 0 : 1 : bits >>> by | (bits << 64 - by != 0 ? 1 : 0);
    }

    static Soft multiply(Soft a, Soft b) {
        boolean negative = a.negative != b.negative;
        if (a.kind == Kind.INFINITE || b.kind == Kind.INFINITE) {
            return a.kind == Kind.ZERO || b.kind == Kind.ZERO ? nan() : infinite(negative);
        }
        if (a.kind == Kind.ZERO || b.kind == Kind.ZERO) {
            return zero(negative);
        }
        long high = Math.multiplyHigh(a.significand, b.significand);
        long low = a.significand * b.significand;
        return of(negative, high << 2 | low >>> 62 | (low << 2 != 0 ? 1 : 0), a.exponent + b.exponent - TOP);
    }

    /** The product with all its bits and the sum in 128 bits. */
    static Soft multiplyAdd(Soft a, Soft b, Soft c, Mode mode) {
        if (a.kind != Kind.FINITE || b.kind != Kind.FINITE || c.kind != Kind.FINITE) {
            Soft product = multiply(a, b);
            return product.kind == Kind.NAN ? product : add(product, c, mode);
        }
        boolean negative = a.negative != b.negative;
        long high = Math.multiplyHigh(a.significand, b.significand);
        long low = a.significand * b.significand;
        int exponent = a.exponent + b.exponent + 1;
        if (high >>> 61 == 0) {
            high = high << 1 | low >>> 63;
            low <<= 1;
            exponent--;
        }
        // Both now have bit 125 set.
        long cHigh = c.significand >>> 1;
        long cLow = c.significand << 63;
        int apart = exponent - c.exponent;
        if (apart < 0) {
            boolean trace = lost(high, low, -apart);
            long shifted = lowAfter(high, low, -apart) | (trace ? 1 : 0);
            high = highAfter(high, -apart);
            low = shifted;
            exponent = c.exponent;
        } else if (apart > 0) {
            boolean trace = lost(cHigh, cLow, apart);
            long shifted = lowAfter(cHigh, cLow, apart) | (trace ? 1 : 0);
            cHigh = highAfter(cHigh, apart);
            cLow = shifted;
        }
        if (negative == c.negative) {
            long sum = low + cLow;
            high += cHigh + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
            low = sum;
        } else {
            boolean less = high < cHigh || high == cHigh && Long.compareUnsigned(low, cLow) < 0;
            long x = less ? cLow : low;
            long y = less ? low : cLow;
            high = (less ? cHigh - high : high - cHigh) - (Long.compareUnsigned(x, y) < 0 ? 1 : 0);
            low = x - y;
            negative = negative != less;
        }
        if (high == 0) {
            return low == 0 ? zero(mode == Mode.RM) : of(negative, low, exponent - 125);
        }
        int zeros = Long.numberOfLeadingZeros(high);
        long top = zeros == 0 ? high : high << zeros | low >>> 64 - zeros;
        return of(negative, top | (low << zeros != 0 ? 1 : 0), exponent - 125 + 64 - zeros);
    }

    private static boolean lost(long high, long low, int by) {
        return by >= 128 ? (high | low) != 0 : by > 64 ? low != 0 || high << 128 - by != 0 : by == 64 ? low != 0 : low << 64 - by != 0;
    }

    private static long lowAfter(long high, long low, int by) {
        return by >= 128 ? 0 : by > 64 ? high >>> by - 64 : by == 64 ? high : high << 64 - by | low >>> by;
    }

    private static long highAfter(long high, int by) {
        return by >= 64 ? 0 : high >>> by;
    }

    /** @param f the result's format, whose precision the quotient surpasses by two bits or more */
    static Soft divide(Format f, Soft a, Soft b) {
        boolean negative = a.negative != b.negative;
        if (a.kind == Kind.INFINITE) {
            return b.kind == Kind.INFINITE ? nan() : infinite(negative);
        }
        if (b.kind == Kind.ZERO) {
            return a.kind == Kind.ZERO ? nan() : infinite(negative);
        }
        if (a.kind == Kind.ZERO || b.kind == Kind.INFINITE) {
            return zero(negative);
        }
        if (f.fractionBits <= Format.F32.fractionBits) {
            long divisor = b.significand >>> 38;
            long quotient = a.significand / divisor;
            return of(negative, quotient | (quotient * divisor != a.significand ? 1 : 0), a.exponent - b.exponent - 38);
        }
        BigInteger[] parts = BigInteger.valueOf(a.significand).shiftLeft(60).divideAndRemainder(BigInteger.valueOf(b.significand));
        return of(negative, parts[0].longValueExact() | (parts[1].signum() != 0 ? 1 : 0), a.exponent - b.exponent - 60);
    }

    /** @param f the result's format */
    static Soft root(Format f, Soft a) {
        if (a.kind == Kind.ZERO || a.kind == Kind.INFINITE && !a.negative) {
            return a;
        }
        if (a.negative) {
            return nan();
        }
        int odd = a.exponent & 1;
        if (f.fractionBits <= Format.F32.fractionBits) {
            long small = a.significand >>> 2 - odd;
            long root = (long) Math.sqrt((double) small);
            root = root * root > small ? root - 1 : (root + 1) * (root + 1) <= small ? root + 1 : root;
            return of(false, root << 1 | (root * root != small ? 1 : 0), (a.exponent - odd) / 2 - 31);
        }
        BigInteger[] parts = BigInteger.valueOf(a.significand).shiftLeft(TOP + odd).sqrtAndRemainder();
        return of(false, parts[0].longValueExact() | (parts[1].signum() != 0 ? 1 : 0), (a.exponent - odd) / 2 - TOP);
    }

    /** -1, 0 or 1; zeros of both signs are equal. Not for NaN. */
    static int compare(Soft a, Soft b) {
        if (a.kind == Kind.ZERO && b.kind == Kind.ZERO) {
            return 0;
        }
        boolean aBelow = a.kind != Kind.ZERO && a.negative;
        boolean bBelow = b.kind != Kind.ZERO && b.negative;
        if (aBelow != bBelow) {
            return aBelow ? -1 : 1;
        }
        int order = Integer.compare(a.kind.ordinal(), b.kind.ordinal());
        order = order != 0 || a.kind != Kind.FINITE ? order : Integer.compare(a.exponent, b.exponent);
        order = order != 0 || a.kind != Kind.FINITE ? order : Long.compare(a.significand, b.significand);
        return aBelow ? -order : order;
    }
}
