package io.ptx4j.engine.checks;

import io.ptx4j.engine.Check;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Variable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** What is watched during one launch. */
public final class LaunchChecks {
    private final Set<Check> checks;
    private final Shadow shadow;
    private final byte[] sharedStates;

    /** @param sharedBytes static and dynamic shared memory of a block */
    public LaunchChecks(Set<Check> checks, Shadow shadow, Kernel kernel, long sharedBytes) {
        this.checks = checks;
        this.shadow = shadow;
        this.sharedStates = sharedStates(kernel, Math.toIntExact(sharedBytes));
    }

    Set<Check> checks() {
        return checks;
    }

    Shadow shadow() {
        return shadow;
    }

    /** What watches the blocks that {@code worker} runs. */
    public BlockChecks watch(Worker worker) {
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

    void beginShared(MemorySegment states) {
        MemorySegment.copy(MemorySegment.ofArray(sharedStates), 0, states, 0, sharedStates.length);
    }
}
