package io.ptx4j.jit.support;

import io.ptx4j.engine.Worker;

/** What all 32 threads of a warp do together at a {@link PointKind#MATRIX} point. */
public interface WarpAction {
    /** {@code int}s that each thread leaves in {@link Frame#operands}. */
    int operands();

    /** {@code int}s that each thread finds in {@link Frame#results}. */
    int results();

    /** @param low the warp's first thread */
    void execute(Point point, Worker worker, Frame frame, int low);
}
