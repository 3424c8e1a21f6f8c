package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
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
    private Local mask;
    private boolean notes;
    private Predicate<Register> keeps = r -> false;
    private Ways ways;
    private Place skip;
    private boolean sure;
    private boolean sureOfCommon;
    private boolean turns;
    private CommonTests tests;
    private Records records;
    private ByteSums byteSums;
    private Local[] constants;
    final PlaceVectors places = new PlaceVectors(this);
    final Words words;
    final Windows windows;
    final VectorLocals locals;
    final FailedLanes failed;
    private final AffineVectors affines;

    VectorCode(ThreadCode c, Group group, Forms forms) {
        this.c = c;
        this.code = c.code();
        this.group = group;
        this.forms = forms;
        this.windows = new Windows(c);
        this.words = new Words(this);
        this.locals = new VectorLocals(this);
        this.failed = new FailedLanes(this);
        this.affines = new AffineVectors(this);
    }

    /**
     * What becomes of lanes of which some fail.
     *
     * @param current the lanes that are here
     * @param leave where code goes on when none of them is left
     * @param alone whether no lane waits elsewhere
     * @param othersHaveEnded whether none has stopped elsewhere either
     */
    record Ways(Local current, Place leave, boolean alone, boolean othersHaveEnded) {
    }

    /** For the blocks that follow; null in code that nobody runs. */
    void ways(Ways next) {
        ways = next;
    }

    Ways ways() {
        return ways;
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

    /** Where code goes on when no lane executes that is here, but others are; null if there is no such place. */
    Place skip() {
        return skip;
    }

    /** From now on all lanes execute, and accesses to neighbours are known to be good. */
    void sure(boolean known) {
        sure = known;
    }

    /** The method is the turns of a loop alone, and so short, and run over and over. */
    void turnsAlone() {
        turns = true;
    }

    boolean areTurnsAlone() {
        return turns;
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

    /** For the instructions that follow; null if each access to words is made by itself. */
    void records(Records found) {
        records = found;
    }

    /** The records that an access is part of, or null. */
    Records recordsOf(Instruction i) {
        return records != null && records.has(i) ? records : null;
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

    /** Loads that are one for all lanes need no tests either. */
    void sureOfCommon(boolean known) {
        sureOfCommon = known;
    }

    boolean sureOfCommon() {
        return sureOfCommon;
    }

    Local mask() {
        return mask;
    }

    /** Whether lanes that do not execute what follows have ended. */
    boolean othersHaveEnded() {
        return ways != null && ways.othersHaveEnded() && mask == ways.current();
    }

    /** From now on the frame is told which lanes execute what may fail. */
    void noteLanes() {
        notes = true;
    }

    /** Tells the frame, where it wants to know, that these lanes execute what may fail. */
    void note(Local lanes) {
        if (notes) {
            code.load(c.frame).load(lanes).putField(VectorFrame.class, "current");
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

    /** Pushes a part of an operand that is one for all lanes of a row and that {@code push} pushes as a scalar. */
    private void broadcast(Kind kind, Operand operand, int part, Runnable push) {
        locals.inRow(group.row(kind, part), operand instanceof Operand.Reg r ? List.of(r.register()) : List.of(), () -> broadcast(kind, push));
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
        Local right = locals.temporary(kind, 0);
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
        Local third = locals.temporary(kind, 0);
        Local second = locals.temporary(kind, 1);
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
        Local right = locals.temporary(kind, 0);
        code.store(right);
        operator(comparison);
        code.load(right).call(kind.type, "compare", VectorOperators.Comparison.class, Vector.class);
        code.call(VectorMask.class, "toLong");
    }

    /** Moves the bits on the stack, of a part's lanes, up to where these lie among all lanes. */
    void place(Kind kind, int part) {
        int shift = part * kind.length(group);
        if (shift > 0) {
            code.push(shift).op(Op.LSHL);
        }
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

    /** Puts lanes into a slot of the frame's array for those of 32 or 64 bits. */
    void leave(Operand operand, boolean wide, int slot) {
        leave(operand, wide, slot, part -> true);
    }

    /** The same for some vectors. */
    void leave(Operand operand, boolean wide, int slot, IntPredicate parts) {
        Kind kind = wide ? Kind.LONG : Kind.INT;
        for (int part = 0; part < kind.parts(group); part++) {
            if (parts.test(part)) {
                if (wide) {
                    pushLongs(operand, part);
                } else {
                    pushWholeInts(operand, part);
                }
                pushLanes(wide);
                code.push(slot * group.lanes() + part * kind.length(group)).call(kind.type, "intoArray", kind.array, int.class);
            }
        }
    }

    /** Pushes the frame's array for lanes of 32 or 64 bits. */
    void pushLanes(boolean wide) {
        code.load(c.frame).field(VectorFrame.class, (wide ? Kind.LONG : Kind.INT).lanes);
    }

    private void pushWholeInts(Operand operand, int part) {
        if (isVarying(operand)) {
            locals.requireClass(((Operand.Reg) operand).register(), part);
        }
        pushInts(operand, part);
    }

    /** The same of some bits of a register's lanes, in the first slot. */
    void leaveBits(Operand.Reg operand, int mask, int shift) {
        leaveInts(part -> {
            locals.requireClass(operand.register(), part);
            pushInts(operand, part);
            if (mask != -1) {
                binary(Kind.INT, "AND", mask);
            }
            if (shift > 0) {
                binary(Kind.INT, "LSHR", shift);
            }
        }, () -> pushLanes(false), 0);
    }

    /** Takes 32-bit lanes from an array of the frame. */
    void takeInts(Operand to, String array, int from) {
        for (int part = 0; part < group.vectors(); part++) {
            code.staticField(VectorLanes.class, Kind.INT.name());
            code.load(c.frame).field(VectorFrame.class, array).push(from + part * group.length());
            code.call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class);
            popInts(to, part);
        }
    }

    /** Takes 64-bit lanes from there. */
    void takeLongs(Operand to, int slot) {
        for (int part = 0; part < Kind.LONG.parts(group); part++) {
            code.staticField(VectorLanes.class, Kind.LONG.species(group));
            pushLanes(true);
            code.push(slot * group.lanes() + part * Kind.LONG.length(group)).call(Kind.LONG.type, "fromArray", VectorSpecies.class, long[].class, int.class);
            popLongs(to, part);
        }
    }

    /** Puts 32-bit lanes into an array, from its beginning on. */
    void leaveInts(Operand operand, Runnable pushArray) {
        leaveInts(operand, pushArray, 0);
    }

    void leaveInts(Operand operand, Runnable pushArray, int from) {
        leaveInts(part -> pushWholeInts(operand, part), pushArray, from);
    }

    private void leaveInts(IntConsumer push, Runnable pushArray, int from) {
        for (int part = 0; part < group.vectors(); part++) {
            push.accept(part);
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

    /** 32-bit lanes; narrower types arrive extended as they say, 64-bit ones cut, floats as their bits. */
    void pushInts(Operand operand, int part) {
        if (operand instanceof Operand.Special) {
            throw new NoCode("special register in a vector");
        }
        Form.Affine affine = affine(operand);
        if (affine != null) {
            affines.pushInts((Operand.Reg) operand, affine, part);
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

    private void pushRaw(Register register, int part) {
        if (isPredicate(register)) {
            throw new NoCode("predicate in a vector");
        }
        switch (c.held(register)) {
            case INT -> locals.push(register, part);
            case FLOAT -> {
                pushClean(register, part);
                code.call(FloatVector.class, "reinterpretAsInts");
            }
            case WIDE, LONG -> pushLowWords(part, p -> code.load(locals.vectors(register)[p]));
            case DOUBLE -> pushLowWords(part, p -> code.load(locals.vectors(register)[p]).call(Kind.DOUBLE.type, "reinterpretAsLongs"));
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
        locals.push(register, part);
        if (c.context().nans().cleanAtUse(register)) {
            clean();
        }
    }

    /** Makes the NaNs of the floats on the stack canonical. */
    void clean() {
        Local value = locals.temporary(Kind.FLOAT, 2);
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
                locals.push(register, part);
                return;
            }
        } else if (isOne(operand)) {
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
        } else if (isOne(operand)) {
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
            affines.pushLongs(((Operand.Reg) operand).register(), affine, part);
        } else if (isVarying(operand)) {
            Register register = ((Operand.Reg) operand).register();
            switch (kind(register)) {
                case LONG -> code.load(locals.vectors(register)[part]);
                case DOUBLE -> code.load(locals.vectors(register)[part]).call(Kind.DOUBLE.type, "reinterpretAsLongs");
                case INT, FLOAT -> throw new NoCode("64-bit lanes of " + c.held(register));
            }
        } else {
            broadcast(Kind.LONG, operand, part, () -> c.pushLong(operand));
        }
    }

    /** Whether an operand is one number for all lanes of a row. */
    boolean isOne(Operand operand) {
        return !isVarying(operand) && affine(operand) == null && !(operand instanceof Operand.Special);
    }

    /** A 32-bit (or narrower) operand in 64-bit lanes. */
    void pushExtended(Operand operand, boolean signed, int part) {
        if (isOne(operand)) {
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
            code.load(locals.vectors(((Operand.Reg) operand).register())[part]);
        } else {
            pushInts(operand, part / group.spread());
            convert(signed ? "I2L" : "ZERO_EXTEND_I2L", Kind.LONG, part % group.spread());
        }
    }

    void pushDoubles(Operand operand, int part) {
        if (isVarying(operand)) {
            Register register = ((Operand.Reg) operand).register();
            if (c.held(register) == Held.DOUBLE) {
                code.load(locals.vectors(register)[part]);
                return;
            }
        } else if (isOne(operand)) {
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
            code.load(locals.maskOf(reg.register()));
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
        boolean aside = locals.isAside(register);
        if (keeps(register)) {
            Local value = locals.temporary(kind, 3);
            code.store(value);
            if (aside) {
                locals.loadAside(register, part);
            } else {
                locals.push(register, part);
            }
            code.load(value);
            blend(kind, part, () -> code.load(mask));
        }
        if (aside) {
            locals.storeAside(register, part);
        } else {
            locals.pop(register, part);
        }
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
        Local value = locals.temporary(Kind.INT, 3);
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
        Local local = locals.maskOf(register);
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
