package io.ptx4j.jit.vector;

import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.LaneAtomics;
import io.ptx4j.jit.support.LanePlaces;
import io.ptx4j.jit.support.LaneSlot;
import io.ptx4j.jit.support.PatternPlaces;
import io.ptx4j.jit.support.RowPlaces;
import io.ptx4j.jit.support.VectorFrame;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;


/**
 * Loads and stores of 32-bit elements of shared memory, and sums in them, where only the running code knows how the lanes' places lie. Places and
 * values go through the frame to {@link LanePlaces} and {@link LaneAtomics}, code that all kernels share and HotSpot therefore compiles early.
 */
final class PlaceVectors {
    private final VectorCode vc;
    /** Registers whose lanes lie in the frame's array of places, the number telling where. */
    private final Register[] left = new Register[VectorFrame.PLACES];
    /** The offset of the access that has found the slot's windows last, or null. */
    private final Long[] found = new Long[VectorFrame.PLACES];
    private int next;
    /** Registers whose places lie in the frame's slots for patterns, and the offset with which. */
    private final Register[] patterns = new Register[VectorFrame.PLACES];
    private final long[] patternOffsets = new long[VectorFrame.PLACES];
    private int nextPattern;
    /** Words of local memory whose numbers lie in the frame, or null. */
    private LocalVectors.Words words;

    PlaceVectors(VectorCode vc) {
        this.vc = vc;
    }

    /** Whether the access, of one element for each lane, has this form. */
    static boolean fits(VectorCode vc, ScalarType type, Operand.Address address) {
        return !vc.group.narrow() && type.bits() == 32 && address.space() == StateSpace.SHARED && address.register() != null && address.register().type().bits() == 32
                && Addresses.part(vc.c, address) == Part.SHARED && vc.c.held(address.register()) != Held.FLOAT;
    }

    /**
     * @param value null to leave the words in the frame's array for single lanes, from its first element on
     * @param always whether the code is not skipped when what follows runs
     */
    void load(Operand.Address address, Operand value, boolean always) {
        if (pushPattern(address, always)) {
            vc.code.call(PatternPlaces.class, "load");
        } else {
            boolean again = pushPlaces(address, always, true);
            vc.code.call(LanePlaces.class, again ? "loadAgain" : "load");
        }
        vc.failed.drop();
        if (value != null) {
            vc.takeInts(value, Kind.INT.lanes, 0);
        }
    }

    /** As {@link #load}; without {@code value} it takes what lies in the frame's array. */
    void store(Operand.Address address, Operand value, boolean always) {
        if (value != null) {
            vc.leave(value, false, 0);
        }
        if (pushPattern(address, always)) {
            vc.code.call(PatternPlaces.class, "store");
        } else {
            boolean again = pushPlaces(address, always, true);
            vc.code.call(LanePlaces.class, again ? "storeAgain" : "store");
        }
        vc.failed.drop();
    }

    /** Whether the access, of a pair of words for each lane, has this form. */
    static boolean fitsPair(VectorCode vc, ScalarType type, Operand.Address address, List<Operand> words, boolean load) {
        return words.size() == 2 && fits(vc, type, address) && TupleVectors.fits(vc, type, words, load);
    }

    void loadPair(Operand.Address address, List<Operand> words, boolean always) {
        boolean again = pushPlaces(address, always, true);
        vc.code.push(again ? 1 : 0).call(LanePlaces.class, "loadPair");
        vc.failed.drop();
        for (int w = 0; w < 2; w++) {
            if (words.get(w) instanceof Operand.Reg) {
                vc.takeInts(words.get(w), Kind.INT.lanes, w * vc.group.lanes());
            }
        }
    }

    void storePair(Operand.Address address, List<Operand> words, boolean always) {
        vc.leave(words.get(0), false, 0);
        vc.leave(words.get(1), false, 1);
        boolean again = pushPlaces(address, always, true);
        vc.code.push(again ? 1 : 0).call(LanePlaces.class, "storePair");
        vc.failed.drop();
    }

    /** Whether the atomic is a sum in shared memory that has this form, and nobody reads what it gives. */
    static boolean fits(VectorCode vc, Instruction i) {
        return (i.opcode() == Opcode.ATOM || i.opcode() == Opcode.RED) && i.spelling().operation() == Modifier.ADD && !i.spelling().has(Modifier.ASYNC)
                && !i.type().isFloat() && !i.type().packed() && !vc.forms.readsResult(i) && fits(vc, i.type(), target(i))
                && (value(i) instanceof Operand.Immediate || value(i) instanceof Operand.Reg r && r.register().type().bits() == 32);
    }

