package io.ptx4j.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Workers that have run blocks and stay awake for a moment, since the next launch often comes at once and waking one takes longer than a
 * short launch. They take part in what is offered to them until nothing has been for {@link #NANOS_AWAKE}. None stays awake on a device
 * whose launches come further apart than that, nor while somebody else wants its processor, nor when the device is closed.
 */
final class AwakeWorkers {
    /** Nanoseconds for which a worker stays awake with nothing to do. */
    static final long NANOS_AWAKE = 50_000;
    /** A worker that was away from its processor for so long while it did nothing has taken it from somebody. */
    private static final long TAKEN_AWAY = 200_000;
    /** For so long nobody stays awake after that. */
    private static final long BREATH = 1_000_000;
    /** The same where sharing launches has lost more than it gained: twice as long each time that it happens again soon. */
    private static final long SHORTEST_REST = 4_000_000;
    /** At most so many nanoseconds gained are set against those lost. */
    private static final long MOST_GAIN = 8_000_000;
    /** So many may be lost: a worker that has just come takes longer for its first blocks than for those that follow. */
    private static final long MOST_LOSS = 20_000;
    private static final long LONGEST_REST = 100_000_000;
    private static final long SOON = 10_000_000;
    /** Nanoseconds of work that a worker comes for. */
    private static final long LEAST_WORK = 1_500;
    /** After so many launches in a row that came at once a worker is woken for those to come, though it comes too late for this one. */
    private static final int LAUNCHES_THAT_WAKE = 4;
    /** At most so many launches that came at once are remembered; each one that did not halves them. */
    private static final int MOST_REMEMBERED = 8;
    /** After so many workers in a row that were woken and found no launch to take part in, a new thread is started instead. */
    private static final int WAKINGS_IN_VAIN = 2;
    /** Each of them doubles the time until the next one, so many at most. */
    private static final int MOST_DOUBLINGS = 7;
    private static final int TURNS_BETWEEN_LOOKS = 16;

    private static final VarHandle OFFERED;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    /** Over all devices: one processor is left to whoever launches. */
    private static final AtomicInteger AWAKE_ANYWHERE = new AtomicInteger();

    static {
        try {
            OFFERED = MethodHandles.lookup().findVarHandle(AwakeWorkers.class, "offered", Blocks.class);
        } catch (ReflectiveOperationException absent) {
            throw new ExceptionInInitializerError(absent);
        }
    }

    private final ForkJoinPool pool;
    private final int most;
    private final AtomicInteger awake = new AtomicInteger();
    /** What to take part in; through {@link #OFFERED}. */
    @SuppressWarnings("unused")
    private Blocks offered;
    /** Changes when the pool has got a task that somebody awake might do. */
    private volatile int tasks;
    private volatile boolean closed;
    private volatile long restUntil = System.nanoTime();
    private volatile long lastWaking = restUntil - 2 * NANOS_AWAKE;
    private volatile long rest = SHORTEST_REST;
    /** Nanoseconds by which shared launches ended earlier since the last rest than one worker would have ended them. */
    private volatile long gained;
    /** Workers in a row that stayed awake and took part in nothing. */
    private volatile int inVain;
    private volatile long lastEnd = restUntil - NANOS_AWAKE;
    /** Launches in a row that came at once, and how many are remembered; where threads launch at the same time some may not be counted. */
    private volatile int row;
    private volatile int remembered;

    /** @param workers of the device, all of which the pool has */
    AwakeWorkers(ForkJoinPool pool, int workers) {
        this.pool = pool;
        this.most = Math.min(workers, PROCESSORS) - 1;
    }

    /** How many may take part in a launch whose blocks take so many nanoseconds of one worker. */
    int of(double nanos) {
        return nanos < 2 * LEAST_WORK ? 0 : (int) Math.min(awake.get(), nanos / LEAST_WORK - 1);
    }

    /** Notes that a launch begins. */
    void begins(long now) {
        if (most > 0) {
            boolean atOnce = now - lastEnd < NANOS_AWAKE;
            row = atOnce ? row + 1 : 0;
            remembered = atOnce ? Math.min(remembered + 1, MOST_REMEMBERED) : remembered / 2;
        }
    }

    /** Notes that a launch has ended, to which nobody can come any more. */
    void ended(long now) {
        lastEnd = now;
        OFFERED.setRelease(this, null);
    }

    /** Asks those who are awake to take part. */
    void offer(Blocks blocks) {
        OFFERED.setRelease(this, blocks);
    }

    /** Whether to wake a worker for the launches after one of so many nanoseconds; not again while one is waking up. */
    boolean worthWaking(double nanos) {
        if (row < LAUNCHES_THAT_WAKE || nanos < 2 * LEAST_WORK || awake.get() > 0) {
            return false;
        }
        long now = System.nanoTime();
        if (now - restUntil < 0 || now - lastWaking < 2 * NANOS_AWAKE << Math.min(inVain, MOST_DOUBLINGS)) {
            return false;
        }
        lastWaking = now;
        return true;
    }

    /**
     * Whether workers that are woken come to nothing: a system that finds no idle processor at once, as Linux does where most are in use, wakes a
     * worker on the processor of the thread that calls it, which then waits until the worker sleeps again. A new thread begins on an idle one.
     */
    boolean inTheWay() {
        return inVain >= WAKINGS_IN_VAIN;
    }

    /**
     * Notes that workers that were awake took part in a short launch, which ended so many nanoseconds earlier than one worker would have ended it;
     * later, if less than 0: workers may be in each other's way in memory, or somebody else has the processor of one and gives it back after
     * milliseconds, which short launches do not gain soon.
     */
    void shared(long gain) {
        gained = Math.min(gained + gain, MOST_GAIN);
        if (gained >= -MOST_LOSS) {
            return;
        }
        gained = 0;
        long now = System.nanoTime();
        rest = now - restUntil < SOON ? Math.min(2 * rest, LONGEST_REST) : Math.max(rest / 2, SHORTEST_REST);
        restUntil = now + rest;
    }

    /** Whether nobody stays awake for the time being. */
    boolean rests() {
        return System.nanoTime() - restUntil < 0;
    }

    /** Notes that the pool has a new task: who is awake looks for it at once. */
    void look() {
        if (awake.get() > 0) {
            tasks++;
        }
    }

    void close() {
        closed = true;
        tasks++;
    }

    /** Keeps the calling thread, a worker with nothing to do, awake for a while. */
    void stay() {
        if (remembered == 0 || closed || rests()) {
            return;
        }
        if (!entered(AWAKE_ANYWHERE, PROCESSORS - 1)) {
            return;
        }
        try {
            if (entered(awake, most)) {
                try {
                    takePart();
                } finally {
                    awake.decrementAndGet();
                }
            }
        } finally {
            AWAKE_ANYWHERE.decrementAndGet();
        }
    }

    private static boolean entered(AtomicInteger inside, int most) {
        int others = inside.get();
        while (others < most) {
            if (inside.compareAndSet(others, others + 1)) {
                return true;
            }
            others = inside.get();
        }
        return false;
    }

    private void takePart() {
        int seen = tasks;
        if (closed || poolHasTasks()) {
            return;
        }
        Blocks last = null;
        boolean helped = false;
        long looked = System.nanoTime();
        long end = looked + NANOS_AWAKE;
        for (int turn = 1;; turn++) {
            Blocks now = (Blocks) OFFERED.getAcquire(this);
            if (now != last) {
                last = now;
                if (now != null && now.help()) {
                    looked = System.nanoTime();
                    end = looked + NANOS_AWAKE;
                    helped = true;
                }
            }
            if (tasks != seen) {
                seen = tasks;
                if (closed || poolHasTasks()) {
                    return;
                }
            }
            Thread.onSpinWait();
            if (turn % TURNS_BETWEEN_LOOKS == 0) {
                long before = looked;
                looked = System.nanoTime();
                if (looked - before > TAKEN_AWAY) {
                    restUntil = looked + BREATH;
                }
                if (looked - end > 0 || looked - restUntil < 0) {
                    inVain = helped ? 0 : inVain + 1;
                    return;
                }
            }
        }
    }

    private boolean poolHasTasks() {
        return pool.hasQueuedSubmissions() || pool.getQueuedTaskCount() > 0;
    }
}
