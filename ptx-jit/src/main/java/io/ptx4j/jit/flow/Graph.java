package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * A kernel's code as the JIT sees it: functions inlined, every meeting point last in its block and unguarded. What is asked of a graph by whoever comes by, such as
 * its {@link #liveness}, is found out once.
 */
public final class Graph {
    private final List<BasicBlock> blocks;
    private final List<Register> registers;
    private final Map<Variable, Integer> localOffsets;
    private final int localBytes;
    private final int[] order;
    private final int[] position;
    private final List<List<Integer>> predecessors;
    private final int[] loopDepth;
    private final BitSet sums;
    private final List<Run> runs;
    // Found out by whoever asks first; threads that ask at once come to the same.
    private volatile Liveness liveness;
    private volatile Writes writes;
    private volatile Reads reads;
    private volatile Representation representation;

    /** What each parameter is, the method of its name says. */
    public Graph(List<BasicBlock> blocks, List<Register> registers, Map<Variable, Integer> localOffsets, int localBytes, int[] order,
            int[] position, List<List<Integer>> predecessors, int[] loopDepth, BitSet sums, List<Run> runs) {
        this.blocks = blocks;
        this.registers = registers;
        this.localOffsets = localOffsets;
        this.localBytes = localBytes;
        this.order = order;
        this.position = position;
        this.predecessors = predecessors;
        this.loopDepth = loopDepth;
        this.sums = sums;
        this.runs = runs;
    }

    /**
     * A straight run of code.
     *
     * @param instructions of the text in it, with the jump or end behind it
     * @param line of its first instruction
     */
    public record Run(int instructions, int line) {
    }

    static Graph of(List<BasicBlock> blocks, List<Register> registers, Map<Variable, Integer> localOffsets, int localBytes, List<Run> runs) {
        return of(blocks, registers, localOffsets, localBytes, new BitSet(), runs);
    }

    /** The graph with other blocks over the same registers. */
    public Graph with(List<BasicBlock> others) {
        return of(others, registers, localOffsets, localBytes, sums, runs);
    }

    /** The graph with other instructions in the same blocks, and more registers. */
    Graph with(List<BasicBlock> others, List<Register> named) {
        return with(others, named, runs);
    }

    /** The graph with other blocks, and more registers. */
    public Graph with(List<BasicBlock> others, List<Register> named, List<Run> begun) {
        return of(List.copyOf(others), List.copyOf(named), localOffsets, localBytes, sums, begun);
    }

    /** The graph with other instructions in the same blocks, and more registers, which are sums of {@link WideSums}. */
    Graph withSums(List<BasicBlock> others, List<Register> named) {
        BitSet all = (BitSet) sums.clone();
        all.set(registers.size(), named.size());
        return of(others, List.copyOf(named), localOffsets, localBytes, all, runs);
    }

    /** The graph with other instructions and ends of blocks; without those that cannot be reached any longer. */
    public Graph reachable(List<BasicBlock> others) {
        int[] kept = reversePostOrder(others);
        if (kept.length == others.size()) {
            return with(others);
        }
        Arrays.sort(kept);
        int[] renumbered = new int[others.size()];
        List<BasicBlock> left = new ArrayList<>();
        List<Run> begun = new ArrayList<>();
        for (int b : kept) {
            renumbered[b] = left.size();
            left.add(others.get(b));
            begun.add(runs.get(b));
        }
        List<BasicBlock> numbered = left.stream()
                .map(b -> new BasicBlock(renumbered[b.index()], b.label(), b.instructions(), b.terminator().withTargets(t -> renumbered[t]))).toList();
        return of(numbered, registers, localOffsets, localBytes, sums, begun);
    }

    private static Graph of(List<BasicBlock> blocks, List<Register> registers, Map<Variable, Integer> localOffsets, int localBytes,
            BitSet sums, List<Run> runs) {
        int[] order = reversePostOrder(blocks);
        int[] position = new int[blocks.size()];
        Arrays.fill(position, -1);
        for (int i = 0; i < order.length; i++) {
            position[order[i]] = i;
        }
        List<List<Integer>> predecessors = new ArrayList<>();
        blocks.forEach(b -> predecessors.add(new ArrayList<>()));
        for (int b : order) {
            for (int s : blocks.get(b).successors()) {
                predecessors.get(s).add(b);
            }
        }
        int[] depth = loopDepth(blocks, order, position, predecessors);
        return new Graph(blocks, registers, localOffsets, localBytes, order, position, predecessors, depth, sums, runs);
    }

    /** Block 0 is the entry; all are reachable. */
    public List<BasicBlock> blocks() {
        return blocks;
    }

    /** By index. */
    public List<Register> registers() {
        return registers;
    }

    /** Place of every local and call-argument variable in the thread's local window. */
    public Map<Variable, Integer> localOffsets() {
        return localOffsets;
    }

    /** Size of that window. */
    public int localBytes() {
        return localBytes;
    }

    /** Reverse post-order of the blocks. */
    public int[] order() {
        return order;
    }

    /** By block: its place in {@link #order}. */
    public int[] position() {
        return position;
    }

    /** By block. */
    public List<List<Integer>> predecessors() {
        return predecessors;
    }

    /** By block: number of natural loops around it. */
    public int[] loopDepth() {
        return loopDepth;
    }

    /** Whether a register holds a sum of {@link WideSums}. */
    public boolean isSum(Register register) {
        return sums.get(register.index());
    }

    /** Whether any does. */
    public boolean hasSums() {
        return !sums.isEmpty();
    }

    /** By block: what begins there in the text, for who counts instructions; null where nothing does. */
    public List<Run> runs() {
        return runs;
    }

    /**
     * The blocks to which threads come from some, these too.
     *
     * @param goesOn whether to look behind a block as well
     */
    public BitSet reached(List<Integer> from, IntPredicate goesOn) {
        BitSet reached = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(from);
        while (!work.isEmpty()) {
            CompileTime.ask();
            int b = work.pop();
            if (!reached.get(b)) {
                reached.set(b);
                if (goesOn.test(b)) {
                    work.addAll(blocks().get(b).successors());
                }
            }
        }
        return reached;
    }

    public Liveness liveness() {
        if (liveness == null) {
            liveness = new Liveness(this);
        }
        return liveness;
    }

    public Writes writes() {
        if (writes == null) {
            writes = new Writes(this);
        }
        return writes;
    }

    public Reads reads() {
        if (reads == null) {
            reads = new Reads(this);
        }
        return reads;
    }

    public Representation representation() {
        if (representation == null) {
            representation = new Representation(this);
        }
        return representation;
    }

    /** Whether the edge goes back in reverse post-order: every cycle has such an edge. */
    public boolean isBackEdge(int from, int to) {
        return position[to] <= position[from];
    }

    /** A block, and those to which no way leads but through it. */
    public BitSet behind(int block) {
        BitSet others = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(0));
        while (!work.isEmpty()) {
            int b = work.pop();
            if (b != block && !others.get(b)) {
                others.set(b);
                work.addAll(blocks.get(b).successors());
            }
        }
        BitSet behind = new BitSet();
        behind.set(0, blocks.size());
        behind.andNot(others);
        return behind;
    }

    /** Whether threads need a stack in local memory behind {@link #localBytes}. */
    public boolean usesStack() {
        return registers.size() > 1 && registers.get(1) == Operands.STACK;
    }

    public int instructionCount() {
        return blocks.stream().mapToInt(b -> b.instructions().size() + 1).sum();
    }

    /** The last line of the text that any code comes from. */
    public int lastLine() {
        int last = 0;
        for (BasicBlock block : blocks) {
            last = Math.max(last, block.terminator().location().line());
            for (Instruction instruction : block.instructions()) {
                last = Math.max(last, instruction.location().line());
            }
        }
        return last;
    }

    private static int[] reversePostOrder(List<BasicBlock> blocks) {
        int[] order = new int[blocks.size()];
        int next = order.length;
        boolean[] seen = new boolean[blocks.size()];
        int[] stack = new int[blocks.size()];
        int[] child = new int[blocks.size()];
        int depth = 0;
        stack[depth++] = 0;
        seen[0] = true;
        while (depth > 0) {
            int block = stack[depth - 1];
            List<Integer> successors = blocks.get(block).successors();
            if (child[block] < successors.size()) {
                // The successor visited last comes first in the order: keep the text's order, taken branches later.
                int successor = successors.get(child[block]++);
                if (!seen[successor]) {
                    seen[successor] = true;
                    stack[depth++] = successor;
                }
            } else {
                order[--next] = block;
                depth--;
            }
        }
        return Arrays.copyOfRange(order, next, order.length);
    }

    private static int[] loopDepth(List<BasicBlock> blocks, int[] order, int[] position, List<List<Integer>> predecessors) {
        int[] depth = new int[blocks.size()];
        for (int header : order) {
            boolean[] inLoop = null;
            List<Integer> work = new ArrayList<>();
            for (int p : predecessors.get(header)) {
                if (position[p] >= position[header]) {
                    work.add(p);
                }
            }
            if (work.isEmpty()) {
                continue;
            }
            inLoop = new boolean[blocks.size()];
            inLoop[header] = true;
            depth[header]++;
            while (!work.isEmpty()) {
                CompileTime.ask();
                int b = work.removeLast();
                if (inLoop[b] || position[b] < position[header]) {
                    continue;
                }
                inLoop[b] = true;
                depth[b]++;
                work.addAll(predecessors.get(b));
            }
        }
        return depth;
    }
}
