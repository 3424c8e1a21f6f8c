package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;
import io.ptx4j.engine.checks.Access;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.engine.checks.Shadow;

import java.lang.foreign.MemorySegment;

/**
 * What generated code asks before an access in checked mode. {@code needed} is the state ({@link Shadow}) that each byte of the
 * access must have, in every byte of the {@code int}. An access that leaves the segment, or is misaligned, is left to find that out itself.
 */
public final class Checks {
    private static final int WRITTEN = Shadow.WRITTEN * 0x01010101;

    private Checks() {
    }

    public static void load1(MemorySegment states, long offset, int needed) {
        try {
            if ((states.get(Memory.I8, offset) & needed & 0xFF) != (needed & 0xFF)) {
                throw refused(states, offset, 1, needed, false);
            }
        } catch (IndexOutOfBoundsException accessFails) {
            return;
        }
    }

    public static void load2(MemorySegment states, long offset, int needed) {
        try {
            if ((states.get(Memory.I16, offset) & needed & 0xFFFF) != (needed & 0xFFFF)) {
                throw refused(states, offset, 2, needed, false);
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException accessFails) {
            return;
        }
    }

    public static void load4(MemorySegment states, long offset, int needed) {
        try {
            if ((states.get(Memory.I32, offset) & needed) != needed) {
                throw refused(states, offset, 4, needed, false);
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException accessFails) {
            return;
        }
    }

    public static void load8(MemorySegment states, long offset, int needed) {
        try {
            long all = needed & 0xFFFF_FFFFL | (long) needed << 32;
            if ((states.get(Memory.I64, offset) & all) != all) {
                throw refused(states, offset, 8, needed, false);
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException accessFails) {
            return;
        }
    }

    public static void store1(MemorySegment states, long offset, int needed) {
        try {
            int state = states.get(Memory.I8, offset);
            if ((state & needed & 0xFF) != (needed & 0xFF)) {
                throw refused(states, offset, 1, needed, true);
            }
            states.set(Memory.I8, offset, (byte) (state | WRITTEN));
        } catch (IndexOutOfBoundsException accessFails) {
            return;
        }
    }

    public static void store2(MemorySegment states, long offset, int needed) {
        try {
            int state = states.get(Memory.I16, offset);
            if ((state & needed & 0xFFFF) != (needed & 0xFFFF)) {
                throw refused(states, offset, 2, needed, true);
            }
            states.set(Memory.I16, offset, (short) (state | WRITTEN));
        } catch (IndexOutOfBoundsException | IllegalArgumentException accessFails) {
            return;
        }
    }

    public static void store4(MemorySegment states, long offset, int needed) {
        try {
            int state = states.get(Memory.I32, offset);
            if ((state & needed) != needed) {
                throw refused(states, offset, 4, needed, true);
            }
            states.set(Memory.I32, offset, state | WRITTEN);
        } catch (IndexOutOfBoundsException | IllegalArgumentException accessFails) {
            return;
        }
    }

    public static void store8(MemorySegment states, long offset, int needed) {
        try {
            long all = needed & 0xFFFF_FFFFL | (long) needed << 32;
            long state = states.get(Memory.I64, offset);
            if ((state & all) != all) {
                throw refused(states, offset, 8, needed, true);
            }
            states.set(Memory.I64, offset, state | WRITTEN & 0xFFFF_FFFFL | (long) WRITTEN << 32);
        } catch (IndexOutOfBoundsException | IllegalArgumentException accessFails) {
            return;
        }
    }

    /** Any number of bytes. */
    public static void load(MemorySegment states, long offset, int bytes, int needed) {
        if (Shadow.missing(states, offset, bytes, needed & 0xFF) != 0) {
            throw refused(states, offset, bytes, needed, false);
        }
    }

    /** Any number of bytes. */
    public static void store(MemorySegment states, long offset, int bytes, int needed) {
        if (Shadow.missing(states, offset, bytes, needed & 0xFF) != 0) {
            throw refused(states, offset, bytes, needed, true);
        }
        Shadow.write(states, offset, bytes);
    }

    /** Any number of bytes, where the launch goes on behind a read of bytes that nobody has written. */
    public static void noting(Worker worker, MemorySegment states, long offset, int bytes, int needed, int thread, int line, int stores) {
        int missing = Shadow.missing(states, offset, bytes, needed & 0xFF);
        if (missing != 0) {
            if (!worker.checks.goesOn(missing, states, offset, bytes)) {
                throw refused(states, offset, bytes, needed, stores != 0);
            }
            long place = states.address() + offset - worker.checks.memory.address();
            worker.checks.note(Fault.Kind.UNINITIALIZED, line, thread, place, bytes, stores != 0 ? "store" : "load");
        }
        if (stores != 0) {
            Shadow.write(states, offset, bytes);
        }
    }

    /** The offset of an access to local memory, once it is known to lie in the thread's own window of {@code size} bytes. */
    public static long own(Worker worker, long offset, int thread, int size, int bytes, boolean store) {
        long first = (long) thread * size;
        if (offset < first || offset > first + size - bytes) {
            throw new Memory.BadAccess(worker.local.address() + offset, bytes, store, false, null);
        }
        return offset;
    }

    /** Before a write that is not looked at: decides which words earlier writes have changed. */
    public static void settle(Worker worker) {
        worker.checks.settle();
    }

    /** Looks for a race before an access at an offset into device memory; {@code site} as {@link BlockChecks#accessShared} wants it. */
    public static void race(Worker worker, long offset, int thread, int bytes, int site) {
        worker.checks.access(thread, offset, bytes, site);
        if ((site & Access.WRITE) != 0 && (site & Access.STRONG) != 0) {
            worker.checks.publish(thread, offset, site);
        }
    }

    /** As {@link #race}, of four bytes. */
    public static void raceWord(Worker worker, long offset, int thread, int site) {
        worker.checks.accessWord(thread, offset, site);
        if ((site & Access.WRITE) != 0 && (site & Access.STRONG) != 0) {
            worker.checks.publish(thread, offset, site);
        }
    }

    /** As {@link #raceShared}, of four bytes. */
    public static void raceWordShared(Worker worker, long offset, int thread, int site) {
        worker.checks.accessSharedWord(thread, offset, site);
        if ((site & Access.WRITE) != 0 && (site & Access.STRONG) != 0) {
            worker.checks.publishShared(thread, offset, site);
        }
    }

    /** As {@link #race}, at an offset into the block's shared memory. */
    public static void raceShared(Worker worker, long offset, int thread, int bytes, int site) {
        worker.checks.accessShared(thread, offset, bytes, site);
        if ((site & Access.WRITE) != 0 && (site & Access.STRONG) != 0) {
            worker.checks.publishShared(thread, offset, site);
        }
    }

    /** After a strong read; where {@code did} is 0 it has not seen what it asked for. */
    public static void observe(Worker worker, long offset, int thread, int kind, int did) {
        if (did != 0) {
            worker.checks.observe(thread, offset, kind);
        }
    }

    /** As {@link #observe}, at an offset into the block's shared memory. */
    public static void observeShared(Worker worker, long offset, int thread, int kind, int did) {
        if (did != 0) {
            worker.checks.observeShared(thread, offset, kind);
        }
    }

    /** The thread that a copy is made for, its line, and whether it reduces. */
    public static void at(Worker worker, int thread, int line, int reduces) {
        worker.checks.at(thread, line, reduces != 0);
    }

    /** {@code cp.async.mbarrier.arrive} at a generic address. */
    public static void arrived(Worker worker, long mbarrier) {
        worker.checks.arrived(mbarrier - AddressSpace.ORIGIN);
    }

    /** {@code cp.async.commit_group}. */
    public static void commitCopies(Worker worker, int thread) {
        worker.checks.commitCopies(thread);
    }

    /** {@code cp.async.wait_group}. */
    public static void awaitCopies(Worker worker, int thread, int most) {
        worker.checks.awaitCopies(thread, most);
    }

    /** {@code mbarrier.init} and {@code mbarrier.inval} at a generic address. */
    public static void mbarrier(Worker worker, long mbarrier, int thread, int line, int init) {
        if (init != 0) {
            worker.checks.initialises(thread, line, mbarrier - AddressSpace.ORIGIN);
        } else {
            worker.checks.invalidates(mbarrier - AddressSpace.ORIGIN);
        }
    }

    /** {@code barrier.cluster.arrive}. */
    public static void arriveAtCluster(Worker worker, int thread) {
        worker.checks.arriveAtCluster(thread);
    }

    /** {@code fence} and {@code membar}. */
    public static void fence(Worker worker, int thread, int wide) {
        worker.checks.fence(thread, wide != 0);
    }

    /** Copies and matrix instructions, whose support methods know what they access: an offset into device memory. */
    public static void range(Worker worker, long offset, long bytes, boolean store) {
        int missing = worker.checks.range(offset, bytes, store);
        if (missing != 0) {
            throw new Refused(missing, worker.checks.memory.address() + offset, (int) bytes, store);
        }
    }

    private static Refused refused(MemorySegment states, long offset, int bytes, int needed, boolean store) {
        return new Refused(Shadow.missing(states, offset, bytes, needed & 0xFF), states.address() + offset, bytes, store);
    }

    /** An access to bytes that do not have the state it needs. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final int missing;
        /** Native address of the state of its first byte. */
        final long state;
        final int bytes;
        final boolean store;

        Refused(int missing, long state, int bytes, boolean store) {
            super("access to bytes in state " + missing);
            this.missing = missing;
            this.state = state;
            this.bytes = bytes;
            this.store = store;
        }
    }
}
