package io.ptx4j.jit.scalar;

import io.ptx4j.engine.checks.Access;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Multimem;
import io.ptx4j.jit.support.MultimemOperation;

import java.util.List;

/** Multicast objects (manual: "multimem"): values go to and come from {@link Multimem} as raw bits. */
final class MultimemEmitter {
    private MultimemEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        boolean loads = i.spelling().has(Modifier.LD_REDUCE);
        List<Operand> elements = elements(i.operand(loads ? 0 : 1));
        if (!loads) {
            hand(c, elements);
        }
        Addresses.pushGeneric(c, (Operand.Address) i.operand(loads ? 1 : 0));
        c.code().load(c.worker).load(c.frame).load(c.thread).push(MultimemOperation.of(i.spelling()).bits())
                .push(i.location().line() << BlockChecks.KIND_BITS | Access.kind(i))
                .call(Multimem.class, loads ? "load" : i.spelling().has(Modifier.ST) ? "store" : "reduce");
        if (loads) {
            take(c, i.type().bits() == 64, elements);
        } else {
            c.wrote();
        }
    }

    private static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector v ? v.elements() : List.of(operand);
    }

    private static void hand(ThreadCode c, List<Operand> elements) {
        for (int e = 0; e < elements.size(); e++) {
            boolean wide = ThreadCode.typeOf(elements.get(e)).bits() == 64;
            if (wide) {
                c.pushLong(elements.get(e));
            } else {
                c.pushInt(elements.get(e));
            }
            c.code().load(c.frame).push(e).call(Multimem.class, wide ? "setLong" : "setInt");
        }
    }

    private static void take(ThreadCode c, boolean wide, List<Operand> elements) {
        for (int e = 0; e < elements.size(); e++) {
            if (elements.get(e) instanceof Operand.Sink) {
                continue;
            }
            c.code().load(c.frame).push(e).call(Multimem.class, "get");
            if (!wide) {
                c.code().op(Op.L2I);
            }
            c.pop(elements.get(e), wide ? JvmType.LONG : JvmType.INT);
        }
    }
}
