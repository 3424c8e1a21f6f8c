package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Registers that have one value for all threads of a block wherever these stop, in kernels whose threads, as long as they have not ended, always stop at the
 * same place: the counters of loops around a barrier, for example.
 *
 * <p>Threads part at a branch on a register that differs between them, until all ways meet again; what is written in between differs. Code from which no
 * thread stops any more does not count. Which registers differ and where threads part is found out together, from the most hopeful assumption on.
 */
public final class CommonValues {
    /** Sets of blocks, one for each block, take room. */
    private static final int MOST_BLOCKS = 2_000;

    private final Graph graph;
    private final int[] pointOfBlock;
    private final Uniforms uniforms;
    private final Predicate<SpecialRegister> special;
    /** Blocks from which threads may come to a stop. */
    private final BitSet stopping = new BitSet();
    /** By block: those through which every way to the last stop goes, itself among them. */
    private final List<BitSet> surelyLater = new ArrayList<>();
    private final BitSet differing = new BitSet();

    private CommonValues(Graph graph, int[] pointOfBlock, Uniforms uniforms, Predicate<SpecialRegister> special) {
        this.graph = graph;
        this.pointOfBlock = pointOfBlock;
        this.uniforms = uniforms;
        this.special = special;
    }

    /**
     * @param pointOfBlock by block: the meeting point that ends it, -1 for none; all threads of the block meet there
     * @param special whether a special register is the same for all threads of a block
     * @return none where threads may stop at different places
     */
    public static Set<Register> of(Graph graph, int[] pointOfBlock, Uniforms uniforms, Predicate<SpecialRegister> special) {
        CommonValues values = new CommonValues(graph, pointOfBlock, uniforms, special);
        if (graph.blocks().size() > MOST_BLOCKS || !values.findStopping() || !values.findSurelyLater() || !values.solve()) {
            return Set.of();
        }
        return graph.registers().stream().filter(r -> !values.differing.get(r.index())).collect(Collectors.toSet());
    }

    private boolean findStopping() {
        for (int b : graph.order()) {
            stopping.set(b);
        }
        BitSet stops = new BitSet();
        stopping.stream().filter(b -> pointOfBlock[b] >= 0).forEach(stops::set);
        BitSet found = comingTo(stops);
        stopping.and(found);
        return !stopping.isEmpty();
    }

    private List<Integer> successors(int block) {
        return graph.blocks().get(block).successors().stream().filter(stopping::get).toList();
    }

    /**
     * Post-dominators. What a thread does that never stops again counts as an end only for code that comes to none otherwise, such as a loop around a barrier:
     * so threads that end early part nobody. False where threads may stop for ever, so that there is no end.
     */
    private boolean findSurelyLater() {
        BitSet ends = new BitSet();
        stopping.stream().filter(b -> successors(b).isEmpty()).forEach(ends::set);
        BitSet ending = comingTo(ends);
        stopping.stream().filter(b -> !ending.get(b) && successors(b).size() < graph.blocks().get(b).successors().size()).forEach(ends::set);
        if (!comingTo(ends).equals(stopping)) {
            return false;
        }
        for (int b = 0; b < graph.blocks().size(); b++) {
            surelyLater.add((BitSet) stopping.clone());
        }
        boolean more = true;
        while (more) {
            CompileTime.ask();
            more = false;
            for (int i = graph.order().length - 1; i >= 0; i--) {
                int b = graph.order()[i];
                if (!stopping.get(b)) {
                    continue;
                }
                BitSet later = ends.get(b) ? new BitSet() : (BitSet) stopping.clone();
                successors(b).forEach(next -> later.and(surelyLater.get(next)));
                later.set(b);
                more |= !later.equals(surelyLater.get(b));
                surelyLater.set(b, later);
            }
        }
        return true;
    }

    /** The blocks that lead to some of {@code blocks}, without leaving {@link #stopping}. */
    private BitSet comingTo(BitSet blocks) {
        BitSet coming = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(blocks.stream().boxed().toList());
        while (!work.isEmpty()) {
            int b = work.pop();
            if (!coming.get(b)) {
                coming.set(b);
                graph.predecessors().get(b).stream().filter(stopping::get).forEach(work::add);
            }
        }
        return coming;
    }

    /** False where threads that have parted may stop. */
    private boolean solve() {
        boolean more = true;
        while (more) {
            CompileTime.ask();
            more = false;
            BitSet apart = new BitSet();
            for (int b = stopping.nextSetBit(0); b >= 0; b = stopping.nextSetBit(b + 1)) {
                Register decides = Operands.use(graph.blocks().get(b).terminator());
                if (decides != null && differing.get(decides.index())) {
                    part(b, apart);
                }
            }
            if (apart.stream().anyMatch(b -> pointOfBlock[b] >= 0)) {
                return false;
            }
            for (int b = stopping.nextSetBit(0); b >= 0; b = stopping.nextSetBit(b + 1)) {
                more |= define(graph.blocks().get(b), apart.get(b));
            }
        }
        return true;
    }

    /** Adds the blocks that only some threads run, or some more often than others, that go different ways behind {@code branch}. */
    private void part(int branch, BitSet apart) {
        List<Integer> ways = successors(branch);
        if (ways.stream().distinct().count() < 2) {
            return;
        }
        BitSet together = (BitSet) surelyLater.get(branch).clone();
        together.clear(branch);
        Deque<Integer> work = new ArrayDeque<>(ways);
        BitSet seen = new BitSet();
        while (!work.isEmpty()) {
            int b = work.pop();
            if (!seen.get(b) && !together.get(b)) {
                seen.set(b);
                work.addAll(successors(b));
            }
        }
        apart.or(seen);
    }

    private boolean define(BasicBlock block, boolean apart) {
        boolean[] more = {false};
        for (Instruction instruction : block.instructions()) {
            if (apart || !isCommon(instruction)) {
                Operands.definitions(instruction, r -> {
                    more[0] |= !differing.get(r.index());
                    differing.set(r.index());
                });
            }
        }
        return more[0];
    }

    private boolean isCommon(Instruction instruction) {
        if (uniforms.defines(instruction)) {
            return true;
        }
        boolean[] common = {instruction.family().isPure() && instruction.operands().stream().allMatch(this::mayBeCommon)};
        Operands.uses(instruction, r -> common[0] &= !differing.get(r.index()));
        return common[0];
    }

    /** Whether the operand is one for all threads if its registers are. */
    private boolean mayBeCommon(Operand operand) {
        return switch (operand) {
            case Operand.Special s -> special.test(s.register());
            case Operand.Vector v -> v.elements().stream().allMatch(this::mayBeCommon);
            case Operand.AddressOf a -> a.variable().space() != StateSpace.LOCAL;
            case Operand.Reg r -> true;
            case Operand.Part p -> true;
            case Operand.Immediate i -> true;
            case Operand.Absent a -> true;
            case Operand.Sink s -> true;
            case Operand.FunctionAddress f -> true;
            case Operand.Address a -> false;
            case Operand.Call c -> false;
            case Operand.Texture t -> false;
        };
    }
}
