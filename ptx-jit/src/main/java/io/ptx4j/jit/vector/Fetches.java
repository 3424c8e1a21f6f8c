package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;

import jdk.incubator.vector.VectorSpecies;

/**
 * Words side by side that are each the same for all lanes, such as a row of a matrix: one vector load takes a vector of them to an array of the frame, where
 * they are read one by one. Read from memory each, they would take HotSpot's first compiler 20 inlined methods each, more than it has room for; called, as its
 * second compiler leaves the last calls of a long method, each would move all vectors to memory and back.
 */
final class Fetches {
    private static final int LENGTH = VectorLanes.INT.length();

    private final VectorCode vc;
    private final Map<Instruction, Fetch> fetches = new IdentityHashMap<>();
    /** Loads since the last instruction that may change what memory holds, by their test and kind. */
    private final Map<Key, List<Instruction>> loads = new LinkedHashMap<>();
    private int slots;

    Fetches(VectorCode vc) {
        this.vc = vc;
    }

    private record Key(CommonTests.Test test, Kind kind) {
    }

    /** A vector of words. */
    final class Fetch {
        private final CommonTests.Test test;
        private final Kind kind;
        private final long start;
        private final int slot = slots;
        private Local array;
        /** Rows whose words are there. */
        private final Set<Integer> done = new HashSet<>();

        private Fetch(CommonTests.Test test, Kind kind, long start) {
            this.test = test;
            this.kind = kind;
            this.start = start;
            slots += rows(test);
        }

        /** Before the test of an access is asked. */
        void prepare() {
            if (array == null) {
                array = vc.code.newLocal(JvmType.REFERENCE);
                vc.code.load(vc.c.frame).field(VectorFrame.class, kind == Kind.INT ? "sameInts" : "sameFloats").store(array);
            }
        }

        /** Whether each row has a vector of its own. */
        boolean byRow() {
            return test.byRow();
        }

        /** Pushes the word so many bytes behind the address of an access whose test has been passed. */
        void push(Instruction load, long distance) {
            bring(load, 0);
            pushWord(load, distance, 0);
        }

        /** Brings the words of a row to the array once a test has been passed, unless they are there. */
        void bring(Instruction load, int row) {
            Code code = vc.code;
            if (done.add(row)) {
                code.staticField(VectorLanes.class, kind.name());
                vc.windows.pushSegment(Addresses.part(vc.c, (Operand.Address) load.operand(1)));
                test.pushPlaceOf(start, row);
                code.staticField(VectorLanes.class, "ORDER");
                code.call(kind.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
                code.load(array).push((slot + row) * LENGTH).call(kind.type, "intoArray", kind.array, int.class);
            }
        }

        /** Pushes the word of a row so many bytes behind the address. */
        void pushWord(Instruction load, long distance, int row) {
            vc.code.load(array).push(at(load, distance) + row * LENGTH).arrayLoad(kind.jvm);
        }

        /** Pushes where the first row's word lies, and in which of the arrays. */
        void pushWhere(Instruction load, long distance) {
            vc.code.push(at(load, distance)).push(kind == Kind.INT ? 0 : 1);
        }

        private int at(Instruction load, long distance) {
            return slot * LENGTH + (int) (test.offset(load) + distance - start) / 4;
        }
    }

    /** Whether all lanes of a row have one place, which lie at a constant distance from row to row. */
    private static boolean isOne(Form form) {
        return form instanceof Form.Uniform || form instanceof Form.Affine a && a.stride() == 0;
    }

    private int rows(CommonTests.Test test) {
        return test.byRow() ? vc.group.rows() : 1;
    }

    /** The next instruction of a run, with its test if it is a load that shares one. */
    void next(Instruction i, CommonTests.Test test) {
        if (test != null && i.opcode() == Opcode.LD && i.type().bits() == 32
                && isOne(vc.forms.of(((Operand.Address) i.operand(1)).register())) && kind(i) != null) {
            loads.computeIfAbsent(new Key(test, kind(i)), k -> new ArrayList<>()).add(i);
        } else if (!quiet(i)) {
            close();
        }
    }

    /** Finds out which of the loads so far are one vector's. */
    void close() {
        loads.forEach((key, all) -> {
            TreeSet<Long> offsets = new TreeSet<>();
            all.forEach(i -> offsets.addAll(offsets(key.test, i)));
            while (!offsets.isEmpty()) {
                long start = offsets.first();
                // The last word too is one that is loaded, so that the test covers the vector.
                long end = start + 4L * (LENGTH - 1);
                SortedSet<Long> words = offsets.headSet(end + 1);
                if (words.last() == end && words.size() >= LENGTH / 2 && slots + rows(key.test) <= VectorFrame.SAMES) {
                    Fetch fetch = new Fetch(key.test, key.kind, start);
                    all.stream().filter(i -> words.containsAll(offsets(key.test, i))).forEach(i -> fetches.put(i, fetch));
                    words.clear();
                } else {
                    offsets.pollFirst();
                }
            }
        });
        loads.clear();
    }

    private static List<Long> offsets(CommonTests.Test test, Instruction load) {
        long first = test.offset(load);
        return LongStream.range(0, load.spelling().vectorLength()).mapToObj(n -> first + 4 * n).toList();
    }

    /** The vector that an access is served by, or null. */
    Fetch of(Instruction i) {
        return fetches.get(i);
    }

    /** How the loaded words are held, all alike; else null. */
    private Kind kind(Instruction load) {
        List<Operand> to = load.operand(0) instanceof Operand.Vector v ? v.elements() : List.of(load.operand(0));
        List<Held> held = to.stream().map(o -> vc.c.held(((Operand.Reg) o).register())).distinct().toList();
        return held.size() > 1 ? null : switch (held.getFirst()) {
            case INT -> Kind.INT;
            case FLOAT -> Kind.FLOAT;
            case WIDE, LONG, DOUBLE -> null;
        };
    }

    /** Whether what is loaded behind the instruction may as well be loaded before it. */
    static boolean quiet(Instruction i) {
        return switch (i.family()) {
            case INTEGER, EXTENDED_PRECISION, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION, VIDEO,
                    SIMD_VIDEO -> true;
            case MEMORY -> (i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU || i.opcode() == Opcode.CVTA)
                    && Operands.isWeak(i);
            default -> false;
        };
    }
}
