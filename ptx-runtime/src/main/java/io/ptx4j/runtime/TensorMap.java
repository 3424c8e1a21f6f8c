package io.ptx4j.runtime;

import io.ptx4j.engine.TensorPixels;
import io.ptx4j.isa.ScalarType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * How a tensor of one to five dimensions lies in device memory and what of it one tensor copy moves (manual: "Tensor-map",
 * "cp.async.bulk.tensor"): what {@code cuTensorMapEncodeTiled}, {@code cuTensorMapEncodeIm2col} and {@code cuTensorMapEncodeIm2colWide}
 * make on a host with a driver. Pass {@link #bytes} as the kernel's 128-byte parameter, or {@link #copyTo} device memory and pass that.
 * Dimension 0 runs fastest and is dense. {@snippet lang = java :
 * TensorMap tiles = TensorMap.of(matrix, ScalarType.F32, new long[] {width, height}, 32, 8);
 * kernel.grid(4, 4).block(256).launch(tiles.bytes(), result);
 * }
 *
 * <p>No interleave layout, no types that change values on the way ({@code .f32.ftz}, {@code .tf32}) and none of less than a byte.
 */
public final class TensorMap {
    /** How the box is stored in shared memory, so that columns of it lie in different banks (manual: "Swizzling Modes"). */
    public enum Swizzle { NONE, BYTES_32, BYTES_64, BYTES_128 }

    private static final int LARGEST_BOX = 256;
    private static final int LARGEST_ELEMENT_STRIDE = 8;

    private final DeviceBuffer tensor;
    private final ScalarType element;
    private final long[] extents;
    private final long[] strides;
    /** Null in a map of pixels. */
    private final int[] box;
    private final int[] elementStrides;
    private final Swizzle swizzle;
    private final boolean fillsNan;
    /** Null in a map of tiles. */
    private final TensorPixels pixels;

    private TensorMap(
            DeviceBuffer tensor, ScalarType element, long[] extents, long[] strides, int[] box, int[] elementStrides, Swizzle swizzle,
            boolean fillsNan, TensorPixels pixels) {
        this.tensor = tensor;
        this.element = element;
        this.extents = extents;
        this.strides = strides;
        this.box = box;
        this.elementStrides = elementStrides;
        this.swizzle = swizzle;
        this.fillsNan = fillsNan;
        this.pixels = pixels;
    }

    /**
     * A dense tensor at the start of {@code tensor}, without swizzling; what a box has outside of it reads as zero.
     *
     * @param extents elements in each dimension, 1 to 2^32 - 1
     * @param box extent of the box in each dimension, in elements, 1 to 256; for {@code tile::gather4} and {@code tile::scatter4} the
     *     length of a row and 1
     * @throws IllegalArgumentException if the map is not possible: sizes out of range, a row of the box that is no multiple of 16 bytes
     */
    public static TensorMap of(DeviceBuffer tensor, ScalarType element, long[] extents, int... box) {
        return dense(tensor, element, extents, box.clone(), Swizzle.NONE, null);
    }

    /**
     * A dense tensor of images for copies in mode {@code im2col}: channels, then W, then for more dimensions H and D, then images. A
     * copy moves {@code count} pixels, row by row within a box of W, H and D, then in the next image (manual: "im2col mode").
     *
     * @param extents channels, width, height, depth, images: three to five dimensions of 1 to 2^32 - 1
     * @param lower where the box begins along W, H and D, from the first pixel on: as many as there are of those dimensions
     * @param upper where it ends, the last pixel of the box included, from the last pixel of the image on
     * @param channels elements that are moved of each pixel, 1 to 256, a multiple of 16 bytes
     * @param count pixels that one copy moves, 1 to 1024
     * @throws IllegalArgumentException if the map is not possible: sizes or corners out of range, a box without pixels
     */
    public static TensorMap im2col(
            DeviceBuffer tensor, ScalarType element, long[] extents, int[] lower, int[] upper, int channels, int count) {
        return dense(tensor, element, extents, null, Swizzle.NONE, new TensorPixels(lower.clone(), upper.clone(), channels, count, false));
    }

    /**
     * The same for copies in modes {@code im2col::w} and {@code im2col::w::128}, which go along W alone, then to the next image (manual:
     * "im2col::w and im2col::w::128 modes"). They need a swizzle of 64 or 128 bytes: 128 unless {@link #swizzle} chooses another.
     *
     * @param lower where the box begins along W, from the first pixel on
     * @param upper where it ends, that pixel included, from the last one on
     */
    public static TensorMap im2colWide(
            DeviceBuffer tensor, ScalarType element, long[] extents, int lower, int upper, int channels, int count) {
        return dense(tensor, element, extents, null, Swizzle.BYTES_128,
                new TensorPixels(new int[] {lower}, new int[] {upper}, channels, count, true));
    }

    private static TensorMap dense(
            DeviceBuffer tensor, ScalarType element, long[] extents, int[] box, Swizzle swizzle, TensorPixels pixels) {
        long[] strides = new long[extents.length];
        long bytes = element.bytes();
        for (int d = 0; d < extents.length; d++) {
            strides[d] = bytes;
            bytes *= extents[d];
        }
        int[] ones = new int[extents.length];
        Arrays.fill(ones, 1);
        return new TensorMap(Objects.requireNonNull(tensor, "tensor"), element, extents.clone(), strides, box, ones, swizzle, false, pixels)
                .checked();
    }

    /** The same with strides in bytes, of the dimensions from 1 on; multiples of 16. */
    public TensorMap strides(long... bytes) {
        long[] all = new long[extents.length];
        if (bytes.length != all.length - 1) {
            throw new IllegalArgumentException(bytes.length + " strides for a tensor of " + all.length + " dimensions");
        }
        System.arraycopy(bytes, 0, all, 1, bytes.length);
        return new TensorMap(tensor, element, extents, all, box, elementStrides, swizzle, fillsNan, pixels).checked();
    }

    /** The same where every n-th element of each dimension is moved, 1 to 8: of a tile's box, or of a box of pixels along W, H and D. */
    public TensorMap elementStrides(int... every) {
        return new TensorMap(tensor, element, extents, strides, box, every.clone(), swizzle, fillsNan, pixels).checked();
    }

    /** The same with the box swizzled, whose rows may then have no more bytes than the mode says. */
    public TensorMap swizzle(Swizzle mode) {
        return new TensorMap(tensor, element, extents, strides, box, elementStrides, Objects.requireNonNull(mode, "mode"), fillsNan, pixels)
                .checked();
    }

    /** The same where what lies outside the tensor reads as NaN, 7ff7 in 16-bit types; for types of floats. */
    public TensorMap fillNan() {
        return new TensorMap(tensor, element, extents, strides, box, elementStrides, swizzle, true, pixels).checked();
    }

    private TensorMap checked() {
        int n = extents.length;
        int boxed = box == null ? n : box.length;
        require(n >= 1 && n <= 5 && boxed == n && elementStrides.length == n,
                "a tensor of " + n + " dimensions with a box of " + boxed + " and " + elementStrides.length + " element strides");
        require(io.ptx4j.engine.TensorMap.numberOf(element) >= 0, "elements of " + element);
        require(!fillsNan || element.isFloat(), "NaN in a tensor of " + element);
        for (int d = 0; d < n; d++) {
            require(extents[d] >= 1 && extents[d] < 1L << 32, "an extent of " + extents[d]);
            require(box == null || box[d] >= 1 && box[d] <= LARGEST_BOX,
                    "a box of " + (box == null ? 0 : box[d]) + " elements; possible are 1 to " + LARGEST_BOX);
            require(elementStrides[d] >= 1 && elementStrides[d] <= LARGEST_ELEMENT_STRIDE, "an element stride of " + elementStrides[d]
                    + "; possible are 1 to " + LARGEST_ELEMENT_STRIDE);
            require(d == 0 || strides[d] > 0 && strides[d] % 16 == 0, "a stride of " + strides[d] + " bytes, which is no multiple of 16");
        }
        if (pixels != null) {
            checkPixels();
        }
        long row = (pixels != null ? pixels.channels() : (box[0] + elementStrides[0] - 1) / elementStrides[0]) * (long) element.bytes();
        require(row % 16 == 0, "rows of the box of " + row + " bytes, which is no multiple of 16");
        long most = swizzle == Swizzle.NONE ? Long.MAX_VALUE : 16L << swizzle.ordinal();
        require(row <= most, "rows of the box of " + row + " bytes; swizzled they have at most " + most);
        return this;
    }

    /** The ranges that the manual gives for corners grow smaller with the number of dimensions. */
    private void checkPixels() {
        int n = extents.length;
        require(n >= 3, "pixels in " + n + " dimensions; images have three to five");
        int space = pixels.wide() ? 1 : n - 2;
        require(pixels.lower().length == space && pixels.upper().length == space,
                "corners of " + pixels.lower().length + " and " + pixels.upper().length + " dimensions; the box has " + space);
        int limit = pixels.wide() || n == 3 ? 1 << 15 : n == 4 ? 1 << 7 : 1 << 4;
        for (int k = 0; k < space; k++) {
            int lower = pixels.lower()[k];
            int upper = pixels.upper()[k];
            require(Math.min(lower, upper) >= -limit && Math.max(lower, upper) < limit,
                    "corners of " + lower + " and " + upper + "; possible are " + -limit + " to " + (limit - 1));
            require(lower <= extents[1 + k] - 1 + upper, "a box of pixels that ends before it begins");
        }
        require(pixels.channels() >= 1 && pixels.channels() <= TensorPixels.MOST_CHANNELS,
                pixels.channels() + " channels of a pixel; possible are 1 to " + TensorPixels.MOST_CHANNELS);
        require(pixels.count() >= 1 && pixels.count() <= TensorPixels.MOST_PIXELS,
                pixels.count() + " pixels of a column; possible are 1 to " + TensorPixels.MOST_PIXELS);
        require(!pixels.wide() || swizzle.ordinal() >= TensorPixels.LEAST_WIDE_SWIZZLE,
                "pixels along W without a swizzle of 64 or 128 bytes");
    }

    private static void require(boolean possible, String what) {
        if (!possible) {
            throw new IllegalArgumentException("no tensor map has " + what);
        }
    }

    /** The map as 128 bytes, for a parameter by value. Valid as long as the tensor's buffer is. */
    public byte[] bytes() {
        int n = extents.length;
        int[] sizes = new int[5];
        for (int d = 0; d < n; d++) {
            sizes[d] = (int) extents[d];
        }
        byte[] made = new byte[io.ptx4j.engine.TensorMap.BYTES];
        new io.ptx4j.engine.TensorMap(tensor.address(), n, Arrays.copyOf(strides, 5), sizes,
                Arrays.copyOf(box == null ? new int[0] : box, 5),
                Arrays.copyOf(elementStrides, 5), io.ptx4j.engine.TensorMap.numberOf(element), swizzle.ordinal(), fillsNan,
                pixels).write(MemorySegment.ofArray(made));
        return made;
    }

    /** A new buffer of 128 bytes that holds the map. */
    public DeviceBuffer copyTo(Device device) {
        return device.copyOf(bytes());
    }
}
