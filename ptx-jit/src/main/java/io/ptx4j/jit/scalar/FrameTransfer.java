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
 * Moves registers between JVM locals and the worker's frame. What a method does not name stays in the frame; what it does not
 * write is there still.
 *
 * @param named registers that the method reads or writes
 * @param written registers that the method writes
 */
record FrameTransfer(ThreadCode c, FrameLayout layout, Set<Register> named, Set<Register> written) {
    void save(List<Register> registers) {
        for (Register register : registers) {
            if (written.contains(register)) {
                pushElement(register);
                c.code().load(c.local(register)).arrayStore(c.held(register).type());
            }
        }
    }

    void restore(List<Register> registers) {
        for (Register register : registers) {
            if (named.contains(register)) {
                pushElement(register);
                c.code().arrayLoad(c.held(register).type()).store(c.local(register));
            }
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
