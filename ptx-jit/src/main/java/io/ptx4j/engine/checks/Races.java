package io.ptx4j.engine.checks;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

/**
 * Finds accesses of the threads of one block that race: to one place, at least one a write, not both strong in each other's scope, and neither
 * before the other in causality order (manual: "Memory Consistency Model"). {@link ThreadClocks} knows what is ordered; {@link Cells} who was last.
 */
final class Races {
    private static final int EPOCH_BITS = 24;
    private static final int BLOCK_SHIFT = 34;
    private static final long LINE_SHIFT = 40;
    private static final int MASK_SHIFT = 36;
    private static final long INFO_STRONG = 1L << 35;
    private static final long INFO_WIDE = 1L << 34;
    private static final int WARP = 32;
    private static final int LARGEST_LINE = (1 << 24) - 1;

    private final LaunchChecks launch;
    private final Worker worker;
    private final ThreadClocks clocks;
    /** Number of the launch's first block in keys, and how many blocks it has. */
    private final long first;
    private final long blocks;
    private long block;
    private long blockKey;
    /** A write over another one that nothing orders, which is only an error if it changes something; null when there is none. */
    private Suspect suspect;

    private record Suspect(Fault fault, long origin, long offset, int mask, int before) {
    }

    Races(LaunchChecks launch, Worker worker, ThreadClocks clocks) {
        this.launch = launch;
        this.worker = worker;
        this.clocks = clocks;
        this.first = launch.cells().first();
        this.blocks = launch.blocks();
    }

    void begin(long number) {
        block = number;
        blockKey = first + number << BLOCK_SHIFT;
    }

    /**
     * Looks at an access and remembers it.
     *
     * @param cells of the memory that it goes to
     * @param origin offset of that memory in device memory
     * @param kind as {@link Access#kind}
     * @throws Fault if it races, and the launch does not go on behind that
     */
    void access(Cells cells, long origin, int thread, long offset, int bytes, int kind, int line) {
        if (suspect != null) {
            settle();
        }
        if (clocks.exhausted() || !cells.holds(offset, bytes)) {
            return;
        }
        if (bytes == 4 && (offset & 3) == 0) {
            if (kind == Access.READ ? !readFirst(cells, offset, thread, line)
                    : kind != Access.WRITE || !writeAgain(cells, offset, thread, line)) {
                word(cells, origin, offset, thread, 0xF, kind, line);
            }
            return;
        }
        long end = offset + bytes;
        for (long at = offset & ~3L; at < end; at += 4) {
            int mask = 0xF;
            if (at < offset) {
                mask &= 0xF << (int) (offset - at);
            }
            if (end - at < 4) {
                mask &= 0xF >> (int) (4 - (end - at));
            }
            word(cells, origin, at, thread, mask, kind, line);
        }
    }

    /** A weak read of a whole word that nobody else has written since the block last met; whether it was one, and is dealt with. */
    private boolean readFirst(Cells cells, long offset, int thread, int line) {
        long[] cell = cells.at(offset);
        int i = Cells.index(offset);
        int known = clocks.ofBlock[thread];
        long mine = key(thread);
        if (readByOthers(cell, i, cells.key(cell, i), mine, known, thread)) {
            return true;
        }
        long last = cells.lock(cell, i);
        long read = cell[i + Cells.READ];
        long warp = mine & ~((long) (WARP - 1) << EPOCH_BITS);
        boolean done = settled(last, known) || last >>> EPOCH_BITS == mine >>> EPOCH_BITS;
        if (done && read == warp && weakWord(cell[i + Cells.READ_INFO])) {
            cell[i + Cells.READ_INFO] |= 1L << (thread & WARP - 1);
        } else if (done && settled(read, known)) {
            cell[i + Cells.READ] = warp;
            cell[i + Cells.READ_INFO] = (long) line << LINE_SHIFT | 0xFL << MASK_SHIFT | 1L << (thread & WARP - 1);
        } else {
            done = false;
        }
        cells.unlock(cell, i, last);
        return done;
    }

