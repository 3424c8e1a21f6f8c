package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jdk.incubator.vector.VectorSpecies;

/** Where a group's registers live in a method: vectors and masks of those that vary, and what scalars of the others have beside the locals of one thread. */
final class VectorLocals {
    private final VectorCode vc;
    private final Code code;
    private final ThreadCode c;
    private final Group group;
    private final Forms forms;
    private final Map<Register, Local[]> vectors = new HashMap<>();
    private final Map<Register, Local> masks = new HashMap<>();
    private final Map<Register, Local> indices = new HashMap<>();
    /** The scalars of all rows but the first, and what is behind them, where rows have scalars of their own. */
    private final Map<Register, Local[]> rows = new HashMap<>();
    private final Map<Register, Local[]> rowIndices = new HashMap<>();
    /** Scalars of a row for a moment, of registers that grow by a constant from row to row. */
    private final Map<Register, Local> steps = new HashMap<>();
    /** By register that lies in the frame at present: its slot ({@link LoopResults}). */
    private final Map<Register, Integer> aside = new HashMap<>();
    private final EnumMap<Kind, List<Local>> temporaries = new EnumMap<>(Kind.class);
    private final List<Local> narrows = new ArrayList<>();
    private final EnumMap<Kind, Local> zeros = new EnumMap<>(Kind.class);

    VectorLocals(VectorCode vc) {
        this.vc = vc;
        this.code = vc.code;
        this.c = vc.c;
        this.group = vc.group;
        this.forms = vc.forms;
    }

    Local[] vectors(Register register) {
        return vectors.computeIfAbsent(register, r -> locals(vc.kind(r).parts(group)));
    }

    /** Whether a register lies in the frame all the time, for matrix instructions. */
    boolean isOfMatrix(Register register) {
        return forms.isOfMatrix(register);
    }

    /** Pushes a part of a register that has vectors. */
    void push(Register register, int part) {
        if (!isOfMatrix(register)) {
            code.load(vectors(register)[part]);
            return;
        }
        pushMatrix(forms.matrixSlot(register), part);
        if (vc.kind(register) == Kind.FLOAT) {
            code.call(Kind.INT.type, "reinterpretAsFloats");
        }
    }

    /** The vector on the stack becomes a part of a register. */
    void pop(Register register, int part) {
        if (!isOfMatrix(register)) {
            Local local = vectors(register)[part];
            vc.words.changed(local);
            code.store(local);
            return;
        }
        if (vc.kind(register) == Kind.FLOAT) {
            code.call(Kind.FLOAT.type, "reinterpretAsInts");
        }
        popMatrix(forms.matrixSlot(register), part);
    }

