package io.ptx4j.jit.vector;

import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.RecordOrder;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Code in line that sorts the words of records that lie side by side by lanes, and puts them side by side again: records of 2, 3, 4, 6 or 8 words of 32 bits, of 2, 3, 4, 6 or 8 of 64.
 *
 * @param kind {@link Kind#INT} or {@link Kind#LONG}
 * @param size words of a record
 */
record SideBySide(VectorCode vc, Kind kind, int size) {
    int parts() {
        return kind.parts(vc.group);
    }

    /** Whether there is code for records of so many words. */
    static boolean isPossible(int size) {
        return size == 2 || size == 3 || size == 4 || size == 6 || size == 8;
    }

    /**
     * Loads records.
     *
     * @param place where they begin in the process's memory
     * @param words by word and vector: where to put those that are wanted; null for others
     */
    void load(Local place, Local[][] words) {
        Code code = vc.code;
        for (int part = 0; part < parts(); part++) {
            Local[] vectors = new Local[size];
            for (int v = 0; v < size; v++) {
                code.staticField(VectorLanes.class, kind.name());
                pushPlace(place, part, v);
                code.call(kind.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
                vectors[v] = stored();
            }
            Local[] wanted = new Local[size];
            for (int w = 0; w < words.length; w++) {
                wanted[w] = words[w] == null ? null : words[w][part];
            }
            sort(vectors, wanted);
            forgetClass(vectors, wanted);
        }
    }

    /** Leaves HotSpot's first compiler no class to know ({@link VectorLanes#never}). */
    private void forgetClass(Local[] loaded, Local[] wanted) {
        Code code = vc.code;
        Place sorted = new Place();
        code.staticField(VectorLanes.class, "never").jumpIf(Condition.EQ, sorted);
        for (int w = 0; w < wanted.length; w++) {
            if (wanted[w] != null) {
                code.load(loaded[w]).store(wanted[w]);
            }
        }
        code.place(sorted);
    }

    /** Sorts words out of as many vectors as records have words. */
    private void sort(Local[] vectors, Local[] wanted) {
        int count = vectors.length;
        if (Arrays.stream(wanted).allMatch(Objects::isNull)) {
            return;
        }
        if (count == 1) {
            vc.code.load(vectors[0]).store(wanted[0]);
            return;
        }
        if (count == 3) {
            for (int w = 0; w < count; w++) {
                if (wanted[w] != null) {
                    order("REST" + w);
                    select("TAKE" + w, vectors[0], vectors[1]);
                    vc.code.load(vectors[2]);
                    select();
                    vc.code.store(wanted[w]);
                }
            }
            return;
        }
        for (int odd = 0; odd < 2; odd++) {
            Local[] some = new Local[count / 2];
            for (int w = 0; w < some.length; w++) {
                some[w] = wanted[2 * w + odd];
            }
            if (Arrays.stream(some).anyMatch(Objects::nonNull)) {
                Local[] half = new Local[count / 2];
                for (int v = 0; v < half.length; v++) {
                    select(odd == 0 ? "EVEN" : "ODD", vectors[2 * v], vectors[2 * v + 1]);
                    half[v] = stored();
                }
                sort(half, some);
            }
        }
    }

    /** The other way: stores whole records. */
    void store(Local place, Local[][] words) {
        for (int part = 0; part < parts(); part++) {
            int p = part;
            Local[] vectors = merge(Arrays.stream(words).map(word -> word[p]).toArray(Local[]::new));
            for (int v = 0; v < size; v++) {
                vc.code.load(vectors[v]);
                pushPlace(place, part, v);
                vc.code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
            }
        }
    }

    /** Puts words side by side, in as many vectors. */
    private Local[] merge(Local[] words) {
        int count = words.length;
        Local[] vectors = new Local[count];
        if (count == 1) {
            return words;
        }
        if (count == 3) {
            for (int v = 0; v < count; v++) {
                order("THIRD" + v);
                select("PAIR" + v, words[0], words[1]);
                vc.code.load(words[2]);
                select();
                vectors[v] = stored();
            }
            return vectors;
        }
        Local[] even = new Local[count / 2];
        Local[] odd = new Local[count / 2];
        for (int w = 0; w < count / 2; w++) {
            even[w] = words[2 * w];
            odd[w] = words[2 * w + 1];
        }
        even = merge(even);
        odd = merge(odd);
        for (int v = 0; v < count; v++) {
            select(v % 2 == 0 ? "LOW" : "HIGH", even[v / 2], odd[v / 2]);
            vectors[v] = stored();
        }
        return vectors;
    }

    private Local stored() {
        Local vector = vc.code.newLocal(JvmType.REFERENCE);
        vc.code.store(vector);
        return vector;
    }

    private void pushPlace(Local place, int part, int vector) {
        Code code = vc.code;
        int bytes = (kind == Kind.INT ? Integer.BYTES : Long.BYTES) * kind.length(vc.group);
        code.staticField(DirectMemory.class, "ALL").load(place).push((long) (part * size + vector) * bytes).op(Op.LADD).push(DirectMemory.ADDRESSES).op(Op.LAND);
        code.staticField(VectorLanes.class, "ORDER");
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
