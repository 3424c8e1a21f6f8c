package io.ptx4j.engine.checks;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Check;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Watches the block that one worker runs. Engines tell it what threads do; an error is thrown as {@link Fault}. Shared and local memory begin
 * every block unwritten.
 *
 * <p>Fields are public and final because generated code reads them directly.
 */
public final class BlockChecks {
    /** Bits of an access that say what kind it is ({@link Access#kind}); its PTX line stands above them. */
    public static final int KIND_BITS = 6;

    /** States of {@link Worker#memory}, byte by byte. */
    public final MemorySegment memory;
    /** States of {@link Worker#shared}. */
    public final MemorySegment shared;
    /** States of {@link Worker#local}. */
    public final MemorySegment local;

    private final LaunchChecks launch;
    private final Worker worker;
    private final long sharedOrigin;
    private final long sharedEnd;
    private final long localOrigin;
    private final long localEnd;
    private final boolean alone;
    private final boolean synchronization;
    /** Null where races are not looked for, as is the next. */
    private final ThreadClocks clocks;
    public final Races races;
    /** Offset behind the block's windows, from where on all is global memory. */
    private final long globalFrom;
    /** Null where initialisation is not watched. */
    private final PendingCopies copies;
    private final SyncWords sharedWords = new SyncWords();
    private final Set<Long> mbarriers = new HashSet<>();
    private int currentThread;
    private int currentLine;
    private int currentStore;
    private long number;

    BlockChecks(LaunchChecks launch, Worker worker) {
        MemorySegment states = launch.shadow().states();
        this.launch = launch;
        this.worker = worker;
        this.sharedOrigin = worker.sharedBase - AddressSpace.ORIGIN;
        this.localOrigin = worker.localBase - AddressSpace.ORIGIN;
        this.sharedEnd = sharedOrigin + worker.shared.byteSize();
        this.localEnd = localOrigin + worker.local.byteSize();
        this.alone = launch.blocksOfCluster() == 1;
        this.memory = states.asSlice(0, worker.memory.byteSize());
        this.shared = states.asSlice(sharedOrigin, worker.shared.byteSize());
        this.local = states.asSlice(localOrigin, worker.local.byteSize());
        this.synchronization = launch.checks().contains(Check.SYNCHRONIZATION);
        this.copies = launch.checks().contains(Check.INITIALIZATION) ? new PendingCopies(memory, launch.threads()) : null;
        boolean racing = launch.cells() != null;
        this.clocks = racing ? new ThreadClocks(launch.threads()) : null;
        this.globalFrom = alone ? Math.max(localEnd, sharedEnd) : Long.MAX_VALUE;
        this.races = racing ? new Races(launch, worker, clocks, new Races.Memory(new Cells(worker.shared.byteSize(), true), sharedOrigin, alone),
                globalFrom) : null;
    }

    /** A block begins. */
    public void begin(long block) {
        number = block;
        mbarriers.clear();
        launch.beginShared(shared);
        local.fill((byte) Shadow.ALLOCATED);
        if (copies != null) {
            copies.clear();
        }
        if (races != null) {
            races.settle();
            if (!alone) {
                races.shared.cells().clear();
            }
            sharedWords.clear();
            races.begin(block);
        }
    }

    /** The block has ended. */
    public void end() {
        if (races != null) {
            races.settle();
            races.release();
        }
    }

    /** From here on the worker runs each block to its end before it does anything else, which makes looking for races cheaper. */
    public void runsThrough() {
        if (races != null) {
            races.mayClaim();
        }
    }

    /** Whether the worker claims memory in parts, so that blocks which share some had better be its own. */
    public boolean watchesRaces() {
        return races != null;
    }

    /** The worker goes on with what may take long: others may have what they wait for. */
    public void giveWay() {
        if (races != null) {
            races.giveWay();
        }
    }

    /** The worker stops; others may have what it had. */
    public void rest() {
        if (races != null) {
            races.release();
        }
    }

