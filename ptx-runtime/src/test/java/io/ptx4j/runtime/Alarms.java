package io.ptx4j.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What the thread that stops launches in time sees. */
public final class Alarms {
    private Alarms() {
    }

    /** Looks at something on that thread: behind all stops of launches that are due earlier. */
    public static <T> CompletableFuture<T> look(Duration after, Supplier<T> what) {
        var seen = new CompletableFuture<T>();
        Timer.after(after, () -> seen.complete(what.get()));
        return seen;
    }
}
