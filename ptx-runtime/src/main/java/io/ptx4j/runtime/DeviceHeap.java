package io.ptx4j.runtime;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.DeviceCall;
import io.ptx4j.engine.Fault;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The heap that {@code malloc} and {@code free} of kernels use (CUDA C++ Programming Guide: "Dynamic Global Memory Allocation and
 * Operations"): one piece of device memory, taken when the first module that needs it is loaded. What a kernel has allocated
 * lives until a kernel frees it or the device is closed.
 */
final class DeviceHeap {
    static final long DEFAULT = 8L << 20;
    private static final long GRANULE = 16;

    private final MemoryAreas areas;
    private final DeviceMemory memory;
    private final Watching watching;
    private final long bytes;
    private final Map<Long, Allocation> live = new ConcurrentHashMap<>();
    private final Set<Long> freed = ConcurrentHashMap.newKeySet();
    private volatile Allocator pieces;

    DeviceHeap(MemoryAreas areas, DeviceMemory memory, Watching watching, long bytes) {
        this.areas = areas;
        this.memory = memory;
        this.watching = watching;
        this.bytes = bytes;
    }

    /** @throws OutOfDeviceMemoryException if the device has no room for the heap */
    synchronized void reserve() {
        if (pieces == null) {
            Allocation area = areas.allocate("heap of kernels", bytes);
            pieces = new Allocator(memory, area.offset(), area.offset() + area.bytes(), GRANULE, watching.quarantine());
            watching.disown(area);
        }
    }

    /** {@code malloc}: null when there is no room. */
    void malloc(DeviceCall call) {
        long size = call.longAt(0);
        Optional<Allocation> piece = size < 0 ? Optional.empty() : pieces.tryAllocate("malloc of " + Amount.bytes(size), size, GRANULE);
        piece.ifPresent(allocation -> {
            live.put(allocation.address(), allocation);
            freed.remove(allocation.address());
        });
        call.result(piece.map(Allocation::address).orElse(0L));
    }

    /** {@code free}; of null it does nothing. */
    void free(DeviceCall call) {
        long address = call.longAt(0);
        if (address == 0) {
            return;
        }
        Allocation allocation = live.remove(address);
        if (allocation == null) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "free of 0x" + Long.toHexString(address) + ": " + (freed.contains(address)
                    ? "it has been freed before" : "malloc has not given this address" + inside(address)), 0, call.block(), call.thread());
        }
        freed.add(address);
        pieces.release(allocation);
    }

    private String inside(long address) {
        return nearest(address - AddressSpace.ORIGIN).filter(piece -> address > piece.address() && address < piece.address() + piece.bytes())
                .map(piece -> "; it lies " + (address - piece.address()) + " bytes inside a " + piece.name()).orElse("");
    }

    /** The piece that was freed and holds an offset within the heap. */
    Optional<Allocation> freed(long offset) {
        return pieces == null ? Optional.empty() : pieces.freed(offset);
    }

    /** The piece nearest to an offset within the heap. */
    Optional<Allocation> nearest(long offset) {
        return pieces == null ? Optional.empty() : pieces.nearest(offset);
    }
}
