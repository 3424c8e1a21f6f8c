package io.ptx4j.engine;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A tensor map (manual: "Tensor-map"): how a tensor of one to five dimensions lies in global memory, and which box of it a tensor
 * copy moves. In memory it is 128 bytes, aligned to 64, little-endian:
 *
 * <pre>
 *   0  u64     generic address of the tensor
 *   8  u64[4]  strides of dimensions 1 to 4, in bytes
 *  40  u32[5]  elements in each dimension
 *  60  u32[5]  extent of the box in each dimension, in elements of the tensor
 *  80  u32[5]  element strides: of the box every n-th element is moved
 * 100  u8      dimensions less one
 * 101  u8      element type, by the numbers of {@code tensormap.replace}
 * 102  u8      interleave layout: 0, none
 * 103  u8      swizzle: 0 none, 1 of 32 bytes, 2 of 64, 3 of 128
 * 104  u8      fill: 0 zeros, 1 NaN
 * 105  u8      swizzle atomicity: 0, 16 bytes
 * 106  u8      what a copy moves: 0 the box, 1 pixels (im2col), 2 pixels along W (im2col::w)
 * 108  s16[3]  lower corner of the pixels' box along W, H and D, from the first pixel
 * 114  s16[3]  upper corner, from the last pixel
 * 120  u16     pixels of a column
 * 122  u16     channels of a pixel
 * 124  u32     {@link #MAGIC}, which {@code tensormap.replace} of the rank writes too: a map may be made from 128 bytes of zeros
 * </pre>
 *
 * @param dimensions their number
 * @param pixels the box of the im2col modes; null in a map of tiles, whose {@code box} counts
 */
public record TensorMap(
        long address, int dimensions, long[] strides, int[] extents, int[] box, int[] elementStrides, int type, int swizzle,
        boolean fillsNan, TensorPixels pixels) {
    /** The fields that {@code tensormap.replace} can change. */
    public enum Field {
        GLOBAL_ADDRESS(0, 8), GLOBAL_STRIDE(8, 8), GLOBAL_DIM(40, 4), BOX_DIM(60, 4), ELEMENT_STRIDE(80, 4), RANK(100, 1), ELEMTYPE(101, 1),
        INTERLEAVE_LAYOUT(102, 1), SWIZZLE_MODE(103, 1), FILL_MODE(104, 1), SWIZZLE_ATOMICITY(105, 1);

        private final int offset;
        private final int bytes;

        Field(int offset, int bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }

        /** The field that the word of the instruction names. */
        public static Field of(Spelling spelling) {
            for (Field field : values()) {
                if (spelling.has(Modifier.valueOf(field.name()))) {
                    return field;
                }
            }
            throw new IllegalArgumentException(spelling + " names no field");
        }

        /** Where it lies, for dimension {@code ordinal}, or stride {@code ordinal} from that of dimension 1 on. */
        public int offset(int ordinal) {
            return offset + ordinal * bytes;
        }

        public int bytes() {
            return bytes;
        }
    }

    public static final int BYTES = 128;
    public static final int MAGIC_OFFSET = 124;
    public static final int MAGIC = 0x34787470;
    public static final int DIMENSIONS = 5;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Element types in the order of their numbers; those that would change values on the way are null. */
    private static final ScalarType[] TYPES = {ScalarType.U8, ScalarType.U16, ScalarType.U32, ScalarType.S32, ScalarType.U64,
        ScalarType.S64, ScalarType.F16, ScalarType.F32, null, ScalarType.F64, ScalarType.BF16};

    /** The number of an element type; -1 for one that tensors do not have here. */
    public static int numberOf(ScalarType type) {
        return Arrays.asList(TYPES).indexOf(type);
    }

    /** @throws Fault if no usable tensor map lies there */
    public static TensorMap read(MemorySegment memory, long genericAddress) {
        long at = genericAddress - AddressSpace.ORIGIN;
        if (at < 0 || at > memory.byteSize() - BYTES || genericAddress % 64 != 0 || memory.get(INT, at + MAGIC_OFFSET) != MAGIC) {
            throw wrong("no tensor map is at 0x" + Long.toHexString(genericAddress));
        }
        int dimensions = memory.get(ValueLayout.JAVA_BYTE, at + 100) + 1;
        int type = memory.get(ValueLayout.JAVA_BYTE, at + 101);
        int interleave = memory.get(ValueLayout.JAVA_BYTE, at + 102);
        int swizzle = memory.get(ValueLayout.JAVA_BYTE, at + 103);
        long[] strides = new long[DIMENSIONS];
        int[][] sizes = new int[3][DIMENSIONS];
        for (int d = 0; d < DIMENSIONS; d++) {
            strides[d] = d == 0 ? 0 : memory.get(LONG, at + 8 * d);
            for (int k = 0; k < 3; k++) {
                sizes[k][d] = memory.get(INT, at + 40 + 20 * k + 4 * d);
            }
        }
        boolean usable = dimensions >= 1 && dimensions <= DIMENSIONS && type >= 0 && type < TYPES.length && TYPES[type] != null
                && interleave == 0 && memory.get(ValueLayout.JAVA_BYTE, at + 105) == 0 && swizzle >= 0 && swizzle <= 3;
        TensorPixels pixels = TensorPixels.read(memory, at);
        for (int d = 0; d < dimensions && usable; d++) {
            usable = (pixels != null || sizes[1][d] >= 1 && sizes[1][d] <= 256) && sizes[2][d] >= 1 && sizes[2][d] <= 8;
        }
        if (!usable || pixels != null && !pixels.usable(dimensions, swizzle)) {
            throw wrong("the tensor map at 0x" + Long.toHexString(genericAddress) + " asks for what is not supported");
        }
        return new TensorMap(memory.get(LONG, at), dimensions, strides, sizes[0], sizes[1], sizes[2], type, swizzle,
                memory.get(ValueLayout.JAVA_BYTE, at + 104) != 0, pixels);
    }

    /**
     * The map that lies there, for a copy that is spelled so.
     *
     * @param offsets the instruction's im2col offsets, or its halo and its offset along W
     * @throws Fault if there is none, or it is not for such copies
     */
    public static TensorMap read(MemorySegment memory, long genericAddress, TensorMode mode, int dimensions, int[] offsets) {
        TensorMap map = read(memory, genericAddress);
        String why = mode.mismatch(map, dimensions, offsets);
        if (why != null) {
            throw wrong("the tensor map at 0x" + Long.toHexString(genericAddress) + " is not for this copy: " + why);
        }
        return map;
    }

    /** Writes the 128 bytes. */
    public void write(MemorySegment to) {
        to.asSlice(0, BYTES).fill((byte) 0);
        to.set(LONG, 0, address);
        for (int d = 0; d < DIMENSIONS; d++) {
            if (d > 0) {
                to.set(LONG, 8L * d, strides[d]);
            }
            to.set(INT, 40 + 4L * d, extents[d]);
            to.set(INT, 60 + 4L * d, box[d]);
            to.set(INT, 80 + 4L * d, elementStrides[d]);
        }
        to.set(ValueLayout.JAVA_BYTE, 100, (byte) (dimensions - 1));
        to.set(ValueLayout.JAVA_BYTE, 101, (byte) type);
        to.set(ValueLayout.JAVA_BYTE, 103, (byte) swizzle);
        to.set(ValueLayout.JAVA_BYTE, 104, (byte) (fillsNan ? 1 : 0));
        if (pixels != null) {
            pixels.write(to);
        }
        to.set(INT, MAGIC_OFFSET, MAGIC);
    }

    public ScalarType elementType() {
        return TYPES[type];
    }

    /** Elements of the box that a copy moves along dimension {@code d}. */
    public int moved(int d) {
        return (box[d] + elementStrides[d] - 1) / elementStrides[d];
    }

    /** What stands in shared memory for an element outside the tensor. */
    public long fill() {
        return !fillsNan ? 0 : switch (elementType()) {
            case F16, BF16 -> 0x7FF7;
            case F32 -> 0x7FFF_FFFFL;
            case F64 -> 0x7FFF_FFFF_FFFF_FFFFL;
            default -> 0;
        };
    }

    /** Generic address of the element at {@code index}, -1 for one outside the tensor. */
    public long addressOf(long... index) {
        long at = address;
        for (int d = 0; d < dimensions; d++) {
            if (index[d] < 0 || index[d] >= Integer.toUnsignedLong(extents[d])) {
                return -1;
            }
            at += index[d] * (d == 0 ? elementType().bytes() : strides[d]);
        }
        return at;
    }

    /** Where in shared memory that element lies whose place in the packed box is {@code address}, for a box that is swizzled. */
    public long swizzled(long address) {
        return switch (swizzle) {
            case 0 -> address;
            case 1 -> address ^ address >>> 3 & 0x10;
            case 2 -> address ^ address >>> 3 & 0x30;
            default -> address ^ address >>> 3 & 0x70;
        };
    }

    private static Fault wrong(String message) {
        return Fault.at(Fault.Kind.ILLEGAL_OPERAND, message, 0, -1, -1);
    }
}
