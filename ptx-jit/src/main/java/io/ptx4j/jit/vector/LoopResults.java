package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.support.VectorFrame;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What lanes take along when they leave a loop one by one ({@link io.ptx4j.jit.flow.LoopExits}). The loop itself does not read it, so it lies in arrays of the frame while the loop runs. In
 * locals it would come round with every turn, since some lanes may leave in any: HotSpot kept it on the stack and stored and loaded all of it each time, two fifths of Mandelbrot's loop.
 */
final class LoopResults {
    private final int last;
    private final Map<Register, Integer> slots;
    private final Place again = new Place();
    private final Place inner = new Place();
    private final Place behind = new Place();

    private LoopResults(int last, Map<Register, Integer> slots) {
        this.last = last;
        this.slots = slots;
    }

    /** Those of the loop whose header stands at {@code header}, which is emitted as a whole; null if there are none. */
    static LoopResults of(VectorShape shape, VectorCode vc, LaneFlow flow, int header) {
        int last = flow.lastOf(header);
        Set<Register> taken = new LinkedHashSet<>();
        Set<Register> others = new HashSet<>();
        for (int p = header; p <= last; p++) {
            BasicBlock block = shape.graph.blocks().get(flow.block(p));
            LaneBlocks lanes = flow.laneBlocks(p);
            if (lanes != null && lanes.ends() || shape.regions.pointOfBlock()[block.index()] >= 0 || shape.regions.pointOfSpin()[block.index()] >= 0 || p > header && !isEnteredFromWithin(flow, header, p)) {
                return null;
            }
            if (lanes != null) {
                others.addAll(lanes.path(shape).needed());
                others.addAll(lanes.results());
                continue;
            }
            for (Instruction i : block.instructions()) {
                Operands.uses(i, others::add);
                if (isLeaving(vc, i)) {
                    Register register = ((Operand.Reg) i.operand(0)).register();
                    (shape.forms.keepsOthers(register, flow, p) ? taken : others).add(register);
                } else {
                    Operands.definitions(i, others::add);
                }
            }
            if (Operands.use(block.terminator()) instanceof Register register) {
                others.add(register);
            }
        }
        taken.removeAll(others);
        Map<Register, Integer> slots = new LinkedHashMap<>();
        EnumMap<Kind, Integer> sizes = vc.locals.slotsAside();
        for (Register register : taken) {
            int slot = sizes.getOrDefault(vc.kind(register), 0);
            if (slot < VectorFrame.RESULTS && !vc.locals.isAside(register) && !vc.locals.isOfMatrix(register)) {
                slots.put(register, slot);
                sizes.put(vc.kind(register), slot + 1);
            }
        }
        return slots.isEmpty() ? null : new LoopResults(last, slots);
    }

    private static boolean isEnteredFromWithin(LaneFlow flow, int header, int place) {
        return flow.predecessors(place).stream().allMatch(p -> p >= header && p <= flow.lastOf(header));
    }

    /** Whether an instruction copies a register for lanes that leave. */
    private static boolean isLeaving(VectorCode vc, Instruction i) {
        return i.opcode() == Opcode.MOV && i.guard() != null && i.operand(0) instanceof Operand.Reg to && i.operand(1) instanceof Operand.Reg from
                && to.register().type().bits() >= 32 && to.register().type() == from.register().type() && vc.varying(to.register())
                && vc.c.held(to.register()) != Held.WIDE && vc.c.held(to.register()) == vc.c.held(from.register());
    }

    /** Where a turn of lanes begins that are all of those in the loop. */
    Place again() {
        return again;
    }

    /** Where lanes that wait at the header begin another turn. */
    Place inner() {
        return inner;
    }

    /** Where code goes on that has not been in the loop. */
    Place behind() {
        return behind;
    }

    boolean endsBefore(int place) {
        return last < place;
    }

    /** The loop begins. */
    void begin(VectorCode vc) {
        slots.forEach((register, slot) -> {
            vc.locals.aside(register, slot);
            for (int part = 0; part < vc.kind(register).parts(vc.group); part++) {
                vc.code.load(vc.locals.vectors(register)[part]);
                vc.locals.storeAside(register, part);
            }
        });
    }

    /** Code goes on behind the loop. */
    void take(VectorCode vc) {
        slots.keySet().forEach(register -> {
            for (int part = 0; part < vc.kind(register).parts(vc.group); part++) {
                Local local = vc.locals.vectors(register)[part];
                vc.locals.loadAside(register, part);
                vc.code.store(local);
                vc.words.changed(local);
            }
        });
    }

    /** What follows is no part of the loop. */
    void end(VectorCode vc) {
        slots.keySet().forEach(vc.locals::back);
    }
}
