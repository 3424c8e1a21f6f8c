package io.ptx4j.interpreter;

import io.ptx4j.engine.ChannelType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** A weighted sum of texels as docs/textures.md, "Filters", defines it. */
final class TexelFilter {
    /** Binary places behind the leading one of a pass's greatest texel. */
    private static final int PLACES_OF_F32 = 27;
    private static final int PLACES_OF_F16 = 14;

    /**
     * One texel's share.
     *
     * @param colour numbers as bits of {@code .f32}
     * @param stored whole numbers as the image holds them
     * @param weight in 256ths
     */
    private record Share(int[] colour, int[] stored, int weight) {
    }

    /** Texels that are aligned together: those of one level and one plane. */
    private final List<List<Share>> passes = new ArrayList<>();

    void pass() {
        passes.add(new ArrayList<>());
    }

    void add(int[] colour, int[] stored, int weight) {
        if (weight != 0) {
            passes.getLast().add(new Share(colour, stored, weight));
        }
    }

    /** The bits of a channel of floats. */
    int floats(int channel, boolean halves) {
        BigInteger sum = BigInteger.ZERO;
        Integer top = null;
        Exact special = null;
        for (List<Share> pass : passes) {
            Integer exponent = null;
            for (Share share : pass) {
                Exact texel = texel(share, channel);
                if (!(texel instanceof Exact.Number number)) {
                    special = special == null ? texel : ExactArithmetic.add(special, texel, Rounding.Fixed.NEAREST_EVEN);
                } else if (!number.isZero()) {
                    exponent = exponent == null ? number.top() - 1 : Math.max(exponent, number.top() - 1);
                }
            }
            if (exponent != null) {
                int lowest = exponent - (halves ? PLACES_OF_F16 : PLACES_OF_F32);
                BigInteger part = BigInteger.ZERO;
                for (Share share : pass) {
                    if (texel(share, channel) instanceof Exact.Number number) {
                        part = part.add(cut(number, lowest).multiply(BigInteger.valueOf(share.weight)));
                    }
                }
                // Passes are aligned in units of f32's; shifts of negative numbers go towards minus infinity.
                part = part.shiftLeft(lowest - exponent + PLACES_OF_F32);
                int greatest = top == null ? exponent : Math.max(top, exponent);
                sum = (top == null ? sum : sum.shiftRight(greatest - top)).add(part.shiftRight(greatest - exponent));
                top = greatest;
            }
        }
        if (special != null) {
            return special.isNaN() ? (int) Format.F32.nan() : (int) Format.F32.infinity(special.negative());
        }
        if (top == null) {
            return 0;
        }
        Exact.Number value = new Exact.Number(sum.signum() < 0, sum.abs(), top - PLACES_OF_F32 - 8);
        if (value.isZero()) {
            return 0;
        }
        Exact rounded = halves ? Format.F16.decode(Format.F16.round(value, Rounding.Fixed.NEAREST_AWAY)) : value;
        return (int) Format.F32.flushed(Format.F32.round(rounded, Rounding.Fixed.NEAREST_AWAY));
    }

    private static Exact texel(Share share, int channel) {
        return Format.F32.decode(Format.F32.flushed(Integer.toUnsignedLong(share.colour[channel])));
    }

    /** A number in units of 2^lowest, towards zero. */
    private static BigInteger cut(Exact.Number number, int lowest) {
        int up = number.exponent() - lowest;
        BigInteger magnitude = up >= 0 ? number.magnitude().shiftLeft(up) : number.magnitude().shiftRight(-up);
        return number.negative() ? magnitude.negate() : magnitude;
    }

    /** The bits of a channel whose whole numbers stand for fractions of the greatest one: of 16 bits, those of 8 widened. */
    int fractions(int channel, ChannelType type) {
        int sum = passes.stream().flatMap(List::stream).mapToInt(share -> share.stored[channel] * share.weight).sum();
        int widened = switch (type) {
            case U8 -> Math.floorDiv(sum * 257 + 128, 256);
            case S8 -> Math.floorDiv(sum * 258 + 32 * Math.floorDiv(sum, 4096) + 128, 256);
            default -> Math.floorDiv(sum + 128, 256);
        };
        double value = type.signed() ? Math.max(widened, -32767) / 32767.0 : widened / 65535.0;
        return Float.floatToRawIntBits((float) (type.signed() ? Math.min(value, 1) : value));
    }
}
