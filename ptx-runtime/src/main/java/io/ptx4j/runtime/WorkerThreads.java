package io.ptx4j.runtime;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of the host that run blocks of a device's launches. */
final class WorkerThreads implements AutoCloseable {
    private static final AtomicInteger OPENED = new AtomicInteger();

    private final ForkJoinPool pool;
    private final AwakeWorkers awake;

    WorkerThreads(int count) {
        this.pool = pool(count, "ptx4j-" + OPENED.incrementAndGet() + "-worker-");
        this.awake = new AwakeWorkers(pool, count);
    }

    private static ForkJoinPool pool(int workers, String name) {
        return new ForkJoinPool(workers, of -> {
            var thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(of);
            thread.setName(name + thread.getPoolIndex());
            return thread;
        }, null, true);
    }

    AwakeWorkers awake() {
        return awake;
    }

    /** Runs {@code task} on a worker; on this thread when there are no workers any more. */
    void execute(Runnable task) {
        try {
            pool.execute(task);
            awake.look();
        } catch (RejectedExecutionException shutDown) {
            task.run();
        }
    }

    /**
     * Runs {@code task}, blocks of a launch, on that many workers, which wake each other: one after the other would take long where there
     * are many. They stay awake behind it.
     */
    void execute(int times, Runnable task) {
        for (int left = times; left > 0; left /= 2) {
            int others = left - left / 2 - 1;
            execute(() -> {
                execute(others, task);
                runAndStay(task);
            });
        }
    }

    /** Runs {@code task}, blocks of a launch, on a new thread, which ends when it has stayed awake behind it. */
    void executeAfresh(Runnable task) {
        try {
            Thread.ofPlatform().daemon().name("ptx4j-helper").start(() -> runAndStay(task));
        } catch (OutOfMemoryError noThread) {
            // It goes without.
        }
    }

    private void runAndStay(Runnable task) {
        task.run();
        awake.stay();
    }

    /** Tasks that come later run on the threads that bring them. */
    @Override
    public void close() {
        awake.close();
        pool.shutdown();
    }
}
