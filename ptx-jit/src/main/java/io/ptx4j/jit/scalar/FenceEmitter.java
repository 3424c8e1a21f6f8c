package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.jit.support.Clusters;
import java.lang.invoke.VarHandle;

/**
 * Memory fences (manual: "membar, fence"), all of them full fences here; arrivals at the barrier of the cluster; and
 * {@code griddepcontrol}: launches of a stream do not overlap, so there is nothing to wait for between them.
 */
final class FenceEmitter {
    private FenceEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case MEMBAR, FENCE -> c.code().call(VarHandle.class, "fullFence");
            case BARRIER -> c.code().load(c.frame).load(c.thread).call(Clusters.class, "arrive");
            case GRIDDEPCONTROL -> { }
            default -> throw new NoCode("not supported by the JIT");
        }
    }
}
