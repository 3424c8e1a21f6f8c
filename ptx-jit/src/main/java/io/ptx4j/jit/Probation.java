package io.ptx4j.jit;

import java.util.function.DoubleSupplier;

/**
 * Compares both shapes in launches, since rehearsals have a part of the data and repeat one launch. Blocks that chance chooses run in the vector
 * shape, the others in the scalar one, so that both meet the same kinds of blocks whatever launches do. As many run in the vector shape as cost launches
 * a small part of their time: a kernel that is to stay in the scalar shape must not suffer.
 */
final class Probation {
    /** How it stands. */
    enum Verdict { OPEN, FASTER, SLOWER, COLD }

    private static final int SCALAR = 0;
    private static final int VECTOR = 1;

    /** What a worker runs at the moment, and what it has not told yet. */
    static final class Turn {
        private boolean vector;
        /** Whether the worker has run vectors before. */
        private boolean begun;
        private long left;
        /** In the vector shape, that have not been told. */
        private int turns;
        private long took;
        private long ran;
        /** Of objects that the vector shape has made. */
        private long bytes;
        private final long[] nanos = new long[2];
        private final long[] blocks = new long[2];

        boolean vector() {
            return vector;
        }

        /** Blocks until the turn ends. */
        long left() {
            return left;
        }

        /** Notes blocks that ran, and the bytes of the objects that they made in the vector shape, or {@link OwnWork#UNKNOWN}; nobody wants to know those of the scalar shape. */
        void ran(long nanosTaken, long bytesMade, long count) {
            took += nanosTaken;
            ran += count;
            left -= count;
            // A worker's first turn makes frames and finds its place on the stack.
            if (!vector || begun) {
                bytes = OwnWork.sum(bytes, bytesMade);
                nanos[vector ? VECTOR : SCALAR] += nanosTaken;
                blocks[vector ? VECTOR : SCALAR] += count;
            }
        }

        /** Whether it is time to tell. */
        boolean toTell() {
            return nanos[SCALAR] + nanos[VECTOR] >= TOLD;
        }
    }

    /** Work that a worker counts by itself before it tells the others. */
    private static final long TOLD = 20_000;
    /** What launches lose is at most one part of so many of their time. */
    private static final int LOSS = 16;
    /** Nanoseconds of a round in each of the shapes, and so many in a row that the vector shape must win. */
    private static final long ROUND = 1_000_000;
    private static final int TO_CONVINCE = 3;
    /** Nanoseconds in the scalar shape, and turns in the vector shape, after which a round that has not ended tells how many turns there are to be. */
    private static final long LONG_ROUND = 20_000_000;
    private static final int TURNS = 8;
    /** What counts as getting faster. */
    private static final double BETTER = 0.95;
    /** Nanoseconds lost with code that HotSpot has not compiled for what launches do; rehearsals, which have more time for it, get it compiled sooner. */
    private static final long COLD = 10_000_000;
    /** How many times as long as the scalar shape the vector shape is taken to need before it has run. */
    private static final double FIRST_RATIO = 6;
    private static final double MOST = 1e5;

    private final double blockNanos;
    private final double limit;
    private final long patience;
    private final DoubleSupplier chance;
    /** How many times as long as the scalar shape the vector shape took lately; not known in the first round. */
    private volatile double ratio = Double.NaN;
    /** Guarded by this, as is all below. */
    private final long[] nanos = new long[2];
    private final long[] blocks = new long[2];
    private long bytes;
    private double best = Double.MAX_VALUE;
    /** What launches have lost with cold code, and with compiled code. */
    private double lostCold;
    private double lost;
    private double lostAtBest;
    private int won;
    private int turns;

    /**
     * @param blockNanos what a block has taken in the scalar shape
     * @param limit what part of the scalar shape's time the vector shape must take
     * @param patience nanoseconds lost, without getting faster, after which the vector shape is the slower one
     * @param chance numbers from 0 to 1, for any worker
     */
    Probation(double blockNanos, double limit, long patience, DoubleSupplier chance) {
        this.blockNanos = Math.max(1, blockNanos);
        this.limit = limit;
        this.patience = patience;
        this.chance = chance;
    }

    /** Begins the worker's next turn if the last one is over; {@code slice} blocks of the scalar shape take many times what the clock does. */
    void next(Turn turn, int slice) {
        if (turn.left > 0) {
            return;
        }
        double known = ratio;
        double vectors = Math.max(1, slice / (Double.isNaN(known) ? FIRST_RATIO : Math.max(1, known)));
        turn.begun |= turn.vector;
        turn.turns += turn.vector ? 1 : 0;
        turn.vector = !turn.vector;
        if (turn.vector) {
            turn.left = (long) vectors;
        } else {
            double now = Double.isNaN(known) ? Math.min(turn.took / blockNanos / turn.ran, MOST) : known;
            double scalars = vectors * Math.max(1, (LOSS * (1 - 1 / now) - 1) * now);
            turn.left = 1 + (long) (2 * scalars * chance.getAsDouble());
        }
        turn.took = 0;
        turn.ran = 0;
    }

    /** Takes what a worker tells. */
    synchronized Verdict add(Turn turn) {
        for (int shape = SCALAR; shape <= VECTOR; shape++) {
            nanos[shape] += turn.nanos[shape];
            blocks[shape] += turn.blocks[shape];
            turn.nanos[shape] = 0;
            turn.blocks[shape] = 0;
        }
        turns += turn.turns;
        turn.turns = 0;
        bytes = OwnWork.sum(bytes, turn.bytes);
        turn.bytes = 0;
        if (nanos[SCALAR] >= ROUND && nanos[VECTOR] >= ROUND) {
            return round();
        }
        if (nanos[SCALAR] >= LONG_ROUND && turns >= TURNS) {
            hasten();
        }
        return Verdict.OPEN;
    }

    /** So few blocks run in the vector shape that a round would take seconds, since it was slow before: looks whether it still is. */
    private void hasten() {
        double now = ratio();
        if (now < ratio) {
            lose(now, OwnWork.isCold(nanos[VECTOR], bytes, now));
            ratio = Math.sqrt(ratio * now);
            begin();
        }
    }

    private void lose(double now, boolean cold) {
        double loss = nanos[VECTOR] * Math.max(1 - 1 / now, 1.0 / LOSS);
        lost += cold ? 0 : loss;
        lostCold += cold ? loss : 0;
    }

    private double ratio() {
        return (double) nanos[VECTOR] / blocks[VECTOR] / ((double) nanos[SCALAR] / blocks[SCALAR]);
    }

    private void begin() {
        for (int shape = SCALAR; shape <= VECTOR; shape++) {
            nanos[shape] = 0;
            blocks[shape] = 0;
        }
        turns = 0;
        bytes = 0;
    }

    private Verdict round() {
        double now = ratio();
        boolean cold = OwnWork.isCold(nanos[VECTOR], bytes, now);
        lose(now, cold);
        if (!cold && now < BETTER * best) {
            best = now;
            lostAtBest = lost;
        }
        won = now < limit ? won + 1 : 0;
        ratio = Math.min(Double.isNaN(ratio) ? now : Math.sqrt(ratio * now), MOST);
        begin();
        if (won >= TO_CONVINCE) {
            return Verdict.FASTER;
        }
        if (cold) {
            return lostCold > COLD ? Verdict.COLD : Verdict.OPEN;
        }
        return lost - lostAtBest > patience ? Verdict.SLOWER : Verdict.OPEN;
    }
}
