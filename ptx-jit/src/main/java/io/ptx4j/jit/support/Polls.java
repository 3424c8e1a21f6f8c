package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.GivingWay;
import io.ptx4j.engine.Worker;

/**
 * What loops ask now and then: whether to go on. Between two questions a method spends {@link #INTERVAL} units, and each backward jump
 * costs what its loop's body is worth, so that the time to the next answer does not grow with the body. Code that HotSpot has not
 * compiled yet needs up to a microsecond for an instruction (tens of them for one of a group of threads), and is to stop within milliseconds too.
 */
public final class Polls {
    /** Units between two questions: what one instruction of the JVM can take off a counter at most. */
    public static final int INTERVAL = 1 << 15;

    /** What a backward jump of a loop costs that waits for other threads: few are enough to see that it must wait. */
    public static final int POLLING = INTERVAL / GivingWay.TURNS;
    /** The same where it asks mbarriers alone: what others of the block do while the thread does not let them run is nothing. */
    public static final int ASKING = INTERVAL / 8;

    /** Units that an instruction of one thread costs, and one of a group of threads. */
    public static final int THREAD = 8;
    public static final int GROUP = 48;

    /** What a piece of a region that was cut into several methods costs. */
    public static final int PIECE = INTERVAL / 4;

    private Polls() {
    }

    /** Ends code that is to stop. */
    public static void goOn(Worker worker) {
        if (worker.cancelled()) {
            throw cancelled();
        }
        if (worker.checks != null) {
            worker.checks.giveWay();
        }
    }

    /** What code throws that is to stop. */
    public static Fault cancelled() {
        return Fault.at(Fault.Kind.CANCELLED, "the launch was cancelled", 0, -1, -1);
    }
}
