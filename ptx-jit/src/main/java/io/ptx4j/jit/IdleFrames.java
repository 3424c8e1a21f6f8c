package io.ptx4j.jit;

import io.ptx4j.engine.Worker;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The frames that an executable gives its workers, and takes back when a launch ends: making one clears tens of kilobytes, more than a
 * small launch takes. Those that no worker uses are softly held, so the JVM may drop them. Without locks: workers of a short launch come
 * and go at the same time.
 *
 * @param <F> type of the frames
 */
final class IdleFrames<F> {
    private final Class<F> type;
    private final Supplier<F> maker;
    private volatile SoftReference<AtomicReference<Idle<F>>> idle = new SoftReference<>(null);

    private record Idle<F>(F frame, Idle<F> below) {
    }

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

    private F take() {
        AtomicReference<Idle<F>> frames = idle.get();
        Idle<F> top = frames == null ? null : frames.getAndUpdate(old -> old == null ? null : old.below);
        return top == null ? null : top.frame;
    }

    private void give(F frame) {
        AtomicReference<Idle<F>> frames = idle.get();
        if (frames == null) {
            // Others may do so too: their frames are lost, as the JVM may drop any.
            frames = new AtomicReference<>();
            idle = new SoftReference<>(frames);
        }
        frames.updateAndGet(old -> new Idle<>(frame, old));
    }
}