    static Operand.Address target(Instruction i) {
        return (Operand.Address) i.operand(i.opcode() == Opcode.ATOM ? 1 : 0);
    }

    static Operand value(Instruction i) {
        return i.operand(i.opcode() == Opcode.ATOM ? 2 : 1);
    }

    void add(Instruction i) {
        Operand.Address address = target(i);
        if (vc.forms.of(value(i)) instanceof Form.Uniform) {
            pushPlaces(address, i.guard() == null, false);
            vc.c.pushInt(value(i));
            vc.code.call(LaneAtomics.class, "add", Worker.class, VectorFrame.class, int.class, long.class, MemorySegment.class, long.class, LaneSlot.class, int.class);
            vc.failed.drop();
            return;
        }
        vc.leave(value(i), false, 0);
        pushPlaces(address, i.guard() == null, false);
        vc.code.call(LaneAtomics.class, "add", Worker.class, VectorFrame.class, int.class, long.class, MemorySegment.class, long.class, LaneSlot.class);
        vc.failed.drop();
    }

    /**
     * Pushes what says where the lanes' elements are, and which lanes execute.
     *
     * @param windows whether the code that takes it finds windows
     * @return whether it has found them before
     */
    private boolean pushPlaces(Operand.Address address, boolean always, boolean windows) {
        Code code = vc.code;
        int slot = find(address.register(), always);
        Long offset = address.offset();
        boolean again = left[slot] != null && offset.equals(found[slot]);
        if (windows && !again) {
            found[slot] = always ? offset : null;
        }
        code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(vc.mask());
        vc.c.push(Part.SHARED);
        code.push(address.offset());
        pushSlot(slot);
        return again;
    }

    /** Whether the form of the address tells how the lanes' elements lie. */
    static boolean hasPattern(VectorCode vc, Operand.Address address) {
        return vc.forms.of(address.register()) instanceof Form.Affine a && a.bits() != null && a.stride() == (short) a.stride()
                && a.bits().factor() == (short) a.bits().factor();
    }

    /** Pushes what says where the lanes' elements are, and which lanes execute, if the form of the address tells how they lie; else gives false. */
    private boolean pushPattern(Operand.Address address, boolean always) {
        if (!hasPattern(vc, address)) {
            return false;
        }
        Register place = address.register();
        Form.Affine a = (Form.Affine) vc.forms.of(place);
        Code code = vc.code;
        int slot = Arrays.asList(patterns).indexOf(place);
        if (slot < 0 || patternOffsets[slot] != address.offset()) {
            slot = slot < 0 ? nextPattern++ % patterns.length : slot;
            code.load(vc.c.frame);
            vc.c.push(Part.SHARED);
            vc.c.pushInt(new Operand.Reg(place, ScalarType.U32, false));
            code.push(address.offset()).push(PatternPlaces.shape((int) a.stride(), a.bits().factor())).load(vc.locals.indexOf(place)).push(vc.forms.number(place));
            pushSlot("pattern" + slot);
            code.call(PatternPlaces.class, "find");
            patterns[slot] = always ? place : null;
            patternOffsets[slot] = address.offset();
        }
        code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(vc.mask());
        vc.c.push(Part.SHARED);
        pushSlot("pattern" + slot);
        return true;
    }

    private void pushSlot(String name) {
        vc.code.load(vc.c.frame).field(VectorFrame.class, name);
    }

    private void pushSlot(int slot) {
        pushSlot("slot" + slot);
    }

    /** Leaves the register's lanes in the frame, unless they are there already; tells where. */
    private int find(Register register, boolean always) {
        for (int slot = 0; slot < left.length; slot++) {
            if (left[slot] == register) {
                return slot;
            }
        }
        int empty = next;
        next = (next + 1) % left.length;
        vc.leaveInts(new Operand.Reg(register, ScalarType.U32, false), () -> {
            pushSlot(empty);
            vc.code.field(LaneSlot.class, "places");
        });
        left[empty] = always ? register : null;
        found[empty] = null;
        return empty;
    }

    LocalVectors.Words words() {
        return words;
    }

    void keepWords(LocalVectors.Words left) {
        words = left;
    }

