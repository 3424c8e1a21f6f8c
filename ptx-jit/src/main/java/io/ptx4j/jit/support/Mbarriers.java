package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

/**
 * Barriers in shared memory (manual: "mbarrier"), laid out as {@link io.ptx4j.engine} says. Whoever can reach one runs on the same
 * thread of the host, so plain accesses do.
 */
public final class Mbarriers {
    private static final int LARGEST_COUNT = (1 << 20) - 1;
    private static final int EXPECTED = 20;
    private static final int TRANSACTIONS = 40;
    private static final int TRANSACTION_BITS = 21;
    private static final long VALID = 1L << 62;
    private static final long PHASE = 1L << 63;

    private Mbarriers() {
    }

    /** The offset of a generic address, which must lie in shared memory of the cluster. */
    public static long inShared(Worker worker, long offset) {
        if (worker.cluster().rankOf(offset + AddressSpace.ORIGIN) < 0) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "an mbarrier at 0x" + Long.toHexString(offset + AddressSpace.ORIGIN)
                    + ", which is not in shared memory", 0, -1, -1);
        }
        return offset;
    }

    public static void init(MemorySegment segment, long offset, int count) {
        if (count < 1 || count > LARGEST_COUNT) {
            throw wrong("mbarrier.init with a count of " + Integer.toUnsignedString(count) + "; possible are 1 to " + LARGEST_COUNT);
        }
        Memory.storeI64(segment, offset, VALID | (long) count << EXPECTED | count);
    }

    public static void invalidate(MemorySegment segment, long offset) {
        load(segment, offset);
        Memory.storeI64(segment, offset, 0);
    }

    /** {@code expect_tx} adds to the transactions that the phase waits for. */
    public static void expect(MemorySegment segment, long offset, int transactions) {
        store(segment, offset, withTransactions(load(segment, offset), Integer.toUnsignedLong(transactions)));
    }

    /** {@code complete_tx}, and what an asynchronous copy does at its end. */
    public static void complete(MemorySegment segment, long offset, int transactions) {
        store(segment, offset, withTransactions(load(segment, offset), -Integer.toUnsignedLong(transactions)));
    }

    /** Returns the state before. */
    public static long arrive(MemorySegment segment, long offset, int count) {
        long before = load(segment, offset);
        store(segment, offset, arrived(before, count));
        return before;
    }

    public static long arriveDrop(MemorySegment segment, long offset, int count) {
        long before = load(segment, offset);
        store(segment, offset, dropped(before, count));
        return before;
    }

    public static long arriveExpect(MemorySegment segment, long offset, int transactions) {
        long before = load(segment, offset);
        store(segment, offset, arrived(withTransactions(before, Integer.toUnsignedLong(transactions)), 1));
        return before;
    }

    public static long arriveDropExpect(MemorySegment segment, long offset, int transactions) {
        long before = load(segment, offset);
        store(segment, offset, dropped(withTransactions(before, Integer.toUnsignedLong(transactions)), 1));
        return before;
    }

    /** As {@link #arrive}; must not complete the phase. */
    public static long arriveNoComplete(MemorySegment segment, long offset, int count) {
        long before = load(segment, offset);
        Memory.storeI64(segment, offset, incomplete(arrived(before, count)));
        return before;
    }

    public static long arriveDropNoComplete(MemorySegment segment, long offset, int count) {
        long before = load(segment, offset);
        Memory.storeI64(segment, offset, incomplete(dropped(before, count)));
        return before;
    }

    /** What an arrival does whose count was added just before. */
    public static void check(MemorySegment segment, long offset) {
        load(segment, offset);
    }

    /** 1 if the phase of {@code state} has completed. */
    public static int testState(MemorySegment segment, long offset, long state) {
        return ((load(segment, offset) ^ state) & PHASE) != 0 ? 1 : 0;
    }

    /** 1 if the phase with that parity has completed. */
    public static int testParity(MemorySegment segment, long offset, int parity) {
        return (load(segment, offset) >>> 63) != (parity & 1) ? 1 : 0;
    }

    public static int pendingCount(long state) {
        return (int) state & LARGEST_COUNT;
    }

    private static long load(MemorySegment segment, long offset) {
        long word = Memory.loadI64(segment, offset);
        if ((word & VALID) == 0) {
            throw wrong("no mbarrier is here: it was not initialised, or overwritten or invalidated");
        }
        return word;
    }

    /** Stores it, in its next phase if nothing is pending. */
    private static void store(MemorySegment segment, long offset, long word) {
        boolean complete = pendingCount(word) == 0 && transactions(word) == 0;
        Memory.storeI64(segment, offset, complete ? (word ^ PHASE) | expected(word) : word);
    }

    private static long expected(long word) {
        return word >>> EXPECTED & LARGEST_COUNT;
    }

    private static long transactions(long word) {
        return word << 64 - TRANSACTIONS - TRANSACTION_BITS >> 64 - TRANSACTION_BITS;
    }

    private static long withTransactions(long word, long more) {
        long sum = transactions(word) + more;
        if (Math.abs(sum) > LARGEST_COUNT) {
            throw wrong("a transaction count of " + sum + "; possible are -" + LARGEST_COUNT + " to " + LARGEST_COUNT);
        }
        long field = (1L << TRANSACTION_BITS) - 1;
        return word & ~(field << TRANSACTIONS) | (sum & field) << TRANSACTIONS;
    }

    private static long arrived(long word, int count) {
        if (Integer.compareUnsigned(count, pendingCount(word)) > 0 || count == 0) {
            throw wrong(Integer.toUnsignedString(count) + " arrivals where " + pendingCount(word) + " are pending");
        }
        return word - count;
    }

    private static long dropped(long word, int count) {
        return arrived(word, count) - ((long) count << EXPECTED);
    }

    private static long incomplete(long word) {
        if (pendingCount(word) == 0 && transactions(word) == 0) {
            throw wrong("an arrival with .noComplete would complete the phase");
        }
        return word;
    }

    private static Fault wrong(String message) {
        return Fault.at(Fault.Kind.ILLEGAL_OPERAND, message, 0, -1, -1);
    }
}
