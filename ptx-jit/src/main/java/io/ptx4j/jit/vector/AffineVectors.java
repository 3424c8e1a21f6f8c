package io.ptx4j.jit.vector;

import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.PatternPlaces;

/** Emits vectors of registers that grow from lane to lane ({@link Form.Affine}), out of what the first lane has. */
final class AffineVectors {
    private final VectorCode vc;
    private final Code code;
    private final ThreadCode c;
    private final Group group;
    private final Forms forms;

    AffineVectors(VectorCode vc) {
        this.vc = vc;
        this.code = vc.code;
        this.c = vc.c;
        this.group = vc.group;
        this.forms = vc.forms;
    }

    /** Pushes what the first lane has of a vector's row. */
    private void pushFirst(Register register, Kind kind, int part) {
        int row = group.row(kind, part);
        Form form = forms.of(register);
        code.load(form instanceof Form.Rows ? vc.locals.local(register, row) : c.local(register));
        if (form instanceof Form.Affine a) {
            vc.locals.plus(c.local(register).type(), a.step() * row);
        }
    }

    void pushInts(Operand.Reg reg, Form.Affine affine, int part) {
        if (affine.index() != null || reg.type().bits() < 32) {
            throw new NoCode("affine value cut");
        }
        if (affine.bits() != null) {
            code.load(c.local(reg.register())).push((int) affine.stride()).push(affine.bits().factor()).load(vc.locals.indexOf(reg.register()));
            code.push(part * group.length()).call(PatternPlaces.class, "places");
            return;
        }
        pushFirst(reg.register(), Kind.INT, part);
        if (c.local(reg.register()).type() == JvmType.LONG) {
            code.op(Op.L2I);
        }
        int stride = (int) affine.stride();
        code.push(stride * group.column(Kind.INT, part)).op(Op.IADD);
        vc.broadcast(Kind.INT);
        addIndices(stride);
    }

    /** Adds to each lane of the ints on the stack its number times {@code stride}; the Vector API refuses strides that overflow. */
    private void addIndices(int stride) {
        if (Math.abs((long) stride) * group.length() <= Integer.MAX_VALUE) {
            code.push(stride).call(Kind.INT.type, "addIndex", int.class);
            return;
        }
        code.push(0);
        vc.broadcast(Kind.INT);
        code.push(1).call(Kind.INT.type, "addIndex", int.class);
        vc.binary(Kind.INT, "MUL", stride);
        vc.binary(Kind.INT, "ADD");
    }

    void pushLongs(Register register, Form.Affine affine, int part) {
        if (register.type().bits() != 64 || c.local(register).type() != JvmType.LONG) {
            throw new NoCode("64-bit lanes of a narrower affine value");
        }
        if (affine.bits() != null) {
            throw new NoCode("bits of lanes in a wide value");
        }
        if (affine.plain()) {
            if (affine.stride() != (int) affine.stride()) {
                throw new NoCode("stride beyond 32 bits");
            }
            pushFirst(register, Kind.LONG, part);
            code.push(affine.stride() * group.column(Kind.LONG, part)).op(Op.LADD);
            vc.broadcast(Kind.LONG);
            code.push((int) affine.stride()).call(Kind.LONG.type, "addIndex", int.class);
            return;
        }
        // scale * (extend(index + stride * lane) - extend(index)) + lane 0
        Form.Index index = affine.index();
        int row = group.row(Kind.LONG, part);
        code.load(vc.locals.indexOf(register, row)).push(index.stride() * group.column(Kind.INT, part / group.spread())).op(Op.IADD);
        vc.broadcast(Kind.INT);
        addIndices(index.stride());
        vc.convert(index.signed() ? "I2L" : "ZERO_EXTEND_I2L", Kind.LONG, part % group.spread());
        if (Long.bitCount(index.scale()) == 1) {
            vc.binary(Kind.LONG, "LSHL", Long.numberOfTrailingZeros(index.scale()));
        } else {
            vc.binary(Kind.LONG, "MUL", index.scale());
        }
        pushFirst(register, Kind.LONG, part);
        code.load(vc.locals.indexOf(register, row));
        if (index.signed()) {
            code.op(Op.I2L);
        } else {
            code.call(Integer.class, "toUnsignedLong");
        }
        code.push(index.scale()).op(Op.LMUL).op(Op.LSUB);
        vc.broadcast(Kind.LONG);
        vc.binary(Kind.LONG, "ADD");
    }
}
