package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;

/** Local memory that is dealt out to the lanes of a group word by word ({@link io.ptx4j.jit.scalar.LocalLayout}). */
public final class LocalWindows {
    private LocalWindows() {
    }

    /**
     * Where an access to whole words of a thread's window begins. The word behind it lies {@code lanes * word} bytes further on.
     *
     * @param address within the window
     * @param window bytes of a thread's window
     * @param bytes of the access, a power of two
     * @throws Memory.BadAccess if the access leaves the window or is not aligned; it names the address that a window in one piece has
     */
    public static long offset(MemorySegment local, long address, int thread, int window, int bytes, boolean store, int lanes, int word) {
        require(local, address, thread, window, bytes, store);
        return (long) (thread & -lanes) * window + address * lanes + (long) (thread & lanes - 1) * word;
    }

    /**
     * @param address within the window
     * @throws Memory.BadAccess as {@link #offset}
     */
    static void require(MemorySegment local, long address, int thread, int window, int bytes, boolean store) {
        boolean inside = address >= 0 && address <= window - bytes;
        if (!inside || (address & bytes - 1) != 0) {
            throw new Memory.BadAccess(local.address() + (long) thread * window + address, bytes, store, inside, null);
        }
    }

    /**
     * Where an access to a thread's window lies that is in one piece. It may be misaligned still.
     *
     * @throws Memory.BadAccess if the access leaves the window
     */
    public static long own(MemorySegment local, long address, int thread, int window, int bytes, boolean store) {
        if (address < 0 || address > window - bytes) {
            throw new Memory.BadAccess(local.address() + (long) thread * window + address, bytes, store, false, null);
        }
        return (long) thread * window + address;
    }
}
