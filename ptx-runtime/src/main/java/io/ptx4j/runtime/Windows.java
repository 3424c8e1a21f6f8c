package io.ptx4j.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The shared and local memory of workers, lent for the time a worker runs blocks of one grid and then given to the next. They
 * only grow. Without locks: workers of a short launch come and go at the same time.
 */
final class Windows {
    /** What the alignment of any variable divides. */
    private static final long ALIGNMENT = 1024;

    /** The windows of one worker. */
    static final class Pair {
        /** The number of the worker on its device. */
        final int index;
        private Allocation shared;
        private Allocation local;

        private Pair(int index) {
            this.index = index;
        }

        Allocation shared() {
            return shared;
        }

        Allocation local() {
            return local;
        }
    }

    private record Idle(Pair pair, Idle below) {
    }

    private final Device device;
    private final AtomicReference<Idle> idle = new AtomicReference<>();
    private final AtomicInteger count = new AtomicInteger();

    Windows(Device device) {
        this.device = device;
    }

    /** @throws OutOfDeviceMemoryException if they do not fit */
    Pair take(long sharedBytes, long localBytes) {
        Idle top = idle.getAndUpdate(old -> old == null ? null : old.below);
        Pair pair = top == null ? new Pair(count.getAndIncrement()) : top.pair;
        try {
            pair.shared = grown(pair.shared, sharedBytes, "shared memory of worker " + pair.index);
            pair.local = grown(pair.local, localBytes, "local memory of worker " + pair.index);
        } catch (OutOfDeviceMemoryException full) {
            give(pair);
            throw full;
        }
        return pair;
    }

    void give(Pair pair) {
        idle.updateAndGet(old -> new Idle(pair, old));
    }

    private Allocation grown(Allocation window, long bytes, String name) {
        if (window != null && window.bytes() >= bytes) {
            return window;
        }
        Allocation larger = device.allocateBelowBuffers(name, bytes, ALIGNMENT);
        device.disown(larger);
        if (window != null) {
            device.releaseNow(window);
        }
        return larger;
    }
}
