package io.ptx4j.jit.support;

/**
 * Nearly all reads of textures: one level, no layers, samples, offsets or comparisons. What {@link Sampling} gives, without its tables
 * of texels and weights.
 */
final class PlainSampling {
    private PlainSampling() {
    }

    /** Reads at the coordinates that begin {@code words}; false, with nothing done, where the border counts. */
    static boolean sample(Fetch f, int[] words, int[] results) {
        if (f.filtered) {
            return filter(f, words, results);
        }
        int x = nearest(f, 0, words[0]);
        int y = f.dimensions > 1 ? nearest(f, 1, words[1]) : 0;
        int z = f.dimensions > 2 ? nearest(f, 2, words[2]) : 0;
        if ((x | y | z) < 0) {
            return false;
        }
        f.image.texel(f.image.texelAt(z, y, x), f.sampler.asFloat, false, results);
        return true;
    }

    private static int nearest(Fetch f, int dimension, int word) {
        return f.place(dimension, (long) Math.floor(f.texels(dimension, word)), f.size(dimension));
    }

    private static long corner(Fetch f, int dimension, int word) {
        long at = (long) Math.floor((f.texels(dimension, word) - 0.5) * 256 + 0.5);
        return f.clamps(dimension) ? Math.clamp(at, 0, f.size(dimension) - 1L << 8) : at;
    }

    private static boolean filter(Fetch f, int[] words, int[] results) {
        ImageView image = f.image;
        long x = corner(f, 0, words[0]);
        int width = f.size(0);
        int left = f.place(0, x >> 8, width);
        int right = f.place(0, (x >> 8) + 1, width);
        int rightShare = (int) x & 0xff;
        int leftShare = 256 - rightShare;
        int low = 0;
        int up = 0;
        int rightUp = 0;
        int leftUp = 0;
        if (f.dimensions > 1) {
            long y = corner(f, 1, words[1]);
            int height = f.size(1);
            low = f.place(1, y >> 8, height);
            up = f.place(1, (y >> 8) + 1, height);
            int weight = (int) y & 0xff;
            rightUp = TexelSum.share(rightShare, weight);
            leftUp = leftShare - TexelSum.share(leftShare, 256 - weight);
        }
        if ((left | right | low | up) < 0) {
            return false;
        }
        long a = image.texelAt(0, low, left);
        long b = image.texelAt(0, low, right);
        long c = image.texelAt(0, up, left);
        long d = image.texelAt(0, up, right);
        int bytes = image.type.bytes();
        boolean halves = f.halves();
        for (int channel = 0; channel < image.channels; channel++) {
            long at = (long) channel * bytes;
            int first = image.channel(a + at);
            int second = image.channel(b + at);
            int third = image.channel(c + at);
            int fourth = image.channel(d + at);
            results[channel] = f.wholes
                    ? TexelSum.whole((long) first * (leftShare - leftUp) + (long) second * (rightShare - rightUp) + (long) third * leftUp
                            + (long) fourth * rightUp, image.type)
                    : TexelSum.ofFour(first, leftShare - leftUp, second, rightShare - rightUp, third, leftUp, fourth, rightUp, halves);
        }
        for (int channel = image.channels; channel < 4; channel++) {
            results[channel] = 0;
        }
        return true;
    }
}
