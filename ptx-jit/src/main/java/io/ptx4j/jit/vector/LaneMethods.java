package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadPath;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import jdk.incubator.vector.VectorSpecies;

/**
 * Instructions done lane by lane: a method of its own for each, with the code of the scalar shape in a loop over the lanes. Vectors
 * go in and out through arrays of the frame, because HotSpot boxes them at calls.
 */
final class LaneMethods {
    private final ClassCode classCode;
    private final List<Instruction> instructions = new ArrayList<>();
    private int count;

    LaneMethods(ClassCode classCode) {
        this.classCode = classCode;
    }

    /** Where an instruction's registers are handed over. */
    private static final class Slots {
        final Map<Register, Integer> slots = new HashMap<>();
        private final EnumMap<Kind, Integer> used = new EnumMap<>(Kind.class);
        private int masks;

        void add(VectorCode vc, Register register) {
            if (slots.containsKey(register)) {
                return;
            }
            int slot = VectorCode.isPredicate(register) ? masks++ : used.merge(vc.kind(register), 1, Integer::sum) - 1;
            if (slot >= VectorFrame.SLOTS) {
                throw new NotVectorizable("an instruction with more than " + VectorFrame.SLOTS + " registers of a kind");
            }
            slots.put(register, slot);
        }
    }

    /**
     * Emits a call that executes {@code body} for the executing lanes.
     *
     * @param instruction whose registers are handed over
     * @param body the code for one lane
     */
    void call(VectorCode vc, Instruction instruction, Consumer<ThreadCode> body) {
        call(vc, instruction, sources(instruction), results(instruction), body);
    }

    /** As {@link #call} for several instructions that cannot fail, with registers that they read before they write them, and those that they write. */
    void call(VectorCode vc, List<Instruction> some, Set<Register> sources, Set<Register> results, Consumer<ThreadCode> body) {
        call(vc, "lanes", some.getFirst().location().line(), false, sources, results, body::accept);
    }

    /** As {@link #call} for what is left at a meeting point, which has no results yet. */
    void leave(VectorCode vc, Instruction instruction, Consumer<ThreadCode> body) {
        call(vc, instruction, sources(instruction), Set.of(), body);
    }

    /** As {@link #call} for the results that a meeting point leaves. */
    void take(VectorCode vc, Instruction instruction, Consumer<ThreadCode> body) {
        Set<Register> results = results(instruction);
        if (!results.isEmpty()) {
            call(vc, instruction, Set.of(), results, body);
        }
    }

    /** Emits a call in which the executing lanes go through some blocks, one after the other. */
    void follow(VectorCode vc, ThreadPath path) {
        instructions.addAll(path.instructions());
        call(vc, "path", path.line(), !path.ends(), path.needed(), new LinkedHashSet<>(path.results()), new Body() {
            @Override
            public void prepare(ThreadCode c) {
                path.prepare(c);
            }

            @Override
            public boolean few() {
                return true;
            }

            @Override
            public Set<Register> changed() {
                return path.changed();
            }

            @Override
            public void emit(ThreadCode c) {
                path.emit(c);
            }
        });
    }

    /** Notes that an instruction has no vector code at all: others call lane methods only for lanes that are spread. */
    void only(Instruction instruction) {
        instructions.add(instruction);
    }

    /** The instructions noted by {@link #only}, in the order of the text. */
    List<Instruction> only() {
        return List.copyOf(instructions);
    }

    private static Set<Register> sources(Instruction i) {
        Set<Register> sources = new LinkedHashSet<>();
        Operands.uses(new Instruction(i.spelling(), null, i.operands(), i.location()), sources::add);
        return sources;
    }

    private static Set<Register> results(Instruction i) {
        Set<Register> results = new LinkedHashSet<>();
        Operands.definitions(i, results::add);
        return results;
    }

    /** What a method does for each lane. */
    private interface Body {
        /** Before the loop over the lanes. */
        default void prepare(ThreadCode c) {
        }

        /** Whether lanes do much, and mostly few of them are there. */
        default boolean few() {
            return false;
        }

        /** Registers that a lane leaves changed, beside results, so that the next one must have them anew. */
        default Set<Register> changed() {
            return Set.of();
        }

        void emit(ThreadCode c);
    }

