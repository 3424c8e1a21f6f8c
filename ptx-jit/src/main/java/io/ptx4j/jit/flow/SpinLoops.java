package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Loops in which a thread may wait for another: what they read from memory decides whether they go on. */
final class SpinLoops {
    /** What a loop reads, in ascending order of how likely it waits for another thread. */
    enum Reads {
        NOTHING,
        /** Weakly, as loops over data do: threads of other blocks cannot be waited for like that. */
        DATA,
        /** With atomics, which mostly get on. */
        ATOMICALLY,
        /** Strongly, or asking an mbarrier. */
        POLLS
    }

    private SpinLoops() {
    }

    /** The blocks that such loops jump back to, with what the loops read. */
    static Map<Integer, Reads> headers(Graph graph) {
        Map<Integer, Reads> headers = new HashMap<>();
        for (BasicBlock block : graph.blocks()) {
            for (int target : block.successors()) {
                Reads reads = target <= block.index() ? observes(graph, target, block.index()) : Reads.NOTHING;
                if (reads != Reads.NOTHING) {
                    headers.merge(target, reads, (a, b) -> a.compareTo(b) > 0 ? a : b);
                }
            }
        }
        return headers;
    }

    /** What the loop reads from memory that decides whether it goes on. */
    private static Reads observes(Graph graph, int header, int latch) {
        BitSet loop = loop(graph, header, latch);
        if (loop.isEmpty()) {
            return Reads.NOTHING;
        }
        CountedExits counted = new CountedExits(graph, loop, header);
        Set<Register> deciding = new HashSet<>();
        for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
            Register use = Operands.use(graph.blocks().get(b).terminator());
            if (use != null && graph.blocks().get(b).successors().stream().anyMatch(s -> !loop.get(s)) && !counted.counts(b)) {
                deciding.add(use);
            }
        }
        Reads most = Reads.NOTHING;
        BitSet writing = new BitSet();
        int before = -1;
        while (deciding.size() != before) {
            before = deciding.size();
            for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
                for (Instruction instruction : graph.blocks().get(b).instructions()) {
                    if (!writesAny(instruction, deciding)) {
                        continue;
                    }
                    Reads reads = reads(instruction);
                    most = reads.compareTo(most) > 0 ? reads : most;
                    Operands.uses(instruction, deciding::add);
                    if (!writing.get(b)) {
                        writing.set(b);
                        addBranchesTo(graph, loop, header, b, deciding);
                    }
                }
            }
        }
        return most;
    }

    /** Adds what decides, in a turn of the loop, whether it comes by a block. */
    private static void addBranchesTo(Graph graph, BitSet loop, int header, int block, Set<Register> deciding) {
        BitSet avoiding = avoiding(graph, loop, header, block);
        for (int b = avoiding.nextSetBit(0); b >= 0; b = avoiding.nextSetBit(b + 1)) {
            Register use = Operands.use(graph.blocks().get(b).terminator());
            if (use != null && !deciding.contains(use)
                    && graph.blocks().get(b).successors().stream().anyMatch(s -> loop.get(s) && s != header && !avoiding.get(s))) {
                deciding.add(use);
                addBranchesTo(graph, loop, header, b, deciding);
            }
        }
    }

    /** The blocks of a loop from which a turn can end, or the loop be left, without coming by {@code block}. */
    private static BitSet avoiding(Graph graph, BitSet loop, int header, int block) {
        BitSet avoiding = new BitSet();
        boolean changed = true;
        while (changed) {
            CompileTime.ask();
            changed = false;
            // Backwards, as the answers flow: one turn does for code without inner loops.
            for (int b = loop.previousSetBit(loop.length()); b >= 0; b = loop.previousSetBit(b - 1)) {
                if (b != block && !avoiding.get(b) && leadsPast(graph.blocks().get(b), loop, header, avoiding)) {
                    avoiding.set(b);
                    changed = true;
                }
            }
        }
        return avoiding;
    }

    /** A loop rather than a stream: this is asked for every pair of blocks. */
    private static boolean leadsPast(BasicBlock block, BitSet loop, int header, BitSet avoiding) {
        for (int s : block.successors()) {
            if (s == header || !loop.get(s) || avoiding.get(s)) {
                return true;
            }
        }
        return false;
    }

    /** The blocks from {@code header} to {@code latch}; none where the jump leads back in the text only, and no way from there to it. */
    private static BitSet loop(Graph graph, int header, int latch) {
        BitSet loop = new BitSet();
        loop.set(header);
        boolean closed = header == latch;
        List<Integer> work = new ArrayList<>(List.of(latch));
        while (!work.isEmpty()) {
            int b = work.removeLast();
            if (!loop.get(b)) {
                loop.set(b);
                closed |= graph.predecessors().get(b).contains(header);
                work.addAll(graph.predecessors().get(b));
            }
        }
        return closed ? loop : new BitSet();
    }

    private static boolean writesAny(Instruction instruction, Set<Register> registers) {
        boolean[] found = new boolean[1];
        Operands.definitions(instruction, r -> found[0] |= registers.contains(r));
        return found[0];
    }

    /** How the instruction reads memory that other threads may write. */
    private static Reads reads(Instruction instruction) {
        if (instruction.family() == Family.ATOMIC) {
            return Reads.ATOMICALLY;
        }
        if (instruction.family() == Family.MBARRIER) {
            boolean asks = instruction.spelling().has(Modifier.TEST_WAIT) || instruction.spelling().has(Modifier.TRY_WAIT);
            return asks ? Reads.POLLS : Reads.NOTHING;
        }
        boolean reduces = instruction.opcode() == Opcode.MULTIMEM && instruction.spelling().has(Modifier.LD_REDUCE);
        if (!reduces && instruction.opcode() != Opcode.LD || instruction.spelling().has(Modifier.NC)) {
            return Reads.NOTHING;
        }
        Modifier order = instruction.spelling().one(Modifier.Category.ORDER);
        return switch (instruction.spelling().space()) {
            case GLOBAL, SHARED, GENERIC -> order == null || order == Modifier.WEAK ? Reads.DATA : Reads.POLLS;
            default -> Reads.NOTHING;
        };
    }
}
