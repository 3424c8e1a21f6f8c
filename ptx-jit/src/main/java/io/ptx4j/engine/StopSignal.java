package io.ptx4j.engine;

/** Whether a launch is to stop. */
public final class StopSignal {
    /** Generated code reads it directly. */
    public volatile boolean given;

    StopSignal() {
    }

    /** Asks all workers of the launch to stop. */
    void give() {
        given = true;
    }
}
