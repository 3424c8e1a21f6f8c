package io.ptx4j.runtime;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The shared and local memory of workers, lent for the time a worker runs blocks of one grid and then given to the next. They
 * only grow. A thread gets what it had last time unless another one has it, since that lies in its own caches. Without locks: workers of a short launch come and
 * go at the same time.
 */
final class Windows {
    /** What the alignment of any variable divides. */
    private static final long ALIGNMENT = 1024;
    /** References from place to place: two lines of memory at most. */
    private static final int STRIDE = 16;
    private static final int LEAST_PLACES = 16;
    private static final int MOST_PLACES = 256;

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

    private final Device device;
    private final AtomicReferenceArray<Pair> idle;
    private final int mask;
    /** Those that found no place. */
    private final ConcurrentLinkedQueue<Pair> more = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    Windows(Device device, int workers) {
        this.device = device;
        int places = Math.clamp(2 * Integer.highestOneBit(workers), LEAST_PLACES, MOST_PLACES);
        this.mask = places - 1;
        this.idle = new AtomicReferenceArray<>((places + 1) * STRIDE);
    }

    private static int place(int number) {
        return (number + 1) * STRIDE;
    }

    private int own() {
        return (int) Thread.currentThread().threadId() & mask;
    }

    private Pair idleOne() {
        int own = own();
        Pair pair = idle.getAndSet(place(own), null);
        for (int i = 1; pair == null && i <= mask; i++) {
            int other = place(own + i & mask);
            pair = idle.get(other) == null ? null : idle.getAndSet(other, null);
        }
        return pair == null ? more.poll() : pair;
    }

    /** @throws OutOfDeviceMemoryException if they do not fit */
    Pair take(long sharedBytes, long localBytes) {
        Pair had = idleOne();
        Pair pair = had == null ? new Pair(count.getAndIncrement()) : had;
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
        int own = own();
        for (int i = 0; i <= mask; i++) {
            int place = place(own + i & mask);
            if (idle.get(place) == null && idle.compareAndSet(place, null, pair)) {
                return;
            }
        }
        more.add(pair);
    }

    private Allocation grown(Allocation window, long bytes, String name) {
        if (window != null && window.bytes() >= bytes) {
            return window;
        }
        Allocation larger = device.areas().allocateBelowBuffers(name, bytes, ALIGNMENT);
        device.disown(larger);
        if (window != null) {
            device.releaseNow(window);
        }
        return larger;
    }
}
