package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.support.VectorFrame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Finds the accesses of instructions that follow one another which are those of one record and may be made together. */
final class RecordFinder {
    private final VectorCode vc;
    private final Records.Sorting sorting;
    private final Map<Instruction, RecordRun> runs = new IdentityHashMap<>();
    /** In the order of their first accesses. */
    private final List<RecordRun> all = new ArrayList<>();
    /** Where registers have been written last, of the instructions that have come so far. */
    private final Map<Register, Integer> written = new HashMap<>();
    private int place;
    private int slots;

    private RecordFinder(VectorCode vc, Records.Sorting sorting) {
        this.vc = vc;
        this.sorting = sorting;
    }

    /**
     * What has been found.
     *
     * @param of by access
     * @param all in the order of their first accesses
     */
    record Found(Map<Instruction, RecordRun> of, List<RecordRun> all) {
    }

    /** @param instructions that follow, in order and with nothing that leads in between */
    static Found find(VectorCode vc, List<Instruction> instructions, Records.Sorting sorting) {
        RecordFinder finder = new RecordFinder(vc, sorting);
        finder.find(instructions);
        finder.choose();
        return new Found(finder.runs, finder.all);
    }

    Records.Sorting sorting() {
        return sorting;
    }

    /** Which instruction comes now. */
    int place() {
        return place;
    }

    /** Whether a register has another value than at an instruction that has come. */
    boolean isWrittenSince(int start, Register register) {
        return written.getOrDefault(register, -1) >= start;
    }

    private void find(List<Instruction> instructions) {
        List<RecordRun> loads = new ArrayList<>();
        List<RecordRun> stores = new ArrayList<>();
        for (Instruction i : instructions) {
            boolean ofRecord = i.guard() == null && i.family() == Family.MEMORY
                    && (sorting.sure() ? MemoryVectors.isOfSureRecord(vc, i) : MemoryVectors.isOfRecord(vc, i));
            RecordRun its = ofRecord ? add(i, i.opcode() == Opcode.ST ? stores : loads) : null;
            if (!Fetches.quiet(i)) {
                loads.removeIf(open -> !open.passes(i, its));
            }
            if (!isSilent(i)) {
                stores.removeIf(open -> open != its && !open.passes(i, its));
            }
            Operands.definitions(i, r -> {
                written.put(r, place);
                loads.removeIf(open -> open.address().register() == r);
                stores.removeIf(open -> open.address().register() == r);
            });
            place++;
        }
    }

    private RecordRun add(Instruction i, List<RecordRun> open) {
        for (RecordRun run : open) {
            if (run.join(i)) {
                runs.put(i, run);
                return run;
            }
        }
        RecordRun run = new RecordRun(vc, this, all.size(), i);
        all.add(run);
        open.add(run);
        runs.put(i, run);
        return run;
    }

    /** Whether a store before the instruction may as well be made behind it. */
    private static boolean isSilent(Instruction i) {
        return Fetches.quiet(i) && (i.family() != Family.MEMORY || i.opcode() == Opcode.CVTA || SteadyLoop.address(i).space() == StateSpace.PARAM);
    }

    /** Gives runs that pay their slots, while there are some, and forgets the others. */
    private void choose() {
        all.removeIf(run -> {
            boolean chosen = run.pays() && slots + run.units() <= VectorFrame.RECORDS && run.before().stream().allMatch(loads -> runs.containsKey(loads.first()));
            if (chosen) {
                run.slot(slots);
                slots += run.units();
            } else {
                run.accesses().forEach(runs::remove);
            }
            return !chosen;
        });
    }
}
