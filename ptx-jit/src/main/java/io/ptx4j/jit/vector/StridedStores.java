package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.VectorFrame;

import java.util.List;

/**
 * Stores of bytes at a constant distance from lane to lane, such as one colour of pixels: one test tells of all lanes that their bytes are
 * there, and code that all kernels share stores them.
 */
final class StridedStores {
    /** Bytes from lane to lane, and steps of an index. */
    private static final int MOST = 1 << 16;

    private StridedStores() {
    }

    /** Whether the store of one element for each lane has this form. */
    static boolean fits(VectorCode vc, Instruction i, Operand.Address address) {
        if (i.type().bits() != 8 || address.register() == null || !(vc.forms.of(address.register()).row() instanceof Form.Affine affine)) {
            return false;
        }
        boolean steps = affine.plain() || affine.index() != null && affine.index().stride() != 0 && Math.abs((long) affine.index().stride()) <= MOST;
        boolean narrowAddress = address.register().type().bits() <= 32;
        boolean space = address.space() == StateSpace.GLOBAL || address.space() == StateSpace.GENERIC || address.space() == StateSpace.SHARED;
        return space && steps && Math.abs(affine.stride()) <= MOST && (!narrowAddress || affine.plain() && Addresses.part(vc.c, address) != Part.MEMORY);
    }

    /** @param laneByLane emits the store for each lane by itself */
    static void emit(VectorCode vc, Operand.Address address, Operand value, Runnable laneByLane) {
        Code code = vc.code;
        Form.Affine affine = (Form.Affine) vc.forms.of(address.register()).row();
        long step = vc.forms.of(address.register()) instanceof Form.Affine a ? a.step() : 0;
        Part part = Addresses.part(vc.c, address);
        Place slow = new Place();
        Place done = new Place();
        code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, slow);
        List<Local> offsets = MemoryVectors.pushOffsets(vc, address, 0);
        // From the first lane to the last of a row, and from the first row to the last where these lie at a known distance.
        long span = affine.stride() * (vc.group.width() - 1);
        long height = step * (vc.group.rows() - 1);
        for (int row = 0; row < offsets.size(); row++) {
            if (affine.index() != null) {
                MemoryVectors.testWrap(vc, affine.index(), vc.locals.indexOf(address.register(), row), slow);
            }
            // Negative if the offset of the lowest byte or what is left behind the highest one is.
            vc.windows.pushSize(part);
            code.push(Math.max(span, 0) + Math.max(height, 0) + 1).op(Op.LSUB).load(offsets.get(row)).op(Op.LSUB);
            code.load(offsets.get(row)).push(Math.min(span, 0) + Math.min(height, 0)).op(Op.LADD).op(Op.LOR).push(0L).op(Op.LCMP).jumpIf(Condition.LT, slow);
        }
        vc.leave(NarrowVectors.whole(value), false, 0);
        for (int row = 0; row < vc.group.rows(); row++) {
            vc.c.push(part);
            code.load(offsets.get(Math.min(row, offsets.size() - 1)));
            if (row > 0 && step != 0) {
                code.push(step * row).op(Op.LADD);
            }
            code.push((int) affine.stride()).load(vc.c.frame).field(VectorFrame.class, Kind.INT.lanes);
            code.push(row * vc.group.width()).push(vc.group.width()).call(DirectMemory.class, "spreadBytes");
        }
        code.jump(done).place(slow);
        laneByLane.run();
        code.place(done);
    }
}
