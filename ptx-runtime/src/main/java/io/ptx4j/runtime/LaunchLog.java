package io.ptx4j.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The launches of a device that have been asked for and have not ended. */
final class LaunchLog {
    /** Runs once the launches up to number {@code last} have ended. */
    private record Later(long last, Runnable action) {
    }

    private final TreeMap<Long, GridRun> underWay = new TreeMap<>();
    private final Deque<Later> later = new ArrayDeque<>();
    private long last;
    private boolean shut;

    /** Takes a launch in; its number, or -1 when no more are taken. */
    synchronized long begin(GridRun run) {
        if (shut) {
            return -1;
        }
        underWay.put(++last, run);
        return last;
    }

    void end(long number) {
        List<Runnable> due = new ArrayList<>();
        synchronized (this) {
            underWay.remove(number);
            while (!later.isEmpty() && (underWay.isEmpty() || later.peek().last() < underWay.firstKey())) {
                due.add(later.remove().action());
            }
            if (shut) {
                notifyAll();
            }
        }
        RuntimeException failed = null;
        for (Runnable action : due) {
            try {
                action.run();
            } catch (RuntimeException failure) {
                // The others' memory must not be lost with this one's.
                failed = failure;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /** Runs {@code action} as soon as every launch now under way has ended: at once if there is none. */
    void afterLaunches(Runnable action) {
        synchronized (this) {
            if (!underWay.isEmpty()) {
                later.add(new Later(last, action));
                return;
            }
        }
        action.run();
    }

    /** Whether a launch runs that may write what others wait for. */
    synchronized boolean anyGettingOn() {
        return underWay.values().stream().anyMatch(GridRun::isGettingOn);
    }

    /** Takes no more launches in, and says which are under way. */
    synchronized List<GridRun> shut() {
        shut = true;
        return List.copyOf(underWay.values());
    }

    /** Waits until nothing is under way; false if that takes longer. */
    synchronized boolean awaitEnd(long seconds) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!underWay.isEmpty() && System.nanoTime() < deadline) {
            try {
                wait(10);
            } catch (InterruptedException wake) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return underWay.isEmpty();
    }
}
