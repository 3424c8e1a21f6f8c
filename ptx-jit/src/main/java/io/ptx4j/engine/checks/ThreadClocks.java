package io.ptx4j.engine.checks;

import io.ptx4j.engine.WarpgroupBarriers;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What comes before what among the threads of one block, and what they know of other blocks. The block's time grows with every
 * synchronisation; a thread's own time is that of its last one. What a thread did at time t is known to all who know it up to a later time.
 *
 * <p>Barriers of the whole block and of whole warps need one number a thread; all else is in {@link Clock}s.
 */
public final class ThreadClocks {
    /** Times must fit into 24 bits; a block that synchronises more often is not watched any longer. */
    private static final int LAST = (1 << 24) - 2;
    private static final int WARP = 32;
    private static final int BARRIERS = WarpgroupBarriers.ALL;

    private final int threads;
    /** The time of each thread. {@link Races} reads this and the next two at every access. */
    final int[] own;
    /** The same, with its number, as it stands in words. */
    final long[] packed;
    /** Up to when each thread knows all threads of the block. */
    final int[] ofBlock;
    /** Up to when each thread knows all of its warp. */
    private final int[] ofWarp;
    private final Clock[] known;
    /** What each thread's last fence released: in the block, and for all. */
    private final Clock[] released;
    private final Clock[] releasedWide;
    /** What each thread has read that its next fence acquires: in the block, and of all. */
    private final Clock[] seen;
    private final Clock[] seenWide;
    private final Clock[] arrived = new Clock[BARRIERS];
    private Clock atCluster;
    /** Whether all threads know of others only what barriers of the whole block and of their warps have told. */
    public boolean plain = true;
    private int time;
    private long block;
    private long first;

    ThreadClocks(int threads) {
        this.threads = threads;
        this.own = new int[threads];
        this.packed = new long[threads];
        this.ofBlock = new int[threads];
        this.ofWarp = new int[threads];
        this.known = new Clock[threads];
        this.released = new Clock[threads];
        this.releasedWide = new Clock[threads];
        this.seen = new Clock[threads];
        this.seenWide = new Clock[threads];
    }

    /** @param number of the block's first thread in the launches of a device */
    void begin(long blockNumber, long number) {
        block = blockNumber;
        first = number;
        time = 1;
        set(0, threads, 1);
        Arrays.fill(ofBlock, 0);
        Arrays.fill(ofWarp, 0);
        atCluster = null;
        if (!plain) {
            for (Clock[] clocks : new Clock[][] {known, released, releasedWide, seen, seenWide, arrived}) {
                Arrays.fill(clocks, null);
            }
            plain = true;
        }
    }

    boolean exhausted() {
        return time >= LAST;
    }

    boolean knows(int thread, long otherBlock, int other, int at) {
        if (otherBlock == block && (at < ofBlock[thread] || other / WARP == thread / WARP && at < ofWarp[thread])) {
            return true;
        }
        return known[thread] != null && known[thread].knows(otherBlock, other, at);
    }

    /** Whether a thread knows of others only what barriers of the whole block and of its warp have told. */
    boolean knowsOnlyBlock(int thread) {
        return plain || known[thread] == null;
    }

    private void set(int from, int to, int now) {
        Arrays.fill(own, from, to, now);
        long word = Packed.of(first + from, now);
        if (Packed.of(first + to - 1, now) < 0) {
            Arrays.fill(packed, from, to, -1);
            return;
        }
        for (int t = from; t < to; t++) {
            packed[t] = word + ((long) (t - from) << Packed.NUMBER_SHIFT);
        }
    }

    private int tick() {
        return time = Math.min(time + 1, LAST);
    }

    /** What {@code thread} knows and has done so far; what it does from here on is not part of it. */
    private Clock release(int thread) {
        int now = tick();
        int[] warp = new int[WARP];
        Arrays.fill(warp, ofWarp[thread]);
        warp[thread % WARP] = now;
        set(thread, thread + 1, now);
        long base = block * Clock.THREADS + thread / WARP * WARP;
        return Clock.join(known[thread], new Clock(Times.NONE.with(block, ofBlock[thread]), Times.NONE.with(base, warp)));
    }

