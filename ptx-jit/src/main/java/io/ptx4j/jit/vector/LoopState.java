package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.TurnsAhead;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

import jdk.incubator.vector.VectorSpecies;

/**
 * Where the registers of groups lie that run turns of a loop by turns ({@link TurnsAhead}).
 *
 * @param places by register: its first element, among those of the group and of its kind
 * @param indices the same of what affine registers have beside the value of lane 0, among the ints
 * @param sizes elements of each kind
 * @param vectors how many vectors those are
 */
record LoopState(Map<Register, Integer> places, Map<Register, Integer> indices, EnumMap<Kind, Integer> sizes, int vectors) {
    /** Elements of which each group takes a multiple, so that vectors lie in cache lines. */
    private static final int ROUND = 16;

    static LoopState of(Collection<Register> registers, VectorCode vc) {
        LoopState state = new LoopState(new HashMap<>(), new HashMap<>(), new EnumMap<>(Kind.class), registers.stream().filter(r -> isVector(vc, r)).mapToInt(r -> vc.kind(r).parts(vc.group)).sum());
        registers.stream().filter(r -> isVector(vc, r)).forEach(r -> state.places.put(r, state.take(vc.kind(r), vc.group.lanes())));
        for (Register register : registers) {
            if (!isVector(vc, register)) {
                state.places.put(register, state.take(scalarKind(vc, register), 1));
            }
            if (vc.forms.of(register) instanceof Form.Affine a && !a.plain()) {
                state.indices.put(register, state.take(Kind.INT, 1));
            }
        }
        return state;
    }

    private int take(Kind kind, int elements) {
        return sizes.merge(kind, elements, Integer::sum) - elements;
    }

    private static boolean isVector(VectorCode vc, Register register) {
        return vc.varying(register) && !VectorCode.isPredicate(register);
    }

    private static Kind scalarKind(VectorCode vc, Register register) {
        return vc.varying(register) ? Kind.LONG : vc.kind(register);
    }

    private int size(Kind kind) {
        return (sizes.getOrDefault(kind, 0) + ROUND - 1) / ROUND * ROUND;
    }

    /** Elements of a group: ints, longs, floats and doubles. */
    int[] elements() {
        return new int[] {size(Kind.INT), size(Kind.LONG), size(Kind.FLOAT), size(Kind.DOUBLE)};
    }

    void save(VectorCode vc, Local group, Collection<Register> registers) {
        move(vc, group, registers, true);
    }

    void restore(VectorCode vc, Local group, Collection<Register> registers) {
        move(vc, group, registers, false);
    }

    private void move(VectorCode vc, Local group, Collection<Register> registers, boolean save) {
        EnumMap<Kind, Local> bases = new EnumMap<>(Kind.class);
        for (Kind kind : sizes.keySet()) {
            Local base = vc.code.newLocal(JvmType.INT);
            vc.code.load(group).push(size(kind)).op(Op.IMUL).store(base);
            bases.put(kind, base);
        }
        for (Register register : registers) {
            if (!places.containsKey(register)) {
                continue;
            }
            int at = places.get(register);
            if (isVector(vc, register)) {
                vectors(vc, register, bases.get(vc.kind(register)), at, save);
            } else {
                Kind kind = scalarKind(vc, register);
                scalar(vc, kind, bases.get(kind), at, vc.varying(register) ? vc.locals.maskOf(register) : vc.c.local(register), save);
            }
            if (indices.containsKey(register)) {
                scalar(vc, Kind.INT, bases.get(Kind.INT), indices.get(register), vc.locals.indexOf(register), save);
            }
        }
    }

    private static void vectors(VectorCode vc, Register register, Local base, int at, boolean save) {
        Kind kind = vc.kind(register);
        Local[] parts = vc.locals.vectors(register);
        for (int part = 0; part < parts.length; part++) {
            if (save) {
                vc.locals.requireClass(kind, parts[part]);
                array(vc.code.load(parts[part]), vc, kind);
            } else {
                array(vc.code.staticField(VectorLanes.class, kind.species(vc.group)), vc, kind);
            }
            vc.code.load(base).push(at + part * kind.length(vc.group)).op(Op.IADD);
            if (save) {
                vc.code.call(kind.type, "intoArray", kind.array, int.class);
            } else {
                vc.code.call(kind.type, "fromArray", VectorSpecies.class, kind.array, int.class).store(parts[part]);
                vc.words.changed(parts[part]);
            }
        }
    }

    private static void scalar(VectorCode vc, Kind kind, Local base, int at, Local local, boolean save) {
        array(vc.code, vc, kind);
        vc.code.load(base).push(at).op(Op.IADD);
        if (save) {
            vc.code.load(local).arrayStore(kind.jvm);
        } else {
            vc.code.arrayLoad(kind.jvm).store(local);
        }
    }

    private static void array(Code code, VectorCode vc, Kind kind) {
        code.load(vc.c.frame).field(VectorFrame.class, "ahead").field(TurnsAhead.class, kind.saved);
    }
}