    /** Whether another warp has read the word and is remembered for it, so that a cell need not change, nor be taken. */
    private boolean readByOthers(long[] cell, int i, long last, long mine, int known, int thread) {
        long read = cell[i + Cells.READ];
        return last >= 0 && settled(last, known) && !settled(read, known) && read >>> EPOCH_BITS + 5 != mine >>> EPOCH_BITS + 5
                && weakWord(cell[i + Cells.READ_INFO]) && clocks.knowsOnlyBlock(thread);
    }

    private static boolean weakWord(long info) {
        return (info & (INFO_STRONG | 0xFL << MASK_SHIFT)) == 0xFL << MASK_SHIFT;
    }

    /** The same for a weak write, which the thread may have read and written itself. */
    private boolean writeAgain(Cells cells, long offset, int thread, int line) {
        long[] cell = cells.at(offset);
        int i = Cells.index(offset);
        int known = clocks.ofBlock[thread];
        long mine = key(thread);
        long last = cells.lock(cell, i);
        long read = cell[i + Cells.READ];
        boolean own = read >>> EPOCH_BITS + 5 == mine >>> EPOCH_BITS + 5 && (int) cell[i + Cells.READ_INFO] == 1 << (thread & WARP - 1);
        boolean alone = (settled(last, known) || last >>> EPOCH_BITS == mine >>> EPOCH_BITS) && (own || settled(read, known));
        if (alone) {
            cell[i + Cells.READ] = 0;
            cell[i + Cells.WRITE_INFO] = (long) line << LINE_SHIFT | 0xFL << MASK_SHIFT;
        }
        cells.unlock(cell, i, alone ? mine : last);
        return alone;
    }

    /** Whether nobody left the key in this launch, or a thread of the block before it met up to time {@code known}. */
    private boolean settled(long key, int known) {
        long number = key >>> BLOCK_SHIFT;
        return key == 0 || number < first || number >= first + blocks || number == blockKey >>> BLOCK_SHIFT && timeOf(key) < known;
    }

    private void word(Cells cells, long origin, long offset, int thread, int mask, int kind, int line) {
        long[] cell = cells.at(offset);
        int i = Cells.index(offset);
        long mine = key(thread);
        long next = cells.lock(cell, i);
        long key = current(next);
        Fault conflict = null;
        boolean writes = (kind & Access.WRITE) != 0;
        if (key != 0 && key >>> EPOCH_BITS != mine >>> EPOCH_BITS && races(cell[i + Cells.WRITE_INFO], mask, kind, key) && !ordered(key, thread)
                && !launch.isBenign(line, line(cell[i + Cells.WRITE_INFO]))) {
            conflict = fault(origin + offset, thread, mask, kind, line, key, cell[i + Cells.WRITE_INFO], true);
            if (kind == Access.WRITE && (cell[i + Cells.WRITE_INFO] & INFO_STRONG) == 0) {
                suspect = new Suspect(conflict, origin, origin + offset, mask, launch.word(origin + offset));
                conflict = null;
            }
        }
        long reads = current(cell[i + Cells.READ]);
        if (writes) {
            if (reads != 0 && conflict == null) {
                conflict = afterReads(cell, i, origin + offset, thread, mask, kind, line);
            }
            if ((cell[i + Cells.READ_INFO] >>> MASK_SHIFT & 0xF & ~mask) == 0) {
                cell[i + Cells.READ] = 0;
            }
            next = mine;
            cell[i + Cells.WRITE_INFO] = info(line, mask | (key == mine ? mask(cell[i + Cells.WRITE_INFO]) : 0), kind, 0);
        } else {
            remember(cell, i, mine, thread, mask, kind, line);
        }
        cells.unlock(cell, i, next);
        if (conflict != null) {
            launch.report(conflict, worker, origin == 0 ? -1 : offset);
        }
    }

    private long key(int thread) {
        return blockKey | (long) thread << EPOCH_BITS | clocks.own[thread];
    }

    private static long info(int line, int mask, int kind, int lanes) {
        return (long) Math.min(line, LARGEST_LINE) << LINE_SHIFT | (long) mask << MASK_SHIFT | ((kind & Access.STRONG) != 0 ? INFO_STRONG : 0)
                | ((kind & Access.WIDE) != 0 ? INFO_WIDE : 0) | lanes & 0xFFFF_FFFFL;
    }