    /** Decides which words the block's writes so far have changed. */
    public void settle() {
        races.settle();
    }

    /** A thread is about to leave for code of the host, which may change memory, and wait for what other blocks do. */
    public void leave() {
        if (races != null) {
            races.settle();
            races.release();
        }
    }

    /** As {@link Shadow#missing} for an access of the current thread at an offset into device memory; notes it, and looks for races. */
    public int range(long offset, long bytes, boolean store) {
        int missing = Shadow.missing(memory, offset, bytes, store ? Shadow.neededToWrite(launch.checks()) : Shadow.neededToRead(launch.checks()));
        if (missing != 0 && goesOn(missing, memory, offset, bytes)) {
            note(Fault.Kind.UNINITIALIZED, currentLine, currentThread, offset, (int) bytes, "load");
            missing = 0;
        }
        if (missing == 0 && store) {
            Shadow.write(memory, offset, bytes);
        }
        if (missing == 0 && races != null) {
            access(currentThread, offset, (int) bytes, currentLine << KIND_BITS | (store ? currentStore : Access.READ));
        }
        return missing;
    }

    /**
     * Whether the launch goes on behind an access to bytes of a window that {@link Shadow#missing} something: if all they miss is that nobody has
     * written them, and its findings are gathered.
     */
    public boolean goesOn(int missing, MemorySegment states, long offset, long bytes) {
        return launch.findings() != null && missing == Shadow.WRITTEN && Shadow.missing(states, offset, bytes, Shadow.neededToWrite(launch.checks())) == 0;
    }

    /** Notes an error behind which the launch goes on. */
    public void note(Fault fault) {
        launch.findings().add(fault, worker);
    }

    /** As above, for an access at an offset into device memory. */
    public void note(Fault.Kind kind, int line, int thread, long offset, int bytes, String access) {
        note(new Fault(kind, kind.toString(), line, number, thread, AddressSpace.ORIGIN + offset, bytes, access, null));
    }

    // Accesses

    /**
     * A thread is about to access a replica of a multicast object.
     *
     * @param offset into device memory
     * @param site the kind of the access, and above {@link #KIND_BITS} its line
     * @throws Fault if the access is one of those that are watched for
     */
    public void accessReplica(int thread, long offset, int bytes, int site) {
        boolean writes = (site & Access.WRITE) != 0;
        int missing = Shadow.missing(memory, offset, bytes,
                (site & Access.READ) != 0 ? Shadow.neededToRead(launch.checks()) : Shadow.neededToWrite(launch.checks()));
        if (missing != 0 && goesOn(missing, memory, offset, bytes)) {
            note(Fault.Kind.UNINITIALIZED, site >>> KIND_BITS, thread, offset, bytes, "multimem");
        } else if (missing != 0) {
            Fault.Kind kind = Shadow.fault(missing);
            throw new Fault(kind, kind.toString(), site >>> KIND_BITS, number, thread, offset + AddressSpace.ORIGIN, bytes, "multimem", null);
        }
        if (writes) {
            Shadow.write(memory, offset, bytes);
        }
        access(thread, offset, bytes, site);
        if (writes && (site & Access.STRONG) != 0) {
            publish(thread, offset, site & (1 << KIND_BITS) - 1);
        }
    }

    /** As {@link #observe} where the access to a replica was a strong read. */
    public void observeReplica(int thread, long offset, int site) {
        if ((site & Access.READ) != 0 && (site & Access.STRONG) != 0) {
            observe(thread, offset, site & (1 << KIND_BITS) - 1);
        }
    }

    /**
     * A thread is about to access the block's shared memory.
     *
     * @param site the kind of the access, and above {@link #KIND_BITS} its line
     */
    public void accessShared(int thread, long offset, int bytes, int site) {
        if (races != null) {
            races.access(races.shared, thread, offset, bytes, site & (1 << KIND_BITS) - 1, site >>> KIND_BITS);
        }
    }

