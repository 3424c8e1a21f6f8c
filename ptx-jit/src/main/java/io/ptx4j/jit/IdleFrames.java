package io.ptx4j.jit;

import io.ptx4j.engine.Worker;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * The frames that an executable gives its workers, and takes back when a launch ends: making one clears tens of kilobytes, more than a
 * small launch takes. Those that no worker uses are softly held, so the JVM may drop them.
 *
 * @param <F> type of the frames
 */
final class IdleFrames<F> {
    private final Class<F> type;
    private final Supplier<F> maker;
    private SoftReference<ArrayDeque<F>> idle = new SoftReference<>(null);

    IdleFrames(Class<F> type, Supplier<F> maker) {
        this.type = type;
        this.maker = maker;
    }

    /** The worker's frame; it gets one if it has none of this type. */
    F of(Worker worker) {
        if (type.isInstance(worker.frame)) {
            return type.cast(worker.frame);
        }
        F idleOne = take();
        F taken = idleOne == null ? maker.get() : idleOne;
        worker.frame = taken;
        return taken;
    }

    /** Takes the worker's frame back, if it is of this type. */
    void release(Worker worker) {
        if (type.isInstance(worker.frame)) {
            F own = type.cast(worker.frame);
            worker.frame = null;
            give(own);
        }
    }

    private synchronized F take() {
        ArrayDeque<F> frames = idle.get();
        return frames == null ? null : frames.poll();
    }

    private synchronized void give(F frame) {
        ArrayDeque<F> frames = idle.get();
        if (frames == null) {
            frames = new ArrayDeque<>();
            idle = new SoftReference<>(frames);
        }
        frames.push(frame);
    }
}
