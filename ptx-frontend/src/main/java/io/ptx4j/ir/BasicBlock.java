package io.ptx4j.ir;

import java.util.List;

/**
 * Instructions that run one after the other.
 *
 * @param index its place in {@link Body#blocks()}, which keeps the order of the text
 * @param label a label that stands before it, for people; a made-up one such as {@code bb3} otherwise
 */
public record BasicBlock(int index, String label, List<Instruction> instructions, Terminator terminator) {
    /** Indices of the blocks control may go to next, without repetition. */
    public List<Integer> successors() {
        return switch (terminator) {
            case Terminator.Jump jump -> List.of(jump.target());
            case Terminator.Branch b -> b.taken() == b.otherwise() ? List.of(b.taken()) : List.of(b.taken(), b.otherwise());
            case Terminator.Switch s -> s.targets().stream().distinct().toList();
            case Terminator.Return ret -> List.of();
            case Terminator.Exit exit -> List.of();
        };
    }
}
