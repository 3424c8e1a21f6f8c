package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.RecordOrder;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** Loads and stores of elements of all lanes that a {@link Span} has found, as vectors. */
final class SpanVectors {
    private SpanVectors() {
    }

    /** Whether the value is a word held zero-extended in two vectors: then each of these goes through memory as a vector of half the size. */
    static boolean halves(VectorCode vc, Kind kind, Operand value) {
        return kind == Kind.INT && vc.group.spread() == 2 && vc.isWord(value);
    }

    static void load(VectorCode vc, Instruction i, Kind kind, Span span, Operand value) {
        if (halves(vc, kind, value)) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.code.staticField(VectorLanes.class, "HALF_INT");
                span.push(part * Kind.LONG.length(vc.group), i.type());
                vc.code.call(kind.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
                vc.convert("ZERO_EXTEND_I2L", Kind.LONG, 0);
                vc.store(((Operand.Reg) value).register(), part);
            }
            return;
        }
        for (int part = 0; part < kind.parts(vc.group); part++) {
            boolean again = span.rows() == Span.Rows.SHARED && vc.group.row(kind, part) > 0;
            // What all rows have in common is loaded once.
            Local loaded = span.rows() == Span.Rows.SHARED ? vc.locals.temporary(kind, 4 + vc.group.column(kind, part) / kind.length(vc.group)) : null;
            if (again) {
                vc.code.load(loaded);
            } else {
                vc.code.staticField(VectorLanes.class, kind.species(vc.group));
                span.push(part * kind.length(vc.group), i.type());
                vc.code.call(kind.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
            }
            if (loaded != null && !again) {
                vc.code.store(loaded).load(loaded);
            }
            switch (kind) {
                case INT -> vc.popInts(value, part);
                case FLOAT -> vc.popFloats(value, part);
                case LONG -> vc.popLongs(value, part);
                case DOUBLE -> vc.popDoubles(value, part);
            }
        }
    }

    /** Stores of all lanes. */
    static void storeAll(VectorCode vc, Instruction i, Kind kind, Span span, Operand value) {
        if (halves(vc, kind, value)) {
            Local[] words = vc.locals.vectors(((Operand.Reg) value).register());
            if (VectorLanes.INT.vectorBitSize() == 512) {
                // One operation of a processor that chooses words from two vectors, and one store.
                for (int part = 0; part < words.length; part += 2) {
                    vc.code.staticField(RecordOrder.class, "INT_EVEN");
                    vc.code.load(words[part]).call(Kind.LONG.type, "reinterpretAsInts").load(words[part + 1]).call(Kind.LONG.type, "reinterpretAsInts");
                    vc.code.call(Kind.INT.type, "selectFrom", Vector.class, Vector.class);
                    span.push(part * Kind.LONG.length(vc.group), i.type());
                    vc.code.call(Kind.INT.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
                }
                return;
            }
            for (int part = 0; part < words.length; part++) {
                vc.code.load(words[part]);
                vc.convert("L2I", "HALF_INT", Kind.INT, 0);
                span.push(part * Kind.LONG.length(vc.group), i.type());
                vc.code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
            }
            return;
        }
        for (int part = 0; part < kind.parts(vc.group); part++) {
            push(vc, kind, value, part);
            span.push(part * kind.length(vc.group), i.type());
            vc.code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
        }
    }

    /**
     * Stores of executing lanes to memory that nobody else writes to meanwhile: whole vectors, with the elements of other lanes as they were, since loads of
     * what was stored under a mask wait until it is in the cache.
     */
    static void storeAmong(VectorCode vc, Instruction i, Kind kind, Span span, Operand value) {
        int length = kind.length(vc.group);
        for (int part = 0; part < kind.parts(vc.group); part++) {
            Place next = new Place();
            vc.code.load(vc.mask()).push((1L << length) - 1 << part * length).op(Op.LAND).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, next);
            vc.code.staticField(VectorLanes.class, kind.species(vc.group));
            span.push(part * length, i.type());
            vc.code.call(kind.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
            push(vc, kind, value, part);
            vc.blend(kind, part, () -> vc.code.load(vc.mask()));
            span.push(part * length, i.type());
            vc.code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
            vc.code.place(next);
        }
    }

    private static void push(VectorCode vc, Kind kind, Operand value, int part) {
        switch (kind) {
            case INT -> vc.pushInts(value, part);
            case FLOAT -> vc.pushFloatBits(value, part);
            case LONG -> vc.pushLongs(value, part);
            case DOUBLE -> vc.pushDoubles(value, part);
        }
    }

    static void store(VectorCode vc, Instruction i, Kind kind, Span span, Operand value) {
        Code code = vc.code;
        Place masked = new Place();
        Place done = new Place();
        code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, masked);
        storeAll(vc, i, kind, span, value);
        code.jump(done).place(masked);
        if (i.type().bits() == 32 && !vc.group.narrow()) {
            vc.places.storeSome(span, value);
            code.place(done);
            return;
        }
        for (int part = 0; part < kind.parts(vc.group); part++) {
            push(vc, kind, value, part);
            if (kind.wide() && !halves(vc, kind, value)) {
                vc.places.storeSomeWide(span, kind, part);
                continue;
            }
            span.push(part * kind.length(vc.group), i.type());
            code.load(vc.mask());
            vc.vectorMask(kind, part);
            code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class, VectorMask.class);
        }
        code.place(done);
    }
}
