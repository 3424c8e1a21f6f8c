package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import java.lang.invoke.VarHandle;

/** Memory fences (manual: "membar, fence"). All of them are full fences here. */
final class FenceEmitter {
    private FenceEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case MEMBAR, FENCE -> c.code().call(VarHandle.class, "fullFence");
            default -> throw new NoCode("not supported by the JIT");
        }
    }
}