    private void learn(int thread, Clock clock) {
        if (clock != null) {
            plain = false;
            known[thread] = Clock.join(known[thread], clock);
            ofBlock[thread] = Math.max(ofBlock[thread], clock.blocks().get(block));
        }
    }

    /** All threads of the block have met. */
    void meet() {
        Clock all = null;
        for (int t = 0; t < threads && !plain; t++) {
            all = Clock.join(all, known[t]);
        }
        int now = tick();
        set(0, threads, now);
        Arrays.fill(ofBlock, now);
        if (!plain) {
            Arrays.fill(known, all);
        }
    }

    /** {@code thread} has come to a barrier and goes on. */
    void arrive(int barrier, int thread) {
        plain = false;
        arrived[barrier] = Clock.join(arrived[barrier], release(thread));
    }

    /** Some threads leave a barrier, at which others may have arrived. */
    void meet(int barrier, BitSet waiting) {
        Clock all = arrived[barrier];
        arrived[barrier] = null;
        for (int t = waiting.nextSetBit(0); t >= 0; t = waiting.nextSetBit(t + 1)) {
            all = Clock.join(all, release(t));
        }
        Clock joined = all;
        waiting.stream().forEach(t -> learn(t, joined));
    }

    /** The threads of a warp have met: those that {@code lanes} says, from thread {@code low} on. */
    void meetInWarp(int low, int lanes) {
        int existing = threads - low >= WARP ? -1 : (1 << threads - low) - 1;
        if (lanes != existing) {
            BitSet waiting = BitSet.valueOf(new long[] {lanes & 0xFFFF_FFFFL});
            Clock all = null;
            for (int l = waiting.nextSetBit(0); l >= 0; l = waiting.nextSetBit(l + 1)) {
                all = Clock.join(all, release(low + l));
            }
            Clock joined = all;
            waiting.stream().forEach(l -> learn(low + l, joined));
            return;
        }
        int end = Math.min(threads, low + WARP);
        int highest = 0;
        Clock all = null;
        for (int t = low; t < end; t++) {
            highest = Math.max(highest, ofBlock[t]);
            all = Clock.join(all, known[t]);
        }
        int now = tick();
        set(low, end, now);
        Arrays.fill(ofWarp, low, end, now);
        Arrays.fill(ofBlock, low, end, highest);
        Arrays.fill(known, low, end, all);
    }

    /** A thread arrives at the barrier of its cluster. */
    void arriveAtCluster(int thread) {
        plain = false;
        atCluster = Clock.join(atCluster, release(thread));
    }

    /** What the threads have done that arrived at the barrier of the cluster; null if none has. */
    Clock atCluster() {
        return atCluster;
    }

    /** A thread leaves the barrier of its cluster, at which the threads of {@code other} have arrived. */
    void leaveCluster(int thread, ThreadClocks other) {
        learn(thread, other.atCluster);
    }

    /** {@code fence} and {@code membar}. */
    void fence(int thread, boolean wide) {
        plain = false;
        learn(thread, seen[thread]);
        if (wide) {
            learn(thread, seenWide[thread]);
        }
        released[thread] = release(thread);
        if (wide) {
            releasedWide[thread] = released[thread];
        }
    }

    /** A strong write: it makes known what the thread released, or releases. */
    void publish(SyncWords words, long offset, int thread, int kind) {
        boolean releases = (kind & Access.RELEASE) != 0;
        if (!releases && released[thread] == null) {
            return;
        }
        Clock mine = releases ? release(thread) : released[thread];
        Clock wide = (kind & Access.WIDE) == 0 ? null : releases ? mine : releasedWide[thread];
        plain = false;
        words.publish(offset, block, wide, mine);
    }

    /** A strong read has been made. */
    void observe(SyncWords words, long offset, int thread, int kind) {
        SyncWords.Seen word = words.isEmpty() ? null : words.seen(offset, block);
        if (word == null) {
            return;
        }
        plain = false;
        Clock wide = (kind & Access.WIDE) == 0 ? null : word.wide();
        seen[thread] = Clock.join(seen[thread], word.own());
        seenWide[thread] = Clock.join(seenWide[thread], wide);
        if ((kind & Access.ACQUIRE) != 0) {
            learn(thread, word.own());
            learn(thread, wide);
        }
    }
}
