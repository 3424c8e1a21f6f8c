package io.ptx4j.jit.coarse;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What some lanes of a warp do from a branch that something unknown decides to where all its ways have come together: it is copied as it is, over registers of its own. */
final class Detour {
    private final Unfolding unfolding;
    private final Graph graph;
    private final Visit visit;
    private final Terminator.Branch branch;
    /** Where ways come together; -1 if they only do where threads end. */
    private int join = -1;
    private BitSet inside;
    private final Map<Register, Register> own = new LinkedHashMap<>();

    Detour(Unfolding unfolding, Graph graph, Visit visit, Terminator.Branch branch) {
        this.unfolding = unfolding;
        this.graph = graph;
        this.visit = visit;
        this.branch = branch;
    }

    /** Adds the code; where threads are behind it, -1 if they have ended. */
    int copy() {
        find();
        List<BasicBlock> blocks = inside.stream().mapToObj(graph.blocks()::get).toList();
        if (inside.stream().anyMatch(b -> graph.blocks().get(b).successors().stream().anyMatch(s -> inside.get(s) && graph.isBackEdge(b, s)))) {
            throw new NotCoarse("a loop whose turns are not known");
        }
        if (Operands.any(blocks, Detour::meetsOthers)) {
            throw new NotCoarse("threads meet on a way that is not known");
        }
        giveOwn(blocks);
        CoarseCode code = unfolding.code;
        boolean all = visit.lanes() == -1;
        Register predicate = visit.one(branch.predicate()).register();
        Register lanes = all ? null : code.lanesWith(visit.lanes());
        List<List<Instruction>> copies = blocks.stream().map(b -> b.instructions().stream().map(this::copy).toList()).toList();
        List<Terminator> ends = blocks.stream().map(b -> copy(b.terminator())).toList();
        int first = code.current() + (all ? 1 : 2);
        int behind = first + blocks.size();
        Map<Integer, Integer> numbers = new HashMap<>();
        blocks.forEach(b -> numbers.put(b.index(), first + numbers.size()));
        numbers.put(join, behind);
        if (!all) {
            code.end(new Terminator.Branch(lanes, false, first - 1, behind, false, code.at(branch.location())));
        }
        code.end(new Terminator.Branch(predicate, branch.negated(), numbers.get(branch.taken()), numbers.get(branch.otherwise()), false, code.at(branch.location())));
        for (int b = 0; b < copies.size(); b++) {
            copies.get(b).forEach(code::add);
            code.end(ends.get(b).withTargets(numbers::get));
        }
        own.forEach((register, copy) -> visit.keep(register, code.valueOf(copy, false)));
        return join;
    }

    private static boolean meetsOthers(Instruction i) {
        return i.family() == Family.BARRIER || i.family() == Family.WARP || i.family() == Family.MEMORY && i.spelling().space() == StateSpace.SHARED;
    }

    private void find() {
        List<Integer> from = List.of(branch.taken(), branch.otherwise());
        inside = graph.reached(from, b -> true);
        for (int b = inside.nextSetBit(0); b >= 0; b = inside.nextSetBit(b + 1)) {
            int without = b;
            BitSet before = graph.reached(from, other -> other != without);
            before.clear(without);
            boolean passesAll = before.stream().noneMatch(other -> graph.blocks().get(other).successors().isEmpty());
            if (passesAll && (join < 0 || before.cardinality() < inside.cardinality())) {
                join = without;
                inside = before;
            }
        }
    }

    /** Gives registers that are written there others, which hold what they do. */
    private void giveOwn(List<BasicBlock> blocks) {
        Set<Register> written = new LinkedHashSet<>();
        blocks.forEach(b -> b.instructions().forEach(i -> Operands.definitions(i, written::add)));
        for (Register register : written) {
            Value held = visit.held(register);
            Register copy = unfolding.code.newRegister(register);
            own.put(register, copy);
            if (held != null) {
                visit.move(copy, held);
            }
        }
    }

    private Instruction copy(Instruction i) {
        Instruction copy = Unfolding.mapped(i, own::get, this::source);
        return i.guard() == null ? copy : new Instruction(copy.spelling(), new Instruction.Guard(mapped(i.guard().predicate()), i.guard().negated()), copy.operands(), copy.location());
    }

    private Operand source(Operand operand) {
        return switch (operand) {
            case Operand.Reg r when own.containsKey(r.register()) -> new Operand.Reg(own.get(r.register()), r.type(), r.negated());
            case Operand.Vector v -> new Operand.Vector(v.elements().stream().map(this::source).toList());
            case Operand.Address a when a.register() != null && own.containsKey(a.register()) -> new Operand.Address(a.space(), own.get(a.register()), null, a.offset());
            default -> visit.source(operand, visit::one);
        };
    }

    private Register mapped(Register register) {
        return own.containsKey(register) ? own.get(register) : visit.one(register).register();
    }

    private Terminator copy(Terminator end) {
        CoarseCode code = unfolding.code;
        return switch (end) {
            case Terminator.Jump jump -> new Terminator.Jump(jump.target(), code.at(jump.location()));
            case Terminator.Branch b -> new Terminator.Branch(mapped(b.predicate()), b.negated(), b.taken(), b.otherwise(), b.uniform(), code.at(b.location()));
            case Terminator.Return r -> new Terminator.Jump(join, code.at(r.location()));
            case Terminator.Exit e -> new Terminator.Jump(join, code.at(e.location()));
            case Terminator.Switch s -> throw new NotCoarse("a switch");
        };
    }
}
