package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.RetryLoop;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Atomics that tell in which order threads come to them, by what they give back or by how a sum is rounded. In the scalar shape a thread runs as far as it gets before
 * the next one begins. Lanes come to one instruction in the same order, but to the next one all together: so what threads do once between two meeting points, and no other atomic does there to the same
 * memory, leaves the same in both shapes.
 */
final class UpdateOrder {
    private final Set<Register> read = new HashSet<>();
    /** All that tell something. */
    private final Set<Instruction> tells = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Those of them by which it shows that lanes go together. */
    private final Set<Instruction> showing = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Map<Instruction, UpdatePlace> places = new IdentityHashMap<>();
    /** Each of them counts as one update: lanes go through them one by one. */
    private final List<RetryLoop> retries = new ArrayList<>();

    private UpdateOrder() {
    }

    static UpdateOrder of(Graph graph) {
        UpdateOrder order = new UpdateOrder();
        graph.blocks().forEach(b -> b.instructions().forEach(i -> Operands.uses(i, order.read::add)));
        List<Instruction> updates = new ArrayList<>();
        graph.blocks().forEach(b -> b.instructions().stream().filter(UpdateOrder::updates).forEach(updates::add));
        updates.stream().filter(i -> order.isRead(i) || i.type() != null && i.type().isFloat()).forEach(order.tells::add);
        if (order.tells.isEmpty()) {
            return order;
        }
        // Threads come to a meeting point before any goes on, so it is what they do between two of them that counts.
        Set<Integer> starts = new LinkedHashSet<>(Set.of(0));
        graph.blocks().stream().filter(UpdateOrder::meets).forEach(b -> starts.addAll(b.successors()));
        for (int start : starts) {
            BitSet reached = reach(graph, List.of(start));
            List<Instruction> here = reached.stream().mapToObj(graph.blocks()::get).flatMap(b -> b.instructions().stream()).filter(UpdateOrder::updates).toList();
            for (Instruction i : here) {
                if (order.tells.contains(i) && here.stream().anyMatch(other -> other != i && order.mayMeet(graph, i, other))) {
                    order.showing.add(i);
                }
            }
        }
        order.retries.addAll(RetryLoop.of(graph));
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> here = block.instructions().stream().filter(order.tells::contains).toList();
            if (!here.isEmpty() && !meets(block) && reach(graph, order.behind(block)).get(block.index())) {
                order.showing.addAll(here);
            }
        }
        return order;
    }

    /** Where threads go on that have been in a block; from a loop that lanes go through one by one, behind it. */
    private List<Integer> behind(BasicBlock block) {
        return retries.stream().filter(loop -> loop.blocks().get(block.index())).findFirst().map(loop -> loop.next() == RetryLoop.END ? List.<Integer>of() : List.of(loop.next())).orElse(block.successors());
    }

    private static boolean meets(BasicBlock block) {
        return !block.instructions().isEmpty() && MeetingPoint.kindOf(block.instructions().getLast()) != null;
    }

    /** The blocks to which threads come from some, these too, before they meet. */
    static BitSet reach(Graph graph, List<Integer> from) {
        return graph.reached(from, b -> !meets(graph.blocks().get(b)));
    }

    private static boolean updates(Instruction i) {
        return i.family() == Family.ATOMIC || i.opcode() == Opcode.MULTIMEM && i.spelling().has(Modifier.RED);
    }

    /** Whether two atomics may update the same memory. */
    private boolean mayMeet(Graph graph, Instruction one, Instruction other) {
        StateSpace first = one.spelling().space();
        StateSpace second = other.spelling().space();
        boolean elsewhere = one.opcode() == Opcode.MULTIMEM || other.opcode() == Opcode.MULTIMEM;
        return elsewhere || (first == second || !isPlain(first) || !isPlain(second)) && !place(graph, one).isApart(bytes(one), place(graph, other), bytes(other));
    }

    private UpdatePlace place(Graph graph, Instruction update) {
        return places.computeIfAbsent(update, i -> UpdatePlace.of(graph, i.operands().stream().filter(Operand.Address.class::isInstance).map(Operand.Address.class::cast).findFirst().orElseThrow()));
    }

    private static int bytes(Instruction update) {
        int elements = update.operands().stream().mapToInt(o -> o instanceof Operand.Vector v ? v.elements().size() : 1).max().orElse(1);
        return update.type().bytes() * elements;
    }

    private static boolean isPlain(StateSpace space) {
        return space == StateSpace.GLOBAL || space == StateSpace.SHARED;
    }

    /** Whether threads may come from the end of a block to what shows the order in which they do, before they meet again. */
    boolean showsBehind(Graph graph, int block) {
        return !tells.isEmpty() && reach(graph, graph.blocks().get(block).successors()).stream().mapToObj(graph.blocks()::get)
                .anyMatch(b -> b.instructions().stream().anyMatch(tells::contains));
    }

    /** Loops in which threads try again until an update has succeeded, and that lanes have to go through one by one. */
    List<RetryLoop> retries() {
        return retries;
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