    private static int line(long info) {
        return (int) (info >>> LINE_SHIFT);
    }

    private static int mask(long info) {
        return (int) (info >>> MASK_SHIFT) & 0xF;
    }

    /** Whether the accesses overlap and are not both strong with each other in their scopes. */
    private boolean races(long info, int mask, int kind, long key) {
        if ((mask(info) & mask) == 0) {
            return false;
        }
        boolean strong = (info & INFO_STRONG) != 0 && (kind & Access.STRONG) != 0;
        boolean together = blockOf(key) == block || (info & INFO_WIDE) != 0 && (kind & Access.WIDE) != 0;
        return !(strong && together);
    }

    private long blockOf(long key) {
        return (key >>> BLOCK_SHIFT) - first;
    }

    /** 0 for a key that was left by another launch. */
    private long current(long key) {
        long number = blockOf(key);
        return number < 0 || number >= blocks ? 0 : key;
    }

    private static int threadOf(long key) {
        return (int) (key >>> EPOCH_BITS) & Clock.THREADS - 1;
    }

    private static int timeOf(long key) {
        return (int) key & (1 << EPOCH_BITS) - 1;
    }

    private boolean ordered(long key, int thread) {
        return clocks.knows(thread, blockOf(key), threadOf(key), timeOf(key));
    }

    /** The first of the lanes that read whose read nothing orders before the thread; -1 if there is none. */
    private int unordered(long key, int lanes, int thread) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int other = threadOf(key) + Integer.numberOfTrailingZeros(rest);
            boolean self = other == thread && blockOf(key) == block;
            if (!self && !clocks.knows(thread, blockOf(key), other, timeOf(key))) {
                return other;
            }
        }
        return -1;
    }

    private Fault afterReads(long[] cell, int i, long offset, int thread, int mask, int kind, int line) {
        long key = cell[i + Cells.READ];
        long info = cell[i + Cells.READ_INFO];
        int other = races(info, mask, kind, key) && !launch.isBenign(line, line(info)) ? unordered(key, (int) info, thread) : -1;
        return other < 0 ? null : fault(offset, thread, mask, kind, line, key + ((long) (other - threadOf(key)) << EPOCH_BITS), info, false);
    }

    /** Of reads that nothing orders among themselves those of one warp are remembered, weak ones rather than strong ones. */
    private void remember(long[] cell, int i, long mine, int thread, int mask, int kind, int line) {
        long key = current(cell[i + Cells.READ]);
        long info = cell[i + Cells.READ_INFO];
        long warp = mine & ~((long) (WARP - 1) << EPOCH_BITS);
        int lane = 1 << (thread & WARP - 1);
        long fresh = info(line, mask, kind, lane);
        if (key == warp && (info ^ fresh) << 64 - LINE_SHIFT >>> 64 - LINE_SHIFT + WARP == 0) {
            cell[i + Cells.READ_INFO] = info | lane;
            return;
        }
        boolean weaker = (info & INFO_STRONG) != 0 && (kind & Access.STRONG) == 0;
        if (key == 0 || weaker || unordered(key, (int) info, thread) < 0) {
            cell[i + Cells.READ] = warp;
            cell[i + Cells.READ_INFO] = fresh;
        }
    }

    private Fault fault(long offset, int thread, int mask, int kind, int line, long otherKey, long otherInfo, boolean otherWrites) {
        var rival = new Fault.Rival(line(otherInfo), blockOf(otherKey), threadOf(otherKey),
                (otherInfo & INFO_STRONG) != 0, otherWrites);
        return launch.race(offset + Integer.numberOfTrailingZeros(mask), Integer.bitCount(mask), line, block, thread, (kind & Access.WRITE) != 0, rival);
    }

    /** Reports a write over another one if it changed what stood there. */
    void settle() {
        Suspect found = suspect;
        suspect = null;
        if (found == null) {
            return;
        }
        int bytes = 0;
        for (int b = 0; b < 4; b++) {
            bytes |= (found.mask() >>> b & 1) * 0xFF << 8 * b;
        }
        if (((launch.word(found.offset()) ^ found.before()) & bytes) != 0) {
            launch.report(found.fault(), worker, found.origin() == 0 ? -1 : found.offset() - found.origin());
        }
    }
}
