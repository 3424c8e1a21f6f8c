package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.List;

import jdk.incubator.vector.VectorSpecies;

/** Moves registers between the locals of a group and the worker's frame. */
record GroupTransfer(VectorCode vc, VectorShape shape) {
    void save(List<Register> registers) {
        Code code = vc.code;
        for (Register register : registers) {
            if (!vc.varying(register)) {
                for (int row = 0; row < rows(register); row++) {
                    scalar(register, row);
                    code.load(vc.locals.local(register, row)).arrayStore(vc.c.held(register).type());
                    if (shape.indexSlots.containsKey(register)) {
                        index(register, row);
                        code.load(vc.locals.indexOf(register, row)).arrayStore(JvmType.INT);
                    }
                }
            } else if (VectorCode.isPredicate(register)) {
                code.load(vc.c.frame).field(Frame.class, "ints");
                place(register, 0);
                code.load(vc.locals.maskOf(register)).call(VectorLanes.class, "saveBits");
            } else if (!vc.locals.isOfMatrix(register)) {
                Kind kind = vc.kind(register);
                Local[] parts = vc.locals.vectors(register);
                for (int part = 0; part < parts.length; part++) {
                    vc.locals.requireClass(kind, parts[part]);
                    code.load(parts[part]).load(vc.c.frame).field(Frame.class, kind.saved);
                    place(register, part * kind.length(vc.group));
                    code.call(kind.type, "intoArray", kind.array, int.class);
                }
            }
        }
    }

    /** Takes a register of vectors from between the pieces of a region to where lanes leave it when they stop. */
    void carry(Register register, Crossing crossing) {
        Kind kind = vc.kind(register);
        vc.code.load(vc.c.frame).field(VectorFrame.class, kind.crossing).push(crossing.slots().get(register) * vc.group.lanes());
        vc.code.load(vc.c.frame).field(Frame.class, kind.saved);
        place(register, 0);
        vc.code.push(vc.group.lanes()).call(System.class, "arraycopy", Object.class, int.class, Object.class, int.class, int.class);
    }

    void restore(List<Register> registers) {
        Code code = vc.code;
        for (Register register : registers) {
            if (!vc.varying(register)) {
                for (int row = 0; row < rows(register); row++) {
                    scalar(register, row);
                    code.arrayLoad(vc.c.held(register).type()).store(vc.locals.local(register, row));
                    if (shape.indexSlots.containsKey(register)) {
                        index(register, row);
                        code.arrayLoad(JvmType.INT).store(vc.locals.indexOf(register, row));
                    }
                }
            } else if (VectorCode.isPredicate(register)) {
                code.load(vc.c.frame).field(Frame.class, "ints");
                place(register, 0);
                code.call(VectorLanes.class, "restoreBits").store(vc.locals.maskOf(register));
            } else if (!vc.locals.isOfMatrix(register)) {
                Kind kind = vc.kind(register);
                Local[] parts = vc.locals.vectors(register);
                for (int part = 0; part < parts.length; part++) {
                    code.staticField(VectorLanes.class, kind.species(vc.group)).load(vc.c.frame).field(Frame.class, kind.saved);
                    place(register, part * kind.length(vc.group));
                    code.call(kind.type, "fromArray", VectorSpecies.class, kind.array, int.class).store(parts[part]);
                    vc.words.changed(parts[part]);
                }
            }
        }
    }

    private int rows(Register register) {
        return shape.forms.hasRows(register) ? vc.group.rows() : 1;
    }

    private void scalar(Register register, int row) {
        vc.code.load(vc.c.frame).field(Frame.class, vc.kind(register).saved);
        place(register, row * vc.group.width());
    }

    private void index(Register register, int row) {
        vc.code.load(vc.c.frame).field(VectorFrame.class, "indices");
        vc.code.load(vc.c.thread).push(shape.indexSlots.get(register) * vc.group.paddedThreads() + row * vc.group.width()).op(Op.IADD);
    }

    private void place(Register register, int lane) {
        int offset = shape.frame.slots().get(register) * vc.group.paddedThreads() + lane;
        vc.code.load(vc.c.thread);
        if (offset > 0) {
            vc.code.push(offset).op(Op.IADD);
        }
    }
}
