package io.ptx4j.jit.support;

import io.ptx4j.engine.Worker;

/** What all 32 threads of a warp do together at a {@link PointKind#MATRIX} point. */
public interface WarpAction {
    /** {@code int}s that each thread brings. */
    int operands();

    /** {@code int}s that each thread finds. */
    int results();

    /**
     * @param low the warp's first thread
     * @param words operands and results of its threads
     */
    void execute(Point point, Worker worker, Frame frame, int low, WarpWords words);
}
