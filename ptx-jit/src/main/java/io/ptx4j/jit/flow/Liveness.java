package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Registers live at the start of each block. Only registers read before they are written in some block can be live there;
 * they alone take part, which keeps kernels of 100,000 registers cheap.
 */
public final class Liveness {
    private final List<Register> crossing = new ArrayList<>();
    private final int[] number;
    private final BitSet[] in;
    private final BitSet[] out;

    Liveness(Graph graph) {
        int count = graph.registers().size();
        number = new int[count];
        BitSet[] exposed = new BitSet[graph.blocks().size()];
        BitSet[] killed = new BitSet[graph.blocks().size()];
        for (BasicBlock block : graph.blocks()) {
            exposed[block.index()] = new BitSet();
            killed[block.index()] = new BitSet();
            summarize(block, exposed[block.index()], killed[block.index()]);
        }
        BitSet all = new BitSet();
        for (BitSet set : exposed) {
            all.or(set);
        }
        for (int r = all.nextSetBit(0); r >= 0; r = all.nextSetBit(r + 1)) {
            number[r] = crossing.size() + 1;
            crossing.add(graph.registers().get(r));
        }
        in = new BitSet[exposed.length];
        out = new BitSet[exposed.length];
        for (int b = 0; b < exposed.length; b++) {
            in[b] = renumber(exposed[b]);
            exposed[b] = (BitSet) in[b].clone();
            killed[b] = renumber(killed[b]);
            out[b] = new BitSet();
        }
        solve(graph, exposed, killed);
    }

    private BitSet renumber(BitSet registers) {
        BitSet numbered = new BitSet(crossing.size());
        for (int r = registers.nextSetBit(0); r >= 0; r = registers.nextSetBit(r + 1)) {
            if (number[r] > 0) {
                numbered.set(number[r] - 1);
            }
        }
        return numbered;
    }

    private static void summarize(BasicBlock block, BitSet exposed, BitSet killed) {
        for (Instruction instruction : block.instructions()) {
            Operands.uses(instruction, r -> expose(r, exposed, killed));
            boolean partial = instruction.guard() != null;
            Operands.definitions(instruction, r -> {
                if (partial) {
                    expose(r, exposed, killed);
                } else {
                    killed.set(r.index());
                }
            });
        }
        Register use = Operands.use(block.terminator());
        if (use != null) {
            expose(use, exposed, killed);
        }
    }

    /** Whether each read of the register follows a write to it in the same block. */
    public boolean staysInBlocks(Register register) {
        return number[register.index()] == 0;
    }

    private static void expose(Register register, BitSet exposed, BitSet killed) {
        if (!killed.get(register.index())) {
            exposed.set(register.index());
        }
    }

    private void solve(Graph graph, BitSet[] exposed, BitSet[] killed) {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = graph.order().length - 1; i >= 0; i--) {
                CompileTime.ask();
                int b = graph.order()[i];
                int before = out[b].cardinality();
                for (int s : graph.blocks().get(b).successors()) {
                    out[b].or(in[s]);
                }
                if (out[b].cardinality() != before) {
                    BitSet live = (BitSet) out[b].clone();
                    live.andNot(killed[b]);
                    live.or(exposed[b]);
                    in[b] = live;
                    changed = true;
                }
            }
        }
    }

    /** How much is live before each instruction of a block, and last behind all of them: the sum of the registers' sizes. */
    public int[] live(BasicBlock block, ToIntFunction<Register> size) {
        List<Instruction> code = block.instructions();
        Set<Register> live = new HashSet<>(liveOut(block.index()));
        int[] sums = new int[code.size() + 1];
        sums[code.size()] = live.stream().mapToInt(size).sum();
        for (int k = code.size() - 1; k >= 0; k--) {
            int at = k;
            sums[at] = sums[at + 1];
            if (code.get(at).guard() == null) {
                Operands.definitions(code.get(at), r -> sums[at] -= live.remove(r) ? size.applyAsInt(r) : 0);
            }
            Operands.uses(code.get(at), r -> sums[at] += live.add(r) ? size.applyAsInt(r) : 0);
        }
        return sums;
    }

    /** Registers whose value at the start of {@code block} is read later, by index. */
    public List<Register> liveIn(int block) {
        return registers(in[block]);
    }

    /** Registers whose value at the end of {@code block} is read later, by index. */
    public List<Register> liveOut(int block) {
        return registers(out[block]);
    }

    public boolean isLiveIn(Register register, int block) {
        return number[register.index()] > 0 && in[block].get(number[register.index()] - 1);
    }

    public boolean isLiveOut(Register register, int block) {
        return number[register.index()] > 0 && out[block].get(number[register.index()] - 1);
    }

    private List<Register> registers(BitSet set) {
        List<Register> registers = new ArrayList<>(set.cardinality());
        for (int i = set.nextSetBit(0); i >= 0; i = set.nextSetBit(i + 1)) {
            registers.add(crossing.get(i));
        }
        return registers;
    }
}
