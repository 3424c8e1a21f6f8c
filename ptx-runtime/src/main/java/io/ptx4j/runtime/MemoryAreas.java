package io.ptx4j.runtime;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/** A device's memory and what is allocated in it: buffers, below them what is not a buffer, and the heap of kernels. */
final class MemoryAreas implements AutoCloseable {
    private final DeviceMemory memory;
    private final Watching watching;
    private final Allocator windowArea;
    private final Allocator buffers;
    private final DeviceHeap heap;
    /** Memory is unmapped under the lock for writing; releases, which clear memory without a launch, hold the one for reading. */
    private final ReadWriteLock mapped = new ReentrantReadWriteLock();
    private boolean unmapped;

    /**
     * @param windowBytes of the memory, below all buffers
     * @param heapBytes negative for the default
     */
    MemoryAreas(DeviceMemory memory, Watching watching, long windowBytes, long heapBytes) {
        this.memory = memory;
        this.watching = watching;
        this.windowArea = new Allocator(memory, 0, windowBytes, Allocator.ALIGNMENT, watching.noQuarantine());
        this.buffers = new Allocator(memory, windowBytes, memory.segment().byteSize(), Allocator.ALIGNMENT, watching.quarantine());
        this.heap = new DeviceHeap(this, memory, watching, heapBytes >= 0 ? heapBytes : Math.min(DeviceHeap.DEFAULT, buffers.capacity() / 4));
    }

    DeviceHeap heap() {
        return heap;
    }

    /** Address space for buffers in bytes. */
    long capacity() {
        return buffers.capacity();
    }

    /** Bytes of it that are in use. */
    long used() {
        return buffers.used();
    }

    /** @throws OutOfDeviceMemoryException if there is no room */
    Allocation allocate(String name, long bytes) {
        return buffers.allocate(name, bytes, Allocator.ALIGNMENT);
    }

    /**
     * Memory for what is not a buffer: below all buffers where there is room, so that what runs over the end of the last buffer
     * meets nothing.
     */
    Allocation allocateBelowBuffers(String name, long bytes, long alignment) {
        Allocation allocation = windowArea.tryAllocate(name, bytes, alignment).orElseGet(() -> buffers.allocate(name, bytes, alignment));
        watching.written(allocation.offset(), bytes);
        return allocation;
    }

    Allocation rename(Allocation allocation, String name) {
        return buffers.rename(allocation, name);
    }

    /** While a launch is under way, or the memory is mapped for another reason. */
    void release(Allocation allocation) {
        (windowArea.holds(allocation) ? windowArea : buffers).release(allocation);
    }

    /** Does something for which the memory must be mapped; nothing once it no longer is. */
    void ifMapped(Runnable action) {
        mapped.readLock().lock();
        try {
            if (!unmapped) {
                action.run();
            }
        } finally {
            mapped.readLock().unlock();
        }
    }

    /** Device memory up to the end of its highest allocation, so that what runs over that end is out of bounds. */
    MemorySegment inUse() {
        return memory.segment().asSlice(0, buffers.end());
    }

    MemorySegment slice(Allocation allocation) {
        return memory.segment().asSlice(allocation.offset(), allocation.bytes());
    }

    /** The allocation nearest to an offset into device memory; none for an offset beyond it. */
    Optional<KernelException.Nearest> nearest(long offset) {
        if (offset < 0 || offset >= memory.segment().byteSize()) {
            return Optional.empty();
        }
        Optional<Allocation> freed = buffers.freed(offset).or(() -> heap.freed(offset));
        if (freed.isPresent()) {
            return freed.map(found -> new KernelException.Nearest(found.name(), found.address(), found.bytes(), offset - found.offset(), true));
        }
        return Stream.of(windowArea.nearest(offset), buffers.nearest(offset), heap.nearest(offset)).flatMap(Optional::stream)
                .min(Comparator.comparingLong(allocation -> allocation.distance(offset)))
                .map(found -> new KernelException.Nearest(found.name(), found.address(), found.bytes(), offset - found.offset(), false));
    }

    /** Unmaps the memory; no launch may be under way. */
    @Override
    public void close() {
        mapped.writeLock().lock();
        try {
            unmapped = true;
            memory.close();
            watching.close();
        } finally {
            mapped.writeLock().unlock();
        }
    }
}
