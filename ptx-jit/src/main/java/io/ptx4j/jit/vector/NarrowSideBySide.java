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
import java.util.HashMap;
import java.util.Map;

import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Code in line that takes bytes or 16-bit elements out of records that lie side by side, such as pixels, and puts them side by side again. Records of whole words are words first; of others each
 * lane finds the word that its element is in.
 */
final class NarrowSideBySide {
    private final VectorCode vc;
    private final int unit;
    private final int size;
    private final boolean signed;
    /** Vectors that are made before the loop, by what makes them. */
    private final Map<String, Local> orders = new HashMap<>();

    /**
     * @param unit bytes of an element
     * @param size bytes of a record
     * @param signed whether elements become negative words
     */
    NarrowSideBySide(VectorCode vc, int unit, int size, boolean signed) {
        this.vc = vc;
        this.unit = unit;
        this.size = size;
        this.signed = signed;
    }

    /** Whether there is code for such records. */
    static boolean isPossible(int size, boolean load) {
        return size % 4 == 0 ? size == 4 || SideBySide.isPossible(size / 4) : size == 2 || size == 3 || load && size < 8;
    }

    private int vector() {
        return Integer.BYTES * vc.group.length();
    }

    private boolean hasWords() {
        return size % 4 == 0;
    }

    /** Vectors of memory that a group's records lie in, where they are not words. */
    private int vectors() {
        return size <= 4 ? 1 : 2;
    }

    /** Bytes that are read from the first record on. */
    long bytes() {
        return hasWords() ? (long) size * vc.group.length() : (long) vectors() * vector();
    }

    /** Makes what turns of the loop use. */
    void prepare(Local[] elements, boolean load) {
        for (int e = 0; e < elements.length && load && !hasWords(); e++) {
            if (elements[e] != null) {
                prepare("elementWords", unit * e);
                prepare("elementShifts", unit * e);
            }
        }
        if (!load && size == 3) {
            for (String triple : new String[] {"tripleFirst", "tripleLast", "tripleShifts", "tripleRests"}) {
                prepare(triple, 0);
            }
        }
    }

    private void prepare(String order, int offset) {
        orders.computeIfAbsent(order + offset, o -> {
            Local local = vc.code.newLocal(JvmType.REFERENCE);
            vc.code.staticField(VectorLanes.class, "INT");
            vc.code.push(size).push(offset).push(8 * unit).call(RecordOrder.class, order).push(0);
            vc.code.call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class).store(local);
            return local;
        });
    }

    /**
     * Loads records.
     *
     * @param place where they begin in the process's memory
     * @param elements where to put those that are wanted; null for others
     */
    void load(Local place, Local[] elements) {
        Code code = vc.code;
        Local[] words = new Local[hasWords() ? size / 4 : vectors()];
        Arrays.setAll(words, w -> code.newLocal(JvmType.REFERENCE));
        if (hasWords() && size > 4) {
            Local[][] wanted = new Local[size / 4][];
            for (int e = 0; e < elements.length; e++) {
                if (elements[e] != null) {
                    wanted[unit * e / 4] = new Local[] {words[unit * e / 4]};
                }
            }
            new SideBySide(vc, Kind.INT, size / 4).load(place, wanted);
        } else {
            for (int v = 0; v < words.length; v++) {
                code.staticField(VectorLanes.class, "INT");
                pushPlace(place, v * vector());
                code.call(Kind.INT.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class).store(words[v]);
            }
        }
        for (int e = 0; e < elements.length; e++) {
            if (elements[e] != null) {
                take(words, unit * e);
                code.store(elements[e]);
            }
        }
    }

    /** Pushes the elements so many bytes behind where records begin. */
    private void take(Local[] words, int offset) {
        Code code = vc.code;
        int bits = 8 * unit;
        if (!hasWords()) {
            code.load(orders.get("elementWords" + offset)).load(words[0]).load(words[words.length - 1]).call(Kind.INT.type, "selectFrom", Vector.class, Vector.class);
            code.load(orders.get("elementShifts" + offset));
            vc.binary(Kind.INT, "LSHL");
            vc.binary(Kind.INT, signed ? "ASHR" : "LSHR", 32 - bits);
            return;
        }
        int shift = 8 * (offset % 4);
        code.load(words[offset / 4]);
        if (signed) {
            shift("LSHL", 32 - bits - shift);
            vc.binary(Kind.INT, "ASHR", 32 - bits);
        } else {
            shift("LSHR", shift);
            if (shift + bits < 32) {
                vc.binary(Kind.INT, "AND", (1 << bits) - 1);
            }
        }
    }

    private void shift(String operator, int bits) {
        if (bits > 0) {
            vc.binary(Kind.INT, operator, bits);
        }
    }

    /** The other way: stores whole records. */
    void store(Local place, Local[] elements) {
        Code code = vc.code;
        Local[] words = new Local[Math.ceilDiv(size, 4)];
        for (int w = 0; w < words.length; w++) {
            for (int e = w * 4 / unit; e < elements.length && e * unit < 4 * (w + 1); e++) {
                code.load(elements[e]);
                if (unit * (e + 1) % 4 != 0) {
                    vc.binary(Kind.INT, "AND", (1 << 8 * unit) - 1);
                }
                shift("LSHL", 8 * (unit * e % 4));
                if (e * unit > 4 * w) {
                    vc.binary(Kind.INT, "OR");
                }
            }
            words[w] = code.newLocal(JvmType.REFERENCE);
            code.store(words[w]);
        }
        if (size > 4) {
            Local[][] all = new Local[words.length][];
            Arrays.setAll(all, w -> new Local[] {words[w]});
            new SideBySide(vc, Kind.INT, size / 4).store(place, all);
            return;
        }
        switch (size) {
            case 2 -> {
                code.load(words[0]);
                vc.operator("I2S");
                code.staticField(VectorLanes.class, "SHORT").push(0);
                code.call(Vector.class, "convertShape", VectorOperators.Conversion.class, VectorSpecies.class, int.class).cast(ShortVector.class);
                pushPlace(place, 0);
                code.call(ShortVector.class, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
            }
            case 3 -> {
                triple("tripleFirst", words[0], "LSHR", "tripleShifts");
                triple("tripleLast", words[0], "LSHL", "tripleRests");
                vc.binary(Kind.INT, "OR");
                pushPlace(place, 0);
                code.staticField(VectorLanes.class, "INT").push((1L << vc.group.length() * 3 / 4) - 1).call(VectorMask.class, "fromLong", VectorSpecies.class, long.class);
                code.call(Kind.INT.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class, VectorMask.class);
            }
            default -> {
                code.load(words[0]);
                pushPlace(place, 0);
                code.call(Kind.INT.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
            }
        }
    }

    /** Pushes what some lanes' words have of each word in memory. */
    private void triple(String lanes, Local words, String operator, String shifts) {
        vc.code.load(orders.get(lanes + 0)).load(words).load(words).call(Kind.INT.type, "selectFrom", Vector.class, Vector.class);
        vc.code.load(orders.get(shifts + 0));
        vc.binary(Kind.INT, operator);
    }

    private void pushPlace(Local place, int distance) {
        vc.code.staticField(DirectMemory.class, "ALL").load(place).push((long) distance).op(Op.LADD).push(DirectMemory.ADDRESSES).op(Op.LAND);
        vc.code.staticField(VectorLanes.class, "ORDER");
    }
}
