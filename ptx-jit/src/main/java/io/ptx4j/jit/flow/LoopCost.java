package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.support.Polls;

import java.util.List;

/** What code is worth in units of {@link Polls}. */
public final class LoopCost {
    /** A function of the host, a texture or a copy in ordinary instructions. */
    private static final int CALL = 100;
    private static final int LONG = 25;
    /** From so many instructions of one turn on a loop over threads asks whether to go on. */
    private static final int LONG_TURN = 64;
    private static final int LEAST_WAIT = 8;

    private LoopCost() {
    }

    /** What a turn through {@code blocks} costs at most, in ordinary instructions. */
    private static int instructions(List<BasicBlock> blocks) {
        return blocks.stream().mapToInt(b -> 1 + b.instructions().stream().mapToInt(LoopCost::of).sum()).sum();
    }

    private static int of(Instruction instruction) {
        return instruction.opcode() == Opcode.CALL ? CALL : switch (instruction.spelling().family()) {
            case TEXTURE, SURFACE, ASYNC_COPY, MATRIX -> LONG;
            default -> 1;
        };
    }

    /** The units that a loop over {@code blocks} costs each time. */
    public static int ofLoop(List<BasicBlock> blocks, int unit) {
        return (int) Math.min(Polls.INTERVAL, (long) instructions(blocks) * unit);
    }

    /** The same for a loop in which threads wait for others: they wait for a while before they let those run. */
    public static int ofWait(List<BasicBlock> blocks) {
        return Math.clamp((long) instructions(blocks), LEAST_WAIT, Polls.INTERVAL);
    }

    /** The units that one turn of the loop over threads costs; 0 where it is so short that nobody needs to ask. */
    public static int ofTurn(List<BasicBlock> blocks, int unit) {
        return instructions(blocks) < LONG_TURN ? 0 : ofLoop(blocks, unit);
    }
}
