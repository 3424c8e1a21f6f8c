package io.ptx4j.runtime;

import io.ptx4j.engine.checks.Shadow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an allocator does in checked mode: it notes in the shadow what is allocated, leaves a gap behind each allocation, and gives what was
 * given back out again late, so that a use of it is found. Not thread-safe.
 */
final class Quarantine {
    /** Nothing of the kind. */
    static final Quarantine NONE = new Quarantine(null, false);

    private final Shadow shadow;
    private final boolean keeps;
    private final Deque<Allocation> kept = new ArrayDeque<>();
    private final TreeMap<Long, Allocation> byOffset = new TreeMap<>();
    private long bytes;

    /**
     * @param shadow of the device; null for none
     * @param keeps whether what is given back waits
     */
    Quarantine(Shadow shadow, boolean keeps) {
        this.shadow = shadow;
        this.keeps = keeps;
    }

    /** Bytes behind each allocation that belong to nobody. */
    long gap(long granule) {
        return keeps ? granule : 0;
    }

    void allocated(Allocation allocation) {
        if (shadow != null) {
            shadow.set(allocation.offset(), allocation.bytes(), Shadow.ALLOCATED);
        }
    }

    /** Takes what was given back; false if it can be given out again at once. */
    boolean keeps(Allocation allocation) {
        if (shadow != null) {
            shadow.set(allocation.offset(), allocation.bytes(), Shadow.FREED);
        }
        if (keeps) {
            kept.add(allocation);
            byOffset.put(allocation.offset(), allocation);
            bytes += allocation.bytes();
        }
        return keeps;
    }

    boolean isEmpty() {
        return kept.isEmpty();
    }

    /** Bytes that wait. */
    long bytes() {
        return bytes;
    }

    /** Lets go of what has waited longest. */
    Allocation oldest() {
        Allocation oldest = kept.remove();
        byOffset.remove(oldest.offset());
        bytes -= oldest.bytes();
        return oldest;
    }

    Optional<Allocation> holding(long offset) {
        return Optional.ofNullable(byOffset.floorEntry(offset)).map(Map.Entry::getValue).filter(allocation -> offset < allocation.end());
    }
}
