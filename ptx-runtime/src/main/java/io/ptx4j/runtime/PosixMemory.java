package io.ptx4j.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** {@code mmap} and {@code madvise} of Linux and macOS. */
final class PosixMemory {
    private static final int READ_WRITE = 0x3;
    private static final int PRIVATE = 0x2;
    private static final int DONT_NEED = 4;
    private static final int HUGE_PAGES = 14;
    private static final long PAGE = 1 << 16;
    /** Bytes at the beginning that have pages of the usual size. */
    private static final long SMALL = 2 << 20;
    private static final boolean LINUX = System.getProperty("os.name").equals("Linux");
    private static final PosixMemory AVAILABLE = bind();

    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle madvise;

    private PosixMemory(MethodHandle mmap, MethodHandle munmap, MethodHandle madvise) {
        this.mmap = mmap;
        this.munmap = munmap;
        this.madvise = madvise;
    }

    /** Null where the process may not call native code or the system is not known. */
    static PosixMemory available() {
        return AVAILABLE;
    }

    @SuppressWarnings("restricted")
    private static PosixMemory bind() {
        boolean known = LINUX || System.getProperty("os.name").startsWith("Mac");
        if (!known || !PosixMemory.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = linker.defaultLookup();
        var pointer = ValueLayout.ADDRESS;
        var size = ValueLayout.JAVA_LONG;
        var number = ValueLayout.JAVA_INT;
        try {
            return new PosixMemory(
                    linker.downcallHandle(symbols.findOrThrow("mmap"),
                            FunctionDescriptor.of(pointer, pointer, size, number, number, number, size)),
                    linker.downcallHandle(symbols.findOrThrow("munmap"), FunctionDescriptor.of(number, pointer, size)),
                    linker.downcallHandle(symbols.findOrThrow("madvise"), FunctionDescriptor.of(number, pointer, size, number)));
        } catch (java.util.NoSuchElementException | UnsupportedOperationException missing) {
            return null;
        }
    }

    /** Maps {@code bytes} of zeroes that are committed page by page when first touched; null when the system refuses. */
    @SuppressWarnings("restricted")
    MemorySegment map(long bytes, Arena arena) {
        int anonymousNoReserve = LINUX ? 0x20 | 0x4000 : 0x1000 | 0x40;
        try {
            MemorySegment start = (MemorySegment) mmap.invokeExact(MemorySegment.NULL, bytes, READ_WRITE,
                    PRIVATE | anonymousNoReserve, -1, 0L);
            if (start.address() == -1) {
                return null;
            }
            if (LINUX && bytes > SMALL) {
                // Only advice: refused where the kernel was built without huge pages. What is small comes first, and clearing a huge page for it takes longer than most launches.
                int _ = (int) madvise.invokeExact(MemorySegment.ofAddress(start.address() + SMALL), bytes - SMALL, HUGE_PAGES);
            }
            return start.reinterpret(bytes, arena, this::unmap);
        } catch (Throwable failure) {
            throw new IllegalStateException("mmap cannot be called", failure);
        }
    }

    private void unmap(MemorySegment mapped) {
        try {
            int _ = (int) munmap.invokeExact(mapped, mapped.byteSize());
        } catch (Throwable failure) {
            throw new IllegalStateException("munmap cannot be called", failure);
        }
    }

    /** Drops the pages of a range, which then reads as zero; false when the system does not do that. */
    boolean discard(MemorySegment mapped, long offset, long bytes) {
        if (!LINUX) {
            return false;
        }
        long first = (offset + PAGE - 1) / PAGE * PAGE;
        long end = (offset + bytes) / PAGE * PAGE;
        try {
            if (first >= end || (int) madvise.invokeExact(mapped.asSlice(first), end - first, DONT_NEED) != 0) {
                return false;
            }
        } catch (Throwable failure) {
            throw new IllegalStateException("madvise cannot be called", failure);
        }
        mapped.asSlice(offset, first - offset).fill((byte) 0);
        mapped.asSlice(end, offset + bytes - end).fill((byte) 0);
        return true;
    }
}
