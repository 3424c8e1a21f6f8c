package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** How generated code reaches memory: the layouts of its accesses, and the rarer ones as methods. */
public final class Memory {
    public static final ValueLayout.OfByte I8 = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Memory() {
    }

    /** Vector accesses must be aligned to their whole size (manual: "Alignment"). */
    public static long aligned(MemorySegment segment, long offset, int bytes) {
        if ((segment.address() + offset & bytes - 1) != 0) {
            throw new MisalignedAccess(segment.address() + offset, bytes);
        }
        return offset;
    }

    /** 1 where {@code 0 <= offset < size}, else 0. */
    public static int below(long offset, long size) {
        return offset >= 0 && offset < size ? 1 : 0;
    }

    /** A vector access at an address that is not a multiple of its size. */
    static final class MisalignedAccess extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final long nativeAddress;
        final int bytes;

        MisalignedAccess(long nativeAddress, int bytes) {
            super("misaligned vector access", null, false, true);
            this.nativeAddress = nativeAddress;
            this.bytes = bytes;
        }
    }
}
