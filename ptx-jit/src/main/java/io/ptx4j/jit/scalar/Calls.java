package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;

/** Instructions that one call of a support method computes. */
final class Calls {
    private Calls() {
    }

    /** Calls {@code method} with all sources, each in the natural type of its operand, for the only result. */
    static void emit(ThreadCode c, Instruction i, Class<?> holder, String method) {
        pushSources(c, i);
        c.code().call(holder, method);
        c.pop(i.operand(0), ThreadCode.natural(ThreadCode.typeOf(i.operand(0))));
    }

    /** Pushes the sources of an instruction with one result. */
    static void pushSources(ThreadCode c, Instruction i) {
        for (int k = 1; k < i.operands().size(); k++) {
            if (!(i.operand(k) instanceof Operand.Absent)) {
                c.push(i.operand(k));
            }
        }
    }
}
