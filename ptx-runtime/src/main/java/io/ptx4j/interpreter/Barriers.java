package io.ptx4j.interpreter;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

import java.lang.invoke.VarHandle;
import java.util.List;

/** The manual's "Parallel Synchronization and Communication Instructions": barriers and fences. */
final class Barriers {
    private Barriers() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case BAR, BARRIER -> barrier(instruction, operands);
            case MEMBAR, FENCE -> thread -> VarHandle.fullFence();
            case GRIDDEPCONTROL -> thread -> { };
            default -> null;
        };
    }

    private static Step barrier(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        if (spelling.has(Modifier.CLUSTER)) {
            return spelling.has(Modifier.ARRIVE) ? ClusterWait::arrive : new ClusterWait(instruction);
        }
        if (spelling.has(Modifier.WARP)) {
            return new WarpStep(instruction, operands.source(0), (warp, standing) -> VarHandle.fullFence());
        }
        boolean reduces = spelling.has(Modifier.RED);
        int first = reduces ? 1 : 0;
        Source count = operands.absent(first + 1) ? null : operands.source(first + 1);
        BarrierStep step = new BarrierStep(
                instruction, operands.source(first), count, reduces ? operands.source(first + 2) : null,
                reduces ? operands.destination(0) : null);
        return spelling.has(Modifier.ARRIVE)
                ? new WarpStep(instruction, null, (warp, standing) -> WarpOperations.each(warp, standing, step::arrive))
                : step;
    }

    /** Gives the threads of an opening barrier the reduction that each of them asked for, over the predicates of all. */
    static void reduce(List<ThreadState> threads) {
        int count = 0;
        int holding = 0;
        for (ThreadState thread : threads) {
            Source predicate = ((BarrierStep) thread.meeting).predicate();
            if (predicate != null) {
                count++;
                holding += (int) predicate.bits(thread);
            }
        }
        for (ThreadState thread : threads) {
            BarrierStep step = (BarrierStep) thread.meeting;
            if (step.result() != null) {
                step.result().write(thread, reduction(step.instruction().spelling(), holding, count));
            }
        }
    }

    private static long reduction(Spelling spelling, int holding, int count) {
        if (spelling.has(Modifier.POPC)) {
            return holding;
        }
        return (spelling.has(Modifier.AND) ? holding == count : holding > 0) ? 1 : 0;
    }
}