    /** The register gets another value. */
    void forget(Register register) {
        if (words != null && words.index().register() == register) {
            words = null;
        }
        forget(left, register);
        forget(patterns, register);
    }

    private static void forget(Register[] some, Register register) {
        for (int slot = 0; slot < some.length; slot++) {
            some[slot] = some[slot] == register ? null : some[slot];
        }
    }

    /** Code begins that is not only reached from the code before. */
    void forgetAll() {
        words = null;
        Arrays.fill(left, null);
        Arrays.fill(patterns, null);
    }

    /**
     * The access to words of global or shared memory at a constant distance from lane to lane; also to neighbouring ones that are not all there, not
     * aligned or not neighbours after all, or of which some lanes are missing.
     */
    void steps(Operand.Address address, Operand value, boolean load) {
        if (!load) {
            vc.leave(value, false, 0);
        }
        callSteps(address, load ? "loadSteps" : "storeSteps", false);
        if (load) {
            vc.takeInts(value, Kind.INT.lanes, 0);
        }
    }

    /** As {@link #steps}, leaving the words in {@link VectorFrame#words}; of all rows in the same if these are {@code shared}. */
    void stepsAside(Operand.Address address, boolean shared) {
        callSteps(address, "loadStepsAside", shared);
    }

    private void callSteps(Operand.Address address, String method, boolean shared) {
        boolean apart = vc.forms.hasRows(address.register());
        Runnable lanes = () -> {
            vc.code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(vc.mask());
            vc.c.push(Addresses.part(vc.c, address));
        };
        for (int row = 0; row < (apart ? vc.group.rows() : 1); row++) {
            int r = row;
            vc.locals.inRow(row, List.of(address.register()), () -> pushSteps(address, r, 0, lanes));
            if (vc.group.rows() > 1) {
                int width = vc.group.width();
                int step = vc.forms.of(address.register()) instanceof Form.Affine a ? (int) a.step() : 0;
                vc.code.push(r * width).push(apart ? width : vc.group.lanes()).push(width).push(step);
                if (method.equals("loadStepsAside")) {
                    vc.code.push(shared ? 1 : 0);
                }
            }
            vc.code.call(vc.group.rows() > 1 ? RowPlaces.class : LanePlaces.class, method);
        }
        vc.failed.drop();
    }

    /**
     * Pushes what says where words lie at a constant distance from lane to lane, or one for all, {@code extra} bytes behind those of the address.
     *
     * @param lanes pushes what comes before that
     */
    void pushSteps(Operand.Address address, int row, long extra, Runnable lanes) {
        Code code = vc.code;
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        Addresses.pushOffset(vc.c, address, extra);
        code.store(offset);
        lanes.run();
        code.load(offset);
        if (!(vc.forms.of(address.register()).row() instanceof Form.Affine a)) {
            code.push(0).push(0).push(1L).push(1);
            return;
        }
        if (a.index() != null) {
            code.load(vc.locals.indexOf(address.register(), row)).push(a.index().stride()).push(a.index().scale()).push(a.index().signed() ? 1 : 0);
        } else if (address.register().type().bits() == 32) {
            code.load(offset).op(Op.L2I).push((int) a.stride()).push(1L).push(0);
        } else {
            boolean rows = vc.group.rows() > 1;
            code.push(0).push(rows ? (int) a.stride() : 1).push(rows ? 1 : a.stride()).push(1);
        }
    }

    /** Stores the words of executing lanes side by side where they are known to be there. */
    void storeSome(Span span, Operand value) {
        vc.leave(value, false, 0);
        vc.code.load(vc.c.frame).load(vc.mask());
        span.pushPlace(0, ScalarType.B32);
        vc.code.call(LanePlaces.class, "storeSome");
    }

    /** As {@link #storeSome} for the vector of 64-bit values on the stack. */
    void storeSomeWide(Span span, Kind kind, int part) {
        int lane = part * kind.length(vc.group);
        if (kind == Kind.DOUBLE) {
            vc.code.call(kind.type, "reinterpretAsLongs");
        }
        vc.code.load(vc.c.frame).field(VectorFrame.class, Kind.LONG.lanes).push(lane).call(Kind.LONG.type, "intoArray", long[].class, int.class);
        vc.code.load(vc.c.frame).load(vc.mask());
        span.pushPlace(lane, ScalarType.B64);
        vc.code.push(lane).call(LanePlaces.class, "storeSomeWide");
    }
}
