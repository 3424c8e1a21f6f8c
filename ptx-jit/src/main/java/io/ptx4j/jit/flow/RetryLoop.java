package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A loop that updates memory by compare-and-swap, as programs do for operations that no atomic has: it computes the new value from what it believes to be the old one, and goes round with the word that
 * was there instead until it was right. Each time that it fails, another thread has got on, so nobody waits in it; and what it leaves is what one atomic would.
 *
 * @param header block by which all come into the loop
 * @param blocks all of the loop
 * @param next the only block where it ends; {@link #END} where the thread ends with it
 * @param swap the compare-and-swap, the only update of memory in the loop
 */
public record RetryLoop(int header, BitSet blocks, int next, Instruction swap) {
    /** In place of a block. */
    public static final int END = -1;

    /** Those of a graph. */
    public static List<RetryLoop> of(Graph graph) {
        List<RetryLoop> found = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                if (isSwap(i) && around(graph, block, i) instanceof RetryLoop loop) {
                    found.add(loop);
                }
            }
        }
        return found;
    }

    private static boolean isSwap(Instruction i) {
        return i.opcode() == Opcode.ATOM && i.spelling().has(Modifier.CAS) && i.guard() == null && i.operand(0) instanceof Operand.Reg && i.operand(2) instanceof Operand.Reg;
    }

    private static RetryLoop around(Graph graph, BasicBlock block, Instruction swap) {
        Map<Integer, BitSet> loops = new TreeMap<>();
        for (BasicBlock latch : graph.blocks()) {
            for (int header : latch.successors()) {
                if (graph.isBackEdge(latch.index(), header)) {
                    BitSet loop = SpinLoops.loop(graph, header, latch.index());
                    if (loop.get(block.index())) {
                        loops.computeIfAbsent(header, h -> new BitSet()).or(loop);
                    }
                }
            }
        }
        for (Map.Entry<Integer, BitSet> loop : loops.entrySet()) {
            if (loops.values().stream().allMatch(other -> other.cardinality() >= loop.getValue().cardinality())) {
                Instruction believes = believes(graph, loop.getValue(), block, swap);
                return believes == null ? null : of(graph, loop.getKey(), loop.getValue(), swap, believes);
            }
        }
        return null;
    }

    private static RetryLoop of(Graph graph, int header, BitSet loop, Instruction swap, Instruction believes) {
        Set<Integer> exits = new LinkedHashSet<>();
        boolean closed = header != 0;
        for (int b = loop.nextSetBit(0); b >= 0 && closed; b = loop.nextSetBit(b + 1)) {
            BasicBlock block = graph.blocks().get(b);
            closed = block.terminator() instanceof Terminator.Branch || block.terminator() instanceof Terminator.Jump;
            closed &= b == header || graph.predecessors().get(b).stream().allMatch(loop::get);
            closed &= block.instructions().stream().allMatch(i -> i == swap || i == believes || isAlone(i));
            block.successors().stream().filter(s -> !loop.get(s)).forEach(exits::add);
        }
        boolean ends = exits.stream().allMatch(e -> graph.blocks().get(e).instructions().isEmpty() && graph.blocks().get(e).successors().isEmpty());
        return closed && (ends || exits.size() == 1) ? new RetryLoop(header, loop, ends ? END : exits.iterator().next(), swap) : null;
    }

    /** Whether other threads do not see an instruction, and it does not wait for them. */
    private static boolean isAlone(Instruction i) {
        return i.family().computes() || i.opcode() == Opcode.LD && Operands.isWeak(i);
    }

    /** What a loop reads from memory for no more than trying again: its compare-and-swaps, and loads of what they compare with. */
    static Set<Instruction> reads(Graph graph, BitSet loop) {
        Set<Instruction> reads = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
            BasicBlock block = graph.blocks().get(b);
            for (Instruction i : block.instructions()) {
                if (isSwap(i) && believes(graph, loop, block, i) instanceof Instruction believes) {
                    reads.add(i);
                    reads.add(believes);
                }
            }
        }
        return reads;
    }

    /**
     * The instruction by which a thread, in each turn, comes to believe the word that was there last; null unless it leaves the loop when the compare-and-swap in one of its blocks succeeds.
     */
    private static Instruction believes(Graph graph, BitSet loop, BasicBlock block, Instruction swap) {
        Register found = ((Operand.Reg) swap.operand(0)).register();
        Register believed = ((Operand.Reg) swap.operand(2)).register();
        Instruction believes = only(graph, loop, believed);
        if (!(block.terminator() instanceof Terminator.Branch branch) || only(graph, loop, found) != swap || believes == null) {
            return null;
        }
        List<Instruction> code = block.instructions();
        int at = place(code, swap);
        int from = place(code, believes);
        int compared = at + 1;
        while (compared < code.size() && !compares(code.get(compared), found, believed, swap.type().bits())) {
            compared++;
        }
        if (from < 0 || compared == code.size() || from > at && from < compared || !isCopy(believes, found) && (from > at || !isLoad(believes, swap, code.subList(from, at)))) {
            return null;
        }
        Instruction test = code.get(compared);
        boolean leavesIfSet = !loop.get(branch.negated() ? branch.otherwise() : branch.taken());
        boolean leavesIfClear = !loop.get(branch.negated() ? branch.taken() : branch.otherwise());
        boolean untouched = code.subList(compared + 1, code.size()).stream().noneMatch(i -> Operands.writes(i, branch.predicate()::equals));
        boolean leaves = test.spelling().comparison() == Modifier.EQ ? leavesIfSet : leavesIfClear;
        return untouched && leaves && ((Operand.Reg) test.operand(0)).register() == branch.predicate() ? believes : null;
    }

    /** The only instruction of a loop that writes a register; null if there are others or none. */
    private static Instruction only(Graph graph, BitSet loop, Register register) {
        Instruction only = null;
        for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
            for (Instruction i : graph.blocks().get(b).instructions()) {
                if (Operands.writes(i, register::equals)) {
                    if (only != null) {
                        return null;
                    }
                    only = i;
                }
            }
        }
        return only;
    }

    private static int place(List<Instruction> code, Instruction of) {
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i) == of) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isCopy(Instruction i, Register of) {
        return i.opcode() == Opcode.MOV && i.guard() == null && i.operand(1) instanceof Operand.Reg from && from.register() == of && i.operand(0) instanceof Operand.Reg to
                && to.register().type().bits() == of.type().bits();
    }

    /** Whether an instruction loads the word that the compare-and-swap behind it compares with. */
    private static boolean isLoad(Instruction i, Instruction swap, List<Instruction> between) {
        return i.opcode() == Opcode.LD && i.guard() == null && i.type() != null && i.type().bits() == swap.type().bits() && i.operand(0) instanceof Operand.Reg to && to.register().type().bits() == swap.type().bits()
                && i.operand(1) instanceof Operand.Address a && swap.operand(1) instanceof Operand.Address b && a.space() == b.space() && a.register() != null && a.register() == b.register()
                && a.variable() == b.variable() && a.offset() == b.offset() && between.stream().noneMatch(w -> Operands.writes(w, a.register()::equals));
    }

    /** Whether an instruction compares all bits of two registers. */
    private static boolean compares(Instruction i, Register one, Register other, int bits) {
        boolean plain = i.opcode() == Opcode.SETP && i.guard() == null && i.operands().size() == 4 && i.operand(0) instanceof Operand.Reg && i.operand(1) instanceof Operand.Absent && i.type() != null && !i.type().isFloat()
                && i.type().bits() == bits && (i.spelling().comparison() == Modifier.EQ || i.spelling().comparison() == Modifier.NE);
        return plain && i.operand(2) instanceof Operand.Reg a && i.operand(3) instanceof Operand.Reg b
                && (a.register() == one && b.register() == other || a.register() == other && b.register() == one);
    }
}
