package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.LocalLayout;
import io.ptx4j.jit.scalar.SpecialRegisters;
import io.ptx4j.jit.support.VectorLanes;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether the local memory of a group's lanes may lie word by word: all accesses are plain loads and stores, and no address of local memory becomes a
 * generic one. Words of one size lie in the block's segment. Windows that are not large lie in an array of the frame if no element is larger than 32 bits and some index differs from
 * thread to thread by what it is computed from; words at indices that are one for all lanes are loaded and stored faster where no array tests them.
 */
final class InterleavedLocals {
    /** Bytes of all threads' windows that an array may have: what a second cache holds. */
    private static final int MOST = 1 << 20;

    private InterleavedLocals() {
    }

    static LocalLayout layout(Graph graph, Group group) {
        if (graph.localBytes() == 0 || graph.usesStack() || group.block().threads() % group.lanes() != 0) {
            return LocalLayout.PLAIN;
        }
        Set<Integer> sizes = new TreeSet<>();
        Set<Register> addresses = new HashSet<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                if (mayTell(i)) {
                    return LocalLayout.PLAIN;
                }
                for (Operand operand : i.operands()) {
                    if (operand instanceof Operand.Address address && group.perThread(address)) {
                        sizes.add(bytesOf(i));
                        if (address.register() != null) {
                            addresses.add(address.register());
                        }
                    }
                }
            }
        }
        boolean words = sizes.equals(Set.of(4)) || sizes.equals(Set.of(8));
        boolean inArray = !sizes.isEmpty() && List.of(1, 2, 4).containsAll(sizes) && !group.narrow() && group.lanes() >= VectorLanes.INT.length()
                && (long) (graph.localBytes() + 15) / 16 * 16 * group.block().threads() <= MOST && (!words || varies(graph, addresses));
        return inArray ? new LocalLayout(group.lanes(), 4, true) : words ? new LocalLayout(group.lanes(), sizes.iterator().next(), false) : LocalLayout.PLAIN;
    }

    /** Whether one of some registers may differ from thread to thread by what it is computed from. That threads run different turns of a loop is not looked at. */
    private static boolean varies(Graph graph, Set<Register> addresses) {
        Map<Register, List<Instruction>> writes = graph.writes().all();
        Set<Register> seen = new HashSet<>(addresses);
        Deque<Register> work = new ArrayDeque<>(seen);
        while (!work.isEmpty()) {
            for (Instruction i : writes.getOrDefault(work.remove(), List.of())) {
                boolean loads = i.family() == Family.MEMORY && i.spelling().space() != StateSpace.PARAM || i.family() == Family.ATOMIC || i.family() == Family.WARP;
                if (loads || i.operands().stream().anyMatch(o -> o instanceof Operand.Special s && !SpecialRegisters.uniform(s.register()))) {
                    return true;
                }
                Operands.uses(i, r -> {
                    if (seen.add(r)) {
                        work.add(r);
                    }
                });
            }
        }
        return false;
    }

    /** Whether the instruction may hand an address of local memory on to code that knows only windows in one piece. */
    private static boolean mayTell(Instruction i) {
        return i.opcode() == Opcode.CALL || i.opcode() == Opcode.ALLOCA || i.opcode() == Opcode.CVTA && i.spelling().space() == StateSpace.LOCAL;
    }

    /** Bytes of an element of a plain load or store, 0 of any other access. */
    private static int bytesOf(Instruction i) {
        boolean plain = (i.opcode() == Opcode.LD || i.opcode() == Opcode.ST) && Operands.isWeak(i);
        return plain ? i.type().bytes() : 0;
    }
}