    /** As {@link #accessShared}, of four bytes where races are looked for. */
    public void accessSharedWord(int thread, long offset, int site) {
        if (!races.simpleShared(thread, offset, site & (1 << KIND_BITS) - 1, site >>> KIND_BITS)) {
            races.access(races.shared, thread, offset, Integer.BYTES, site & (1 << KIND_BITS) - 1, site >>> KIND_BITS);
        }
    }

    /** As {@link #access}, of four bytes where races are looked for. */
    public void accessWord(int thread, long offset, int site) {
        if (!races.simple(thread, offset, site & (1 << KIND_BITS) - 1, site >>> KIND_BITS)) {
            access(thread, offset, Integer.BYTES, site);
        }
    }

    /** A thread is about to access memory by an offset into device memory; its local memory is its own affair. */
    public void access(int thread, long offset, int bytes, int site) {
        int kind = site & (1 << KIND_BITS) - 1;
        int line = site >>> KIND_BITS;
        if (races == null) {
            return;
        }
        if (offset >= globalFrom) {
            races.access(races.device, thread, offset, bytes, kind, line);
        } else if (inside(offset, sharedOrigin, sharedEnd)) {
            races.access(races.shared, thread, offset - sharedOrigin, bytes, kind, line);
        } else if (!inside(offset, localOrigin, localEnd)) {
            BlockChecks other = neighbour(offset);
            if (other == null) {
                races.access(races.device, thread, offset, bytes, kind, line);
            } else {
                races.access(other.races.shared, thread, offset - other.sharedOrigin, bytes, kind, line);
            }
        }
    }

    private static boolean inside(long offset, long origin, long end) {
        return offset >= origin && offset < end;
    }

    /** What watches the other block of the cluster in whose shared memory the offset lies; null for none. */
    private BlockChecks neighbour(long offset) {
        if (alone) {
            return null;
        }
        int rank = worker.cluster().rankOf(offset + AddressSpace.ORIGIN);
        return rank < 0 ? null : worker.cluster().worker(rank).checks;
    }

    private SyncWords words(long offset) {
        if (inside(offset, sharedOrigin, sharedEnd)) {
            return sharedWords;
        }
        BlockChecks other = neighbour(offset);
        return other == null ? launch.words() : other.sharedWords;
    }

    /** A thread is about to make a strong write. */
    public void publish(int thread, long offset, int kind) {
        if (clocks != null) {
            clocks.publish(words(offset), offset, thread, kind);
        }
    }

    /** A thread has made a strong read. */
    public void observe(int thread, long offset, int kind) {
        if (clocks != null) {
            clocks.observe(words(offset), offset, thread, kind);
        }
    }

    /** As {@link #publish} and {@link #observe}, at an offset into the block's shared memory. */
    public void publishShared(int thread, long offset, int kind) {
        if (clocks != null) {
            clocks.publish(sharedWords, sharedOrigin + offset, thread, kind);
        }
    }

    /** As {@link #observe}, at an offset into the block's shared memory. */
    public void observeShared(int thread, long offset, int kind) {
        if (clocks != null) {
            clocks.observe(sharedWords, sharedOrigin + offset, thread, kind);
        }
    }

    /** The thread that a copy is made for from here on, its line, and whether it reduces: then each element is updated at once. */
    public void at(int thread, int line, boolean reduces) {
        currentStore = reduces ? Access.WRITE | Access.STRONG | Access.WIDE : Access.WRITE;
        currentThread = thread;
        currentLine = line;
    }

    /** The current thread has issued a {@code cp.async} to an offset into device memory, for which it has to wait. */
    public void copied(long offset, int bytes) {
        if (copies != null) {
            copies.add(currentThread, offset, bytes);
        }
    }

    /** A thread commits the copies that it has issued as a group. */
    public void commitCopies(int thread) {
        if (copies != null) {
            copies.commit(thread);
        }
    }

