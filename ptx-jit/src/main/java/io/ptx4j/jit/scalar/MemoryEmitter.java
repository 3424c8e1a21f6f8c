package io.ptx4j.jit.scalar;

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
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Clusters;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.LocalArrays;
import io.ptx4j.jit.support.Memory;
import io.ptx4j.jit.support.OrderedMemory;
import io.ptx4j.jit.support.Parameters;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.WideAtomics;

import java.util.List;

/** Loads, stores and address conversions (manual: "ld", "ldu", "st", "cvta", "isspacep"). */
final class MemoryEmitter {
    private MemoryEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case LD, LDU -> load(c, i);
            case ST -> store(c, i);
            case CVTA -> convertAddress(c, i);
            case ISSPACEP -> isSpace(c, i);
            case PREFETCH, PREFETCHU, APPLYPRIORITY, DISCARD -> { }
            case CREATEPOLICY -> {
                // Cache policies are opaque, and nothing looks at them.
                c.code().push(0L);
                c.pop(i.operand(0), JvmType.LONG);
            }
            case MAPA -> map(c, i);
            case GETCTARANK -> rank(c, i);
            case MULTIMEM -> MultimemEmitter.emit(c, i);
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    /** {@code mapa}: a generic address without a state space, else one of {@code .shared::cluster}. */
    private static void map(ThreadCode c, Instruction i) {
        c.code().load(c.worker);
        c.pushLong(i.operand(1));
        c.pushInt(i.operand(2));
        c.code().call(Clusters.class, i.spelling().has(Modifier.SHARED_CLUSTER) ? "map" : "mapGeneric");
        c.pop(i.operand(0), JvmType.LONG);
    }

    private static void rank(ThreadCode c, Instruction i) {
        c.code().load(c.worker);
        boolean shared = i.spelling().has(Modifier.SHARED_CLUSTER);
        if (shared) {
            c.code().load(c.frame);
        }
        c.pushLong(i.operand(1));
        c.code().call(Clusters.class, shared ? "rankOf" : "rankOfGeneric");
        c.pop(i.operand(0), JvmType.INT);
    }

