package io.ptx4j.engine.checks;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Check;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Variable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/** What is watched during one launch. */
public final class LaunchChecks {
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Set<Check> checks;
    private final Kernel kernel;
    private final Shadow shadow;
    private final byte[] sharedStates;
    private final MemorySegment memory;
    private final int threads;
    private final long blocks;
    private final int blocksOfCluster;
    /** Null where races are not looked for. */
    private final RaceMemory races;
    private final SyncWords words = new SyncWords();
    private final BiPredicate<Fault, String> benign;
    private final int[] benignLines;
    private final Findings findings;
    private boolean begun;
    private RaceMemory.Part cells;

    /**
     * @param memory of the device, as far as it is in use
     * @param sharedBytes static and dynamic shared memory of a block
     * @param races of the device; null where races are not looked for
     * @param benign which races are not to be reported, by the variable of shared memory that they are on; null for one elsewhere
     * @param benignLines races that an access in one of these lines has part in are not reported either
     * @param findings takes races and reads of unwritten bytes, behind which the launch goes on; null where the first one ends it
     */
    public LaunchChecks(
            Set<Check> checks, Shadow shadow, MemorySegment memory, Grid grid, long sharedBytes, RaceMemory races, BiPredicate<Fault, String> benign,
            Set<Integer> benignLines, Findings findings) {
        this.checks = checks;
        this.kernel = grid.kernel;
        this.shadow = shadow;
        this.memory = memory;
        this.blocksOfCluster = grid.cluster.blocks();
        this.threads = grid.block.threads();
        this.sharedStates = sharedStates(grid.kernel, Math.toIntExact(sharedBytes));
        this.races = races;
        this.blocks = grid.blocks();
        this.benign = benign;
        this.benignLines = benignLines.stream().mapToInt(line -> line).sorted().toArray();
        this.findings = findings;
    }

    Set<Check> checks() {
        return checks;
    }

    Shadow shadow() {
        return shadow;
    }

    /** What was found so far; null where the first finding ends the launch. */
    public Findings findings() {
        return findings;
    }

    /** Nothing of the launch runs any more, if anything did. */
    public synchronized void ended() {
        if (cells != null) {
            races.ended();
        }
    }

    /** What watches the blocks that {@code worker} runs. */
    public synchronized BlockChecks watch(Worker worker) {
        if (!begun && races != null) {
            // Not before: of a launch that fails before it has a worker nothing need be given back.
            cells = races.part(blocks, threads, worker.memory.byteSize());
        }
        begun = true;
        return new BlockChecks(this, worker);
    }

    /** The states that a block's shared memory begins with: padding between variables belongs to nobody. */
    private static byte[] sharedStates(Kernel kernel, int bytes) {
        byte[] states = new byte[bytes];
        Arrays.fill(states, Math.min(kernel.sharedBytes(), bytes), bytes, (byte) Shadow.ALLOCATED);
        for (Map.Entry<Variable, Integer> entry : kernel.sharedOffsets().entrySet()) {
            int from = Math.min(entry.getValue(), bytes);
            long to = entry.getKey().dynamic() ? bytes : Math.min(bytes, from + entry.getKey().bytes());
            Arrays.fill(states, from, (int) to, (byte) Shadow.ALLOCATED);
        }
        return states;
    }

    int blocksOfCluster() {
        return blocksOfCluster;
    }

    int threads() {
        return threads;
    }

    long blocks() {
        return blocks;
    }

    /** Who touched device memory last; null where races are not looked for. */
    RaceMemory.Part cells() {
        return cells;
    }

    /** Words of device memory by which threads synchronise. */
    SyncWords words() {
        return words;
    }

    /** The four bytes at an offset into device memory, a multiple of four. */
    int word(long offset) {
        return memory.get(WORD, offset);
    }

    /** Whether races of accesses in that line are not to be reported, wherever they are; asked first, since such races may be many. */
    boolean isBenign(int line) {
        return benignLines.length > 0 && Arrays.binarySearch(benignLines, line) >= 0;
    }

    /** A race, for {@link #report}. */
    Fault race(long offset, int bytes, int line, long block, int thread, boolean writes, Fault.Rival rival) {
        return new Fault(Fault.Kind.RACE, "nothing orders the accesses", line, block, thread, AddressSpace.ORIGIN + offset, bytes,
                writes ? "store" : "load", rival, null);
    }

    /**
     * Notes a race that nobody has declared benign, or ends the launch with it.
     *
     * @param worker that found it
     * @param shared its offset in the shared memory of a block; -1 for a race elsewhere
     */
    void report(Fault race, Worker worker, long shared) {
        if (benign.test(race, shared < 0 ? null : sharedVariable(shared))) {
            return;
        }
        if (findings == null) {
            throw race;
        }
        findings.add(race, worker);
    }

    /** The variable at an offset; null for dynamic shared memory that no variable names. */
    private String sharedVariable(long offset) {
        return kernel.sharedOffsets().entrySet().stream()
                .filter(entry -> offset >= entry.getValue() && (entry.getKey().dynamic() || offset < entry.getValue() + entry.getKey().bytes()))
                .map(entry -> entry.getKey().name()).findFirst().orElse(null);
    }

    void beginShared(MemorySegment states) {
        MemorySegment.copy(MemorySegment.ofArray(sharedStates), 0, states, 0, sharedStates.length);
    }
}
