package io.ptx4j.runtime;

import java.util.concurrent.CompletableFuture;

/**
 * Cancelling it stops the grid.
 *
 * @param <T> type of the result
 */
final class LaunchFuture<T> extends CompletableFuture<T> {
    private final GridRun run;

    LaunchFuture(GridRun run) {
        this.run = run;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            run.stop(LaunchStoppedException.Reason.CANCELLED);
        }
        return cancelled;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
