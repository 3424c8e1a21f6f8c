package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.support.ThreadStack;

/** The thread's stack, which grows upwards in its local memory (manual: "Stack Manipulation Instructions"). */
final class StackEmitter {
    private static final int DEFAULT_ALIGNMENT = 8;

    private StackEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        Code code = c.code();
        Local top = c.local(Operands.STACK);
        switch (i.opcode()) {
            case STACKSAVE -> {
                code.load(top);
                c.pop(i.operand(0), JvmType.LONG);
            }
            case STACKRESTORE -> {
                c.pushLong(i.operand(0));
                code.store(top);
            }
            case ALLOCA -> {
                int alignment = i.operand(2) instanceof Operand.Immediate given ? (int) given.bits() : DEFAULT_ALIGNMENT;
                Local start = c.scratch(JvmType.LONG, 0);
                code.load(top);
                c.pushLong(i.operand(1));
                code.push(alignment).push((long) c.context().localBytes()).call(ThreadStack.class, "allocate").store(start);
                code.load(start);
                c.pushLong(i.operand(1));
                code.op(Op.LADD).store(top).load(start);
                c.pop(i.operand(0), JvmType.LONG);
            }
            default -> throw new NoCode("not supported by the JIT");
        }
    }
}
