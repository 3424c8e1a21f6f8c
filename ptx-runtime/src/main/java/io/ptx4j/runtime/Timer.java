package io.ptx4j.runtime;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One thread for all devices that stops launches in time; it works even while every worker loops for ever. */
final class Timer {
    private static final ScheduledThreadPoolExecutor THREAD = new ScheduledThreadPoolExecutor(1, action -> {
        Thread thread = new Thread(action, "ptx4j-timer");
        thread.setDaemon(true);
        return thread;
    });

    static {
        THREAD.setRemoveOnCancelPolicy(true);
        THREAD.setKeepAliveTime(10, TimeUnit.SECONDS);
        THREAD.allowCoreThreadTimeOut(true);
    }

    private Timer() {
    }

    static Future<?> after(Duration delay, Runnable action) {
        return THREAD.schedule(action, nanos(delay), TimeUnit.NANOSECONDS);
    }

    private static long nanos(Duration delay) {
        return delay.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE / 2 : delay.toNanos();
    }
}
