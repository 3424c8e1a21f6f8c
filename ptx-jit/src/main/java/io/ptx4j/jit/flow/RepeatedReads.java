package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Loads of a loop that may read the same words turn after turn, as those of a thread that waits for a word to change do. Where every turn leaves another value in a register
 * of those that the address comes from, a thread goes through data instead: the halves of a binary search, slots of a hash table, a list, an array up to a certain element.
 * Each way through a turn is followed, to see whether such a register is changed on it.
 */
final class RepeatedReads {
    /** Ways through a turn that are followed. */
    private static final int MOST_WAYS = 512;
    /** Registers that addresses of a loop may come from, all loads together: there are loops of a hundred thousand instructions. */
    private static final int MOST_SOURCES = 200_000;
    private static final Object ZERO = new Value(Origin.FIXED);

    /** What a value comes from. */
    private enum Origin {
        /** Nothing that a turn has changed: it may be the same in each. */
        FIXED,
        /** A load from an address of any other origin. */
        LOADED,
        /** A comparison of such: it may be zero in each turn. */
        COMPARED,
        /** What the turn began with, perhaps not changed. */
        CARRIED,
        /** The same with something added to it. */
        MOVED
    }

    private static final class Value {
        final Origin origin;

        Value(Origin origin) {
            this.origin = origin;
        }
    }

    private final Graph graph;
    private final BitSet loop;
    private final int header;
    private final Map<Register, List<SpinLoops.Writer>> writers;
    /** Registers that a turn compares with zero to end the loop. */
    private final Set<Register> ending = new HashSet<>();
    private int looked;
    /** By registers that a turn begins with: whether a turn may leave all as they were. */
    private final Map<Set<Register>, Boolean> known = new HashMap<>();

