package io.ptx4j.benchmarks.peers;

import io.ptx4j.benchmarks.workloads.Workload;
import java.util.Optional;

/** One way to compute a workload. */
interface Contender extends AutoCloseable {
    /** Computes it once. */
    void run();

    /** What the workload's result holds now. */
    Object result();

    /** What else should be said of the last run, such as the code shape. */
    default String remark() {
        return "";
    }

    @Override
    default void close() {
    }

    /** Who can compute workloads, or why not here. */
    interface Team extends AutoCloseable {
        String name();

        /** Why nobody of this team can run on this machine; empty if they can. */
        Optional<String> absent();

        /** The contender for a workload; empty if nobody has written it. */
        Optional<Contender> enter(Workload workload);

        @Override
        default void close() {
        }
    }
}
