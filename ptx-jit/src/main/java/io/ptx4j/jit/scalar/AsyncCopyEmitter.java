package io.ptx4j.jit.scalar;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.TensorMap;
import io.ptx4j.engine.TensorMode;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.AsyncCopies;
import io.ptx4j.jit.support.Atomics;
import io.ptx4j.jit.support.BulkReduction;
import io.ptx4j.jit.support.Mbarriers;
import io.ptx4j.jit.support.Memory;
import io.ptx4j.jit.support.OrderedMemory;
import io.ptx4j.jit.support.SharedAtomics;
import io.ptx4j.jit.support.TensorCopies;

import java.util.List;

/** Asynchronous copies (manual: "Data Movement: Asynchronous copy"), which are done when they are issued. */
final class AsyncCopyEmitter {
    /** The most im2col offsets that an instruction has. */
    private static final int OFFSETS = 3;

    private AsyncCopyEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case CP -> copy(c, i);
            case ST -> store(c, i);
            case RED -> reduce(c, i);
            case TENSORMAP -> tensorMap(c, i);
            case CLUSTERLAUNCHCONTROL -> launchControl(c, i);
            default -> throw new NoCode("not supported by the JIT");
        }
        c.wrote();
    }

    private static boolean has(Instruction i, Modifier modifier) {
        return i.spelling().has(modifier);
    }

    /** Pushes a generic address; {@code cluster} tells whether a shared one may name another block. */
    private static void push(ThreadCode c, Instruction i, String name, boolean cluster) {
        c.addressCluster(cluster);
        Addresses.pushGeneric(c, (Operand.Address) i.operand(name));
    }

    private static void call(ThreadCode c, String name) {
        c.code().call(AsyncCopies.class, name);
    }

    private static void copy(ThreadCode c, Instruction i) {
        boolean waits = has(i, Modifier.COMMIT_GROUP) || has(i, Modifier.WAIT_GROUP) || has(i, Modifier.WAIT_ALL);
        if (waits || has(i, Modifier.PREFETCH)) {
            return;
        }
        if (has(i, Modifier.TENSOR)) {
            tensor(c, i);
        } else if (has(i, Modifier.MBARRIER)) {
            arrive(c, i);
        } else if (has(i, Modifier.BULK)) {
            bulk(c, i);
        } else {
            c.code().load(c.worker);
            push(c, i, "d", false);
            push(c, i, "a", false);
            c.pushInt(i.operand("c"));
            given(c, i);
            call(c, "copy");
        }
    }

    /** Pushes how many bytes the source has: a count, or none where a predicate says to ignore it. */
    private static void given(ThreadCode c, Instruction i) {
        Operand b = i.operand("b");
        if (b == null) {
            c.pushInt(i.operand("c"));
        } else if (ThreadCode.typeOf(b) == ScalarType.PRED) {
            c.pushInt(b);
            c.code().push(1).op(Op.IXOR);
            c.pushInt(i.operand("c"));
            c.code().op(Op.IMUL);
        } else {
            c.pushInt(b);
        }
    }

    /** All copies are done: with {@code .noinc} that is an arrival, without it the count that was added goes again. */
    private static void arrive(ThreadCode c, Instruction i) {
        c.code().load(c.worker).field(Worker.class, "memory").load(c.worker);
        push(c, i, "a", false);
        c.code().push(AddressSpace.ORIGIN).op(Op.LSUB).call(Mbarriers.class, "inShared");
        if (has(i, Modifier.NOINC)) {
            c.code().push(1).call(Mbarriers.class, "arrive").pop();
        } else {
            c.code().call(Mbarriers.class, "check");
        }
    }

    private static void bulk(ThreadCode c, Instruction i) {
        boolean cluster = has(i, Modifier.SHARED_CLUSTER);
        Code code = c.code().load(c.worker);
        push(c, i, "d", cluster);
        push(c, i, "a", false);
        c.pushInt(i.operand("c"));
        if (has(i, Modifier.MULTICAST_CLUSTER)) {
            push(c, i, "m", true);
            c.pushInt(i.operand("n"));
            call(c, "multicast");
            return;
        }
        if (has(i, Modifier.REDUCE)) {
            code.staticField(BulkReduction.class, i.spelling().operation().name() + "_" + i.type().name());
            call(c, "reduce");
        } else if (((Operand.Address) i.operand("d")).space() == StateSpace.GLOBAL) {
            if (has(i, Modifier.CP_MASK)) {
                c.pushInt(i.operand("n"));
            } else {
                code.push(0xFFFF);
            }
            call(c, "toGlobal");
        } else {
            call(c, ((Operand.Address) i.operand("a")).space() == StateSpace.GLOBAL ? "toShared" : "betweenShared");
        }
        if (i.operand("m") != null) {
            code.load(c.worker);
            push(c, i, "m", cluster);
            c.pushInt(i.operand("c"));
            call(c, "complete");
        }
    }

    /** Tensor copies. */
    private static void tensor(ThreadCode c, Instruction i) {
        Operand.Texture tensor = (Operand.Texture) i.operand("a");
        TensorMode mode = TensorMode.of(i.spelling());
        Code code = c.code().load(c.worker).staticField(TensorMode.class, mode.name());
        code.push(mode == TensorMode.ROWS ? 2 : tensor.coordinates().size());
        c.pushLong(tensor.object());
        if (tensor.object() instanceof Operand.AddressOf variable) {
            Addresses.pushBase(c, variable.variable().space());
            code.op(Op.LADD);
        }
        pushInts(c, tensor.coordinates(), TensorMap.DIMENSIONS);
        pushInts(c, i.operand("i") instanceof Operand.Vector offsets ? offsets.elements() : List.of(), OFFSETS);
        if (i.operand("b") != null) {
            push(c, i, "b", false);
            code.push(has(i, Modifier.REDUCE) ? i.spelling().operation().name() : "").call(TensorCopies.class, "store");
            return;
        }
        boolean cluster = has(i, Modifier.SHARED_CLUSTER);
        push(c, i, "d", cluster);
        push(c, i, "m", cluster);
        if (has(i, Modifier.MULTICAST_CLUSTER)) {
            c.pushInt(i.operand("n"));
            code.push(has(i, Modifier.CTA_GROUP_2) ? 1 : 0);
        }
        code.call(TensorCopies.class, has(i, Modifier.MULTICAST_CLUSTER) ? "multicast" : "load");
    }

    /** Pushes the values and zeros behind them. */
    private static void pushInts(ThreadCode c, List<Operand> values, int count) {
        for (int k = 0; k < count; k++) {
            if (k < values.size()) {
                c.pushInt(values.get(k));
            } else {
                c.code().push(0);
            }
        }
    }

    /** {@code st.async} and {@code st.bulk}. */
    private static void store(ThreadCode c, Instruction i) {
        if (has(i, Modifier.BULK)) {
            c.code().load(c.worker);
            push(c, i, "a", false);
            c.pushLong(i.operand("c"));
            call(c, "zero");
            return;
        }
        Operand.Address address = (Operand.Address) i.operand("a");
        boolean global = address.space() == StateSpace.GLOBAL;
        c.addressCluster(!global);
        Operand value = i.operand("b");
        List<Operand> elements = value instanceof Operand.Vector v ? v.elements() : List.of(value);
        // One of 128 bits is a vector of two here.
        int bytes = Math.min(Long.BYTES, i.type().bytes());
        Local base = c.scratch(JvmType.LONG, 0);
        c.push(Addresses.part(c, address));
        Addresses.pushOffset(c, address, 0);
        c.code().push(bytes * elements.size()).call(Memory.class, "aligned").store(base);
        for (int e = 0; e < elements.size(); e++) {
            c.push(Addresses.part(c, address));
            c.code().load(base).push((long) e * bytes).op(Op.LADD);
            pushBits(c, i, elements.get(e));
            c.code().call(global ? OrderedMemory.class : Memory.class, (global ? "storeRelease" : "storeI") + Byte.SIZE * bytes);
        }
        complete(c, i, elements.size() * bytes);
    }

    private static void pushBits(ThreadCode c, Instruction i, Operand value) {
        if (i.type().bits() >= Long.SIZE) {
            c.pushLong(value);
        } else {
            c.pushInt(value);
        }
    }

    /** {@code red.async}. */
    private static void reduce(ThreadCode c, Instruction i) {
        Operand.Address address = (Operand.Address) i.operand("a");
        boolean global = address.space() == StateSpace.GLOBAL;
        c.addressCluster(!global);
        c.push(Addresses.part(c, address));
        Addresses.pushOffset(c, address, 0);
        pushBits(c, i, i.operand("b"));
        c.code().call(global ? Atomics.class : SharedAtomics.class, AtomicEmitter.name(i)).pop();
        complete(c, i, i.type().bytes());
    }

    private static void complete(ThreadCode c, Instruction i, int bytes) {
        if (i.operand("m") != null) {
            c.code().load(c.worker);
            push(c, i, "m", true);
            c.code().push(bytes);
            call(c, "complete");
        }
    }

    /** Changes one field of a tensor map, or copies one. */
    private static void tensorMap(ThreadCode c, Instruction i) {
        if (has(i, Modifier.CP_FENCEPROXY)) {
            c.code().load(c.worker);
            push(c, i, "d", false);
            push(c, i, "a", false);
            c.pushInt(i.operand("c"));
            c.code().push(0xFFFF);
            call(c, "toGlobal");
            return;
        }
        Operand.Address address = (Operand.Address) i.operand("a");
        int ordinal = i.operand("o") instanceof Operand.Immediate constant ? (int) constant.bits() : 0;
        TensorMap.Field field = TensorMap.Field.of(i.spelling());
        c.push(Addresses.part(c, address));
        Addresses.pushOffset(c, address, field.offset(ordinal));
        if (field.bytes() == 8) {
            c.pushLong(i.operand("b"));
        } else {
            c.pushInt(i.operand("b"));
        }
        c.code().call(Memory.class, "storeI" + 8 * field.bytes());
        if (field == TensorMap.Field.RANK) {
            c.push(Addresses.part(c, address));
            Addresses.pushOffset(c, address, TensorMap.MAGIC_OFFSET);
            c.code().push(TensorMap.MAGIC).call(Memory.class, "storeI32");
        }
    }

    private static void launchControl(ThreadCode c, Instruction i) {
        if (has(i, Modifier.TRY_CANCEL)) {
            c.code().load(c.worker);
            push(c, i, "a", false);
            push(c, i, "m", false);
            call(c, has(i, Modifier.MULTICAST_ALL) ? "noCancelAnywhere" : "noCancel");
            return;
        }
        Operand result = i.operand(0);
        for (Operand element : result instanceof Operand.Vector v ? v.elements() : List.of(result)) {
            c.code().push(0);
            c.pop(element, JvmType.INT);
        }
    }
}
