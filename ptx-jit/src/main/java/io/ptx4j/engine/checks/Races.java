package io.ptx4j.engine.checks;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

import java.util.concurrent.locks.LockSupport;

/**
 * Finds accesses of the threads of one block that race: to one place, at least one a write, not both strong in each other's scope, and neither
 * before the other in causality order (manual: "Memory Consistency Model"). {@link ThreadClocks} knows what is ordered; {@link Cells} who was last.
 *
 * <p>What {@link RaceWords} reads is public.
 */
public final class Races {
    /** How often a worker looks whether another one has given something back before it lets other threads of the host run, and sleeps. */
    private static final int SPINS = 128;
    private static final int YIELDS = 192;
    private static final int SLEEP_NANOS = 20_000;
    private static final long[][] NONE = {};

    /**
     * Memory that the block's threads go to.
     *
     * @param origin offset of it in device memory
     */
    record Memory(Cells cells, long origin, boolean ofBlock) {
    }

    /** Of the device, and the block's own shared memory. */
    final Memory device;
    final Memory shared;

    private final LaunchChecks launch;
    private final Worker worker;
    public final ThreadClocks clocks;
    private final ThreadNumbers numbers;
    private final Claim common;
    public final long[][] deviceWords;
    private final long[][] sharedWords;
    public final Claim[] owners;
    /** Offset behind the block's windows, from where on all is global memory. */
    public final long globalFrom;
    /** As {@link #blockWord} and {@link #blockSpan}, of the threads of the launch. */
    public final long firstWord;
    public final long launchSpan;
    /** By thread, as {@link ThreadClocks#packed}. */
    public final long[] packed;
    /** As {@link ThreadClocks#ofBlock}. */
    public final int[] ofBlock;
    /** Number of the block's first thread as it stands in words, and up to where those of the block go from there. */
    public long blockWord;
    public final long blockSpan;
    /** What the worker has claimed; null where it must claim nothing. */
    private Claim claim;
    /** The same where words may be looked at without more ado; {@link Claim#NONE} where they may not. Others set it to that when they ask for something. */
    public Claim quick = Claim.NONE;
    /** The words of the block's shared memory where they may be looked at without more ado; none where they may not. */
    public long[][] quickShared = NONE;
    private final Suspects suspects;
    /** The cell that is looked at. */
    private final RaceCell cell;

    /**
     * @param shared memory of the block
     * @param globalFrom offset behind the block's windows; all from there on is global memory
     */
    Races(LaunchChecks launch, Worker worker, ThreadClocks clocks, Memory shared, long globalFrom) {
        this.device = new Memory(launch.cells().cells(), 0, false);
        this.shared = shared;
        this.deviceWords = device.cells.words;
        this.sharedWords = shared.cells.words;
        this.owners = device.cells.owners;
        this.globalFrom = globalFrom;
        this.packed = clocks.packed;
        this.ofBlock = clocks.ofBlock;
        this.launch = launch;
        this.worker = worker;
        this.clocks = clocks;
        this.numbers = new ThreadNumbers(launch.cells());
        this.suspects = new Suspects(launch, worker);
        this.cell = new RaceCell(launch, clocks, numbers);
        this.common = launch.cells().common();
        this.blockSpan = (long) numbers.perBlock << Packed.NUMBER_SHIFT;
        this.firstWord = numbers.first << Packed.NUMBER_SHIFT;
        this.launchSpan = Math.min(numbers.end, 1L << Packed.NUMBER_BITS) - numbers.first << Packed.NUMBER_SHIFT;
    }

    void begin(long number) {
        numbers.begin(number);
        blockWord = numbers.of(0) << Packed.NUMBER_SHIFT;
        clocks.begin(number, numbers.of(0));
        quickShared = shared.ofBlock && suspects.isEmpty() ? sharedWords : NONE;
    }

    // Claims

    /** From here on the worker may claim memory: it never gives way to another block in the middle of one. */
    void mayClaim() {
        claim = new Claim(this);
        quick = claim;
    }

    /** Others want something; the worker sees it at its next access, or when it looks at its claim. */
    void asked() {
        quick = Claim.NONE;
    }

    /** Gives back what others want. */
    void giveWay() {
        if (claim != null && claim.wanted() != 0) {
            release();
        }
    }

    /** Gives back all that the worker has claimed. */
    void release() {
        if (claim != null && claim.used) {
            claim.release();
            mayClaim();
        }
    }

    /** Whether the worker has a part of memory for itself now; if not, its words are to be taken one by one. */
    private boolean own(Memory memory, int part) {
        if (memory.cells.exclusive) {
            if (memory == device && claim != null) {
                quick = !suspects.isEmpty() ? Claim.NONE : claim;
                claim.used = true;
                owners[part] = claim;
            }
            return true;
        }
        giveWay();
        quick = !suspects.isEmpty() || claim == null ? Claim.NONE : claim;
        Claim[] owners = memory.cells.owners;
        while (true) {
            Claim owner = (Claim) Cells.CLAIMS.getAcquire(owners, part);
            if (owner == common || owner != null && owner == claim) {
                return owner != common;
            }
            if (owner == null || owner.released()) {
                boolean mine = claim != null && (owner == null || owner.wanted() != part + 1);
                if (mine) {
                    claim.used = true;
                }
                if (Cells.CLAIMS.compareAndSet(owners, part, owner, mine ? claim : common)) {
                    return mine;
                }
            } else {
                release();
                owner.ask(part + 1);
                await(owner);
            }
        }
    }

