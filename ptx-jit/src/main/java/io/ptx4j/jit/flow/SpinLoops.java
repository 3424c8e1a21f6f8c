package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Loops in which a thread may wait for another: what they read from memory decides whether they go on. */
final class SpinLoops {
    private SpinLoops() {
    }

    /** The blocks that such loops jump back to. */
    static BitSet headers(Graph graph) {
        BitSet headers = new BitSet();
        for (BasicBlock block : graph.blocks()) {
            for (int target : block.successors()) {
                if (target <= block.index() && !headers.get(target) && observes(graph, target, block.index())) {
                    headers.set(target);
                }
            }
        }
        return headers;
    }

    /** Whether what the loop reads from memory decides whether it goes on. */
    private static boolean observes(Graph graph, int header, int latch) {
        BitSet loop = loop(graph, header, latch);
        Set<Register> deciding = new HashSet<>();
        for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
            Register use = Operands.use(graph.blocks().get(b).terminator());
            if (use != null && graph.blocks().get(b).successors().stream().anyMatch(s -> !loop.get(s))) {
                deciding.add(use);
            }
        }
        int before = -1;
        while (deciding.size() != before) {
            before = deciding.size();
            for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
                for (Instruction instruction : graph.blocks().get(b).instructions()) {
                    if (!writesAny(instruction, deciding)) {
                        continue;
                    }
                    if (reads(instruction)) {
                        return true;
                    }
                    Operands.uses(instruction, deciding::add);
                }
            }
        }
        return false;
    }

    private static BitSet loop(Graph graph, int header, int latch) {
        BitSet loop = new BitSet();
        loop.set(header);
        List<Integer> work = new ArrayList<>(List.of(latch));
        while (!work.isEmpty()) {
            int b = work.removeLast();
            if (!loop.get(b)) {
                loop.set(b);
                work.addAll(graph.predecessors().get(b));
            }
        }
        return loop;
    }

    private static boolean writesAny(Instruction instruction, Set<Register> registers) {
        boolean[] found = new boolean[1];
        Operands.definitions(instruction, r -> found[0] |= registers.contains(r));
        return found[0];
    }

    /** Whether the instruction reads memory that other threads may write. */
    private static boolean reads(Instruction instruction) {
        if (instruction.family() == Family.ATOMIC) {
            return true;
        }
        return instruction.opcode() == Opcode.LD && switch (instruction.spelling().space()) {
            case GLOBAL, SHARED, GENERIC -> !instruction.spelling().has(Modifier.NC);
            default -> false;
        };
    }
}
