package io.ptx4j.engine;

import java.util.List;

/**
 * A multicast object: a stretch of multimem addresses, each of which stands for the same place in several pieces of device memory
 * (manual: "multimem").
 *
 * @param address its first multimem address, a multiple of {@link #ALIGNMENT}
 * @param bytes of each replica
 * @param replicas offset into device memory of the first byte of each, in the order in which values are reduced; multiples of 16
 */
public record Multicast(String name, long address, long bytes, List<Long> replicas) {
    /** Bytes that the first addresses of objects are multiples of. */
    public static final long ALIGNMENT = 0x1_0000L;

    public Multicast {
        replicas = List.copyOf(replicas);
    }

    /** Address behind its last byte. */
    public long end() {
        return address + bytes;
    }

    /** Offset into device memory of the place in replica {@code index} that a multimem address of this object stands for. */
    public long place(int index, long multimem) {
        return replicas.get(index) + (multimem - address);
    }

    /** How many bytes a multimem address lies outside; 0 inside. */
    long distance(long multimem) {
        return multimem < address ? address - multimem : Math.max(0, multimem - end() + 1);
    }
}
