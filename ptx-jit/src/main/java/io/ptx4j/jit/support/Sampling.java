package io.ptx4j.jit.support;

import io.ptx4j.engine.ImageShape;
import io.ptx4j.jit.support.TextureOperation.Geometry;
import io.ptx4j.jit.support.TextureOperation.Lod;

/** {@code tex} and {@code tld4}. docs/textures.md says how coordinates, weights and levels are rounded. */
final class Sampling {
    private static final int ONE = Float.floatToRawIntBits(1f);
    private static final int HALF_NAN = 0x7fff;

    private final ImageUnit unit;
    private final int[] texel = new int[4];
    private final TexelSum sum = new TexelSum();
    private final double[] position = new double[3];
    private final long[] low = new long[3];
    /** Of the upper texel in each dimension, in 256ths. */
    private final int[] weight = new int[3];

    private Fetch fetch;
    private ImageView image;
    private SamplerView sampler;
    private TextureOperation operation;
    private int layer;
    private int sample;
    private double major;

    Sampling(ImageUnit unit) {
        this.unit = unit;
    }

    void sample(Fetch what) {
        if (!what.plain || !PlainSampling.sample(what, unit.words, unit.results)) {
            any(what);
        }
        if (what.operation.result() != TextureOperation.Result.WORDS) {
            narrow(what);
        }
    }

    /** Leaves four words in the results. */
    private void any(Fetch what) {
        fetch = what;
        image = what.image;
        sampler = what.sampler;
        operation = what.operation;
        Geometry geometry = what.geometry;
        coordinates(geometry);
        if (operation.gather()) {
            gather();
            return;
        }
        double lod = lod(geometry);
        boolean between = operation.lod() != Lod.BASE && sampler.linearLevels && (what.floats || operation.compare());
        int level = (int) Math.floor(between ? lod : lod + 0.5);
        int upper = between ? (int) ((lod - level) * 256) : 0;
        if (what.filtered || upper > 0) {
            sum.clear();
            level(level, 256 - upper);
            if (upper > 0) {
                level(level + 1, upper);
            }
            mix();
        } else {
            nearest(level);
            texel(level, 0, true);
        }
        System.arraycopy(texel, 0, unit.results, 0, 4);
    }

    /** Takes layer, sample and position from the operands; a cube's direction becomes a face and a place on it. */
    private void coordinates(Geometry geometry) {
        int next = ImageUnit.COORDINATES;
        layer = 0;
        sample = 0;
        int[] words = unit.words;
        if (geometry.layered()) {
            int layers = geometry.cube() ? image.layers / 6 : image.layers;
            layer = SamplerView.clamp(Integer.toUnsignedLong(words[next++]), Math.max(1, layers));
        }
        if (geometry.sampled()) {
            sample = SamplerView.clamp(Integer.toUnsignedLong(words[next++]), image.samples);
        }
        for (int d = 0; d < geometry.coordinates; d++) {
            position[d] = fetch.coordinate(words[next + d]);
        }
        if (geometry.cube()) {
            face();
        }
    }

    private void face() {
        double x = position[0];
        double y = position[1];
        double z = position[2];
        double ax = Math.abs(x);
        double ay = Math.abs(y);
        double az = Math.abs(z);
        int face;
        double s;
        double t;
        if (ax >= ay && ax >= az) {
            face = x >= 0 ? 0 : 1;
            major = ax;
            s = x >= 0 ? -z : z;
            t = -y;
        } else if (ay >= az) {
            face = y >= 0 ? 2 : 3;
            major = ay;
            s = x;
            t = y >= 0 ? z : -z;
        } else {
            face = z >= 0 ? 4 : 5;
            major = az;
            s = z >= 0 ? x : -x;
            t = -y;
        }
        layer = 6 * layer + face;
        position[0] = (s / major + 1) / 2;
        position[1] = (t / major + 1) / 2;
    }

    private double lod(Geometry geometry) {
        double lod = switch (operation.lod()) {
            case NONE -> 0;
            case BASE -> Double.NEGATIVE_INFINITY;
            case LEVEL -> Float.intBitsToFloat(unit.words[ImageUnit.LEVEL]);
            case GRAD -> footprint(geometry);
        };
        if (operation.lod() != Lod.BASE) {
            lod = Math.clamp(Double.isNaN(lod + sampler.bias) ? 0 : lod + sampler.bias, sampler.least, Math.max(sampler.least, sampler.greatest));
        }
        return Math.clamp(lod, 0, image.levels - 1.0);
    }

    /** Logarithm of the longer of the two steps, in texels. */
    private double footprint(Geometry geometry) {
        double longest = 0;
        for (int gradient = 0; gradient < 2; gradient++) {
            double sum = 0;
            for (int d = 0; d < geometry.coordinates; d++) {
                double step = Float.intBitsToFloat(unit.words[ImageUnit.GRADIENTS + 4 * gradient + d]);
                double texels = geometry.cube() ? step / major * image.width / 2 : sampler.normalized ? step * size(d, 0) : step;
                sum += texels * texels;
            }
            longest = Math.max(longest, Math.sqrt(sum));
        }
        return StrictMath.log(longest) / StrictMath.log(2);
    }

    private int size(int dimension, int level) {
        return dimension == 0 ? image.width(level) : dimension == 1 ? image.height(level) : image.depth(level);
    }