    /** A thread has waited for all groups of its copies but the last {@code most}. */
    public void awaitCopies(int thread, int most) {
        if (copies != null) {
            copies.await(thread, most);
        }
    }

    /** An asynchronous copy of the current thread has come, and the mbarrier at an offset into device memory counts it. */
    public void arrived(long mbarrier) {
        if (clocks != null) {
            clocks.publish(words(mbarrier), mbarrier, currentThread, Access.STRONG | Access.WIDE | Access.RELEASE);
        }
    }

    // Synchronisation

    /** A thread executes a fence; {@code wide} where its scope is more than the block. */
    public void fence(int thread, boolean wide) {
        if (clocks != null) {
            clocks.fence(thread, wide);
        }
    }

    /**
     * Threads of the block leave barrier {@code id}, others may have arrived at it before.
     *
     * @param ended threads that have ended
     * @param arrivals whether others have arrived without waiting
     * @param stand where a waiting thread stands
     */
    public void barrier(int id, BitSet waiting, BitSet ended, boolean arrivals, IntFunction<Stand> stand) {
        if (synchronization) {
            BarrierRules.check(number, launch.threads(), id, waiting, ended, stand);
        }
        boolean forAll = stand.apply(waiting.nextSetBit(0)).count() == 0 || ended.isEmpty();
        if (forAll && !arrivals && waiting.cardinality() + ended.cardinality() == launch.threads()) {
            barrier();
        } else if (clocks != null) {
            clocks.meet(id, waiting);
        }
    }

    /** All threads that have not ended leave a barrier at which no others have arrived. */
    public void barrier() {
        if (clocks != null) {
            clocks.meet();
        }
    }

    /** A thread arrives at barrier {@code id} and goes on. */
    public void arrive(int id, int thread) {
        if (clocks != null) {
            clocks.arrive(id, thread);
        }
    }

    /** The threads {@code lanes} of a warp execute an operation together, for which one of them gave the member mask {@code mask}. */
    public void members(int low, int lanes, int mask, int thread, Stand stand) {
        int existing = launch.threads() - low >= BlockShape.WARP ? -1 : (1 << launch.threads() - low) - 1;
        int gone = mask & existing & ~lanes;
        if (synchronization && gone != 0) {
            throw Fault.at(Fault.Kind.SYNCHRONIZATION, String.format("member mask 0x%08x of '%s' names lanes 0x%08x, whose threads have ended",
                    mask, stand.text(), gone), stand.line(), number, thread);
        }
    }

    /** A thread initialises the mbarrier at an offset into device memory. */
    public void initialises(int thread, int line, long mbarrier) {
        if (synchronization && !mbarriers.add(mbarrier)) {
            throw Fault.at(Fault.Kind.SYNCHRONIZATION, "mbarrier.init where an mbarrier is already; mbarrier.inval must come before", line,
                    number, thread);
        }
    }

    /** A thread invalidates the mbarrier at an offset into device memory. */
    public void invalidates(long mbarrier) {
        mbarriers.remove(mbarrier);
    }

    /** The threads {@code lanes} of the warp from thread {@code low} on leave a barrier of the warp. */
    public void warpBarrier(int low, int lanes) {
        if (clocks != null) {
            clocks.meetInWarp(low, lanes);
        }
    }

    /** A thread arrives at the barrier of the cluster. */
    public void arriveAtCluster(int thread) {
        if (clocks != null) {
            // Behind the barrier others may write there.
            races.settle();
            clocks.arriveAtCluster(thread);
        }
    }

    /** A thread leaves the barrier of the cluster. */
    public void leaveCluster(int thread) {
        for (int rank = 0; clocks != null && rank < worker.cluster().blocks(); rank++) {
            clocks.leaveCluster(thread, worker.cluster().worker(rank).checks.clocks);
        }
    }
}
