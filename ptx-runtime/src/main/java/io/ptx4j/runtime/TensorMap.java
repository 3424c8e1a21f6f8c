package io.ptx4j.runtime;

import io.ptx4j.isa.ScalarType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * How a tensor of one to five dimensions lies in device memory and which box of it one tensor copy moves (manual: "Tensor-map",
 * "cp.async.bulk.tensor"): what {@code cuTensorMapEncodeTiled} makes on a host with a driver. Pass {@link #bytes} as the kernel's
 * 128-byte parameter, or {@link #copyTo} device memory and pass that. Dimension 0 runs fastest and is dense. {@snippet lang = java :
 * TensorMap tiles = TensorMap.of(matrix, ScalarType.F32, new long[] {width, height}, 32, 8);
 * kernel.grid(4, 4).block(256).launch(tiles.bytes(), result);
 * }
 *
 * <p>Tiled mode only; no interleave layout, no types that change values on the way ({@code .f32.ftz}, {@code .tf32}) and none of
 * less than a byte.
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
    private final int[] box;
    private final int[] elementStrides;
    private final Swizzle swizzle;
    private final boolean fillsNan;

    private TensorMap(
            DeviceBuffer tensor, ScalarType element, long[] extents, long[] strides, int[] box, int[] elementStrides, Swizzle swizzle,
            boolean fillsNan) {
        this.tensor = tensor;
        this.element = element;
        this.extents = extents;
        this.strides = strides;
        this.box = box;
        this.elementStrides = elementStrides;
        this.swizzle = swizzle;
        this.fillsNan = fillsNan;
    }

    /**
     * A dense tensor at the start of {@code tensor}, without swizzling; what a box has outside of it reads as zero.
     *
     * @param extents elements in each dimension, 1 to 2^32 - 1
     * @param box extent of the box in each dimension, in elements, 1 to 256
     * @throws IllegalArgumentException if the map is not possible: sizes out of range, a row of the box that is no multiple of 16 bytes
     */
    public static TensorMap of(DeviceBuffer tensor, ScalarType element, long[] extents, int... box) {
        long[] strides = new long[extents.length];
        long bytes = element.bytes();
        for (int d = 0; d < extents.length; d++) {
            strides[d] = bytes;
            bytes *= extents[d];
        }
        int[] ones = new int[extents.length];
        Arrays.fill(ones, 1);
        return new TensorMap(Objects.requireNonNull(tensor, "tensor"), element, extents.clone(), strides, box.clone(), ones, Swizzle.NONE, false)
                .checked();
    }

    /** The same with strides in bytes, of the dimensions from 1 on; multiples of 16. */
    public TensorMap strides(long... bytes) {
        long[] all = new long[extents.length];
        if (bytes.length != all.length - 1) {
            throw new IllegalArgumentException(bytes.length + " strides for a tensor of " + all.length + " dimensions");
        }
        System.arraycopy(bytes, 0, all, 1, bytes.length);
        return new TensorMap(tensor, element, extents, all, box, elementStrides, swizzle, fillsNan).checked();
    }

    /** The same where of the box every n-th element of each dimension is moved, 1 to 8. */
    public TensorMap elementStrides(int... every) {
        return new TensorMap(tensor, element, extents, strides, box, every.clone(), swizzle, fillsNan).checked();
    }

    /** The same with the box swizzled, whose rows may then have no more bytes than the mode says. */
    public TensorMap swizzle(Swizzle mode) {
        return new TensorMap(tensor, element, extents, strides, box, elementStrides, Objects.requireNonNull(mode, "mode"), fillsNan).checked();
    }

    /** The same where what lies outside the tensor reads as NaN; for types of floats. */
    public TensorMap fillNan() {
        return new TensorMap(tensor, element, extents, strides, box, elementStrides, swizzle, true).checked();
    }

    private TensorMap checked() {
        int n = extents.length;
        require(n >= 1 && n <= 5 && box.length == n && elementStrides.length == n,
                "a tensor of " + n + " dimensions with a box of " + box.length + " and " + elementStrides.length + " element strides");
        require(io.ptx4j.engine.TensorMap.numberOf(element) >= 0, "elements of " + element);
        require(!fillsNan || element.isFloat(), "NaN in a tensor of " + element);
        for (int d = 0; d < n; d++) {
            require(extents[d] >= 1 && extents[d] < 1L << 32, "an extent of " + extents[d]);
            require(box[d] >= 1 && box[d] <= LARGEST_BOX, "a box of " + box[d] + " elements; possible are 1 to " + LARGEST_BOX);
            require(elementStrides[d] >= 1 && elementStrides[d] <= LARGEST_ELEMENT_STRIDE, "an element stride of " + elementStrides[d]
                    + "; possible are 1 to " + LARGEST_ELEMENT_STRIDE);
            require(d == 0 || strides[d] > 0 && strides[d] % 16 == 0, "a stride of " + strides[d] + " bytes, which is no multiple of 16");
        }
        long row = (long) (box[0] + elementStrides[0] - 1) / elementStrides[0] * element.bytes();
        require(row % 16 == 0, "rows of the box of " + row + " bytes, which is no multiple of 16");
        long most = swizzle == Swizzle.NONE ? Long.MAX_VALUE : 16L << swizzle.ordinal();
        require(row <= most, "rows of the box of " + row + " bytes; swizzled they have at most " + most);
        return this;
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
        new io.ptx4j.engine.TensorMap(tensor.address(), n, Arrays.copyOf(strides, 5), sizes, Arrays.copyOf(box, 5),
                Arrays.copyOf(elementStrides, 5), io.ptx4j.engine.TensorMap.numberOf(element), swizzle.ordinal(), fillsNan)
                .write(MemorySegment.ofArray(made));
        return made;
    }

    /** A new buffer of 128 bytes that holds the map. */
    public DeviceBuffer copyTo(Device device) {
        return device.copyOf(bytes());
    }
}
