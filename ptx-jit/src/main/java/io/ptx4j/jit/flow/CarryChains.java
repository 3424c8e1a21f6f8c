package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.ArrayList;
import java.util.List;

/** The chains of 32-bit additions, or of subtractions, that hand a carry on through CC (manual: "Extended-Precision Integer Arithmetic Instructions"). */
final class CarryChains {
    /** Code that runs from its first instruction to its last without a jump in or out; long blocks were cut into several. */
    record Line(List<Instruction> code, List<Integer> blocks, int lastBlock) {
    }

    private CarryChains() {
    }

    static List<Line> lines(Graph graph) {
        List<Line> lines = new ArrayList<>();
        boolean[] taken = new boolean[graph.blocks().size()];
        for (int start : graph.order()) {
            if (taken[start]) {
                continue;
            }
            Line line = new Line(new ArrayList<>(), new ArrayList<>(), start);
            int b = start;
            while (true) {
                taken[b] = true;
                BasicBlock block = graph.blocks().get(b);
                for (Instruction instruction : block.instructions()) {
                    line.code.add(instruction);
                    line.blocks.add(b);
                }
                if (stops(block) || !(block.terminator() instanceof Terminator.Jump jump) || taken[jump.target()]
                        || graph.predecessors().get(jump.target()).size() != 1) {
                    break;
                }
                b = jump.target();
            }
            lines.add(new Line(line.code, line.blocks, b));
        }
        return lines;
    }

    private static boolean stops(BasicBlock block) {
        return !block.instructions().isEmpty() && MeetingPoint.kindOf(block.instructions().getLast()) != null;
    }

    /**
     * The chains of a line whose carry nothing else reads, as indices into its code.
     *
     * @param liveOut whether CC is read behind the line
     */
    static List<List<Integer>> of(List<Instruction> code, boolean liveOut) {
        List<List<Integer>> chains = new ArrayList<>();
        List<Integer> chain = null;
        for (int i = 0; i < code.size(); i++) {
            Instruction instruction = code.get(i);
            if (instruction.family() != Family.EXTENDED_PRECISION) {
                continue;
            }
            boolean reads = Operands.readsCarry(instruction.opcode());
            if (!reads && instruction.guard() != null) {
                // In threads that do not execute it, the carry before it may be read behind it.
                chain = null;
            } else if (!reads) {
                // Where nothing was read since, the carry before this one is dead.
                keep(chain, chains);
                chain = starts(instruction) ? new ArrayList<>(List.of(i)) : null;
            } else if (chain != null && goesOn(instruction, code.get(chain.getFirst())) && writes(code.get(chain.getLast()))) {
                chain.add(i);
            } else {
                chain = null;
            }
        }
        if (!liveOut) {
            keep(chain, chains);
        }
        return chains;
    }

    private static void keep(List<Integer> chain, List<List<Integer>> chains) {
        if (chain != null && chain.size() > 1) {
            chains.add(chain);
        }
    }

    private static boolean starts(Instruction i) {
        return plain(i) && writes(i) && (i.opcode() == Opcode.ADD || i.opcode() == Opcode.MAD || i.opcode() == Opcode.SUB);
    }

    private static boolean goesOn(Instruction i, Instruction first) {
        return plain(i) && (first.opcode() == Opcode.SUB ? i.opcode() == Opcode.SUBC : i.opcode() == Opcode.ADDC || i.opcode() == Opcode.MADC);
    }

    private static boolean plain(Instruction i) {
        return i.guard() == null && i.type().bits() == 32 && !i.spelling().has(Modifier.SAT);
    }

    private static boolean writes(Instruction i) {
        return i.spelling().has(Modifier.CC);
    }
}
