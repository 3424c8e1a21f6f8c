package io.ptx4j.engine.checks;

import io.ptx4j.engine.Fault;

/** The cell of the word that is looked at ({@link Cells}): its last write, and the last reads that nothing orders among themselves. */
final class RaceCell {
    private static final int EPOCH_BITS = 24;
    private static final long LINE_SHIFT = 40;
    private static final int MASK_SHIFT = 36;
    private static final long INFO_STRONG = 1L << 35;
    private static final long INFO_WIDE = 1L << 34;
    private static final int WARP = 32;
    private static final int LARGEST_LINE = (1 << 24) - 1;

    private final LaunchChecks launch;
    private final ThreadClocks clocks;
    private final ThreadNumbers numbers;
    private final long[] cell = new long[Cells.CELL];

    RaceCell(LaunchChecks launch, ThreadClocks clocks, ThreadNumbers numbers) {
        this.launch = launch;
        this.clocks = clocks;
        this.numbers = numbers;
    }

    /** Takes what one {@code long} says, or the cell of the word at {@code offset}. */
    void unpack(Cells cells, long offset, long packed) {
        if (packed == Packed.IN_CELL) {
            System.arraycopy(cells.cells(Cells.part(offset)), Cells.CELL * Cells.word(offset), cell, 0, Cells.CELL);
            return;
        }
        long number = Packed.number(packed);
        boolean writes = Packed.isWrite(packed);
        long info = (long) Packed.line(packed) << LINE_SHIFT | (writes ? 0xFL : Packed.mask(packed)) << MASK_SHIFT;
        long flags = ((packed & Packed.STRONG) != 0 ? INFO_STRONG : 0) | ((packed & Packed.WIDE) != 0 ? INFO_WIDE : 0);
        cell[Cells.WRITE] = writes ? number << EPOCH_BITS | Packed.time(packed) : 0;
        cell[Cells.WRITE_INFO] = writes ? info | flags : 0;
        cell[Cells.READ] = writes || packed == 0 ? 0 : (number & -WARP) << EPOCH_BITS | Packed.time(packed);
        cell[Cells.READ_INFO] = writes || packed == 0 ? 0 : info | Packed.lanes(packed) & 0xFFFF_FFFFL;
    }

    /** The cell in one {@code long}; {@link Packed#IN_CELL} where it is more than that. */
    long pack() {
        long write = cell[Cells.WRITE];
        long read = cell[Cells.READ];
        boolean noWrite = write == 0;
        boolean noRead = read == 0;
        long info = cell[noWrite ? Cells.READ_INFO : Cells.WRITE_INFO];
        long key = noWrite ? read : write;
        int place = line(info);
        if (noWrite && noRead) {
            return 0;
        }
        if (!noWrite && !noRead || !noWrite && mask(info) != 0xF || !Packed.fits(numberOf(key), timeOf(key), place) || noWrite && (info & INFO_STRONG) != 0) {
            return Packed.IN_CELL;
        }
        if (noWrite) {
            long packed = Packed.reads(numberOf(key), (int) info, timeOf(key), place);
            long part = Packed.part(mask(info));
            boolean fits = packed >= 0 && (part == 0 || part > 0 && Integer.bitCount((int) info) == 1);
            return fits ? packed | part : Packed.IN_CELL;
        }
        return Packed.read(numberOf(key), timeOf(key), place) | Packed.WRITE | ((info & INFO_STRONG) != 0 ? Packed.STRONG : 0)
                | ((info & INFO_WIDE) != 0 ? Packed.WIDE : 0);
    }

    void copyTo(Cells cells, long offset) {
        System.arraycopy(cell, 0, cells.cells(Cells.part(offset)), Cells.CELL * Cells.word(offset), Cells.CELL);
    }

    /** @param key {@link Cells#WRITE} or {@link Cells#READ} */
    boolean has(int key) {
        return cell[key] != 0;
    }

    long number(int key) {
        return numberOf(cell[key]);
    }

    int time(int key) {
        return timeOf(cell[key]);
    }

    boolean isStrong(int key) {
        return (cell[key + 1] & INFO_STRONG) != 0;
    }

    void forget(int key) {
        cell[key] = 0;
        cell[key + 1] = 0;
    }

    // Keys and infos

    private long mine(int thread) {
        return numbers.of(thread) << EPOCH_BITS | clocks.own[thread];
    }

