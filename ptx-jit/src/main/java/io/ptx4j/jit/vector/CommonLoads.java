package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.RowPlaces;
import io.ptx4j.jit.support.VectorFrame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Loads of words that are the same for all lanes, or for those of a row: one for all. */
final class CommonLoads {
    private CommonLoads() {
    }

    /** Whether one load of elements of 32 or 64 bits serves all lanes that {@link #emit} has code for. */
    static boolean fits(VectorCode vc, Instruction i) {
        boolean load = i.opcode() == Opcode.LD && Operands.isWeak(i) && (i.type().bits() == 32 || i.type().bits() == 64);
        return load && i.operand(1) instanceof Operand.Address address && address.register() != null
                && !vc.group.perThread(address) && !vc.c.addressesCluster() && Addresses.part(vc.c, address).isWindow()
                && MemoryVectors.elements(i, true).stream().allMatch(e -> e instanceof Operand.Reg to && !vc.varying(to.register()) && to.register().type().bits() == i.type().bits());
    }

    /** Whether {@link #emit} has its tests in line: for words of integers, such as those of a large number. */
    static boolean fitsAlone(VectorCode vc, Instruction i) {
        return fits(vc, i) && i.operand(0) instanceof Operand.Reg to && i.type().bits() == 32 && !i.type().isFloat() && vc.c.held(to.register()) != Held.FLOAT;
    }

    /**
     * A load of words that are the same for all lanes, with its tests in line: where a method is long, HotSpot leaves those calls calls that come last, and
     * keeps no vector in a register over them.
     *
     * @param otherwise emits the load where the word is not there or not aligned
     */
    static void emit(VectorCode vc, Instruction i, Runnable otherwise) {
        Code code = vc.code;
        Operand.Address address = (Operand.Address) i.operand(1);
        Part part = Addresses.part(vc.c, address);
        Place slow = new Place();
        Place done = new Place();
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        CommonTests.Test test = vc.test(i);
        Fetches.Fetch fetch = vc.fetch(i);
        if (vc.sureOfCommon()) {
            Addresses.pushOffset(vc.c, address, 0);
            code.store(offset);
            loadElements(vc, i, MemoryVectors.elements(i, true), 0, offset);
            return;
        }
        if (fetch != null && fetch.byRow()) {
            emitByRow(vc, i, test, fetch);
            return;
        }
        if (fetch != null) {
            fetch.prepare();
        }
        if (test != null) {
            test.pushBad();
            code.push(0L).op(Op.LCMP).jumpIf(Condition.LT, slow);
        } else {
            Addresses.pushOffset(vc.c, address, 0);
            code.store(offset);
            vc.windows.testAlignment(part, offset, MemoryVectors.bytes(i), slow);
            vc.windows.testBounds(part, offset, MemoryVectors.bytes(i), slow);
        }
        List<Operand> elements = MemoryVectors.elements(i, true);
        List<Register> results = elements.stream().map(e -> ((Operand.Reg) e).register()).toList();
        for (int row = 0; row < (results.stream().anyMatch(vc.forms::hasRows) ? vc.group.rows() : 1); row++) {
            int r = row;
            vc.locals.inRow(row, results, () -> loadElements(vc, i, elements, r, offset));
        }
        code.jump(done).place(slow);
        otherwise.run();
        code.place(done);
    }

    /** The same for words side by side, a vector of them for each row; what is not there is brought to where these leave theirs. */
    private static void emitByRow(VectorCode vc, Instruction i, CommonTests.Test test, Fetches.Fetch fetch) {
        Code code = vc.code;
        Operand.Address address = (Operand.Address) i.operand(1);
        Place slow = new Place();
        Place done = new Place();
        fetch.prepare();
        test.pushBad();
        code.push(0L).op(Op.LCMP).jumpIf(Condition.LT, slow);
        for (int row = 0; row < vc.group.rows(); row++) {
            fetch.bring(i, row);
        }
        code.jump(done).place(slow);
        List<Operand> elements = MemoryVectors.elements(i, true);
        for (int e = 0; e < elements.size(); e++) {
            code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(vc.mask());
            vc.c.push(Addresses.part(vc.c, address));
            Addresses.pushOffset(vc.c, address, 4L * e);
            code.push(vc.group.width()).push((int) Span.step(vc, address)).push(address.register().type().bits() <= 32 ? 1 : 0);
            fetch.pushWhere(i, 4L * e);
            code.call(RowPlaces.class, "loadOnce");
        }
        vc.failed.drop();
        code.place(done);
        for (int row = 0; row < vc.group.rows(); row++) {
            int r = row;
            vc.locals.inRow(row, elements.stream().map(e -> ((Operand.Reg) e).register()).toList(), () -> {
                for (int e = 0; e < elements.size(); e++) {
                    fetch.pushWord(i, 4L * e, r);
                    vc.c.pop(elements.get(e), vc.c.held(((Operand.Reg) elements.get(e)).register()) == Held.FLOAT ? JvmType.FLOAT : JvmType.INT);
                }
            });
        }
    }

    private static void loadElements(VectorCode vc, Instruction i, List<Operand> elements, int row, Local offset) {
        Code code = vc.code;
        Operand.Address address = (Operand.Address) i.operand(1);
        Part part = Addresses.part(vc.c, address);
        CommonTests.Test test = vc.test(i);
        Fetches.Fetch fetch = vc.fetch(i);
        for (int e = 0; e < elements.size(); e++) {
            Operand to = elements.get(e);
            JvmType type = switch (vc.c.held(((Operand.Reg) to).register())) {
                case FLOAT -> JvmType.FLOAT;
                case DOUBLE -> JvmType.DOUBLE;
                case INT, WIDE -> JvmType.INT;
                case LONG -> JvmType.LONG;
            };
            long distance = (long) e * i.type().bytes();
            if (fetch != null) {
                fetch.push(i, distance);
            } else {
                vc.windows.pushSegment(part);
                code.staticField(DirectMemory.class, (type == JvmType.FLOAT || type == JvmType.DOUBLE ? "F" : "I") + i.type().bits());
                if (test != null) {
                    test.pushPlace(i, distance, row);
                } else {
                    vc.windows.pushPlace(part, offset, distance);
                }
                code.call(MemorySegment.class, "get", layout(type), long.class);
            }
            vc.c.pop(to, type);
        }
    }

    private static Class<?> layout(JvmType type) {
        return switch (type) {
            case FLOAT -> ValueLayout.OfFloat.class;
            case DOUBLE -> ValueLayout.OfDouble.class;
            case LONG -> ValueLayout.OfLong.class;
            case INT -> ValueLayout.OfInt.class;
            case REFERENCE -> throw new IllegalStateException();
        };
    }
}