    private void call(VectorCode vc, Instruction instruction, Set<Register> sources, Set<Register> results, Consumer<ThreadCode> body) {
        for (Register register : results) {
            if (!vc.varying(register)) {
                throw new IllegalStateException(instruction + " writes " + register + ", which does not vary");
            }
        }
        call(vc, "lanes", instruction.location().line(), !instruction.family().computes(), sources, results, body::accept);
    }

    private void call(VectorCode vc, String kind, int line, boolean mayFail, Set<Register> sources, Set<Register> results, Body body) {
        Slots slots = new Slots();
        List<Register> scalars = new ArrayList<>();
        List<Register> given = new ArrayList<>(sources);
        results.stream().filter(r -> !sources.contains(r) && vc.keeps(r)).forEach(given::add);
        for (Register register : given) {
            if (isGiven(vc, register)) {
                slots.add(vc, register);
            } else {
                scalars.add(register);
            }
        }
        results.forEach(register -> slots.add(vc, register));
        String name = kind + count++ + "line" + Math.max(0, line);
        String descriptor = descriptor(vc, given, scalars);
        if (!classCode.isProbe()) {
            emitMethod(vc, name, descriptor, line, given, scalars, results, slots, body);
        }
        emitCall(vc, name, descriptor, given, scalars, results, slots);
        if (mayFail) {
            vc.failed.drop();
        }
    }

    /** Worker, frame, first thread, lanes; predicates given; scalars with their index. */
    private static String descriptor(VectorCode vc, List<Register> given, List<Register> scalars) {
        StringBuilder text = new StringBuilder("(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;IJ");
        given.stream().filter(r -> isMask(vc, r)).forEach(r -> text.append('J'));
        for (Register register : scalars) {
            text.append(vc.c.held(register).type().descriptor());
            if (hasIndex(vc, register)) {
                text.append('I');
            }
        }
        return text.append(")V").toString();
    }

    private static boolean isMask(VectorCode vc, Register register) {
        return vc.varying(register) && VectorCode.isPredicate(register);
    }

    /** Whether the register is handed over for each lane. */
    private static boolean isGiven(VectorCode vc, Register register) {
        return vc.varying(register) || vc.forms.hasRows(register);
    }

    private static boolean hasIndex(VectorCode vc, Register register) {
        return vc.forms.of(register) instanceof Form.Affine a && !a.plain();
    }

    private void emitCall(VectorCode vc, String name, String descriptor, List<Register> given, List<Register> scalars,
            Set<Register> results, Slots slots) {
        Code code = vc.code;
        for (Register register : given) {
            if (isGiven(vc, register) && !VectorCode.isPredicate(register)) {
                Kind kind = vc.kind(register);
                for (int part = 0; part < kind.parts(vc.group); part++) {
                    pushPart(vc, register, kind, part);
                    pushArray(vc, kind);
                    code.push(slots.slots.get(register) * vc.group.lanes() + part * kind.length(vc.group));
                    code.call(kind.type, "intoArray", kind.array, int.class);
                }
            }
        }
        code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(vc.mask());
        given.stream().filter(r -> isMask(vc, r)).forEach(r -> code.load(vc.locals.maskOf(r)));
        for (Register register : scalars) {
            code.load(vc.c.local(register));
            if (hasIndex(vc, register)) {
                code.load(vc.locals.indexOf(register));
            }
        }
        code.callOwn(name, descriptor);
        for (Register register : results) {
            int slot = slots.slots.get(register);
            if (VectorCode.isPredicate(register)) {
                code.load(vc.c.frame).field(VectorFrame.class, "laneMasks").push(slot).arrayLoad(JvmType.LONG);
                code.store(vc.locals.maskOf(register));
                continue;
            }
            Kind kind = vc.kind(register);
            for (int part = 0; part < kind.parts(vc.group); part++) {
                code.staticField(VectorLanes.class, kind.species(vc.group));
                pushArray(vc, kind);
                code.push(slot * vc.group.lanes() + part * kind.length(vc.group));
                code.call(kind.type, "fromArray", VectorSpecies.class, kind.array, int.class);
                vc.locals.pop(register, part);
            }
        }
    }

    private static void pushPart(VectorCode vc, Register register, Kind kind, int part) {
        if (vc.varying(register)) {
            vc.locals.push(register, part);
            return;
        }
        Operand value = NarrowVectors.whole(new Operand.Reg(register, register.type(), false));
        switch (kind) {
            case INT -> vc.pushInts(value, part);
            case LONG -> vc.pushLongs(value, part);
            case FLOAT -> vc.pushFloats(value, part);
            case DOUBLE -> vc.pushDoubles(value, part);
        }
    }

