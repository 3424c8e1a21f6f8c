package io.ptx4j.jit;

import io.ptx4j.engine.Worker;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * The frames that an executable gives its workers, and takes back when a launch ends: making one clears tens of kilobytes, more than a
 * small launch takes. Each worker of a device has its own, which lies in its own caches. Those that no worker uses are softly held, so the JVM may drop them.
 *
 * @param <F> type of the frames
 */
final class IdleFrames<F> {
    /** References from frame to frame: one line of memory at least. */
    private static final int STRIDE = 16;
    private static final int LEAST_WORKERS = 4;

    private final Class<F> type;
    private final Supplier<F> maker;
    private volatile SoftReference<AtomicReferenceArray<F>> idle = new SoftReference<>(null);

    IdleFrames(Class<F> type, Supplier<F> maker) {
        this.type = type;
        this.maker = maker;
    }

    /** The worker's frame; it gets one if it has none of this type. */
    F of(Worker worker) {
        if (isOfType(worker.frame)) {
            return type.cast(worker.frame);
        }
        AtomicReferenceArray<F> frames = idle.get();
        int place = place(worker);
        F own = frames == null || place >= frames.length() ? null : frames.getAndSet(place, null);
        F taken = own == null ? maker.get() : own;
        worker.frame = taken;
        return taken;
    }

    /** Takes the worker's frame back, if it is of this type. */
    void release(Worker worker) {
        if (isOfType(worker.frame)) {
            F own = type.cast(worker.frame);
            worker.frame = null;
            int place = place(worker);
            AtomicReferenceArray<F> frames = idle.get();
            (frames == null || place >= frames.length() ? longer(place) : frames).setRelease(place, own);
        }
    }

    /** A frame of a subtype is another executable's. */
    private boolean isOfType(Object frame) {
        return frame != null && frame.getClass() == type;
    }

    /** Two workers may have the same place, those of launches and of rehearsals, or of two devices: one frame is then lost, as the JVM may drop any. */
    private static int place(Worker worker) {
        return (worker.index + 1) * STRIDE;
    }

    private synchronized AtomicReferenceArray<F> longer(int place) {
        AtomicReferenceArray<F> present = idle.get();
        if (present != null && place < present.length()) {
            return present;
        }
        AtomicReferenceArray<F> longer = new AtomicReferenceArray<>(Math.max((LEAST_WORKERS + 1) * STRIDE, 2 * place));
        for (int i = 0; present != null && i < present.length(); i++) {
            longer.set(i, present.getAndSet(i, null));
        }
        idle = new SoftReference<>(longer);
        return longer;
    }
}
