package io.ptx4j.jit;

import java.time.Duration;

/** How much other threads of the process do while one rehearses: HotSpot's compilers above all. The JVM does not say that of them alone. */
final class OtherWork {
    /** Shares of this thread's time below which the others are idle. */
    private static final double LITTLE = 0.25;
    private static final int QUIET_LOOKS = 3;

    private long process = processNanos();
    private long thread = OwnWork.nanos();
    private int quiet;

    private static long processNanos() {
        return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    /** Takes note of what has been done since the last look, about a tenth of a second ago. */
    void look() {
        long processNow = processNanos();
        long threadNow = OwnWork.nanos();
        long own = threadNow - thread;
        quiet = processNow - process - own < LITTLE * own ? quiet + 1 : 0;
        process = processNow;
        thread = threadNow;
    }

    /** Whether they did little at the last looks. */
    boolean idle() {
        return quiet >= QUIET_LOOKS;
    }
}
