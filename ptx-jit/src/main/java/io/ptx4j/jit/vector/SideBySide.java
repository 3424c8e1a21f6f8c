package io.ptx4j.jit.vector;

import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.RecordOrder;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Code in line that sorts the words of records that lie side by side by lanes, and puts them side by side again: two, three or four words of 32 bits, two or three of 64.
 *
 * @param kind {@link Kind#INT} or {@link Kind#LONG}
 * @param size words of a record
 */
record SideBySide(VectorCode vc, Kind kind, int size) {
    /** Words of a record, at most. */
    static final int MOST = 4;
    /** The same of 64 bits: four take more code than methods have room for ({@link io.ptx4j.jit.support.LaneRecords#loadWide} sorts those). */
    static final int MOST_WIDE = 3;

    int parts() {
        return kind.parts(vc.group);
    }

    /** A local for a vector of words, of which it has some. */
    Local newVector() {
        Local vector = vc.code.newLocal(JvmType.REFERENCE);
        vc.code.staticField(RecordOrder.class, kind + "_EVEN").store(vector);
        return vector;
    }

    /**
     * Loads records.
     *
     * @param place where they begin in the process's memory
     * @param words by word and vector: where to put those that are wanted, the first ones of each record
     */
    void load(Local place, Local[][] words) {
        Code code = vc.code;
        Local[] vectors = new Local[size];
        Arrays.setAll(vectors, v -> code.newLocal(JvmType.REFERENCE));
        for (int part = 0; part < parts(); part++) {
            for (int v = 0; v < size; v++) {
                code.staticField(VectorLanes.class, kind.name());
                pushPlace(place, part, v);
                code.call(kind.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class).store(vectors[v]);
            }
            for (int w = 0; w < words.length; w++) {
                pushWord(vectors, w);
                code.store(words[w][part]);
            }
        }
    }

    /** The other way: stores whole records. */
    void store(Local place, Local[][] words) {
        Code code = vc.code;
        Local[] pairs = new Local[size == MOST ? 2 : 0];
        Arrays.setAll(pairs, p -> code.newLocal(JvmType.REFERENCE));
        for (int part = 0; part < parts(); part++) {
            for (int v = 0; v < size; v++) {
                if (size == MOST && v % 2 == 0) {
                    select(v == 0 ? "LOW" : "HIGH", words[0][part], words[2][part]);
                    code.store(pairs[0]);
                    select(v == 0 ? "LOW" : "HIGH", words[1][part], words[3][part]);
                    code.store(pairs[1]);
                }
                switch (size) {
                    case 2 -> select(v == 0 ? "LOW" : "HIGH", words[0][part], words[1][part]);
                    case 3 -> {
                        order("THIRD" + v);
                        select("PAIR" + v, words[0][part], words[1][part]);
                        code.load(words[2][part]);
                        select();
                    }
                    default -> select(v % 2 == 0 ? "LOW" : "HIGH", pairs[0], pairs[1]);
                }
                pushPlace(place, part, v);
                code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
            }
        }
    }

    private void pushPlace(Local place, int part, int vector) {
        Code code = vc.code;
        int bytes = (kind == Kind.INT ? Integer.BYTES : Long.BYTES) * kind.length(vc.group);
        code.call(DirectMemory.class, "everything").load(place).push((long) (part * size + vector) * bytes).op(Op.LADD).push(DirectMemory.ADDRESSES).op(Op.LAND);
        code.staticField(VectorLanes.class, "ORDER");
    }

    /** Pushes each lane's word of that number. */
    private void pushWord(Local[] vectors, int word) {
        if (size == 3) {
            order("REST" + word);
            select("TAKE" + word, vectors[0], vectors[1]);
            vc.code.load(vectors[2]);
            select();
            return;
        }
        String among = word % 2 == 0 ? "EVEN" : "ODD";
        if (size == MOST) {
            order(word < 2 ? "EVEN" : "ODD");
        }
        for (int v = 0; v < size; v += 2) {
            select(among, vectors[v], vectors[v + 1]);
        }
        if (size == MOST) {
            select();
        }
    }

    private void order(String name) {
        vc.code.staticField(RecordOrder.class, kind + "_" + name);
    }

    private void select(String order, Local first, Local second) {
        order(order);
        vc.code.load(first).load(second);
        select();
    }

    private void select() {
        vc.code.call(kind.type, "selectFrom", Vector.class, Vector.class);
    }
}