    /** Pushes a part of a slot for matrix instructions, as ints. */
    void pushMatrix(int slot, int part) {
        code.staticField(VectorLanes.class, Kind.INT.species(group));
        pushMatrixPlace(slot, part);
        code.call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class);
    }

    /** The vector of ints on the stack becomes a part of a slot for matrix instructions. */
    void popMatrix(int slot, int part) {
        pushMatrixPlace(slot, part);
        code.call(Kind.INT.type, "intoArray", int[].class, int.class);
    }

    private void pushMatrixPlace(int slot, int part) {
        code.load(c.frame).field(VectorFrame.class, "matrix");
        code.load(c.thread).push(slot * group.paddedThreads() + part * group.length()).op(Op.IADD);
    }

    /** For the code that follows, a register lies in the frame. */
    void aside(Register register, int slot) {
        aside.put(register, slot);
    }

    /** For the code that follows, a register lies in its locals again. */
    void back(Register register) {
        aside.remove(register);
    }

    boolean isAside(Register register) {
        return aside.containsKey(register);
    }

    /** Slots of each kind up to the last one in use. */
    EnumMap<Kind, Integer> slotsAside() {
        EnumMap<Kind, Integer> slots = new EnumMap<>(Kind.class);
        aside.forEach((register, slot) -> slots.merge(vc.kind(register), slot + 1, Math::max));
        return slots;
    }

    /** Pushes array and element of a part of a slot. */
    private void pushAside(Kind kind, int slot, int part) {
        code.load(c.frame).field(VectorFrame.class, kind.results).push(slot * group.lanes() + part * kind.length(group));
    }

    /** Pushes a part of a register that lies in the frame. */
    void loadAside(Register register, int part) {
        Kind kind = vc.kind(register);
        code.staticField(VectorLanes.class, kind.species(group));
        pushAside(kind, aside.get(register), part);
        code.call(kind.type, "fromArray", VectorSpecies.class, kind.array, int.class);
    }

    /** Stores the vector on the stack into a part of a register that lies in the frame. */
    void storeAside(Register register, int part) {
        Kind kind = vc.kind(register);
        pushAside(kind, aside.get(register), part);
        code.call(kind.type, "intoArray", kind.array, int.class);
    }

    private Local[] locals(int count) {
        Local[] locals = new Local[count];
        for (int i = 0; i < count; i++) {
            locals[i] = code.newLocal(JvmType.REFERENCE);
        }
        return locals;
    }

    /** A varying predicate: a bit for each lane. */
    Local maskOf(Register register) {
        return masks.computeIfAbsent(register, r -> code.newLocal(JvmType.LONG));
    }

    /** What an affine register has beside the value of lane 0 ({@link Form.Second}). */
    Local indexOf(Register register) {
        return indices.computeIfAbsent(register, r -> code.newLocal(JvmType.INT));
    }

    /** The scalar of a row, of a register that has one for each. */
    Local local(Register register, int row) {
        return row == 0 ? c.local(register) : rows.computeIfAbsent(register, r -> more(c.local(r).type()))[row - 1];
    }

    /** What a row's scalar of an affine register has beside it. */
    Local indexOf(Register register, int row) {
        return row == 0 || !forms.hasRows(register) ? indexOf(register) : rowIndices.computeIfAbsent(register, r -> more(JvmType.INT))[row - 1];
    }

    private Local[] more(JvmType type) {
        Local[] locals = new Local[group.rows() - 1];
        Arrays.setAll(locals, r -> code.newLocal(type));
        return locals;
    }

    /** Emits code for one thread, that of a row's first lane, with the scalars of that row for the registers that it names. */
    void inRow(int row, Iterable<Register> named, Runnable emit) {
        if (row == 0) {
            emit.run();
            return;
        }
        Map<Register, Local> first = new HashMap<>();
        for (Register register : named) {
            if (forms.of(register).byRow() && !first.containsKey(register)) {
                first.put(register, c.local(register));
                c.bind(register, forms.of(register) instanceof Form.Affine a ? stepped(register, a.step() * row) : local(register, row));
            }
        }
        emit.run();
        first.forEach(c::bind);
    }

    private Local stepped(Register register, long distance) {
        Local base = c.local(register);
        Local moment = steps.computeIfAbsent(register, r -> code.newLocal(base.type()));
        code.load(base);
        plus(base.type(), distance);
        code.store(moment);
        return moment;
    }

    /** Vector {@code n} of a kind for a moment. */
    Local temporary(Kind kind, int n) {
        List<Local> some = temporaries.computeIfAbsent(kind, k -> new ArrayList<>());
        while (some.size() <= n) {
            some.add(code.newLocal(JvmType.REFERENCE));
        }
        return some.get(n);
    }

    /** Vector {@code n} of bytes or 16-bit elements for a moment. */
    Local narrow(int n) {
        while (narrows.size() <= n) {
            narrows.add(code.newLocal(JvmType.REFERENCE));
        }
        return narrows.get(n);
    }

    /** Gives a register its locals and zeros in them. */
    void zero(Register register) {
        Form form = forms.of(register);
        if (form.scalar()) {
            for (int row = 0; row < (form instanceof Form.Rows ? group.rows() : 1); row++) {
                Local local = local(register, row);
                pushZero(local.type());
                code.store(local);
                if (form.row() instanceof Form.Affine a && !a.plain()) {
                    code.push(0).store(indexOf(register, row));
                }
            }
        } else if (VectorCode.isPredicate(register)) {
            code.push(0L).store(maskOf(register));
        } else {
            if (isOfMatrix(register)) {
                return;
            }
            Local zero = zero(vc.kind(register));
            for (Local local : vectors(register)) {
                code.load(zero).store(local);
            }
        }
    }

    /**
     * Makes sure, where a loop begins, that HotSpot knows the classes of vectors in registers that come round. It learns them from profiles elsewhere, with a way out that ends in the
     * interpreter; after a hundred such ends in all that it inlines, which methods of the Vector API collect over the life of the process, with a
     * call instead. Then what comes round the loop may be any vector, and each operation makes an object.
     */
    void requireClasses(Collection<Register> carried) {
        List<Register> vectors = carried.stream().filter(r -> !forms.of(r).scalar() && !VectorCode.isPredicate(r) && !isOfMatrix(r)).toList();
        vectors.forEach(this::requireClass);
        // HotSpot takes a test with which a loop begins to the loop's end, where it tells it nothing of the vector that comes round.
        vectors.stream().limit(1).forEach(this::requireClass);
    }

    private void requireClass(Register register) {
        for (Local local : vectors(register)) {
            compareClass(vc.kind(register), local);
        }
    }

    private void compareClass(Kind kind, Local local) {
        code.load(local).requireClass(VectorLanes.class, kind.vectorClass(group));
    }

    /**
     * Makes sure that HotSpot knows the class of the vector in a local before that goes into an array. The method of the Vector API asks a vector twice for its size. Where kernels of the process
     * have had 32-bit lanes of both sizes, those of narrow groups too, profiles say nothing of the class there: HotSpot finds out too late
     * which one it is, and each such vector becomes an object.
     */
    void requireClass(Kind kind, Local local) {
        if (!kind.wide()) {
            compareClass(kind, local);
        }
    }

    /** The same of a part of a register. */
    void requireClass(Register register, int part) {
        if (!isAside(register) && !isOfMatrix(register)) {
            requireClass(vc.kind(register), vectors(register)[part]);
        }
    }

    /** A vector of zeros, made once where the first register needs it: HotSpot inlines ten methods for each. */
    private Local zero(Kind kind) {
        return zeros.computeIfAbsent(kind, k -> {
            Local zero = code.newLocal(JvmType.REFERENCE);
            pushZero(kind.jvm);
            vc.broadcast(kind);
            code.store(zero);
            return zero;
        });
    }

    void pushZero(JvmType type) {
        switch (type) {
            case INT -> code.push(0);
            case LONG -> code.push(0L);
            case FLOAT -> code.push(0f);
            case DOUBLE -> code.push(0.0);
            case REFERENCE -> throw new IllegalStateException();
        }
    }

    void plus(JvmType type, long distance) {
        if (distance == 0) {
            return;
        }
        if (type == JvmType.INT) {
            code.push((int) distance).op(Op.IADD);
        } else {
            code.push(distance).op(Op.LADD);
        }
    }
}
