package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.PatternPlaces;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;
import io.ptx4j.jit.support.WarpLanes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Emits the code of one group of threads in one method: operands as vectors onto the JVM's stack and results off it, part by part.
 * A part is one vector; 64-bit values have twice as many. Uniform and affine registers live in the scalar locals of {@link #c}.
 */
final class VectorCode {
    final ThreadCode c;
    final Code code;
    final Group group;
    final Forms forms;
    private final Map<Register, Local[]> vectors = new HashMap<>();
    private final Map<Register, Local> masks = new HashMap<>();
    private final Map<Register, Local> indices = new HashMap<>();
    /** By register: the scalars of all rows but the first, and what is behind them, where rows have scalars of their own. */
    private final Map<Register, Local[]> rows = new HashMap<>();
    private final Map<Register, Local[]> rowIndices = new HashMap<>();
    /** Scalars of a row for a moment, of registers that grow by a constant from row to row. */
    private final Map<Register, Local> steps = new HashMap<>();
    private final EnumMap<Kind, List<Local>> temporaries = new EnumMap<>(Kind.class);
    private final List<Local> narrows = new ArrayList<>();
    private final EnumMap<Kind, Local> zeros = new EnumMap<>(Kind.class);
    private Local mask;
    private boolean notes;
    private Predicate<Register> keeps = r -> false;
    private Ways ways;
    private Place skip;
    private boolean sure;
    private CommonTests tests;
    private ByteSums byteSums;
    private Local[] constants;
    final PlaceVectors places = new PlaceVectors(this);
    final Words words;
    final Windows windows;

    VectorCode(ThreadCode c, Group group, Forms forms) {
        this.c = c;
        this.code = c.code();
        this.group = group;
        this.forms = forms;
        this.windows = new Windows(c);
        this.words = new Words(this);
    }

    /**
     * What becomes of lanes of which some fail.
     *
     * @param current the lanes that are here
     * @param leave where code goes on when none of them is left
     * @param alone whether no lane waits elsewhere
     */
    record Ways(Local current, Place leave, boolean alone) {
    }

    /** For the blocks that follow; null in code that nobody runs. */
    void ways(Ways next) {
        ways = next;
    }

    /** For the instructions that follow: the lanes that execute, and the registers of which the other lanes need their value. */
    void lanes(Local executing, Predicate<Register> kept) {
        lanes(executing, kept, null);
    }

    /** @param behind where code goes on when no lane executes that is here, but others are */
    void lanes(Local executing, Predicate<Register> kept, Place behind) {
        this.mask = executing;
        this.keeps = kept;
        this.skip = behind;
    }

    /** From now on all lanes execute, and accesses to neighbours are known to be good. */
    void sure(boolean known) {
        sure = known;
    }

    /** For the instructions that follow; null if each access has its own test. */
    void tests(CommonTests common) {
        tests = common;
    }

    /** Nothing is known from here on of what the code above has left in locals and in the frame. */
    void forget() {
        places.forgetAll();
        words.forget();
    }

    /** The test that an access shares with others; null if it is tested by itself. */
    CommonTests.Test test(Instruction i) {
        return tests == null ? null : tests.test(i);
    }

    /** The vector that serves a load of a word for all lanes beside others, or null. */
    Fetches.Fetch fetch(Instruction i) {
        return tests == null ? null : tests.fetch(i);
    }

    /** Whether an access shares its test with others. */
    boolean isTested(Instruction i) {
        return tests != null && tests.has(i);
    }

    /** For the instructions that follow; null if each is emitted by itself. */
    void byteSums(ByteSums found) {
        byteSums = found;
    }

    /** The sums that the instruction is part of, or null. */
    ByteSums byteSums(Instruction i) {
        return byteSums != null && byteSums.has(i) ? byteSums : null;
    }

    boolean sure() {
        return sure;
    }

    /** Lanes that have failed in the code before go no further. */
    void dropFailed() {
        if (ways == null) {
            return;
        }
        Place none = new Place();
        pushFailed();
        code.push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        drop();
        code.place(none);
    }

    private void pushFailed() {
        code.load(c.frame).cast(VectorFrame.class).field(VectorFrame.class, "failed");
    }

    private void drop() {
        keepRunning(ways.current());
        code.load(ways.current()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, ways.leave());
        if (skip != null) {
            keepRunning(mask);
            code.load(mask).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, skip);
        }
    }

    /** Takes lanes that have failed out of some. */
    void keepRunning(Local lanes) {
        code.load(c.frame).cast(VectorFrame.class).load(lanes).call(VectorLanes.class, "running").store(lanes);
    }

    /**
     * What fails in the code that {@code emit} emits, which all executing lanes run at once, fails for these alone.
     *
     * @param results whose scalar locals the code gives values
     */
    void failTogether(List<Register> results, Runnable emit) {
        if (ways == null || ways.alone() && skip == null) {
            emit.run();
            return;
        }
        zeroScalars(results);
        deferred(mask, emit);
    }

    /** Gives scalar locals of registers that have vectors a value, whichever way the code goes. */
    private void zeroScalars(List<Register> results) {
        for (Register register : results) {
            if (varying(register)) {
                pushZero(c.local(register).type());
                code.store(c.local(register));
            }
        }
    }

    /** As {@link #failTogether} for the lanes of one row, which {@code lanes} keeps of those that execute; nothing is done if there are none. */
    void failRow(int row, Local lanes, List<Register> results, Runnable emit) {
        if (ways == null) {
            emit.run();
            return;
        }
        Place none = new Place();
        zeroScalars(results);
        code.load(mask).push(group.full() >>> group.lanes() - group.width() << row * group.width()).op(Op.LAND).store(lanes);
        code.load(lanes).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        deferred(lanes, emit);
        code.place(none);
    }

    /** What fails in the code that {@code emit} emits fails for these lanes alone, and the others go on. */
    private void deferred(Local lanes, Runnable emit) {
        Place from = new Place();
        Place to = new Place();
        Place handler = new Place();
        Place over = new Place();
        code.place(from);
        emit.run();
        code.place(to).jump(over);
        code.handler(handler);
        code.load(c.worker).load(c.frame).cast(VectorFrame.class).load(c.thread).load(lanes).call(Faults.class, "deferAll");
        drop();
        code.place(over);
        code.guard(from, to, handler, RuntimeException.class);
    }

    /** At a warp operation: lanes of a warp of which one has failed wait for it in vain. */
    void stopBesideFailed() {
        if (group.warps() == 1) {
            raiseFailed();
            return;
        }
        if (ways == null) {
            return;
        }
        Place none = new Place();
        pushFailed();
        code.push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        code.load(c.frame).cast(VectorFrame.class).load(ways.current()).call(WarpLanes.class, "besidesFailed").store(ways.current());
        code.load(ways.current()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, ways.leave()).place(none);
    }

    /** Ends the group's turn if a lane has failed: the others of its warp have come as far as they get without it. */
    void raiseFailed() {
        Place none = new Place();
        pushFailed();
        code.push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        code.load(c.frame).cast(VectorFrame.class).call(VectorFrame.class, "raise").place(none);
    }

    Local mask() {
        return mask;
    }

    /** Whether lanes that do not execute what follows have ended. */
    boolean othersHaveEnded() {
        return ways != null && ways.alone() && mask == ways.current();
    }

    /** From now on the frame is told which lanes execute what may fail. */
    void noteLanes() {
        notes = true;
    }

    /** Tells the frame, where it wants to know, that these lanes execute what may fail. */
    void note(Local lanes) {
        if (notes) {
            code.load(c.frame).cast(VectorFrame.class).load(lanes).putField(VectorFrame.class, "current");
        }
    }

    boolean keeps(Register register) {
        return keeps.test(register);
    }

    // Where registers live

    boolean varying(Register register) {
        return !forms.of(register).scalar();
    }

    Kind kind(Register register) {
        return Kind.of(c.held(register));
    }

    /** Whether the operand is a varying register whose 32 bits are held zero-extended. */
    boolean isWord(Operand operand) {
        return isVarying(operand) && c.held(((Operand.Reg) operand).register()) == Held.WIDE;
    }

    static boolean isPredicate(Register register) {
        return register.type() == ScalarType.PRED;
    }

    Local[] vectors(Register register) {
        return vectors.computeIfAbsent(register, r -> locals(kind(r).parts(group)));
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

    private void plus(JvmType type, long distance) {
        if (distance == 0) {
            return;
        }
        if (type == JvmType.INT) {
            code.push((int) distance).op(Op.IADD);
        } else {
            code.push(distance).op(Op.LADD);
        }
    }

    /** Pushes a part of an operand that is one for all lanes of a row and that {@code push} pushes as a scalar. */
    private void broadcast(Kind kind, Operand operand, int part, Runnable push) {
        inRow(group.row(kind, part), operand instanceof Operand.Reg r ? List.of(r.register()) : List.of(), () -> broadcast(kind, push));
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
        } else if (isPredicate(register)) {
            code.push(0L).store(maskOf(register));
        } else {
            Local zero = zero(kind(register));
            for (Local local : vectors(register)) {
                code.load(zero).store(local);
            }
        }
    }

    /** A vector of zeros, made once where the first register needs it: HotSpot inlines ten methods for each. */
    private Local zero(Kind kind) {
        return zeros.computeIfAbsent(kind, k -> {
            Local zero = code.newLocal(JvmType.REFERENCE);
            pushZero(kind.jvm);
            broadcast(kind);
            code.store(zero);
            return zero;
        });
    }

    private void pushZero(JvmType type) {
        switch (type) {
            case INT -> code.push(0);
            case LONG -> code.push(0L);
            case FLOAT -> code.push(0f);
            case DOUBLE -> code.push(0.0);
            case REFERENCE -> throw new IllegalStateException();
        }
    }

    /** Loads the vectors of all constants once, at the beginning of a method. */
    void loadConstants() {
        constants = TableVectors.load(this);
    }

    /** Vectors of all constants. */
    Local[] constants() {
        return constants == null ? TableVectors.load(this) : constants;
    }

    // Pieces of the Vector API

    /** Pushes a vector of the scalar that {@code push} pushes. */
    void broadcast(Kind kind, Runnable push) {
        code.staticField(VectorLanes.class, kind.species(group));
        push.run();
        code.call(kind.type, "broadcast", VectorSpecies.class, kind.element);
    }

    /** The scalar on the stack becomes a vector. */
    void broadcast(Kind kind) {
        Local scalar = c.scratch(kind.jvm, 7);
        code.store(scalar).staticField(VectorLanes.class, kind.species(group)).load(scalar);
        code.call(kind.type, "broadcast", VectorSpecies.class, kind.element);
    }

    void operator(String name) {
        code.staticField(VectorOperators.class, name);
    }

    /** Two vectors on the stack become one. */
    void binary(Kind kind, String name) {
        Local right = temporary(kind, 0);
        code.store(right);
        operator(name);
        code.load(right).call(kind.type, "lanewise", VectorOperators.Binary.class, Vector.class);
    }

    /** The vector on the stack and a constant become one. */
    void binary(Kind kind, String name, long constant) {
        operator(name);
        if (kind == Kind.INT) {
            code.push((int) constant);
        } else {
            code.push(constant);
        }
        code.call(kind.type, "lanewise", VectorOperators.Binary.class, kind.element);
    }

    void unary(Kind kind, String name) {
        operator(name);
        code.call(kind.type, "lanewise", VectorOperators.Unary.class);
    }

    /** Three vectors on the stack become one. */
    void ternary(Kind kind, String name) {
        Local third = temporary(kind, 0);
        Local second = temporary(kind, 1);
        code.store(third).store(second);
        operator(name);
        code.load(second).load(third).call(kind.type, "lanewise", VectorOperators.Ternary.class, Vector.class, Vector.class);
    }

    /** Converts the vector on the stack; {@code part} as in {@link Vector#convertShape}. */
    void convert(String conversion, Kind to, int part) {
        convert(conversion, to.species(group), to, part);
    }

    void convert(String conversion, String species, Kind to, int part) {
        operator(conversion);
        code.staticField(VectorLanes.class, species).push(part);
        code.call(Vector.class, "convertShape", VectorOperators.Conversion.class, VectorSpecies.class, int.class).cast(to.type);
    }

    /** Two vectors on the stack become the bits of the lanes where they compare so. */
    void compare(Kind kind, String comparison) {
        Local right = temporary(kind, 0);
        code.store(right);
        operator(comparison);
        code.load(right).call(kind.type, "compare", VectorOperators.Comparison.class, Vector.class);
        code.call(VectorMask.class, "toLong");
    }

    /** The mask of a part, from the bits of all lanes on the stack. */
    void vectorMask(Kind kind, int part) {
        int shift = part * kind.length(group);
        if (shift > 0) {
            code.push(shift).op(Op.LUSHR);
        }
        Local bits = c.scratch(JvmType.LONG, 7);
        code.store(bits).staticField(VectorLanes.class, kind.species(group)).load(bits);
        code.call(VectorMask.class, "fromLong", VectorSpecies.class, long.class);
    }

    /** The second vector on the stack where the bits in {@code lanes} are set, else the first. */
    void blend(Kind kind, int part, Runnable pushBits) {
        pushBits.run();
        vectorMask(kind, part);
        code.call(kind.type, "blend", Vector.class, VectorMask.class);
    }

    /**
     * Pushes the low words of 64-bit lanes as a part of 32-bit ones.
     *
     * @param pushLongs pushes a part of the 64-bit lanes
     */
    void pushLowWords(int part, IntConsumer pushLongs) {
        for (int n = 0; n < group.spread(); n++) {
            pushLongs.accept(group.spread() * part + n);
            convert("L2I", Kind.INT, -n);
            if (n > 0) {
                binary(Kind.INT, "OR");
            }
        }
    }

    /** Puts 32-bit lanes into a slot of the frame's array for lanes. */
    void leaveInts(Operand operand, int slot) {
        leaveInts(operand, () -> code.load(c.frame).cast(VectorFrame.class).field(VectorFrame.class, Kind.INT.lanes), slot * group.lanes());
    }

    /** Puts 32-bit lanes into an array, from its beginning on. */
    void leaveInts(Operand operand, Runnable pushArray) {
        leaveInts(operand, pushArray, 0);
    }

    private void leaveInts(Operand operand, Runnable pushArray, int from) {
        for (int part = 0; part < group.vectors(); part++) {
            pushInts(operand, part);
            pushArray.run();
            code.push(from + part * group.length()).call(Kind.INT.type, "intoArray", int[].class, int.class);
        }
    }

    // Operands onto the stack

    boolean isVarying(Operand operand) {
        return operand instanceof Operand.Reg r && varying(r.register());
    }

    /** How the operand grows within a row; null if it does not. */
    private Form.Affine affine(Operand operand) {
        return operand instanceof Operand.Reg r && forms.of(r.register()).row() instanceof Form.Affine a ? a : null;
    }

    /** Pushes what the first lane has of a vector's row. */
    private void pushFirst(Register register, Kind kind, int part) {
        int row = group.row(kind, part);
        Form form = forms.of(register);
        code.load(form instanceof Form.Rows ? local(register, row) : c.local(register));
        if (form instanceof Form.Affine a) {
            plus(c.local(register).type(), a.step() * row);
        }
    }

    /** 32-bit lanes; narrower types arrive extended as they say, 64-bit ones cut, floats as their bits. */
    void pushInts(Operand operand, int part) {
        if (operand instanceof Operand.Special) {
            throw new NoCode("special register in a vector");
        }
        Form.Affine affine = affine(operand);
        if (affine != null) {
            pushAffineInts((Operand.Reg) operand, affine, part);
        } else if (!isVarying(operand)) {
            broadcast(Kind.INT, operand, part, () -> {
                if (ThreadCode.typeOf(operand).bits() > 32) {
                    c.pushLong(operand);
                    code.op(Op.L2I);
                } else {
                    c.pushInt(operand);
                }
            });
        } else {
            Operand.Reg reg = (Operand.Reg) operand;
            pushRaw(reg.register(), part);
            extend(reg.type(), Math.min(32, reg.register().type().bits()));
        }
    }

    private void pushAffineInts(Operand.Reg reg, Form.Affine affine, int part) {
        if (affine.index() != null || reg.type().bits() < 32) {
            throw new NoCode("affine value cut");
        }
        if (affine.bits() != null) {
            code.load(c.local(reg.register())).push((int) affine.stride()).push(affine.bits().factor()).load(indexOf(reg.register()));
            code.push(part * group.length()).call(PatternPlaces.class, "places");
            return;
        }
        pushFirst(reg.register(), Kind.INT, part);
        if (c.local(reg.register()).type() == JvmType.LONG) {
            code.op(Op.L2I);
        }
        int stride = (int) affine.stride();
        code.push(stride * group.column(Kind.INT, part)).op(Op.IADD);
        broadcast(Kind.INT);
        addIndices(stride);
    }

    /** Adds to each lane of the ints on the stack its number times {@code stride}; the Vector API refuses strides that overflow. */
    private void addIndices(int stride) {
        if (Math.abs((long) stride) * group.length() <= Integer.MAX_VALUE) {
            code.push(stride).call(Kind.INT.type, "addIndex", int.class);
            return;
        }
        code.push(0);
        broadcast(Kind.INT);
        code.push(1).call(Kind.INT.type, "addIndex", int.class);
        binary(Kind.INT, "MUL", stride);
        binary(Kind.INT, "ADD");
    }

    private void pushRaw(Register register, int part) {
        if (isPredicate(register)) {
            throw new NoCode("predicate in a vector");
        }
        switch (c.held(register)) {
            case INT -> code.load(vectors(register)[part]);
            case FLOAT -> {
                pushClean(register, part);
                code.call(FloatVector.class, "reinterpretAsInts");
            }
            case WIDE, LONG -> {
                pushLowWords(part, p -> code.load(vectors(register)[p]));
            }
            case DOUBLE -> throw new NoCode("bits of a double in a vector");
        }
    }

    private void extend(ScalarType type, int width) {
        int bits = type.bits();
        if (bits >= 32) {
            return;
        }
        if (type.signed()) {
            binary(Kind.INT, "LSHL", 32 - bits);
            binary(Kind.INT, "ASHR", 32 - bits);
        } else if (width > bits) {
            binary(Kind.INT, "AND", (1 << bits) - 1);
        }
    }

    /** A float register with its NaNs made canonical where they may not be. */
    private void pushClean(Register register, int part) {
        code.load(vectors(register)[part]);
        if (c.context().nans().cleanAtUse(register)) {
            clean();
        }
    }

    /** Makes the NaNs of the floats on the stack canonical. */
    void clean() {
        Local value = temporary(Kind.FLOAT, 2);
        code.store(value).load(value).push(Canonical.F32);
        broadcast(Kind.FLOAT);
        code.load(value);
        operator("NE");
        code.load(value).call(FloatVector.class, "compare", VectorOperators.Comparison.class, Vector.class);
        code.call(FloatVector.class, "blend", Vector.class, VectorMask.class);
    }

    void pushFloats(Operand operand, int part) {
        if (isVarying(operand)) {
            Register register = ((Operand.Reg) operand).register();
            if (c.held(register) == Held.FLOAT) {
                code.load(vectors(register)[part]);
                return;
            }
        } else if (affine(operand) == null && !(operand instanceof Operand.Special)) {
            broadcast(Kind.FLOAT, operand, part, () -> c.pushFloat(operand));
            return;
        }
        pushInts(operand, part);
        code.call(Kind.INT.type, "reinterpretAsFloats");
    }

    /** As {@link #pushFloats}, for whoever looks at the bits. */
    void pushFloatBits(Operand operand, int part) {
        if (isVarying(operand) && c.held(((Operand.Reg) operand).register()) == Held.FLOAT) {
            pushClean(((Operand.Reg) operand).register(), part);
        } else if (affine(operand) == null && !isVarying(operand) && !(operand instanceof Operand.Special)) {
            broadcast(Kind.FLOAT, operand, part, () -> c.pushFloatBits(operand));
        } else {
            pushFloats(operand, part);
        }
    }

    /** 64-bit lanes; narrower operands are extended as their type says. */
    void pushLongs(Operand operand, int part) {
        if (ThreadCode.typeOf(operand).bits() <= 32) {
            pushExtended(operand, ThreadCode.typeOf(operand).signed(), part);
            return;
        }
        Form.Affine affine = affine(operand);
        if (affine != null) {
            pushAffineLongs(((Operand.Reg) operand).register(), affine, part);
        } else if (isVarying(operand)) {
            Register register = ((Operand.Reg) operand).register();
            if (kind(register) != Kind.LONG) {
                throw new NoCode("64-bit lanes of " + c.held(register));
            }
            code.load(vectors(register)[part]);
        } else {
            broadcast(Kind.LONG, operand, part, () -> c.pushLong(operand));
        }
    }

    private void pushAffineLongs(Register register, Form.Affine affine, int part) {
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
            broadcast(Kind.LONG);
            code.push((int) affine.stride()).call(Kind.LONG.type, "addIndex", int.class);
            return;
        }
        // scale * (extend(index + stride * lane) - extend(index)) + lane 0
        Form.Index index = affine.index();
        int row = group.row(Kind.LONG, part);
        code.load(indexOf(register, row)).push(index.stride() * group.column(Kind.INT, part / group.spread())).op(Op.IADD);
        broadcast(Kind.INT);
        addIndices(index.stride());
        convert(index.signed() ? "I2L" : "ZERO_EXTEND_I2L", Kind.LONG, part % group.spread());
        if (Long.bitCount(index.scale()) == 1) {
            binary(Kind.LONG, "LSHL", Long.numberOfTrailingZeros(index.scale()));
        } else {
            binary(Kind.LONG, "MUL", index.scale());
        }
        pushFirst(register, Kind.LONG, part);
        code.load(indexOf(register, row));
        if (index.signed()) {
            code.op(Op.I2L);
        } else {
            code.call(Integer.class, "toUnsignedLong");
        }
        code.push(index.scale()).op(Op.LMUL).op(Op.LSUB);
        broadcast(Kind.LONG);
        binary(Kind.LONG, "ADD");
    }

    /** A 32-bit (or narrower) operand in 64-bit lanes. */
    void pushExtended(Operand operand, boolean signed, int part) {
        boolean scalar = !isVarying(operand) && affine(operand) == null && !(operand instanceof Operand.Special);
        if (scalar) {
            broadcast(Kind.LONG, operand, part, () -> {
                if (signed) {
                    c.pushInt(operand);
                    code.op(Op.I2L);
                } else {
                    c.pushUnsigned(operand);
                }
            });
        } else if (!signed && isVarying(operand) && c.held(((Operand.Reg) operand).register()) == Held.WIDE
                && ((Operand.Reg) operand).type().bits() == 32) {
            code.load(vectors(((Operand.Reg) operand).register())[part]);
        } else {
            pushInts(operand, part / group.spread());
            convert(signed ? "I2L" : "ZERO_EXTEND_I2L", Kind.LONG, part % group.spread());
        }
    }

    void pushDoubles(Operand operand, int part) {
        if (isVarying(operand)) {
            Register register = ((Operand.Reg) operand).register();
            if (c.held(register) == Held.DOUBLE) {
                code.load(vectors(register)[part]);
                return;
            }
        } else if (affine(operand) == null && !(operand instanceof Operand.Special)) {
            broadcast(Kind.DOUBLE, operand, part, () -> c.pushDouble(operand));
            return;
        }
        pushLongs(operand, part);
        code.call(Kind.LONG.type, "reinterpretAsDoubles");
    }

    /** A predicate as the bits of all lanes. */
    void pushBits(Operand operand) {
        if (isVarying(operand)) {
            Operand.Reg reg = (Operand.Reg) operand;
            code.load(maskOf(reg.register()));
            if (reg.negated()) {
                code.push(-1L).op(Op.LXOR);
            }
        } else {
            c.pushInt(operand);
            code.op(Op.I2L).op(Op.LNEG);
        }
    }

    // Results off the stack

    /** Stores the vector on the stack into a part of a register of that kind; lanes that do not execute keep theirs if need be. */
    void store(Register register, int part) {
        Kind kind = kind(register);
        Local local = vectors(register)[part];
        words.changed(local);
        if (keeps(register)) {
            Local value = temporary(kind, 3);
            code.store(value).load(local).load(value);
            blend(kind, part, () -> code.load(mask));
        }
        code.store(local);
    }

    private Operand.Reg destination(Operand operand) {
        if (!(operand instanceof Operand.Reg reg) || !varying(reg.register()) || isPredicate(reg.register())) {
            throw new NoCode("destination " + operand + " in a vector");
        }
        return reg;
    }

    void popInts(Operand operand, int part) {
        if (operand instanceof Operand.Sink) {
            code.pop();
            return;
        }
        Operand.Reg reg = destination(operand);
        int bits = reg.register().type().bits();
        switch (c.held(reg.register())) {
            case INT -> {
                if (bits < 32) {
                    binary(Kind.INT, "AND", (1 << bits) - 1);
                }
                store(reg.register(), part);
            }
            case FLOAT -> {
                code.call(Kind.INT.type, "reinterpretAsFloats");
                store(reg.register(), part);
            }
            case WIDE -> widen(reg.register(), false, part);
            case LONG -> widen(reg.register(), reg.type().signed(), part);
            case DOUBLE -> throw new NoCode("integers into a double");
        }
    }

    private void widen(Register register, boolean signed, int part) {
        Local value = temporary(Kind.INT, 3);
        code.store(value);
        for (int n = 0; n < group.spread(); n++) {
            code.load(value);
            convert(signed ? "I2L" : "ZERO_EXTEND_I2L", Kind.LONG, n);
            store(register, group.spread() * part + n);
        }
    }

    void popFloats(Operand operand, int part) {
        if (operand instanceof Operand.Sink) {
            code.pop();
            return;
        }
        Operand.Reg reg = destination(operand);
        if (c.held(reg.register()) == Held.FLOAT) {
            store(reg.register(), part);
        } else {
            code.call(FloatVector.class, "reinterpretAsInts");
            popInts(operand, part);
        }
    }

    /** The result of arithmetic: its NaN is of the processor's choice. */
    void popArithmetic(Operand operand, int part) {
        if (operand instanceof Operand.Reg reg
                && (c.held(reg.register()) != Held.FLOAT || c.context().nans().cleanAtDefinition(reg.register()))) {
            clean();
        }
        popFloats(operand, part);
    }

    void popLongs(Operand operand, int part) {
        if (operand instanceof Operand.Sink) {
            code.pop();
            return;
        }
        Operand.Reg reg = destination(operand);
        switch (c.held(reg.register())) {
            case LONG -> store(reg.register(), part);
            case WIDE -> words.store(reg.register(), part);
            case DOUBLE -> {
                code.call(Kind.LONG.type, "reinterpretAsDoubles");
                store(reg.register(), part);
            }
            case INT, FLOAT -> throw new NoCode("64-bit lanes into a 32-bit register");
        }
    }

    void popDoubles(Operand operand, int part) {
        Operand.Reg reg = destination(operand);
        if (c.held(reg.register()) == Held.DOUBLE) {
            store(reg.register(), part);
        } else {
            code.call(Kind.DOUBLE.type, "reinterpretAsLongs");
            popLongs(operand, part);
        }
    }

    /** Stores the bits of all lanes on the stack into a varying predicate. */
    void popBits(Operand operand) {
        if (operand instanceof Operand.Sink) {
            code.pop();
            return;
        }
        Register register = ((Operand.Reg) operand).register();
        if (!varying(register)) {
            throw new NoCode("bits into a uniform predicate");
        }
        storeBits(register);
    }

    void storeBits(Register register) {
        Local local = maskOf(register);
        if (keeps(register)) {
            // old ^ ((old ^ new) & mask)
            code.load(local).op(Op.LXOR).load(mask).op(Op.LAND).load(local).op(Op.LXOR);
        }
        code.store(local);
    }

    /** Gives a varying register the value that its scalar local holds. */
    void spread(Register register) {
        Local scalar = c.local(register);
        if (isPredicate(register)) {
            code.load(scalar).op(Op.I2L).op(Op.LNEG);
            storeBits(register);
            return;
        }
        for (int row = 0; row < group.rows(); row++) {
            spread(register, row);
        }
    }

    /** Gives the lanes of a row the value that the scalar local holds. */
    void spread(Register register, int row) {
        Kind kind = kind(register);
        for (int part = 0; part < kind.parts(group); part++) {
            if (group.row(kind, part) == row) {
                code.load(c.local(register));
                broadcast(kind);
                store(register, part);
            }
        }
    }
}