    private static long numberOf(long key) {
        return key >>> EPOCH_BITS;
    }

    private static int timeOf(long key) {
        return (int) key & (1 << EPOCH_BITS) - 1;
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

    // Accesses

    /** Notes a read. Of those that nothing orders among themselves those of one warp are remembered, weak ones rather than strong ones. */
    void read(int thread, int mask, int kind, int line) {
        long key = cell[Cells.READ];
        long info = cell[Cells.READ_INFO];
        long warp = mine(thread) & ~((long) (WARP - 1) << EPOCH_BITS);
        int lane = 1 << (thread & WARP - 1);
        long fresh = info(line, mask, kind, lane);
        if (key == warp && (info ^ fresh) << 64 - LINE_SHIFT >>> 64 - LINE_SHIFT + WARP == 0) {
            cell[Cells.READ_INFO] = info | lane & 0xFFFF_FFFFL;
            return;
        }
        boolean weaker = (info & INFO_STRONG) != 0 && (kind & Access.STRONG) == 0;
        if (key == 0 || weaker || unordered(key, (int) info, thread) < 0) {
            cell[Cells.READ] = warp;
            cell[Cells.READ_INFO] = fresh;
        }
    }

    void write(int thread, int mask, int kind, int line) {
        long mine = mine(thread);
        if ((mask(cell[Cells.READ_INFO]) & ~mask) == 0) {
            cell[Cells.READ] = 0;
        }
        int before = cell[Cells.WRITE] == mine ? mask(cell[Cells.WRITE_INFO]) : 0;
        cell[Cells.WRITE] = mine;
        cell[Cells.WRITE_INFO] = info(line, mask | before, kind, 0);
    }

    /** The race of an access with the last write, or null. */
    Fault raceWithWrite(long offset, int thread, int mask, int kind, int line) {
        long key = cell[Cells.WRITE];
        long info = cell[Cells.WRITE_INFO];
        boolean race = key != 0 && numberOf(key) != numbers.of(thread) && races(info, mask, kind, key)
                && !clocks.knows(thread, numbers.block(numberOf(key)), numbers.thread(numberOf(key)), timeOf(key)) && !launch.isBenign(line(info));
        return race ? fault(offset, thread, mask, kind, line, key, info, true) : null;
    }

    /** The race of a write with the last reads, or null. */
    Fault raceWithReads(long offset, int thread, int mask, int kind, int line) {
        long key = cell[Cells.READ];
        long info = cell[Cells.READ_INFO];
        int other = key != 0 && races(info, mask, kind, key) && !launch.isBenign(line(info)) ? unordered(key, (int) info, thread) : -1;
        return other < 0 ? null : fault(offset, thread, mask, kind, line, key + ((long) (other - numbers.thread(numberOf(key))) << EPOCH_BITS), info, false);
    }

    /** Whether the accesses overlap and are not both strong with each other in their scopes. */
    private boolean races(long info, int mask, int kind, long key) {
        if ((mask(info) & mask) == 0) {
            return false;
        }
        boolean strong = (info & INFO_STRONG) != 0 && (kind & Access.STRONG) != 0;
        boolean together = numbers.isOfBlock(numberOf(key)) || (info & INFO_WIDE) != 0 && (kind & Access.WIDE) != 0;
        return !(strong && together);
    }

    /** The first of the lanes that read whose read nothing orders before the thread; -1 if there is none. */
    private int unordered(long key, int lanes, int thread) {
        long other = numbers.block(numberOf(key));
        int warp = numbers.thread(numberOf(key));
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int reader = warp + Integer.numberOfTrailingZeros(rest);
            boolean self = reader == thread && other == numbers.block();
            if (!self && !clocks.knows(thread, other, reader, timeOf(key))) {
                return reader;
            }
        }
        return -1;
    }

    private Fault fault(long offset, int thread, int mask, int kind, int line, long otherKey, long otherInfo, boolean otherWrites) {
        var rival = new Fault.Rival(line(otherInfo), numbers.block(numberOf(otherKey)), numbers.thread(numberOf(otherKey)),
                (otherInfo & INFO_STRONG) != 0, otherWrites);
        return launch.race(offset + Integer.numberOfTrailingZeros(mask), Integer.bitCount(mask), line, numbers.block(), thread, (kind & Access.WRITE) != 0, rival);
    }
}
