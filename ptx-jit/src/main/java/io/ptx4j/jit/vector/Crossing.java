package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import jdk.incubator.vector.VectorSpecies;

/**
 * Where a group's registers lie while it goes from one piece of a region to another; each has a place of its own.
 *
 * @param kept registers that lie where threads leave them when they stop, so that they need not be moved there or from there
 * @param slots of the others, by register
 * @param sizes slots of each kind
 * @param masks slots of varying predicates
 */
record Crossing(Set<Register> kept, Map<Register, Integer> slots, EnumMap<Kind, Integer> sizes, int masks, VectorShape shape) {
    /** @param kept of the registers, perhaps among others */
    static Crossing of(Collection<Register> registers, Set<Register> kept, VectorShape shape) {
        Map<Register, Integer> slots = new HashMap<>();
        EnumMap<Kind, Integer> sizes = new EnumMap<>(Kind.class);
        int masks = 0;
        for (Register register : registers) {
            if (shape.forms.isOfMatrix(register) || kept.contains(register)) {
                continue;
            }
            boolean mask = VectorCode.isPredicate(register) && !shape.forms.of(register).scalar();
            Kind kind = Kind.of(shape.context.representation().of(register));
            slots.put(register, mask ? masks++ : sizes.merge(kind, 1, Integer::sum) - 1);
        }
        return new Crossing(kept, slots, sizes, masks, shape);
    }

    int size(Kind kind) {
        return sizes.getOrDefault(kind, 0);
    }

    void save(VectorCode vc, Collection<Register> registers) {
        new GroupTransfer(vc, shape).save(registers.stream().filter(kept::contains).toList());
        move(vc, registers, true);
    }

    void restore(VectorCode vc, Collection<Register> registers) {
        new GroupTransfer(vc, shape).restore(registers.stream().filter(kept::contains).toList());
        move(vc, registers, false);
    }

    private void move(VectorCode vc, Collection<Register> registers, boolean save) {
        for (Register register : registers) {
            if (slots.containsKey(register)) {
                move(vc, register, save);
            }
        }
    }

    private void move(VectorCode vc, Register register, boolean save) {
        Code code = vc.code;
        int slot = slots.get(register);
        if (!vc.varying(register)) {
            Kind kind = vc.kind(register);
            for (int row = 0; row < (vc.forms.hasRows(register) ? vc.group.rows() : 1); row++) {
                int at = slot * vc.group.lanes() + row;
                element(vc, kind.crossing, at, kind.jvm, vc.locals.local(register, row), save);
                if (vc.forms.of(register).row() instanceof Form.Affine a && !a.plain()) {
                    element(vc, "crossingIndices", at, JvmType.INT, vc.locals.indexOf(register, row), save);
                }
            }
        } else if (VectorCode.isPredicate(register)) {
            element(vc, "crossingMasks", slot, JvmType.LONG, vc.locals.maskOf(register), save);
        } else {
            Kind kind = vc.kind(register);
            Local[] parts = vc.locals.vectors(register);
            for (int part = 0; part < parts.length; part++) {
                int at = slot * vc.group.lanes() + part * kind.length(vc.group);
                if (save) {
                    vc.locals.requireClass(kind, parts[part]);
                    array(code.load(parts[part]), vc, kind.crossing);
                    code.push(at).call(kind.type, "intoArray", kind.array, int.class);
                } else {
                    array(code.staticField(VectorLanes.class, kind.species(vc.group)), vc, kind.crossing);
                    code.push(at).call(kind.type, "fromArray", VectorSpecies.class, kind.array, int.class).store(parts[part]);
                }
            }
        }
    }

    private static void array(Code code, VectorCode vc, String field) {
        code.load(vc.c.frame).field(VectorFrame.class, field);
    }

    private static void element(VectorCode vc, String field, int at, JvmType type, Local local, boolean save) {
        array(vc.code, vc, field);
        vc.code.push(at);
        if (save) {
            vc.code.load(local).arrayStore(type);
        } else {
            vc.code.arrayLoad(type).store(local);
        }
    }
}
