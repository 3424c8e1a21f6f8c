package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Atomics that tell in which order threads come to them, by what they give back or by how a sum is rounded. In the scalar shape a thread runs as far as it gets before
 * the next one begins. Lanes come to one instruction in the same order, but to the next one all together: so what threads do once, and no other atomic does to the same
 * memory, leaves the same in both shapes.
 */
final class UpdateOrder {
    private final Set<Register> read = new HashSet<>();
    private final Set<Instruction> showing = Collections.newSetFromMap(new IdentityHashMap<>());

    private UpdateOrder() {
    }

    static UpdateOrder of(Graph graph) {
        UpdateOrder order = new UpdateOrder();
        graph.blocks().forEach(b -> b.instructions().forEach(i -> Operands.uses(i, order.read::add)));
        List<Instruction> updates = new ArrayList<>();
        graph.blocks().forEach(b -> b.instructions().stream().filter(UpdateOrder::updates).forEach(updates::add));
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                boolean tells = updates(i) && (order.isRead(i) || i.type() != null && i.type().isFloat());
                if (tells && (updates.stream().anyMatch(other -> other != i && mayMeet(i, other)) || comesBack(graph, block))) {
                    order.showing.add(i);
                }
            }
        }
        return order;
    }

    private static boolean updates(Instruction i) {
        return i.family() == Family.ATOMIC || i.opcode() == Opcode.MULTIMEM && i.spelling().has(Modifier.RED);
    }

    /** Whether two atomics may update the same memory. */
    private static boolean mayMeet(Instruction one, Instruction other) {
        StateSpace first = one.spelling().space();
        StateSpace second = other.spelling().space();
        return first == second || !isPlain(first) || !isPlain(second);
    }

    private static boolean isPlain(StateSpace space) {
        return space == StateSpace.GLOBAL || space == StateSpace.SHARED;
    }

    private static boolean comesBack(Graph graph, BasicBlock block) {
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(block.successors());
        while (!work.isEmpty()) {
            int b = work.pop();
            if (!seen.get(b)) {
                seen.set(b);
                work.addAll(graph.blocks().get(b).successors());
            }
        }
        return seen.get(block.index());
    }

    /** Whether somebody reads what an atomic gives back. */
    boolean isRead(Instruction i) {
        return i.opcode() == Opcode.ATOM && Operands.writes(i, read::contains);
    }

    /** Whether the order of threads shows, and the vector shape would leave something else. */
    boolean shows(Instruction i) {
        return showing.contains(i);
    }
}
