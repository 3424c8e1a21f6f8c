package io.ptx4j.engine.checks;

import io.ptx4j.engine.Worker;

/**
 * Weak accesses of whole words, where what became of most is decided in few instructions: the same that {@link Races} decides, which has the rest.
 * Each kernel has this class for itself, so that HotSpot compiles it into the kernel for what that kernel does, whatever others did before.
 * It stands in another package at run time therefore, and sees public members only. The address of a misaligned access, which is about to
 * fail, counts as one of the word.
 */
public final class RaceWords {
    private static final int WORD = (1 << Cells.PART_BITS) / Integer.BYTES - 1;

    private RaceWords() {
    }

    /** Whether accesses in that line may be given to it. */
    public static boolean holds(int line) {
        return line >>> Packed.LINE_BITS == 0;
    }

    /** A read at an offset into device memory; {@code site} as {@link BlockChecks#accessShared} wants it. */
    public static void read(Worker worker, long offset, int thread, int site) {
        Races races = worker.checks.races;
        long part = offset >>> Cells.PART_BITS;
        Claim[] owners = races.owners;
        if (offset >= races.globalFrom && part < owners.length && owners[(int) part] == races.quick) {
            long[] words = races.deviceWords[(int) part];
            int word = (int) offset >>> 2 & WORD;
            long before = words[word];
            long mine = races.packed[thread] | site >>> BlockChecks.KIND_BITS;
            if ((before | mine) >= 0) {
                if (Long.compareUnsigned(before - races.firstWord, races.launchSpan) >= 0) {
                    words[word] = mine;
                    return;
                }
                if (Packed.sameWarp(before, mine)) {
                    long after = Packed.readsAtSameTime(before, mine) ? Packed.with(before, mine) : -1;
                    if (after >= 0) {
                        words[word] = after;
                        return;
                    }
                } else if (!Packed.isWrite(before) && races.clocks.plain
                        && (Packed.readsAtSameTime(before, mine) || Long.compareUnsigned(before - races.blockWord, races.blockSpan) >= 0)) {
                    return;
                }
            }
        }
        worker.checks.accessWord(thread, offset, site);
    }

    /** As {@link #read}, of a write. */
    public static void write(Worker worker, long offset, int thread, int site) {
        Races races = worker.checks.races;
        long part = offset >>> Cells.PART_BITS;
        Claim[] owners = races.owners;
        if (offset >= races.globalFrom && part < owners.length && owners[(int) part] == races.quick) {
            long[] words = races.deviceWords[(int) part];
            int word = (int) offset >>> 2 & WORD;
            long before = words[word];
            long mine = races.packed[thread] | site >>> BlockChecks.KIND_BITS | Packed.WRITE;
            if ((before | mine) >= 0 && (Long.compareUnsigned(before - races.firstWord, races.launchSpan) >= 0 || Packed.sameThread(before, mine))) {
                words[word] = mine;
                return;
            }
        }
        worker.checks.accessWord(thread, offset, site);
    }

    /** As {@link #read}, at an offset into the block's shared memory. */
    public static void readShared(Worker worker, long offset, int thread, int site) {
        Races races = worker.checks.races;
        long part = offset >>> Cells.PART_BITS;
        long[][] parts = races.quickShared;
        if (part < parts.length) {
            long[] words = parts[(int) part];
            int word = (int) offset >>> 2 & WORD;
            long before = words == null ? -1 : words[word];
            long mine = races.packed[thread] | site >>> BlockChecks.KIND_BITS;
            if ((before | mine) >= 0) {
                if (Long.compareUnsigned(before - races.blockWord, races.blockSpan) >= 0 || Packed.time(before) < races.ofBlock[thread]) {
                    words[word] = mine;
                    return;
                }
                if (Packed.readsAtSameTime(before, mine)) {
                    if (Packed.sameWarp(before, mine)) {
                        long after = Packed.with(before, mine);
                        if (after >= 0) {
                            words[word] = after;
                            return;
                        }
                    } else if (races.clocks.plain) {
                        return;
                    }
                }
            }
        }
        worker.checks.accessSharedWord(thread, offset, site);
    }

    /** As {@link #readShared}, of a write. */
    public static void writeShared(Worker worker, long offset, int thread, int site) {
        Races races = worker.checks.races;
        long part = offset >>> Cells.PART_BITS;
        long[][] parts = races.quickShared;
        if (part < parts.length) {
            long[] words = parts[(int) part];
            int word = (int) offset >>> 2 & WORD;
            long before = words == null ? -1 : words[word];
            long mine = races.packed[thread] | site >>> BlockChecks.KIND_BITS | Packed.WRITE;
            if ((before | mine) >= 0 && (Long.compareUnsigned(before - races.blockWord, races.blockSpan) >= 0
                    || Packed.time(before) < races.ofBlock[thread] || Packed.sameThread(before, mine))) {
                words[word] = mine;
                return;
            }
        }
        worker.checks.accessSharedWord(thread, offset, site);
    }
}