    private void await(Claim owner) {
        for (int time = 0; !owner.released(); time++) {
            goOn();
            if (time < SPINS) {
                Thread.onSpinWait();
            } else if (time < YIELDS) {
                // Who has it may not be running.
                Thread.yield();
            } else {
                LockSupport.parkNanos(SLEEP_NANOS);
            }
        }
    }

    private void goOn() {
        if (worker.cancelled()) {
            throw Fault.at(Fault.Kind.CANCELLED, "the launch was cancelled", 0, -1, -1);
        }
    }

    // Whole words

    /**
     * Looks at an access of a word of global memory and remembers it, if that is simple. A misaligned one, which is about to fail, counts as one of the word.
     *
     * @param kind as {@link Access#kind}
     * @return whether it was; if not nothing was done
     */
    boolean simple(int thread, long offset, int kind, int line) {
        long part = offset >>> Cells.PART_BITS;
        if (offset < globalFrom || part >= owners.length || owners[(int) part] != quick) {
            return false;
        }
        return noted(device, deviceWords[(int) part], Cells.word(offset), thread, kind, line);
    }

    /** As {@link #simple}, of a word of the block's shared memory. */
    boolean simpleShared(int thread, long offset, int kind, int line) {
        long part = offset >>> Cells.PART_BITS;
        if (!suspects.isEmpty() || part >= sharedWords.length || sharedWords[(int) part] == null) {
            return false;
        }
        return noted(shared, sharedWords[(int) part], Cells.word(offset), thread, kind, line);
    }

    private boolean noted(Memory memory, long[] words, int word, int thread, int kind, int line) {
        long mine = packed(thread, kind, line);
        long before = words[word];
        long after = mine < 0 ? -1 : after(memory, before, mine, thread);
        if (after < 0) {
            return false;
        }
        if (after != before) {
            words[word] = after;
        }
        return true;
    }

    /** An access of a whole word; negative where a {@code long} does not hold it. */
    private long packed(int thread, int kind, int line) {
        boolean strong = (kind & Access.STRONG) != 0;
        if (line >>> Packed.LINE_BITS != 0 || strong && (kind & Access.WRITE) == 0) {
            return -1;
        }
        return packed[thread] | line | ((kind & Access.WRITE) != 0 ? Packed.WRITE : 0) | (strong ? Packed.STRONG : 0)
                | ((kind & Access.WIDE) != 0 ? Packed.WIDE : 0);
    }

    /** As {@link #noted}, of some bytes of a word, where nothing but reads is to be thought of. */
    private boolean readsPart(Memory memory, long[] words, int word, int thread, int mask, int kind, int line) {
        long part = Packed.part(mask);
        long mine = kind == Access.READ ? packed(thread, kind, line) : -1;
        long before = words[word];
        if (part < 0 || mine < 0 || before < 0) {
            return false;
        }
        long number = Packed.number(before);
        boolean writes = Packed.isWrite(before);
        int time = Packed.time(before);
        if (Long.compareUnsigned(before, firstWord) < 0 || settled(memory, number, time, thread) && (!writes || gone(memory, number, time, thread))) {
            words[word] = mine | part;
            return true;
        }
        // Another thread's read stays, as in remember, unless it is one to add to or is ordered before this one.
        boolean another = number != Packed.number(mine) && Packed.mask(before) != mask;
        return !writes && another && (time == Packed.time(mine) || !Packed.sameWarp(before, mine)) && clocks.knowsOnlyBlock(thread);
    }

    /** As {@link #noted}, where other workers may look at the word too. */
    private boolean notedByMany(Memory memory, long[] words, int word, int thread, int kind, int line) {
        long mine = packed(thread, kind, line);
        while (mine >= 0) {
            long before = (long) Cells.LONGS.getAcquire(words, word);
            long after = after(memory, before, mine, thread);
            if (after < 0 || after == before || Cells.LONGS.compareAndSet(words, word, before, after)) {
                return after >= 0;
            }
        }
        return false;
    }

    /** What a word says of its last accesses after {@code mine}; negative where it cannot be said, or must be thought about. */
    private long after(Memory memory, long before, long mine, int thread) {
        if (Long.compareUnsigned(before, firstWord) < 0) {
            return mine;
        }
        return before < 0 ? -1 : Packed.isWrite(mine) ? afterWrite(memory, before, mine, thread) : afterRead(memory, before, mine, thread);
    }

