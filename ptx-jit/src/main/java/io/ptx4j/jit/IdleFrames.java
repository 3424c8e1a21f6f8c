package io.ptx4j.jit;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;

/**
 * Frames of an executable that no worker uses: making one clears tens of kilobytes, more than a small launch takes. Softly held, so the
 * JVM may drop them.
 *
 * @param <F> type of the frames
 */
final class IdleFrames<F> {
    private SoftReference<ArrayDeque<F>> idle = new SoftReference<>(null);

    /** The frame given back last, or null. */
    synchronized F take() {
        ArrayDeque<F> frames = idle.get();
        return frames == null ? null : frames.poll();
    }

    synchronized void give(F frame) {
        ArrayDeque<F> frames = idle.get();
        if (frames == null) {
            frames = new ArrayDeque<>();
            idle = new SoftReference<>(frames);
        }
        frames.push(frame);
    }
}