    /** Where along a dimension of a level the position lies, in texels. */
    private double texels(int dimension, int level) {
        double at = fetch.scaled ? fixed(position[dimension], size(dimension, level)) : position[dimension];
        return operation.offset() ? at + unit.words[ImageUnit.OFFSETS + dimension] : at;
    }

    /** A normalized coordinate in texels, cut off; places on a cube's face are exact. */
    private double fixed(double coordinate, int size) {
        if (fetch.geometry.cube()) {
            return coordinate * size;
        }
        double unit = Fetch.unit(size);
        return Math.floor(coordinate * unit) / unit * size;
    }

    private void nearest(int level) {
        for (int d = 0; d < fetch.dimensions; d++) {
            low[d] = (long) Math.floor(texels(d, level));
        }
    }

    /** Adds up a level's texels, whose weights together are {@code all}. */
    private void level(int level, int all) {
        if (!fetch.filtered) {
            nearest(level);
            add(level, 0, all);
            sum.nextPass();
            return;
        }
        corner(level);
        int behind = fetch.dimensions < 3 ? 0 : all - TexelSum.share(all, 256 - weight[2]);
        plane(level, 0, all - behind);
        if (behind > 0) {
            plane(level, 4, behind);
        }
    }

    /** Adds up the texels of one plane; {@code upper} says which. Shares are rounded, the upper one on the right, the lower one on the left, and the other is the rest. */
    private void plane(int level, int upper, int all) {
        int right = TexelSum.share(all, weight[0]);
        int left = all - right;
        int rightUp = fetch.dimensions < 2 ? 0 : TexelSum.share(right, weight[1]);
        int leftUp = fetch.dimensions < 2 ? 0 : left - TexelSum.share(left, 256 - weight[1]);
        add(level, upper, left - leftUp);
        add(level, upper | 1, right - rightUp);
        add(level, upper | 2, leftUp);
        add(level, upper | 3, rightUp);
        sum.nextPass();
    }

    private void add(int level, int upper, int share) {
        if (share > 0) {
            texel(level, upper, !fetch.wholes);
            sum.add(texel, share);
        }
    }

    /** Sets the lower texel and the weight of the upper one in each dimension. */
    private void corner(int level) {
        for (int d = 0; d < fetch.dimensions; d++) {
            long at = (long) Math.floor((texels(d, level) - 0.5) * 256 + 0.5);
            if (fetch.clamps(d) && !operation.gather()) {
                at = Math.clamp(at, 0, size(d, level) - 1L << 8);
            }
            low[d] = at >> 8;
            weight[d] = (int) at & 0xff;
        }
    }

    /** Leaves the filtered colour in {@link #texel}. */
    private void mix() {
        boolean colours = operation.compare() || sampler.borders() && !fetch.wholes;
        for (int c = 0; c < 4; c++) {
            texel[c] = c >= image.channels && !colours ? 0 : fetch.wholes ? sum.wholes(c, image.type) : sum.floats(c, fetch.halves());
        }
    }

    /** Reads the texel at {@link #low} and those bits of {@code upper} into {@link #texel}. */
    private void texel(int level, int upper, boolean normalized) {
        int x = place(0, low[0] + (upper & 1), level);
        int y = fetch.dimensions > 1 ? place(1, low[1] + (upper >> 1 & 1), level) : 0;
        int z = fetch.dimensions > 2 ? place(2, low[2] + (upper >> 2 & 1), level) : 0;
        if (x < 0 || y < 0 || z < 0) {
            border(normalized);
        } else {
            image.texel(image.texelAt(level, layer, z, y, x, sample), sampler.asFloat && normalized, sampler.srgb, texel);
        }
        if (operation.compare()) {
            float reference = Float.intBitsToFloat(unit.words[ImageUnit.REFERENCE]);
            float depth = fetch.floats ? Float.intBitsToFloat(texel[0]) : texel[0];
            texel[0] = reference <= depth ? ONE : 0;
            texel[1] = 0;
            texel[2] = 0;
            texel[3] = ONE;
        }
    }

    private int place(int dimension, long i, int level) {
        return fetch.place(dimension, i, size(dimension, level));
    }

    private void border(boolean normalized) {
        for (int c = 0; c < 4; c++) {
            float colour = image.shape == ImageShape.LINEAR ? 0 : sampler.border[c];
            texel[c] = !normalized ? image.whole(colour) : fetch.floats ? Float.floatToRawIntBits(colour) : (int) colour;
        }
    }

    /** One channel of the four texels around, anticlockwise from the lower left. */
    private void gather() {
        corner(0);
        int[] order = {2, 3, 1, 0};
        int[] gathered = new int[4];
        for (int i = 0; i < 4; i++) {
            texel(0, order[i], true);
            gathered[i] = texel[operation.component()];
        }
        System.arraycopy(gathered, 0, unit.results, 0, 4);
    }

    /** Turns the results into halves, or pairs of them. */
    private void narrow(Fetch what) {
        boolean isFloat = what.floats || what.operation.compare();
        int[] results = unit.results;
        for (int c = 0; c < 4; c++) {
            results[c] = half(results[c], isFloat);
        }
        if (what.operation.result() == TextureOperation.Result.HALF_PAIRS) {
            results[0] |= results[1] << 16;
            results[1] = results[2] | results[3] << 16;
        }
    }

    private static int half(int bits, boolean isFloat) {
        if (!isFloat) {
            return bits & 0xffff;
        }
        float value = Float.intBitsToFloat(bits);
        return value != value ? HALF_NAN : Float.floatToFloat16(value) & 0xffff;
    }
}
