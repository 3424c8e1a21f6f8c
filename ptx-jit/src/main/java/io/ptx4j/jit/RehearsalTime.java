package io.ptx4j.jit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What rehearsals may take of the time that launches take, for all kernels of the process together. A kernel has the share of its own launches; where
 * nothing is done aside at the moment it may go on with what is left of that of others, so that the short kernels of an application are not
 * the last to be fast.
 */
final class RehearsalTime {
    /** A kernel takes at most so many times what its own launches take. */
    private static final int MOST = 8;

    private final int share;
    private final LongAdder launches = new LongAdder();
    private final LongAdder rehearsals = new LongAdder();
    private final AtomicInteger aside = new AtomicInteger();

    /** @param share rehearsals take at most one part of so many of the time that launches take */
    RehearsalTime(int share) {
        this.share = share;
    }

    /** Notes nanoseconds of launches of any kernel. */
    void launched(long nanos) {
        launches.add(nanos);
    }

    /** Notes nanoseconds of a rehearsal of any kernel. */
    void rehearsed(long nanos) {
        rehearsals.add(nanos);
    }

    /** Runs what is done aside. */
    Runnable task(Runnable task) {
        aside.incrementAndGet();
        return () -> {
            try {
                task.run();
            } finally {
                aside.decrementAndGet();
            }
        };
    }

    /**
     * Whether a kernel may be rehearsed.
     *
     * @param spent nanoseconds of its rehearsals
     * @param ran nanoseconds of its launches meanwhile
     */
    boolean left(long spent, long ran) {
        return spent * share <= ran || aside.get() == 0 && spent <= MOST * ran && rehearsals.sum() * share <= launches.sum();
    }
}
