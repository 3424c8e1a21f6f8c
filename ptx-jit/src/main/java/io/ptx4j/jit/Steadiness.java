package io.ptx4j.jit;

/** Looks at how fast code is while HotSpot compiles it, until it gets no faster. */
final class Steadiness {
    /** What part of the least time before counts as faster. */
    private static final double FASTER = 0.8;
    private static final int STEADY_LOOKS = 2;
    private static final int MOST_LOOKS = 24;

    private final long apart;
    private int looks;
    private int steady;
    private double least = Double.MAX_VALUE;
    private long nanos;
    private long blocks;

    /** @param apart nanoseconds of work between two looks */
    Steadiness(long apart) {
        this.apart = apart;
    }

    /** Notes that blocks have run. */
    void ran(long nanos, long blocks) {
        this.nanos += nanos;
        this.blocks += blocks;
        if (this.nanos > apart && this.blocks > 0) {
            double each = (double) this.nanos / this.blocks;
            looks++;
            steady = each < FASTER * least ? 0 : steady + 1;
            least = Math.min(least, each);
            this.nanos = 0;
            this.blocks = 0;
        }
    }

    /** Whether it has got no faster lately, or has been looked at so often that it never may: blocks need not have the same to do. */
    boolean reached() {
        return steady >= STEADY_LOOKS || looks >= MOST_LOOKS;
    }
}
