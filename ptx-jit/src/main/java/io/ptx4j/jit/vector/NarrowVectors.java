package io.ptx4j.jit.vector;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Loads and stores of neighbouring bytes and 16-bit elements. In memory a vector has as many of them as a vector has 32-bit lanes, or
 * twice as many where the JVM has no vector so short; in registers they are 32-bit lanes.
 */
final class NarrowVectors {
    private final VectorCode vc;
    private final ScalarType type;
    private final Class<?> vector;
    /** Name of the species in {@link VectorLanes}, of the widening and of the narrowing conversion. */
    private final String species;
    private final String widen;
    private final String narrow;
    /** Vectors of 32-bit lanes that one vector in memory fills. */
    private final int parts;

    private NarrowVectors(VectorCode vc, ScalarType type) {
        this.vc = vc;
        this.type = type;
        boolean bytes = type.bits() == 8;
        this.vector = bytes ? ByteVector.class : ShortVector.class;
        this.species = (vc.group.narrow() ? "HALF_" : "") + (bytes ? "BYTE" : "SHORT");
        this.widen = (type.signed() ? "" : "ZERO_EXTEND_") + (bytes ? "B2I" : "S2I");
        this.narrow = bytes ? "I2B" : "I2S";
        this.parts = parts(vc, type);
    }

    private static int parts(VectorCode vc, ScalarType type) {
        VectorSpecies<?> bytes = vc.group.narrow() ? VectorLanes.HALF_BYTE : VectorLanes.BYTE;
        VectorSpecies<?> shorts = vc.group.narrow() ? VectorLanes.HALF_SHORT : VectorLanes.SHORT;
        return (type.bits() == 8 ? bytes : shorts).length() / vc.group.length();
    }

    static boolean fits(VectorCode vc, ScalarType type, Operand value, boolean load) {
        if (type.bits() != 8 && type.bits() != 16 || vc.group.vectors() % parts(vc, type) != 0) {
            return false;
        }
        if (!(value instanceof Operand.Reg reg)) {
            return !load && value instanceof Operand.Immediate;
        }
        int bits = reg.register().type().bits();
        if (VectorCode.isPredicate(reg.register()) || bits < type.bits() || bits > 64 || vc.c.held(reg.register()) == Held.DOUBLE) {
            return false;
        }
        return load ? vc.varying(reg.register())
                : !(vc.forms.of(reg.register()) instanceof Form.Affine affine) || bits >= 32 && affine.plain();
    }

    static void emit(VectorCode vc, ScalarType type, Operand value, boolean load, Span span) {
        NarrowVectors narrow = new NarrowVectors(vc, type);
        if (load) {
            narrow.load(value, span);
        } else {
            narrow.store(value, span);
        }
    }

    private void load(Operand value, Span span) {
        Code code = vc.code;
        Local loaded = vc.locals.narrow(0);
        for (int first = 0; first < vc.group.vectors(); first += parts) {
            code.staticField(VectorLanes.class, species);
            span.push(first * vc.group.length(), type);
            code.call(vector, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class).store(loaded);
            for (int part = 0; part < parts; part++) {
                code.load(loaded);
                vc.convert(widen, Kind.INT, part);
                vc.popInts(value, first + part);
            }
        }
    }

    private void store(Operand value, Span span) {
        Code code = vc.code;
        int count = vc.group.vectors() / parts;
        for (int n = 0; n < count; n++) {
            for (int part = 0; part < parts; part++) {
                vc.pushInts(whole(value), n * parts + part);
                convert(narrow, -part);
                if (part > 0) {
                    Local high = vc.locals.narrow(0);
                    code.store(high);
                    vc.operator("OR");
                    code.load(high).call(vector, "lanewise", VectorOperators.Binary.class, Vector.class);
                }
            }
            code.store(vc.locals.narrow(1 + n));
        }
        Place masked = new Place();
        Place done = new Place();
        if (!vc.sure()) {
            code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, masked);
        }
        for (int n = 0; n < count; n++) {
            code.load(vc.locals.narrow(1 + n));
            span.push(n * parts * vc.group.length(), type);
            code.call(vector, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
        }
        if (vc.sure()) {
            return;
        }
        code.jump(done).place(masked);
        for (int n = 0; n < count; n++) {
            code.load(vc.locals.narrow(1 + n));
            span.push(n * parts * vc.group.length(), type);
            code.load(vc.mask());
            pushMask(n * parts * vc.group.length());
            code.call(vector, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class, VectorMask.class);
        }
        code.place(done);
    }

    /** All bits of a register, of which the low ones are stored. */
    static Operand whole(Operand value) {
        if (!(value instanceof Operand.Reg reg)) {
            return value;
        }
        ScalarType bits = switch (reg.register().type().bits()) {
            case 8 -> ScalarType.B8;
            case 16 -> ScalarType.B16;
            case 32 -> ScalarType.B32;
            default -> ScalarType.B64;
        };
        return new Operand.Reg(reg.register(), bits, false);
    }

    private void convert(String conversion, int part) {
        vc.operator(conversion);
        vc.code.staticField(VectorLanes.class, species).push(part);
        vc.code.call(Vector.class, "convertShape", VectorOperators.Conversion.class, VectorSpecies.class, int.class).cast(vector);
    }

    /** The mask of a vector in memory, from the bits of all lanes on the stack. */
    private void pushMask(int lane) {
        Code code = vc.code;
        if (lane > 0) {
            code.push(lane).op(Op.LUSHR);
        }
        Local bits = vc.c.scratch(JvmType.LONG, 7);
        code.store(bits).staticField(VectorLanes.class, species).load(bits);
        code.call(VectorMask.class, "fromLong", VectorSpecies.class, long.class);
    }
}
