package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

/** What loops ask now and then. */
public final class Polls {
    /** Backward jumps of a worker between two questions. */
    public static final int INTERVAL = 1 << 12;

    /** Backward jumps that one of a loop counts for that waits for other threads: few are enough to see that it must wait. */
    public static final int POLLING = INTERVAL / 64;

    private Polls() {
    }

    /** Returns the backward jumps until the next question. */
    public static int poll(Worker worker) {
        if (worker.cancelled()) {
            throw Fault.at(Fault.Kind.CANCELLED, "the launch was cancelled", 0, -1, -1);
        }
        return INTERVAL;
    }
}