    /** @param writers by register: what writes it, also outside of the loop */
    RepeatedReads(Graph graph, BitSet loop, int header, Map<Register, List<SpinLoops.Writer>> writers) {
        this.graph = graph;
        this.loop = loop;
        this.header = header;
        this.writers = writers;
        for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
            if (graph.blocks().get(b).terminator() instanceof Terminator.Branch end && loop.get(end.taken()) != loop.get(end.otherwise())) {
                inLoop(end.predicate()).stream().map(SpinLoops.Writer::instruction).filter(RepeatedReads::testsForZero)
                        .forEach(i -> ending.add(((Operand.Reg) i.operand(2)).register()));
            }
        }
    }

    private static boolean testsForZero(Instruction i) {
        return i.opcode() == Opcode.SETP && i.operands().size() == 4 && i.operand(2) instanceof Operand.Reg && i.operand(3) instanceof Operand.Immediate n && n.bits() == 0;
    }

    /** @param load of the loop */
    boolean mayRepeat(Instruction load) {
        if (!(load.operand(1) instanceof Operand.Address address) || address.register() == null) {
            return true;
        }
        Set<Register> sources = new LinkedHashSet<>(Set.of(address.register()));
        Deque<Register> work = new ArrayDeque<>(sources);
        while (!work.isEmpty()) {
            if (looked++ > MOST_SOURCES) {
                return true;
            }
            for (SpinLoops.Writer writer : inLoop(work.remove())) {
                Operands.uses(writer.instruction(), r -> {
                    if (sources.add(r)) {
                        work.add(r);
                    }
                });
            }
        }
        Set<Register> carried = new HashSet<>(sources);
        carried.retainAll(graph.liveness().liveIn(header));
        carried.removeIf(r -> r.type() == ScalarType.PRED || inLoop(r).isEmpty());
        return carried.isEmpty() || known.computeIfAbsent(carried, c -> mayStay(c, sources));
    }

    private List<SpinLoops.Writer> inLoop(Register register) {
        return writers.getOrDefault(register, List.of()).stream().filter(w -> loop.get(w.block())).toList();
    }

    /**
     * How far a way has come.
     *
     * @param next the instruction of the block that comes next
     * @param values of registers, where they are no longer what the turn began with
     * @param chosen predicates, by value
     */
    private record Way(int block, int next, BitSet passed, Map<Object, Object> values, Map<Object, Boolean> chosen) {
        Object value(Register register) {
            return values.getOrDefault(register, register);
        }

        Way to(int other) {
            BitSet more = (BitSet) passed.clone();
            more.set(other);
            return new Way(other, 0, more, values, chosen);
        }

        Way with(Map<Object, Object> others, int from) {
            return new Way(block, from, passed, others, chosen);
        }

        /** The way on which a predicate is {@code choice}; null if it has been found to be the other. */
        Way choose(Object predicate, boolean choice) {
            Boolean before = chosen.get(predicate);
            if (before != null) {
                return before == choice ? this : null;
            }
            Map<Object, Boolean> more = new HashMap<>(chosen);
            more.put(predicate, choice);
            return new Way(block, next, passed, values, more);
        }
    }

    /** Whether a turn may leave all of the carried registers as they were; true where there are too many ways, or loops inside. */
    private boolean mayStay(Set<Register> carried, Set<Register> sources) {
        Deque<Way> ways = new ArrayDeque<>();
        BitSet first = new BitSet();
        first.set(header);
        ways.add(new Way(header, 0, first, Map.of(), Map.of()));
        for (int steps = 0; !ways.isEmpty(); steps++) {
            Way way = ways.removeLast();
            if (steps > MOST_WAYS) {
                return true;
            }
            List<Instruction> instructions = graph.blocks().get(way.block).instructions();
            if (way.next < instructions.size()) {
                run(way, instructions, sources, carried, ways);
                continue;
            }
            BasicBlock block = graph.blocks().get(way.block);
            for (int s : Set.copyOf(block.successors())) {
                Way on = block.terminator() instanceof Terminator.Branch b && b.taken() != b.otherwise()
                        ? way.choose(way.value(b.predicate()), (s == b.taken()) != b.negated()) : way;
                if (on == null || !loop.get(s)) {
                    continue;
                }
                if (s != header && on.passed.get(s)) {
                    return true;
                }
                if (s != header) {
                    ways.add(on.to(s));
                } else if (carried.stream().noneMatch(r -> changes(on.value(r)))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean changes(Object value) {
        return value instanceof Value v && (v.origin == Origin.MOVED || v.origin == Origin.LOADED);
    }

    /** Runs the rest of a block, up to the next choice, and adds what comes of it. */
    private void run(Way way, List<Instruction> instructions, Set<Register> sources, Set<Register> carried, Deque<Way> ways) {
        Map<Object, Object> values = new HashMap<>(way.values);
        for (int at = way.next; at < instructions.size(); at++) {
            Instruction i = instructions.get(at);
            Way here = way.with(values, at);
            Register choice = choice(i, sources);
            if (choice == null && i.guard() != null) {
                Operands.definitions(i, r -> values.put(r, new Value(Origin.FIXED)));
                continue;
            }
            if (choice == null) {
                execute(i, here, values, carried);
                continue;
            }
            for (boolean truth : new boolean[] {false, true}) {
                Way chooses = here.choose(here.value(choice), truth);
                if (chooses != null) {
                    Map<Object, Object> others = new HashMap<>(values);
                    choose(i, chooses, truth, others, carried);
                    ways.add(chooses.with(others, at + 1));
                }
            }
            return;
        }
        ways.add(way.with(values, instructions.size()));
    }

    /** The predicate by which the instruction leaves one value or another in a register that matters; null if there is none. */
    private static Register choice(Instruction i, Set<Register> sources) {
        boolean[] matters = {false};
        Operands.definitions(i, r -> matters[0] |= sources.contains(r));
        if (!matters[0]) {
            return null;
        }
        return i.guard() != null ? i.guard().predicate() : i.opcode() == Opcode.SELP && i.operand(3) instanceof Operand.Reg p ? p.register() : null;
    }

    private void choose(Instruction i, Way way, boolean truth, Map<Object, Object> values, Set<Register> carried) {
        if (i.guard() != null) {
            if (truth != i.guard().negated()) {
                // What a guarded selection gives is not followed any further.
                execute(i, way, values, carried);
            }
            return;
        }
        boolean firstOne = truth != ((Operand.Reg) i.operand(3)).negated();
        Object value = value(i.operand(firstOne ? 1 : 2), way);
        Operands.definitions(i, r -> values.put(r, value));
    }

    private void execute(Instruction i, Way way, Map<Object, Object> values, Set<Register> carried) {
        Object same = switch (i.opcode()) {
            case MOV, CVTA -> i.operand(0) instanceof Operand.Reg ? value(i.operand(1), way) : null;
            case ADD -> value(i.operand(2), way) == ZERO ? value(i.operand(1), way) : value(i.operand(1), way) == ZERO ? value(i.operand(2), way) : null;
            case SUB -> value(i.operand(2), way) == ZERO ? value(i.operand(1), way) : null;
            default -> null;
        };
        Origin origin = origin(i, way, carried);
        Operands.definitions(i, r -> values.put(r, same == null ? new Value(origin) : same));
    }

    private Origin origin(Instruction i, Way way, Set<Register> carried) {
        Set<Origin> from = EnumSet.noneOf(Origin.class);
        for (int o = 0; o < i.operands().size(); o++) {
            if (i.spelling().form().operands().get(o).role() != OperandSpec.Role.DESTINATION) {
                Operands.read(i.operand(o), r -> from.add(origin(way.value(r), carried)));
            }
        }
        if (i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU) {
            return from.equals(EnumSet.of(Origin.FIXED)) || from.isEmpty() ? Origin.FIXED : Origin.LOADED;
        }
        if (i.family() == Family.COMPARISON) {
            return from.contains(Origin.CARRIED) || from.contains(Origin.MOVED) ? Origin.CARRIED
                    : from.contains(Origin.LOADED) ? Origin.COMPARED : Origin.FIXED;
        }
        // Half of what is left to search through is less than that, unless it is nothing, with which the loop ends.
        boolean halves = i.opcode() == Opcode.SHR && i.operand(2) instanceof Operand.Immediate n && n.bits() > 0 && value(i.operand(1), way) instanceof Register r && ending.contains(r);
        if (halves && from.contains(Origin.CARRIED)) {
            return Origin.MOVED;
        }
        boolean adds = i.opcode() == Opcode.ADD || i.opcode() == Opcode.SUB || i.opcode() == Opcode.MAD;
        if (adds && from.contains(Origin.CARRIED) && !from.contains(Origin.LOADED) && !from.contains(Origin.COMPARED)) {
            return Origin.MOVED;
        }
        return Stream.of(Origin.MOVED, Origin.CARRIED, Origin.COMPARED, Origin.LOADED).filter(from::contains).findFirst().orElse(Origin.FIXED);
    }

    private static Origin origin(Object value, Set<Register> carried) {
        return value instanceof Value v ? v.origin : value instanceof Register r && carried.contains(r) ? Origin.CARRIED : Origin.FIXED;
    }

    /** One object for equal values, as far as they are known: the register that a turn began with, or a {@link Value}. */
    private static Object value(Operand operand, Way way) {
        return switch (operand) {
            case Operand.Reg r when !r.negated() -> way.value(r.register());
            case Operand.Immediate n when n.bits() == 0 -> ZERO;
            default -> new Value(Origin.FIXED);
        };
    }
}
