package io.ptx4j.jit.flow;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.List;

/**
 * A place where a thread stops until others have come (or, for {@code PASS}, only changes regions; for {@code SPIN} and {@code ASK}, until the others had their turn).
 *
 * @param index number of the point; points are numbered in the order of the text
 * @param block the block that it ends, -1 where there is no instruction
 * @param instruction what stands there; null for {@code PASS}, {@code SPIN} and {@code ASK}
 * @param continuation the block that threads go on with
 * @param line of the instruction; of the first one behind the point for {@code PASS}, of the loop's last jump back for {@code SPIN} and {@code ASK}
 * @param saved registers whose values outlive the stop, without the instruction's own results
 * @param passable whether threads go on in their region where all whom they meet have come with them
 */
public record MeetingPoint(int index, Kind kind, int block, Instruction instruction, int continuation, int line, List<Register> saved, boolean passable) {
    /** Where threads stop at an instruction. */
    public enum Stops {
        ALWAYS, NEVER,
        /** Unless all whom they meet have come with them. */
        WHERE_SOME_ARE_MISSING
    }

    /** Who meets. */
    public enum Kind {
        BLOCK, WARP, PASS,
        /** A loop that may wait for others. */
        SPIN,
        /** One that asks mbarriers alone. */
        ASK;

        /** Whether threads stop because a loop has run for long. */
        public boolean spins() {
            return this == SPIN || this == ASK;
        }
    }

    /** The kind of {@code instruction} as a meeting point, or null when threads execute it alone. */
    public static Kind kindOf(Instruction instruction) {
        return switch (instruction.spelling().family()) {
            case BARRIER -> barrier(instruction);
            case WARP, MATRIX -> Kind.WARP;
            case WARPGROUP_MATRIX -> instruction.spelling().has(Modifier.MMA_ASYNC) ? Kind.WARP : instruction.spelling().has(Modifier.WAIT_GROUP) ? Kind.BLOCK : null;
            case TENSOR_CORE_5 -> TensorAddresses.isOfWarp(instruction) ? Kind.WARP : null;
            default -> null;
        };
    }

    /** Whether threads of other blocks meet there too. */
    boolean ofCluster() {
        return instruction != null && instruction.spelling().has(Modifier.CLUSTER) && kind == Kind.BLOCK;
    }

    private static Kind barrier(Instruction instruction) {
        if (instruction.opcode() != Opcode.BAR && instruction.opcode() != Opcode.BARRIER) {
            return null;
        }
        if (instruction.spelling().has(Modifier.CLUSTER) && instruction.spelling().has(Modifier.ARRIVE)) {
            return null;
        }
        return instruction.spelling().has(Modifier.WARP) ? Kind.WARP : Kind.BLOCK;
    }
}