    private static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector v ? v.elements() : List.of(operand);
    }

    /** The VarHandle access mode of an ordered access; null for a plain one. */
    private static String order(Instruction i) {
        Modifier order = i.spelling().one(Modifier.Category.ORDER);
        return order == null || order == Modifier.WEAK ? null : switch (order) {
            case VOLATILE, RELAXED, MMIO -> "Opaque";
            case ACQUIRE -> "Acquire";
            case RELEASE -> "Release";
            default -> throw new NoCode("memory order " + order + " is not supported");
        };
    }

    private static void load(ThreadCode c, Instruction i) {
        Operand.Address address = (Operand.Address) i.operand(1);
        List<Operand> elements = elements(i.operand(0));
        if (i.type() == ScalarType.B128) {
            loadWide(c, address, elements);
            return;
        }
        if (Addresses.inArray(c, address)) {
            loadFromArray(c, i, address, elements);
            return;
        }
        if (elements.size() > 1) {
            loadVector(c, i, address, elements);
            return;
        }
        if (order(i) == null && Addresses.isParameter(c, address, i.type().bytes())) {
            c.code().load(c.worker).field(Worker.class, "grid");
            Addresses.pushOffset(c, address, 0);
            finishLoad(c, i, elements.getFirst(), Parameters.class);
            return;
        }
        Class<?> accesses = pushWindow(c, i, address);
        pushPlace(c, i, address, false);
        finishLoad(c, i, elements.getFirst(), accesses);
    }

    /** Pushes what accesses to the window of {@code address} are told of it, and says who makes them. */
    private static Class<?> pushWindow(ThreadCode c, Instruction i, Operand.Address address) {
        Part part = Addresses.part(c, address);
        if (order(i) != null) {
            c.push(part);
            return OrderedMemory.class;
        }
        return c.pushWindow(part) ? DirectMemory.class : Memory.class;
    }

    /** A pair of registers ({@link io.ptx4j.jit.flow.WideRegisters}) at once; only accesses with an order keep the type. */
    private static void loadWide(ThreadCode c, Operand.Address address, List<Operand> pair) {
        Local read = c.scratch(JvmType.REFERENCE, 0);
        c.push(Addresses.part(c, address));
        Addresses.pushOwn(c, address, 16, false);
        c.code().push(16).call(WideAtomics.class, "load").store(read);
        for (int half = 0; half < pair.size(); half++) {
            c.code().load(read).push(half).arrayLoad(JvmType.LONG);
            c.pop(pair.get(half), JvmType.LONG);
        }
    }

    private static void storeWide(ThreadCode c, Operand.Address address, List<Operand> pair) {
        c.push(Addresses.part(c, address));
        Addresses.pushOwn(c, address, 16, true);
        pair.forEach(c::pushLong);
        c.code().call(WideAtomics.class, "store");
        c.wrote();
    }

    private static JvmType orderedResult(ThreadCode c, Access access, ScalarType type) {
        if (access.bits() == 64) {
            return JvmType.LONG;
        }
        extend(c.code(), type);
        return JvmType.INT;
    }

    private static void finishLoad(ThreadCode c, Instruction i, Operand destination, Class<?> accesses) {
        Access access = Access.of(i.type(), wantsFloat(c, destination));
        if (order(i) != null) {
            c.code().call(accesses, "load" + order(i) + access.bits());
            c.pop(destination, orderedResult(c, access, i.type()));
            return;
        }
        c.code().call(accesses, "load" + access.name());
        extend(c.code(), i.type());
        c.pop(destination, access.jvm);
    }

    /** The JVM loads bytes and shorts sign-extended. */
    private static void extend(Code code, ScalarType type) {
        if (!type.signed() && type.bits() == 8) {
            code.push(0xFF).op(Op.IAND);
        } else if (!type.signed() && type.bits() == 16) {
            code.op(Op.I2C);
        }
    }

    private static void loadVector(ThreadCode c, Instruction i, Operand.Address address, List<Operand> elements) {
        Code code = c.code();
        Local base = vectorBase(c, i, address, false);
        if (order(i) != null) {
            c.push(Addresses.part(c, address));
            new StrongVectors(c, i, elements).load(base, order(i));
            return;
        }
        // All elements are read before any is written: the address register may be among the destinations.
        for (int e = 0; e < elements.size(); e++) {
            if (elements.get(e) instanceof Operand.Sink) {
                continue;
            }
            Class<?> accesses = pushWindow(c, i, address);
            code.load(base);
            if (e > 0) {
                code.push((long) e * elementDistance(c, i, address)).op(Op.LADD);
            }
            finishLoad(c, i, elements.get(e), accesses);
        }
    }

    /** Leaves the checked place of an access in a local. */
    private static Local placeInArray(ThreadCode c, Instruction i, Operand.Address address, boolean store) {
        Local place = c.scratch(JvmType.INT, 0);
        c.code().load(c.worker);
        Addresses.pushWithin(c, address, 0);
        c.code().load(c.thread).push(c.context().localBytes()).push(i.type().bytes() * i.spelling().vectorLength()).push(store ? 1 : 0);
        c.code().call(LocalArrays.class, "place").store(place);
        return place;
    }

    private static void loadFromArray(ThreadCode c, Instruction i, Operand.Address address, List<Operand> elements) {
        Local place = placeInArray(c, i, address, false);
        for (int e = 0; e < elements.size(); e++) {
            if (elements.get(e) instanceof Operand.Sink) {
                continue;
            }
            Access access = Access.of(i.type(), wantsFloat(c, elements.get(e)));
            c.code().load(c.frame).cast(VectorFrame.class).load(place).push(e * i.type().bytes()).op(Op.IADD).load(c.thread).push(c.context().localBytes());
            c.code().push(i.type().bits()).call(LocalArrays.class, "get");
            if (access == Access.F32) {
                c.code().call(Float.class, "intBitsToFloat");
            } else {
                extend(c.code(), i.type());
            }
            c.pop(elements.get(e), access.jvm);
        }
    }

    private static void storeIntoArray(ThreadCode c, Instruction i, Operand.Address address, List<Operand> elements) {
        Local place = placeInArray(c, i, address, true);
        for (int e = 0; e < elements.size(); e++) {
            c.code().load(c.frame).cast(VectorFrame.class).load(place).push(e * i.type().bytes()).op(Op.IADD).load(c.thread).push(c.context().localBytes());
            pushBits(c, elements.get(e), Access.of(i.type(), false));
            c.code().push(i.type().bits()).call(LocalArrays.class, "put");
        }
    }

    private static void pushPlace(ThreadCode c, Instruction i, Operand.Address address, boolean store) {
        if (Addresses.interleaved(c, address)) {
            Addresses.pushInterleaved(c, address, i.type().bytes(), store);
        } else {
            Addresses.pushOwn(c, address, i.type().bytes(), store);
        }
    }

    /** Bytes from an element of a vector access to the next. */
    private static int elementDistance(ThreadCode c, Instruction i, Operand.Address address) {
        return i.type().bytes() * (Addresses.interleaved(c, address) ? c.context().locals().lanes() : 1);
    }

    /** Leaves the checked offset of a vector access in a local. */
    private static Local vectorBase(ThreadCode c, Instruction i, Operand.Address address, boolean store) {
        Local base = c.scratch(JvmType.LONG, 0);
        if (Addresses.interleaved(c, address)) {
            Addresses.pushInterleaved(c, address, i.type().bytes() * i.spelling().vectorLength(), store);
            c.code().store(base);
            return base;
        }
        c.push(Addresses.part(c, address));
        Addresses.pushOwn(c, address, i.type().bytes() * i.spelling().vectorLength(), store);
        c.code().push(i.type().bytes() * i.spelling().vectorLength()).call(Memory.class, "aligned").store(base);
        return base;
    }

    private static boolean wantsFloat(ThreadCode c, Operand operand) {
        if (operand instanceof Operand.Reg reg) {
            Held held = c.held(reg.register());
            return (held == Held.FLOAT || held == Held.DOUBLE) && reg.register().type().bits() == reg.type().bits();
        }
        return false;
    }

    private static void store(ThreadCode c, Instruction i) {
        Operand.Address address = (Operand.Address) i.operand(0);
        List<Operand> elements = elements(i.operand(1));
        if (i.type() == ScalarType.B128) {
            storeWide(c, address, elements);
            return;
        }
        if (Addresses.inArray(c, address)) {
            storeIntoArray(c, i, address, elements);
            c.wrote();
            return;
        }
        boolean vector = elements.size() > 1;
        Local base = vector ? vectorBase(c, i, address, true) : null;
        if (vector && order(i) != null) {
            c.push(Addresses.part(c, address));
            new StrongVectors(c, i, elements).store(base, order(i));
            c.wrote();
            return;
        }
        for (int e = 0; e < elements.size(); e++) {
            Access access = Access.of(i.type(), wantsFloat(c, elements.get(e)));
            Class<?> accesses = pushWindow(c, i, address);
            String order = order(i);
            if (vector) {
                c.code().load(base);
                if (e > 0) {
                    c.code().push((long) e * elementDistance(c, i, address)).op(Op.LADD);
                }
            } else {
                pushPlace(c, i, address, true);
            }
            if (order != null) {
                pushBits(c, elements.get(e), Access.of(i.type(), false));
                c.code().call(accesses, "store" + order + access.bits());
            } else {
                pushBits(c, elements.get(e), access);
                c.code().call(accesses, "store" + access.name());
            }
        }
        c.wrote();
    }

    private static void pushBits(ThreadCode c, Operand value, Access access) {
        switch (access.jvm) {
            case FLOAT -> c.pushFloatBits(value);
            case DOUBLE -> c.pushDoubleBits(value);
            case LONG -> c.pushLong(value);
            case INT -> c.pushInt(value);
            case REFERENCE -> throw new IllegalStateException();
        }
    }

    /** How the JVM reads and writes a value of a PTX type: the suffix of the methods in {@link Memory}. */
    private enum Access {
        I8(JvmType.INT), I16(JvmType.INT), I32(JvmType.INT), I64(JvmType.LONG), F32(JvmType.FLOAT), F64(JvmType.DOUBLE);

        final JvmType jvm;

        Access(JvmType jvm) {
            this.jvm = jvm;
        }

        static Access of(ScalarType type, boolean asFloat) {
            return switch (type.bits()) {
                case 8 -> I8;
                case 16 -> I16;
                case 32 -> asFloat ? F32 : I32;
                case 64 -> asFloat ? F64 : I64;
                default -> throw new NoCode("accesses of " + type + " are not supported");
            };
        }

        int bits() {
            return switch (this) {
                case I8 -> 8;
                case I16 -> 16;
                case I32, F32 -> 32;
                case I64, F64 -> 64;
            };
        }
    }

    private static void convertAddress(ThreadCode c, Instruction i) {
        StateSpace space = i.spelling().space();
        boolean to = i.spelling().has(Modifier.TO);
        if (space == StateSpace.GLOBAL) {
            c.copy(i.operand(0), i.operand(1));
            return;
        }
        if (c.addressesCluster()) {
            c.code().load(c.worker);
            c.pushLong(i.operand(1));
            c.code().call(Clusters.class, to ? "shared" : "generic");
            c.pop(i.operand(0), JvmType.LONG);
            return;
        }
        c.pushLong(i.operand(1));
        Addresses.pushBase(c, space);
        c.code().op(to ? Op.LSUB : Op.LADD);
        c.pop(i.operand(0), JvmType.LONG);
    }

    private static void isSpace(ThreadCode c, Instruction i) {
        StateSpace space = i.spelling().space();
        Code code = c.code();
        if (space == StateSpace.GLOBAL) {
            // What lies in no window is global.
            code.push(1);
            for (StateSpace window : new StateSpace[] {StateSpace.SHARED, StateSpace.LOCAL, StateSpace.CONST}) {
                if (window == StateSpace.SHARED) {
                    code.load(c.worker);
                    c.pushLong(i.operand(1));
                    code.call(Clusters.class, "holds");
                } else {
                    pushInside(c, i, window);
                }
                code.push(1).op(Op.IXOR).op(Op.IAND);
            }
        } else if (c.addressesCluster()) {
            code.load(c.worker);
            c.pushLong(i.operand(1));
            code.call(Clusters.class, "holds");
        } else {
            pushInside(c, i, space);
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    private static void pushInside(ThreadCode c, Instruction i, StateSpace space) {
        c.pushLong(i.operand(1));
        Addresses.pushBase(c, space);
        c.code().op(Op.LSUB);
        Addresses.pushSize(c, space);
        c.code().call(Memory.class, "below");
    }
}
