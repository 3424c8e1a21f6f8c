package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * How generated code reaches memory.
 *
 * <p>Each access is a method of more than 35 bytecodes on purpose. HotSpot's first compiler inlines smaller ones with all that
 * lies below {@link MemorySegment#get}, runs out of registers after some thirty of them and leaves the method to the interpreter
 * for good; its second compiler inlines these where they are hot.
 */
public final class Memory {
    public static final ValueLayout.OfByte I8 = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Memory() {
    }

    public static int loadI8(MemorySegment segment, long offset) {
        try {
            return segment.get(I8, offset);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 1, false, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 1, false, true, e);
        }
    }

    public static void storeI8(MemorySegment segment, long offset, int value) {
        try {
            segment.set(I8, offset, (byte) value);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 1, true, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 1, true, true, e);
        }
    }

    public static int loadI16(MemorySegment segment, long offset) {
        try {
            return segment.get(I16, offset);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 2, false, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 2, false, true, e);
        }
    }

    public static void storeI16(MemorySegment segment, long offset, int value) {
        try {
            segment.set(I16, offset, (short) value);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 2, true, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 2, true, true, e);
        }
    }

    public static int loadI32(MemorySegment segment, long offset) {
        try {
            return segment.get(I32, offset);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 4, false, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 4, false, true, e);
        }
    }

    public static void storeI32(MemorySegment segment, long offset, int value) {
        try {
            segment.set(I32, offset, value);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 4, true, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 4, true, true, e);
        }
    }

    public static long loadI64(MemorySegment segment, long offset) {
        try {
            return segment.get(I64, offset);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 8, false, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 8, false, true, e);
        }
    }

    public static void storeI64(MemorySegment segment, long offset, long value) {
        try {
            segment.set(I64, offset, value);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 8, true, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 8, true, true, e);
        }
    }

    public static float loadF32(MemorySegment segment, long offset) {
        try {
            return segment.get(F32, offset);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 4, false, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 4, false, true, e);
        }
    }

    public static void storeF32(MemorySegment segment, long offset, float value) {
        try {
            segment.set(F32, offset, value);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 4, true, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 4, true, true, e);
        }
    }

    public static double loadF64(MemorySegment segment, long offset) {
        try {
            return segment.get(F64, offset);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 8, false, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 8, false, true, e);
        }
    }

    public static void storeF64(MemorySegment segment, long offset, double value) {
        try {
            segment.set(F64, offset, value);
        } catch (IndexOutOfBoundsException e) {
            throw new BadAccess(segment.address() + offset, 8, true, false, e);
        } catch (IllegalArgumentException e) {
            throw new BadAccess(segment.address() + offset, 8, true, true, e);
        }
    }

    /** Vector accesses must be aligned to their whole size (manual: "Alignment"); {@code bytes} is a power of two. */
    public static long aligned(MemorySegment segment, long offset, int bytes) {
        if ((segment.address() + offset & bytes - 1) != 0) {
            throw new BadAccess(segment.address() + offset, bytes, false, true, null);
        }
        return offset;
    }

    /** {@code offset}, once it is known that all {@code bytes} lie in the segment. */
    public static long within(MemorySegment segment, long offset, int bytes, boolean store) {
        if (offset < 0 || offset > segment.byteSize() - bytes) {
            throw new BadAccess(segment.address() + offset, bytes, store, false, null);
        }
        return offset;
    }

    /** 1 where {@code 0 <= offset < size}, else 0. */
    public static int below(long offset, long size) {
        return offset >= 0 && offset < size ? 1 : 0;
    }

    /** An access outside its window or at an address that is not a multiple of its size. */
    static final class BadAccess extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final long nativeAddress;
        final int bytes;
        final boolean store;
        final boolean misaligned;

        BadAccess(long nativeAddress, int bytes, boolean store, boolean misaligned, RuntimeException cause) {
            super(misaligned ? "misaligned access" : "access out of bounds", cause);
            this.nativeAddress = nativeAddress;
            this.bytes = bytes;
            this.store = store;
            this.misaligned = misaligned;
        }
    }
}
