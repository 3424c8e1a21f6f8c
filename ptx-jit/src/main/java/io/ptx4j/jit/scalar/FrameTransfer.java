package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.support.Frame;

import java.util.List;
import java.util.Set;

/**
 * Moves registers between JVM locals and the worker's frame.
 *
 * @param unchanged registers that the frame still holds because the method never writes them
 */
record FrameTransfer(ThreadCode c, FrameLayout layout, Set<Register> unchanged) {
    void save(List<Register> registers) {
        for (Register register : registers) {
            if (unchanged.contains(register)) {
                continue;
            }
            pushElement(register);
            c.code().load(c.local(register)).arrayStore(c.held(register).type());
        }
    }

    void restore(List<Register> registers) {
        for (Register register : registers) {
            pushElement(register);
            c.code().arrayLoad(c.held(register).type()).store(c.local(register));
        }
    }

    private void pushElement(Register register) {
        Code code = c.code();
        Held held = c.held(register);
        code.load(c.frame).field(Frame.class, switch (held) {
            case INT -> "ints";
            case WIDE, LONG -> "longs";
            case FLOAT -> "floats";
            case DOUBLE -> "doubles";
        });
        code.load(c.thread);
        int offset = layout.slots().get(register) * c.context().block().threads();
        if (offset != 0) {
            code.push(offset).op(Op.IADD);
        }
    }
}
