package io.ptx4j.interpreter;

import io.ptx4j.interpreter.WarpStep.WarpOperation;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

/** The manual's votes, shuffles and matches. */
final class WarpOperations {
    private WarpOperations() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case SHFL -> shuffle(instruction, operands);
            case VOTE -> vote(instruction, operands);
            case ACTIVEMASK -> {
                Destination d = operands.destination(0);
                yield new WarpStep(instruction, null, (warp, standing) -> each(warp, standing, t -> d.write(t, standing & 0xFFFF_FFFFL)));
            }
            default -> null;
        };
    }

    /** Executes {@code step} for each thread that stands there. */
    static void each(Warp warp, int standing, Step step) {
        for (ThreadState thread : warp.threads) {
            if (Bits.bit(standing, thread.lane)) {
                step.execute(thread);
            }
        }
    }

    /** The lanes whose threads take part with {@code thread}. */
    private static int participants(ThreadState thread, Source members, int standing) {
        return members == null ? standing : standing & (int) members.bits(thread);
    }

    /** Bits of {@code a} by lane, of the threads that stand there. */
    private static long[] gather(Warp warp, int standing, Source a) {
        long[] values = new long[32];
        each(warp, standing, thread -> values[thread.lane] = a.bits(thread));
        return values;
    }

    /** A lane that is not there gives an undefined value (manual: "shfl.sync"): the thread keeps its own. */
    private static Step shuffle(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Destination d = operands.destination(0);
        Destination p = operands.destination(1);
        Source a = operands.source(2);
        Source b = operands.source(3);
        Source c = operands.source(4);
        Source members = spelling.has(Modifier.SYNC) ? operands.source(5) : null;
        WarpOperation operation = (warp, standing) -> {
            long[] values = gather(warp, standing, a);
            long[] offsets = gather(warp, standing, b);
            long[] clamps = gather(warp, standing, c);
            each(warp, standing, thread -> {
                int from = sourceLane(spelling, thread.lane, (int) offsets[thread.lane], (int) clamps[thread.lane]);
                boolean inRange = from >= 0;
                d.write(thread, values[inRange && Bits.bit(standing, from) ? from : thread.lane]);
                p.write(thread, inRange ? 1 : 0);
            });
        };
        return new WarpStep(instruction, members, operation);
    }

    /** The lane to copy from; -1 when it is out of range and the lane's own value stays. */
    private static int sourceLane(Spelling spelling, int lane, int b, int c) {
        int offset = b & 31;
        int segment = c >> 8 & 31;
        int least = lane & segment;
        int limit = least | c & 31 & ~segment;
        if (spelling.has(Modifier.UP)) {
            return lane - offset >= limit ? lane - offset : -1;
        }
        int from = spelling.has(Modifier.DOWN) ? lane + offset
                : spelling.has(Modifier.BFLY) ? lane ^ offset
                : least | offset & ~segment;
        return from <= limit ? from : -1;
    }

    private static Step vote(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Destination d = operands.destination(0);
        Source a = operands.source(1);
        Source members = spelling.has(Modifier.SYNC) ? operands.source(2) : null;
        WarpOperation operation = (warp, standing) -> {
            int holding = 0;
            long[] predicates = gather(warp, standing, a);
            for (int lane = 0; lane < 32; lane++) {
                holding |= (int) predicates[lane] << lane;
            }
            int ballot = holding;
            each(warp, standing, thread -> {
                int all = participants(thread, members, standing);
                d.write(thread, count(spelling, ballot & all, all));
            });
        };
        return new WarpStep(instruction, members, operation);
    }

    private static long count(Spelling spelling, int holding, int all) {
        if (spelling.has(Modifier.BALLOT)) {
            return holding & 0xFFFF_FFFFL;
        }
        boolean result = spelling.has(Modifier.ALL) ? holding == all
                : spelling.has(Modifier.ANY) ? holding != 0
                : holding == 0 || holding == all;
        return result ? 1 : 0;
    }
}