    private static void pushArray(VectorCode vc, Kind kind) {
        vc.code.load(vc.c.frame).field(VectorFrame.class, kind.lanes);
    }

    private void emitMethod(VectorCode vc, String name, String descriptor, int line, List<Register> given,
            List<Register> scalars, Set<Register> results, Slots slots, Body body) {
        Code code = classCode.staticMethod(name, descriptor);
        Local worker = code.parameter(0, JvmType.REFERENCE);
        Local frame = code.parameter(1, JvmType.REFERENCE);
        Local first = code.parameter(2, JvmType.INT);
        Local lanes = code.parameter(3, JvmType.LONG);
        Local lane = code.newLocal(JvmType.INT);
        Local thread = code.newLocal(JvmType.INT);
        ThreadCode c = new ThreadCode(vc.c.context(), code, worker, frame, thread);
        Map<Register, Local> masks = new HashMap<>();
        Map<Register, Local> bases = new HashMap<>();
        Map<Register, Local> indices = new HashMap<>();
        Set<Register> changed = body.changed();
        int slot = 5;
        for (Register register : given) {
            if (isMask(vc, register)) {
                masks.put(register, code.parameter(slot, JvmType.LONG));
                slot += 2;
            }
        }
        for (Register register : scalars) {
            Local base = code.parameter(slot, c.held(register).type());
            slot += base.type().slots();
            if (vc.forms.of(register) instanceof Form.Affine || changed.contains(register)) {
                bases.put(register, base);
                if (hasIndex(vc, register)) {
                    indices.put(register, code.parameter(slot++, JvmType.INT));
                }
            } else {
                c.bind(register, base);
            }
        }
        for (Register register : results) {
            if (VectorCode.isPredicate(register) && !masks.containsKey(register)) {
                Local bits = code.newLocal(JvmType.LONG);
                code.push(0L).store(bits);
                masks.put(register, bits);
            }
        }
        Place start = new Place();
        Place handler = new Place();
        Place loop = new Place();
        Place next = new Place();
        Place done = new Place();
        Local rest = body.few() ? code.newLocal(JvmType.LONG) : null;
        Local end = body.few() ? null : code.newLocal(JvmType.INT);
        Map<Kind, Local> arrays = new EnumMap<>(Kind.class);
        body.prepare(c);
        if (body.few()) {
            given.stream().filter(r -> isGiven(vc, r) && !masks.containsKey(r)).map(vc::kind).distinct().forEach(kind -> {
                Local array = code.newLocal(JvmType.REFERENCE);
                code.load(frame).field(VectorFrame.class, kind.lanes).store(array);
                arrays.put(kind, array);
            });
        }
        code.load(first).store(thread).push(0).store(lane);
        if (body.few()) {
            code.load(lanes).store(rest).place(start).line(Math.max(1, line));
            code.place(loop).load(rest).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, done);
            code.load(rest).call(Long.class, "numberOfTrailingZeros").store(lane);
            code.load(rest).load(rest).push(1L).op(Op.LSUB).op(Op.LAND).store(rest);
        } else {
            // A loop that counts, so that HotSpot tests array bounds once, before it.
            code.load(lanes).call(Long.class, "numberOfTrailingZeros").store(lane);
            code.push(Long.SIZE).load(lanes).call(Long.class, "numberOfLeadingZeros").op(Op.ISUB).store(end);
            code.place(start).line(Math.max(1, line));
            code.place(loop).load(lane).load(end).jumpIfCompared(Condition.GE, done);
            code.load(lanes).load(lane).op(Op.LUSHR).push(1L).op(Op.LAND).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, next);
        }
        code.load(first).load(lane).op(Op.IADD).store(thread);
        for (Register register : given) {
            if (masks.containsKey(register)) {
                code.load(masks.get(register)).load(lane).op(Op.LUSHR).op(Op.L2I).push(1).op(Op.IAND).store(c.local(register));
            } else if (isGiven(vc, register)) {
                element(vc, code, frame, arrays, lane, register, slots);
                code.arrayLoad(vc.kind(register).jvm).store(c.local(register));
            } else if (bases.containsKey(register)) {
                if (vc.forms.of(register) instanceof Form.Affine form) {
                    affine(vc, code, register, form, bases.get(register), indices.get(register), lane);
                } else {
                    code.load(bases.get(register));
                }
                code.store(c.local(register));
            }
        }
        results.stream().filter(r -> !given.contains(r)).forEach(r -> zero(code, c, r));
        body.emit(c);
        for (Register register : results) {
            if (masks.containsKey(register)) {
                Local bits = masks.get(register);
                code.load(bits).push(1L).load(lane).op(Op.LSHL).push(-1L).op(Op.LXOR).op(Op.LAND);
                code.load(c.local(register)).op(Op.I2L).load(lane).op(Op.LSHL).op(Op.LOR).store(bits);
            } else {
                element(vc, code, frame, arrays, lane, register, slots);
                code.load(c.local(register)).arrayStore(vc.kind(register).jvm);
            }
        }
        code.place(next);
        if (!body.few()) {
            code.increment(lane, 1);
        }
        code.jump(loop).place(done);
        for (Register register : results) {
            if (masks.containsKey(register)) {
                code.load(frame).field(VectorFrame.class, "laneMasks").push(slots.slots.get(register)).load(masks.get(register))
                        .arrayStore(JvmType.LONG);
            }
        }
        code.ret();
        code.handler(handler).load(worker).load(frame).load(first).load(lane).call(Faults.class, "defer").jump(done);
        code.guard(start, done, handler, RuntimeException.class);
        code.end();
    }

    private static void zero(Code code, ThreadCode c, Register register) {
        switch (c.held(register).type()) {
            case INT -> code.push(0);
            case LONG -> code.push(0L);
            case FLOAT -> code.push(0f);
            case DOUBLE -> code.push(0.0);
            case REFERENCE -> throw new IllegalStateException();
        }
        code.store(c.local(register));
    }

    private static void element(VectorCode vc, Code code, Local frame, Map<Kind, Local> arrays, Local lane, Register register, Slots slots) {
        Local array = arrays.get(vc.kind(register));
        if (array != null) {
            code.load(array);
        } else {
            code.load(frame).field(VectorFrame.class, vc.kind(register).lanes);
        }
        code.load(lane);
        int offset = slots.slots.get(register) * vc.group.lanes();
        if (offset > 0) {
            code.push(offset).op(Op.IADD);
        }
    }

    /** The value of a lane of an affine register. */
    private static void affine(VectorCode vc, Code code, Register register, Form.Affine form, Local base, Local index, Local lane) {
        code.load(base);
        if (base.type() == JvmType.INT) {
            pushColumn(vc, code, lane);
            code.push((int) form.stride()).op(Op.IMUL).op(Op.IADD);
            if (form.step() != 0) {
                pushRow(vc, code, lane);
                code.push((int) form.step()).op(Op.IMUL).op(Op.IADD);
            }
            if (form.bits() != null) {
                code.load(lane).load(index).op(Op.IAND).push(form.bits().factor()).op(Op.IMUL).op(Op.IADD);
            }
        } else if (form.plain()) {
            pushColumn(vc, code, lane);
            code.op(Op.I2L).push(form.stride()).op(Op.LMUL).op(Op.LADD);
            if (form.step() != 0) {
                pushRow(vc, code, lane);
                code.op(Op.I2L).push(form.step()).op(Op.LMUL).op(Op.LADD);
            }
            if (register.type().bits() == 32) {
                code.push(0xFFFF_FFFFL).op(Op.LAND);
            }
        } else {
            code.load(index);
            pushColumn(vc, code, lane);
            code.push(form.index().stride()).op(Op.IMUL).op(Op.IADD);
            extend(code, form.index().signed());
            code.load(index);
            extend(code, form.index().signed());
            code.op(Op.LSUB).push(form.index().scale()).op(Op.LMUL).op(Op.LADD);
        }
    }

    /** Pushes the number of a lane within its row. */
    private static void pushColumn(VectorCode vc, Code code, Local lane) {
        code.load(lane);
        if (vc.group.rows() > 1) {
            code.push(vc.group.width() - 1).op(Op.IAND);
        }
    }

    private static void pushRow(VectorCode vc, Code code, Local lane) {
        code.load(lane).push(Integer.numberOfTrailingZeros(vc.group.width())).op(Op.ISHR);
    }

    private static void extend(Code code, boolean signed) {
        if (signed) {
            code.op(Op.I2L);
        } else {
            code.call(Integer.class, "toUnsignedLong");
        }
    }

}