    private long afterRead(Memory memory, long before, long mine, int thread) {
        if (Packed.readsAtSameTime(before, mine) && Long.compareUnsigned(before - blockWord, blockSpan) < 0) {
            // Of many unordered readers those of one warp are remembered.
            return Packed.sameWarp(before, mine) ? Packed.with(before, mine) : clocks.knowsOnlyBlock(thread) ? before : -1;
        }
        long number = Packed.number(before);
        boolean writes = Packed.isWrite(before);
        if (settled(memory, number, Packed.time(before), thread)) {
            return writes && !gone(memory, number, Packed.time(before), thread) ? -1 : mine;
        }
        return writes || Packed.sameWarp(before, mine) || !clocks.knowsOnlyBlock(thread) ? -1 : before;
    }

    private long afterWrite(Memory memory, long before, long mine, int thread) {
        if (Packed.sameThread(before, mine) || settled(memory, Packed.number(before), Packed.time(before), thread)) {
            return mine;
        }
        boolean strong = Packed.isWrite(before) && (before & mine & Packed.STRONG) != 0;
        return strong && ((before & mine & Packed.WIDE) != 0 || numbers.isOfBlock(Packed.number(before))) ? mine : -1;
    }

    /** Whether nobody left it in this launch, or a thread of the block before it met. */
    private boolean settled(Memory memory, long number, int time, int thread) {
        return numbers.isOfBlock(number) ? time < clocks.ofBlock[thread] : memory.ofBlock || !numbers.isOfLaunch(number);
    }

    /** Whether it means nothing to anybody any more: the threads of a block know the same of times when all met. */
    private boolean gone(Memory memory, long number, int time, int thread) {
        return numbers.isOfBlock(number) ? memory.ofBlock && time < clocks.ofBlock[thread] : memory.ofBlock || !numbers.isOfLaunch(number);
    }

    // All accesses

    /**
     * Looks at an access and remembers it.
     *
     * @param kind as {@link Access#kind}
     * @throws Fault if it races, and the launch does not go on behind that
     */
    void access(Memory memory, int thread, long offset, int bytes, int kind, int line) {
        if (!suspects.isEmpty()) {
            settle();
        }
        if (clocks.exhausted() || !memory.cells.holds(offset, bytes) || launch.isBenign(line)) {
            giveWay();
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
            int part = Cells.part(at);
            boolean own = own(memory, part);
            long[] words = memory.cells.words(part);
            if (!(mask != 0xF ? own && readsPart(memory, words, Cells.word(at), thread, mask, kind, line) : own ? noted(memory, words, Cells.word(at), thread, kind, line)
                    : notedByMany(memory, words, Cells.word(at), thread, kind, line))) {
                word(memory, own, at, thread, mask, kind, line);
            }
        }
    }

    private void word(Memory memory, boolean own, long offset, int thread, int mask, int kind, int line) {
        int part = Cells.part(offset);
        long[] words = memory.cells.words(part);
        int word = Cells.word(offset);
        long before = own ? words[word] : take(words, word);
        long after = before;
        Fault conflict;
        try {
            cell.unpack(memory.cells, offset, before);
            forget(memory, Cells.WRITE, thread);
            forget(memory, Cells.READ, thread);
            conflict = looked(memory, offset, thread, mask, kind, line);
            long packed = cell.pack();
            if (packed == Packed.IN_CELL) {
                cell.copyTo(memory.cells, offset);
            }
            after = packed;
        } finally {
            // Also where the stack or memory ends: others wait for the word.
            if (own) {
                words[word] = after;
            } else {
                Cells.LONGS.setRelease(words, word, after);
            }
        }
        if (conflict != null) {
            launch.report(conflict, worker, memory.origin == 0 ? -1 : offset);
        }
    }

    private void forget(Memory memory, int key, int thread) {
        if (cell.has(key) && gone(memory, cell.number(key), cell.time(key), thread)) {
            cell.forget(key);
        }
    }

    private long take(long[] words, int word) {
        for (int spins = 1;; spins++) {
            long before = (long) Cells.LONGS.getOpaque(words, word);
            if (before != Packed.TAKEN && Cells.LONGS.compareAndSet(words, word, before, Packed.TAKEN)) {
                return before;
            }
            if (spins % SPINS == 0) {
                // Who has it may not be running.
                goOn();
                Thread.yield();
            }
            Thread.onSpinWait();
        }
    }

    /** Notes an access in the cell; gives what is wrong with it, or null. */
    private Fault looked(Memory memory, long offset, int thread, int mask, int kind, int line) {
        long place = memory.origin + offset;
        Fault conflict = cell.raceWithWrite(place, thread, mask, kind, line);
        if (conflict != null && kind == Access.WRITE && !cell.isStrong(Cells.WRITE)) {
            suspects.add(conflict, memory.origin, place, mask);
            quick = Claim.NONE;
            quickShared = NONE;
            conflict = null;
        }
        if ((kind & Access.WRITE) == 0) {
            cell.read(thread, mask, kind, line);
            return conflict;
        }
        if (conflict == null) {
            conflict = cell.raceWithReads(place, thread, mask, kind, line);
        }
        cell.write(thread, mask, kind, line);
        return conflict;
    }

    /** Reports the words of a write over others that it has changed. */
    void settle() {
        quickShared = shared.ofBlock ? sharedWords : NONE;
        suspects.settle();
    }
}
