package io.ptx4j.syntax;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time that reading, checking and compiling may take. Passes ask for each statement, block and round of theirs; the
 * thread that was given a limit is told when it is over.
 */
public final class CompileTime {
    private static final ScopedValue<CompileTime> CURRENT = ScopedValue.newInstance();

    /** The time is over. */
    public static final class Exceeded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Exceeded(Duration limit) {
            super("compiling takes longer than " + limit, null, false, false);
        }
    }

    private final Duration limit;
    private final long end;

    private CompileTime(Duration limit) {
        this.limit = limit;
        this.end = System.nanoTime() + limit.toNanos();
    }

    /**
     * What {@code work} gives, if that takes no longer.
     *
     * @param limit null for any time
     * @throws Exceeded when the time is over
     */
    public static <T> T within(Duration limit, Supplier<T> work) {
        return limit == null ? work.get() : ScopedValue.where(CURRENT, new CompileTime(limit)).call(work::get);
    }

    /** @throws Exceeded when the time is over */
    public static void ask() {
        if (CURRENT.isBound()) {
            CURRENT.get().look();
        }
    }

    private void look() {
        if (System.nanoTime() - end > 0) {
            throw new Exceeded(limit);
        }
    }
}
