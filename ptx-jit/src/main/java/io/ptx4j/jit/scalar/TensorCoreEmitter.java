package io.ptx4j.jit.scalar;

import io.ptx4j.engine.TensorKind;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.TensorCores;

import java.util.List;

/** What a thread alone does with tensor memory (manual: "TensorCore 5th Generation Family Instructions"): it is done when it is issued. */
final class TensorCoreEmitter {
    private static final int MASKS = 8;

    private TensorCoreEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        if (has(i, Modifier.MMA)) {
            multiply(c, i);
        } else if (has(i, Modifier.CP)) {
            copy(c, i);
        } else if (has(i, Modifier.COMMIT)) {
            commit(c, i);
        } else if (has(i, Modifier.RELINQUISH_ALLOC_PERMIT)) {
            block(c).call(TensorCores.class, "relinquish");
        } else if (has(i, Modifier.SHIFT)) {
            throw new NoCode("not supported by the JIT");
        }
    }

    private static boolean has(Instruction i, Modifier modifier) {
        return i.spelling().has(modifier);
    }

    private static int blocks(Instruction i) {
        return has(i, Modifier.CTA_GROUP_2) ? 2 : 1;
    }

    /** Pushes the worker and the block that it runs. */
    private static Code block(ThreadCode c) {
        return c.code().load(c.worker).load(c.frame).field(Frame.class, "block");
    }

    private static void pushInt(ThreadCode c, Operand operand) {
        if (operand == null) {
            c.code().push(0);
        } else {
            c.pushInt(operand);
        }
    }

    private static void multiply(ThreadCode c, Instruction i) {
        for (Modifier modifier : List.of(Modifier.WS, Modifier.SP, Modifier.ASHIFT)) {
            if (has(i, modifier)) {
                throw new NoCode(modifier + " is not supported by the JIT");
            }
        }
        TensorKind kind = TensorKind.of(i.spelling());
        Code code = block(c).staticField(TensorKind.class, kind.name()).push(blocks(i)).push(kind.parts(i.spelling()));
        pushInt(c, i.operand("d"));
        Operand a = i.operand("a");
        boolean inTensor = ThreadCode.typeOf(a).bits() <= Integer.SIZE;
        if (inTensor) {
            c.pushInt(a);
            code.zeroExtend();
        } else {
            c.pushLong(a);
        }
        code.push(inTensor ? 1 : 0);
        c.pushLong(i.operand("b"));
        pushInt(c, i.operand("i"));
        pushInt(c, i.operand("e"));
        pushInt(c, i.operand("s"));
        List<Operand> masks = i.operand("l") instanceof Operand.Vector v ? v.elements() : List.of();
        for (int k = 0; k < MASKS; k++) {
            pushInt(c, k < masks.size() ? masks.get(k) : null);
        }
        pushInt(c, i.operand("x"));
        pushInt(c, i.operand("y"));
        code.call(TensorCores.class, "multiply");
    }

    private static void copy(ThreadCode c, Instruction i) {
        TensorCores.Copied copied = has(i, Modifier.T128X256B) || has(i, Modifier.T128X128B) ? TensorCores.Copied.ALL
                : has(i, Modifier.WARPX2_02_13) ? TensorCores.Copied.HALF_TO_EVERY_OTHER
                : has(i, Modifier.WARPX2_01_23) ? TensorCores.Copied.HALF_TO_NEIGHBOURS
                : has(i, Modifier.WARPX4) ? TensorCores.Copied.QUARTER_TO_ALL : null;
        if (copied == null) {
            throw new NoCode(".4x256b is not supported by the JIT");
        }
        block(c).push(blocks(i)).staticField(TensorCores.Copied.class, copied.name());
        pushInt(c, i.operand("a"));
        c.pushLong(i.operand("b"));
        c.code().push(has(i, Modifier.T128X256B) ? 2 : 1).push(has(i, Modifier.B6X16_P32) ? 6 : has(i, Modifier.B4X16_P64) ? 4 : 8).call(TensorCores.class, "copy");
    }

    /** The mbarrier counts an arrival: all before it has been done. */
    private static void commit(ThreadCode c, Instruction i) {
        c.code().load(c.worker);
        c.addressCluster(has(i, Modifier.SHARED_CLUSTER));
        Addresses.pushGeneric(c, (Operand.Address) i.operand("a"));
        if (has(i, Modifier.MULTICAST_CLUSTER)) {
            c.pushInt(i.operand("c"));
            c.code().push(0xffff).op(Op.IAND).call(TensorCores.class, "commitTo");
        } else {
            c.code().call(TensorCores.class, "commit");
        }
        c.wrote();
    }
}
