package io.ptx4j.jit;

/** What rounds say in which both shapes run the same part of a launch. */
final class Rounds {
    /** What part of the scalar shape's time the vector shape must take. */
    static final double FASTER = 0.9;
    private static final int TO_CONVINCE = 3;
    private static final double NEAR = 1.25;
    private static final int TO_BE_NEAR = 12;

    private int won;
    private int near;

    /** Forgets them, since the part has changed. */
    void begin() {
        won = 0;
        near = 0;
    }

    /**
     * @param ratio of the vector shape's time and the scalar shape's
     * @param cold whether the vector shape has yet to be compiled
     */
    void add(double ratio, boolean cold) {
        won = ratio < FASTER ? won + 1 : 0;
        near = ratio < NEAR && !cold ? near + 1 : 0;
    }

    boolean won() {
        return won >= TO_CONVINCE;
    }

    /**
     * Whether both have taken about the same for so long that HotSpot must have compiled the scalar shape too. Then launches tell more: a rehearsal has the first part of the
     * data and zeros behind, so that sums by a key all go to one word and wait for each other in either shape.
     */
    boolean near() {
        return near >= TO_BE_NEAR;
    }
}
