package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Computes addresses before the first of several accesses, where loads come behind stores: there {@link Records} ask where all of them lie. Compilers compute an address where it is needed first.
 */
final class EarlyAddresses {
    /** What computes addresses, or what they are computed from. */
    private final Set<Instruction> sums = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Instruction> code = new ArrayList<>();
    /** Where the first access of those between which nothing must stay in its place lies; -1 for none yet. */
    private int first = -1;
    /** Registers that code behind it reads or writes. */
    private final Set<Register> read = new HashSet<>();
    private final Set<Register> written = new HashSet<>();

    private EarlyAddresses(List<Instruction> instructions) {
        Set<Register> wanted = new HashSet<>();
        for (int n = instructions.size() - 1; n >= 0; n--) {
            Instruction i = instructions.get(n);
            boolean[] sum = {false};
            Operands.definitions(i, r -> sum[0] |= wanted.remove(r));
            if (sum[0] && isArithmetic(i)) {
                sums.add(i);
                Operands.uses(i, wanted::add);
            } else if (isAccess(i) && SteadyLoop.address(i).register() != null) {
                wanted.add(SteadyLoop.address(i).register());
            }
        }
    }

    static Graph rewrite(Graph graph) {
        if (graph.blocks().stream().noneMatch(EarlyAddresses::loadsBehindStore)) {
            return graph;
        }
        List<BasicBlock> blocks = graph.blocks().stream().map(b -> !loadsBehindStore(b) ? b
                : new BasicBlock(b.index(), b.label(), List.copyOf(new EarlyAddresses(b.instructions()).move(b.instructions())), b.terminator())).toList();
        return graph.with(blocks);
    }

    private static boolean loadsBehindStore(BasicBlock block) {
        boolean stored = false;
        for (Instruction i : block.instructions()) {
            if (stored && isAccess(i) && MemoryVectors.isLoad(i)) {
                return true;
            }
            stored = stays(i) ? false : stored || isAccess(i) && i.opcode() == Opcode.ST;
        }
        return false;
    }

    private static boolean isAccess(Instruction i) {
        return i.family() == Family.MEMORY && MemoryVectors.isPlain(i);
    }

    private static boolean isArithmetic(Instruction i) {
        boolean family = i.opcode() == Opcode.CVTA || i.family() == Family.INTEGER || i.family() == Family.LOGIC || i.family() == Family.DATA_MOVEMENT || i.family() == Family.CONVERSION;
        return family && i.guard() == null && i.operand(0) instanceof Operand.Reg;
    }

    /** Whether no access may change places with it. */
    private static boolean stays(Instruction i) {
        return !Fetches.quiet(i) && !isAccess(i);
    }

    private List<Instruction> move(List<Instruction> instructions) {
        for (Instruction i : instructions) {
            if (stays(i)) {
                first = -1;
            }
            if (first >= 0 && sums.contains(i) && isFree(i)) {
                code.add(first++, i);
                continue;
            }
            if (first < 0 && isAccess(i) && SteadyLoop.address(i).register() != null) {
                first = code.size();
                read.clear();
                written.clear();
            }
            code.add(i);
            Operands.uses(i, read::add);
            Operands.definitions(i, written::add);
        }
        return code;
    }

    /** Whether what it reads is known at the first access, and nobody needs what it overwrites. */
    private boolean isFree(Instruction i) {
        boolean[] free = {true};
        Operands.uses(i, r -> free[0] &= !written.contains(r));
        Operands.definitions(i, r -> free[0] &= !written.contains(r) && !read.contains(r));
        return free[0];
    }
}
