package io.ptx4j.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * An order for launches: each one put in runs when the one before it has ended. Streams do not wait for each other. After a
 * failure nothing more of the stream starts, until {@link #await()} has told of it. Thread-safe.
 */
public final class Stream {
    private final Device device;
    private CompletableFuture<?> tail = CompletableFuture.completedFuture(null);

    Stream(Device device) {
        this.device = device;
    }

    /** Puts a launch at the end; the same as {@code launch.on(stream).launchAsync(arguments)}. */
    public CompletableFuture<LaunchResult> launch(Launch launch, Object... arguments) {
        return launch.on(this).launchAsync(arguments);
    }

    /** Puts an action of the host, such as a copy, at the end. It runs on one of the device's workers. */
    public synchronized CompletableFuture<Void> run(Runnable action) {
        device.checkOpen();
        CompletableFuture<Void> done = tail.thenRunAsync(action, device.threads()::execute);
        tail = done;
        return done.copy();
    }

    synchronized void append(GridRun run) {
        CompletableFuture<?> before = tail;
        tail = run.ended();
        before.whenComplete((ignored, failure) -> device.threads().execute(() -> {
            if (failure == null) {
                run.begin(false);
            } else {
                run.refuse(cause(failure));
            }
        }));
    }

    /**
     * Waits until everything put in so far has ended.
     *
     * @throws PtxException what the first failing launch failed with, as {@link Launch#launch} would; the stream can be used again
     */
    public void await() {
        CompletableFuture<?> last;
        synchronized (this) {
            last = tail;
        }
        try {
            last.join();
        } catch (CompletionException failed) {
            synchronized (this) {
                if (tail == last) {
                    tail = CompletableFuture.completedFuture(null);
                }
            }
            throw rethrown(cause(failed));
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        while (cause instanceof LaunchStoppedException stopped && stopped.reason() == LaunchStoppedException.Reason.EARLIER_FAILURE) {
            cause = stopped.getCause();
        }
        return cause;
    }

    private static RuntimeException rethrown(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        RuntimeException failure = (RuntimeException) cause;
        failure.fillInStackTrace();
        return failure;
    }
}
