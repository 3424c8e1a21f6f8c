package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * How generated code reaches memory whose place and size it keeps in locals: with one comparison for the bounds and one for the alignment,
 * where {@link MemorySegment#get} loads both from the segment again and asks whether it is still alive. Whoever runs generated code
 * keeps its memory mapped until that has ended. Where the process may not call restricted methods, accesses go through the segment.
 *
 * <p>The methods have more than 35 bytecodes for the reason that {@link Memory} gives.
 */
public final class DirectMemory {
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    static final ValueLayout.OfByte I8 = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ORDER);
    public static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ORDER);
    public static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ORDER);
    public static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ORDER);
    public static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ORDER);
    /** All memory of the process; null where it may not be had. */
    public static final MemorySegment ALL = all();
    /** More than all addresses of a process: tells the compiler that a place within a window is one. */
    public static final long ADDRESSES = (1L << 56) - 1;
    /** What the start of a window is a multiple of, so that offsets alone say whether an access is aligned. */
    public static final long WINDOW_ALIGNMENT = 16;
    private static final int SHIFT = 4;
    /** Not final, so that the compiler does not know it. */
    private static long toOffset = -AddressSpace.ORIGIN >> SHIFT;

    private DirectMemory() {
    }

    @SuppressWarnings("restricted")
    private static MemorySegment all() {
        return DirectMemory.class.getModule().isNativeAccessEnabled() ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE) : null;
    }

    /** Whether accesses go past the segment, as the JVM lets them where it was started with {@code --enable-native-access}. */
    static boolean isDirect() {
        return ALL != null;
    }

    /**
     * Where the window begins in the process's memory.
     *
     * @throws IllegalStateException if it is no window of device memory
     */
    public static long base(MemorySegment window) {
        if (!window.isNative() || (window.address() & WINDOW_ALIGNMENT - 1) != 0) {
            throw new IllegalStateException("not a window of device memory: " + window);
        }
        return window.address();
    }

    /**
     * What is added to an address of device memory to get its offset. To the compiler it is a number that it does not know, but for its low bits: a
     * constant it adds last of all, in every turn of a loop, but this one where the loop begins, with all else that is the same in every turn.
     */
    public static long toOffset() {
        return toOffset << SHIFT;
    }

    /** What is added to an offset in a window, and cut by {@link #ADDRESSES}, to access {@link #whole} there. */
    public static long origin(MemorySegment window) {
        long base = base(window);
        return ALL == null ? 0 : base;
    }

    /** The segment to access with vectors at {@link #place} what is known to lie in the window. */
    public static MemorySegment whole(MemorySegment window) {
        return ALL == null ? window : ALL;
    }

    /** The place in {@link #whole} of an offset that is known to lie in the segment. */
    public static long place(MemorySegment window, long offset) {
        return ALL == null ? offset : window.address() + offset & ADDRESSES;
    }

    /** The offset, once it is known to be aligned and within the window. */
    private static long checked(long offset, long limit, int bytes) {
        if ((offset & bytes - 1) != 0) {
            throw new IndexOutOfBoundsException();
        }
        return Objects.checkIndex(offset, Math.max(limit - (bytes - 1), 0) & ADDRESSES);
    }

    private static Memory.BadAccess refused(long base, long limit, long offset, int bytes, boolean store) {
        return new Memory.BadAccess(base + offset, bytes, store, offset >= 0 && offset <= limit - bytes, null);
    }

    public static int loadI8(MemorySegment window, long base, long limit, long offset) {
        if (ALL == null) {
            return Memory.loadI8(window, offset);
        }
        try {
            return ALL.get(I8, (base & ADDRESSES) + Objects.checkIndex(offset, limit & ADDRESSES));
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 1, false);
        }
    }

    public static void storeI8(MemorySegment window, long base, long limit, long offset, int value) {
        if (ALL == null) {
            Memory.storeI8(window, offset, value);
            return;
        }
        try {
            ALL.set(I8, (base & ADDRESSES) + Objects.checkIndex(offset, limit & ADDRESSES), (byte) value);
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 1, true);
        }
    }

    public static int loadI16(MemorySegment window, long base, long limit, long offset) {
        if (ALL == null) {
            return Memory.loadI16(window, offset);
        }
        try {
            return ALL.get(I16, (base & ADDRESSES) + checked(offset, limit, 2));
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 2, false);
        }
    }

    public static void storeI16(MemorySegment window, long base, long limit, long offset, int value) {
        if (ALL == null) {
            Memory.storeI16(window, offset, value);
            return;
        }
        try {
            ALL.set(I16, (base & ADDRESSES) + checked(offset, limit, 2), (short) value);
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 2, true);
        }
    }

    public static int loadI32(MemorySegment window, long base, long limit, long offset) {
        if (ALL == null) {
            return Memory.loadI32(window, offset);
        }
        try {
            return ALL.get(I32, (base & ADDRESSES) + checked(offset, limit, 4));
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 4, false);
        }
    }

    public static void storeI32(MemorySegment window, long base, long limit, long offset, int value) {
        if (ALL == null) {
            Memory.storeI32(window, offset, value);
            return;
        }
        try {
            ALL.set(I32, (base & ADDRESSES) + checked(offset, limit, 4), value);
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 4, true);
        }
    }

    public static long loadI64(MemorySegment window, long base, long limit, long offset) {
        if (ALL == null) {
            return Memory.loadI64(window, offset);
        }
        try {
            return ALL.get(I64, (base & ADDRESSES) + checked(offset, limit, 8));
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 8, false);
        }
    }

    public static void storeI64(MemorySegment window, long base, long limit, long offset, long value) {
        if (ALL == null) {
            Memory.storeI64(window, offset, value);
            return;
        }
        try {
            ALL.set(I64, (base & ADDRESSES) + checked(offset, limit, 8), value);
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 8, true);
        }
    }

    public static float loadF32(MemorySegment window, long base, long limit, long offset) {
        if (ALL == null) {
            return Memory.loadF32(window, offset);
        }
        try {
            return ALL.get(F32, (base & ADDRESSES) + checked(offset, limit, 4));
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 4, false);
        }
    }

    public static void storeF32(MemorySegment window, long base, long limit, long offset, float value) {
        if (ALL == null) {
            Memory.storeF32(window, offset, value);
            return;
        }
        try {
            ALL.set(F32, (base & ADDRESSES) + checked(offset, limit, 4), value);
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 4, true);
        }
    }

    public static double loadF64(MemorySegment window, long base, long limit, long offset) {
        if (ALL == null) {
            return Memory.loadF64(window, offset);
        }
        try {
            return ALL.get(F64, (base & ADDRESSES) + checked(offset, limit, 8));
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 8, false);
        }
    }

    public static void storeF64(MemorySegment window, long base, long limit, long offset, double value) {
        if (ALL == null) {
            Memory.storeF64(window, offset, value);
            return;
        }
        try {
            ALL.set(F64, (base & ADDRESSES) + checked(offset, limit, 8), value);
        } catch (IndexOutOfBoundsException outside) {
            throw refused(base, limit, offset, 8, true);
        }
    }

    /**
     * Adds to 32-bit words one after the other, each of which is known to be aligned and within the window.
     *
     * @param places bytes from {@code offset} to the words, not negative
     * @param values what is added
     */
    static void addEach(MemorySegment window, long base, long offset, int[] places, int[] values, int count) {
        if (ALL == null) {
            for (int i = 0; i < count; i++) {
                long place = offset + places[i];
                Memory.storeI32(window, place, Memory.loadI32(window, place) + values[i]);
            }
            return;
        }
        long start = base + offset & ADDRESSES;
        for (int i = 0; i < count; i++) {
            long address = start + (places[i] & 0xFFFF_FFFFL);
            ALL.set(I32, address, ALL.get(I32, address) + values[i]);
        }
    }

    /** As {@link #addEach} with one value for all words. */
    static void addSame(MemorySegment window, long base, long offset, int[] places, int value, int count) {
        if (ALL == null) {
            for (int i = 0; i < count; i++) {
                long place = offset + places[i];
                Memory.storeI32(window, place, Memory.loadI32(window, place) + value);
            }
            return;
        }
        long start = base + offset & ADDRESSES;
        for (int i = 0; i < count; i++) {
            long address = start + (places[i] & 0xFFFF_FFFFL);
            ALL.set(I32, address, ALL.get(I32, address) + value);
        }
    }

    /**
     * As {@link #addSame} for the words that so many bytes choose, a multiple of eight, from {@code place} in {@code bytes} on. Written out, so that it is
     * too long for HotSpot to inline, which in a loop kept {@code start} in seven registers, most of them those of vectors; and by halves, since of eight
     * sums in a row it makes slower code.
     */
    static void addByBytes(MemorySegment bytes, long place, int count, MemorySegment window, long base, long offset, int value) {
        if (ALL == null) {
            for (int i = 0; i < count; i++) {
                long word = offset + (Memory.loadI8(bytes, place + i) & 0xFFL) * Integer.BYTES;
                Memory.storeI32(window, word, Memory.loadI32(window, word) + value);
            }
            return;
        }
        long start = base + offset & ADDRESSES;
        long from = place & ADDRESSES;
        for (int at = 0; at < count; at += Long.BYTES) {
            long eight = ALL.get(I64, from + at);
            int four = (int) eight;
            for (int half = 0; half < 2; half++) {
                ALL.set(I32, start + (long) (four & 0xFF) * Integer.BYTES, ALL.get(I32, start + (long) (four & 0xFF) * Integer.BYTES) + value);
                ALL.set(I32, start + (long) (four >>> 8 & 0xFF) * Integer.BYTES, ALL.get(I32, start + (long) (four >>> 8 & 0xFF) * Integer.BYTES) + value);
                ALL.set(I32, start + (long) (four >>> 16 & 0xFF) * Integer.BYTES, ALL.get(I32, start + (long) (four >>> 16 & 0xFF) * Integer.BYTES) + value);
                ALL.set(I32, start + (long) (four >>> 24) * Integer.BYTES, ALL.get(I32, start + (long) (four >>> 24) * Integer.BYTES) + value);
                four = (int) (eight >>> Integer.SIZE);
            }
        }
    }

    /**
     * Loads 32-bit words at a distance of so many bytes, all of which are known to be there and aligned.
     *
     * @param place of the first word in {@link #ALL}
     * @param values take the words from element {@code from} on
     */
    static void loadEach(long place, long distance, int[] values, int from, int end) {
        for (int i = from; i < end; i++) {
            values[i] = ALL.get(I32, place + (i - from) * distance & ADDRESSES);
        }
    }

    /**
     * As {@link #loadEach} for a store of some of the values.
     *
     * @param place of the word that the first value would go to
     * @param some the elements that are stored, as bits
     */
    static void storeEach(long place, long distance, int[] values, long some) {
        if ((some & some + 1) == 0) {
            int count = Long.bitCount(some);
            for (int i = 0; i < count; i++) {
                ALL.set(I32, place + i * distance & ADDRESSES, values[i]);
            }
            return;
        }
        for (long rest = some; rest != 0; rest &= rest - 1) {
            int i = Long.numberOfTrailingZeros(rest);
            ALL.set(I32, place + i * distance & ADDRESSES, values[i]);
        }
    }

    /**
     * Stores bytes, all of which are known to lie within the window.
     *
     * @param stride bytes from one to the next
     * @param values their low bits are stored, from element {@code from} on
     */
    public static void spreadBytes(MemorySegment window, long offset, int stride, int[] values, int from, int count) {
        if (ALL == null) {
            for (int i = 0; i < count; i++) {
                Memory.storeI8(window, offset + (long) i * stride, values[from + i]);
            }
            return;
        }
        long start = window.address() + offset;
        for (int i = 0; i < count; i++) {
            ALL.set(I8, start + (long) i * stride & ADDRESSES, (byte) values[from + i]);
        }
    }
}
