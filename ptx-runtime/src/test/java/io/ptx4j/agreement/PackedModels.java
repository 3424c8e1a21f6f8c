package io.ptx4j.agreement;

import io.ptx4j.agreement.Soft.Format;
import io.ptx4j.agreement.Soft.Kind;
import io.ptx4j.agreement.Soft.Mode;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.math.BigInteger;

/** {@code cvt} to packed types. */
final class PackedModels {
    private final Spelling spelling;
    private final ScalarType to;
    private final ScalarType from;

    private PackedModels(Spelling spelling) {
        this.spelling = spelling;
        this.to = spelling.type();
        this.from = spelling.types().get(1);
    }

    static Model of(Spelling spelling) {
        return new PackedModels(spelling)::convert;
    }

    private long convert(long[] x) {
        int width = to.bits() / to.lanes();
        long packed = 0;
        for (int lane = 0; lane < to.lanes(); lane++) {
            long bits = from.packed() ? x[0] >>> lane * (from.bits() / 2) & Model.mask(from.bits() / 2) : x[to.lanes() - 1 - lane];
            int scale = spelling.has(Modifier.SCALED_N2_UE8M0) ? (int) (x[x.length - 1] >>> 8 * lane) & 0xff : 127;
            packed |= one(bits, scale, lane, x) << lane * width;
        }
        return packed;
    }

    private long one(long bits, int scale, int lane, long[] x) {
        switch (from) {
            case UE8M0X2 -> {
                return bits == 0xff ? 0x7fff : Soft.of(false, 1, (int) bits - 127).encode(Format.BF16, Mode.RN);
            }
            case S2F6X2 -> {
                byte steps = (byte) bits;
                return scale == 0xff ? 0x7fff
                        : ConversionModels.finite(Soft.of(steps < 0, Math.abs((long) steps), scale - 127 - 6), Format.BF16, Mode.RN, spelling);
            }
            default -> {
            }
        }
        Soft a = Soft.decode(Model.format(from), bits);
        if (to == ScalarType.BF16X2 && scale == 0xff) {
            return 0x7fff;
        }
        if (to == ScalarType.BF16X2 && a.kind() == Kind.FINITE) {
            a = new Soft(Kind.FINITE, a.negative(), a.significand(), a.exponent() + scale - 127, 0);
        }
        return switch (to) {
            case UE8M0X2 -> scaleFactor(a);
            case S2F6X2 -> fixed(a, scale);
            default -> number(a, lane, x);
        };
    }

    private long number(Soft a, int lane, long[] x) {
        Format format = Model.format(to);
        if (a.kind() == Kind.NAN) {
            return format.infinity() || format == Format.E4M3 ? format.sign() - 1 : format.greatest();
        }
        return spelling.has(Modifier.RS) ? stochastic(a, format, lane, x[x.length - 1])
                : ConversionModels.finite(a, format, Model.mode(spelling), spelling);
    }

    private long scaleFactor(Soft a) {
        long beyond = spelling.has(Modifier.SATFINITE) ? 0xfe : 0xff;
        return switch (a.kind()) {
            case NAN -> 0xff;
            case ZERO -> 0;
            case INFINITE -> beyond;
            case FINITE -> {
                boolean up = spelling.has(Modifier.RP) && a.significand() != 1L << 62;
                int code = Math.max(0, a.exponent() + (up ? 1 : 0) + 127);
                yield code > 0xfe ? beyond : code;
            }
        };
    }

    private long fixed(Soft a, int scale) {
        if (a.kind() == Kind.NAN || scale == 0xff) {
            return 0x7f;
        }
        if (spelling.has(Modifier.RELU) && a.negative() || a.kind() == Kind.ZERO) {
            return 0;
        }
        if (a.kind() == Kind.INFINITE) {
            return a.negative() ? 0x80 : 0x7f;
        }
        Soft steps = new Soft(Kind.FINITE, a.negative(), a.significand(), a.exponent() - (scale - 127) + 6, 0).integral(Mode.RN);
        long magnitude = steps.kind() == Kind.ZERO ? 0 : steps.exponent() > 7 ? 128 : steps.significand() >>> 62 - steps.exponent();
        return (a.negative() ? -Math.min(128, magnitude) : Math.min(127, magnitude)) & 0xff;
    }

    /** The random bits are added below the last bit kept; a carry makes the magnitude the next one. */
    private long stochastic(Soft a, Format format, int lane, long random) {
        boolean relu = spelling.has(Modifier.RELU) && a.negative();
        if (a.kind() != Kind.FINITE || relu) {
            return relu ? 0 : ConversionModels.finite(a, format, Mode.RN, spelling);
        }
        int bits = to == ScalarType.F16X2 ? 13 : 16;
        int place = Math.max(a.exponent(), format.least()) - format.fractionBits();
        BigInteger scaled = BigInteger.valueOf(a.significand()).shiftLeft(bits);
        int below = place - (a.exponent() - 62);
        BigInteger sum = scaled.add(BigInteger.valueOf(randomBits(lane, random)).shiftLeft(below));
        long steps = sum.shiftRight(below + bits).longValueExact();
        return ConversionModels.finite(Soft.of(a.negative(), steps, place).kind() == Kind.ZERO ? Soft.zero(a.negative())
                : Soft.of(a.negative(), steps, place), format, Mode.RN, spelling);
    }

    private long randomBits(int lane, long random) {
        return switch (to) {
            case F16X2 -> random >>> 16 * lane & 0x1fff;
            case BF16X2 -> random >>> 16 * lane & 0xffff;
            default -> {
                long half = to != ScalarType.E2M1X4 ? random >>> 16 * (lane / 2) & 0xffff
                        : lane < 2 ? random >>> 8 & 0xff00 | random & 0xff : random >>> 16 & 0xff00 | random >>> 8 & 0xff;
                yield lane % 2 == 0 ? half : Long.reverse(half) >>> 48;
            }
        };
    }
}
