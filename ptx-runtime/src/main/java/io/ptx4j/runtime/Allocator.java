package io.ptx4j.runtime;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Gives out pieces of a range of device memory, first fit by address. What is free reads as zero, so what is given out does.
 * Thread-safe.
 */
final class Allocator {
    static final long ALIGNMENT = 256;
    /** In checked mode one part of so many of the range waits before it is given out again. */
    private static final int QUARANTINED = 8;

    private final DeviceMemory memory;
    private final long start;
    private final long capacity;
    /** Length by offset; neighbours are merged. */
    private final TreeMap<Long, Long> free = new TreeMap<>();
    private final TreeMap<Long, Allocation> live = new TreeMap<>();
    private final long granule;
    private final Quarantine quarantine;
    private long used;

    Allocator(DeviceMemory memory, long start, long end) {
        this(memory, start, end, ALIGNMENT, Quarantine.NONE);
    }

    /**
     * @param granule bytes that every allocation is a multiple of
     * @param quarantine what happens to what is given back in checked mode
     */
    Allocator(DeviceMemory memory, long start, long end, long granule, Quarantine quarantine) {
        this.granule = granule;
        this.quarantine = quarantine;
        this.memory = memory;
        this.start = start;
        this.capacity = end - start;
        free.put(start, capacity);
    }

    /** @throws OutOfDeviceMemoryException if no free piece is large enough */
    Allocation allocate(String name, long bytes, long alignment) {
        return tryAllocate(name, bytes, alignment).orElseThrow(() -> new OutOfDeviceMemoryException(
                "no room on the device for " + Amount.bytes(bytes) + " (" + name + "); "
                        + Amount.bytes(used()) + " of " + Amount.bytes(capacity) + " are in use", null));
    }

    synchronized Optional<Allocation> tryAllocate(String name, long bytes, long alignment) {
        Optional<Allocation> allocation = find(name, bytes, alignment);
        while (allocation.isEmpty() && !quarantine.isEmpty()) {
            putBack(quarantine.oldest());
            allocation = find(name, bytes, alignment);
        }
        allocation.ifPresent(quarantine::allocated);
        return allocation;
    }

    private Optional<Allocation> find(String name, long bytes, long alignment) {
        if (bytes > capacity) {
            return Optional.empty();
        }
        long size = extent(bytes);
        for (Map.Entry<Long, Long> piece : free.entrySet()) {
            long from = piece.getKey();
            long end = from + piece.getValue();
            long offset = (from + alignment - 1) / alignment * alignment;
            if (end - offset >= size) {
                free.remove(from);
                keep(from, offset);
                keep(offset + size, end);
                var allocation = new Allocation(name, offset, bytes);
                live.put(offset, allocation);
                used += size;
                return Optional.of(allocation);
            }
        }
        return Optional.empty();
    }

    private void keep(long from, long to) {
        if (to > from) {
            free.put(from, to - from);
        }
    }

    private long extent(long bytes) {
        return Math.max(granule, (bytes + granule - 1) / granule * granule) + quarantine.gap(granule);
    }

    void release(Allocation allocation) {
        synchronized (this) {
            if (!live.remove(allocation.offset(), allocation)) {
                throw new IllegalStateException(allocation.name() + " is not allocated");
            }
        }
        memory.clear(allocation.offset(), extent(allocation.bytes()));
        synchronized (this) {
            used -= extent(allocation.bytes());
            if (!quarantine.keeps(allocation)) {
                putBack(allocation);
            }
            while (quarantine.bytes() > capacity / QUARANTINED) {
                putBack(quarantine.oldest());
            }
        }
    }

    private void putBack(Allocation allocation) {
        putBack(allocation.offset(), allocation.offset() + extent(allocation.bytes()));
    }

    private void putBack(long from, long to) {
        Map.Entry<Long, Long> before = free.lowerEntry(from);
        long first = before != null && before.getKey() + before.getValue() == from ? before.getKey() : from;
        Long after = free.remove(to);
        free.put(first, (after == null ? to : to + after) - first);
    }

    /** Gives an allocation another name. */
    synchronized Allocation rename(Allocation allocation, String name) {
        var renamed = new Allocation(name, allocation.offset(), allocation.bytes());
        if (!live.replace(allocation.offset(), allocation, renamed)) {
            throw new IllegalStateException(allocation.name() + " is not allocated");
        }
        return renamed;
    }

    /** Whether the allocation lies in this allocator's range. */
    boolean holds(Allocation allocation) {
        return allocation.offset() >= start && allocation.offset() < start + capacity;
    }

    synchronized long used() {
        return used;
    }

    long capacity() {
        return capacity;
    }

    /** Offset behind the last byte of the highest allocation. */
    synchronized long end() {
        return live.isEmpty() ? start : live.lastEntry().getValue().end();
    }

    /** The allocation given back, and not given out again, that holds {@code offset}. */
    synchronized Optional<Allocation> freed(long offset) {
        return quarantine.holding(offset);
    }

    /** The allocation that holds {@code offset} or ends or starts nearest to it. */
    synchronized Optional<Allocation> nearest(long offset) {
        return Stream.of(live.floorEntry(offset), live.higherEntry(offset))
                .filter(entry -> entry != null)
                .map(Map.Entry::getValue)
                .min(Comparator.comparingLong(allocation -> allocation.distance(offset)));
    }
}
