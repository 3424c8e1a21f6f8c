package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.support.LaneRecords;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import jdk.incubator.vector.VectorSpecies;

/**
 * Words of one structure for each lane, of one row of a matrix, of a large number: accesses to words of 32 or 64 bits, or to shorter elements, at constant distances from one address
 * that are made together ({@link RecordRun}): all loaded before the first is asked for, or stored once the last is known, by code in line or by code that all kernels share ({@link LaneRecords}).
 */
abstract sealed class Records permits TestedRecords, SureRecords {
    final VectorCode vc;
    final Code code;
    final RecordFinder.Found found;

    Records(VectorCode vc, RecordFinder.Found found) {
        this.vc = vc;
        this.code = vc.code;
        this.found = found;
    }

    /** Where words are sorted. */
    enum Sorting {
        /** In code that all kernels share. */
        SHARED,
        /** In line, where all lanes have records that lie side by side; else in that code. */
        IN_LINE,
        /** In line, since it is known that all lanes have such and that accesses may change places. */
        SURE,
        /** As {@link #SURE}, but records of many words in the code that all kernels share. */
        PARTLY_SURE;

        boolean sure() {
            return this == SURE || this == PARTLY_SURE;
        }
    }

    boolean has(Instruction i) {
        return found.of().containsKey(i);
    }

    /** Emits an access of a record. */
    abstract void emit(Instruction i);

    void pushFrame() {
        code.load(vc.c.frame);
    }

    /** Pushes the frame's array of words of 32 bits, by slot and lane, or of 64, of two slots each, and where a vector of lanes lies in it. */
    private void pushPlace(Kind kind, int slot, int part) {
        pushFrame();
        code.field(VectorFrame.class, kind == Kind.LONG ? "wideRecords" : "records").push(slot * vc.group.lanes() + part * kind.length(vc.group));
    }

    /** Pushes the vector of lanes there. */
    void takeVector(Kind kind, int slot, int part) {
        code.staticField(VectorLanes.class, kind.name());
        pushPlace(kind, slot, part);
        code.call(kind.type, "fromArray", VectorSpecies.class, kind.array, int.class);
    }

    /** Stores the vector on the stack there. */
    void leaveVector(Kind kind, int slot, int part) {
        pushPlace(kind, slot, part);
        code.call(kind.type, "intoArray", kind.array, int.class);
    }
}
