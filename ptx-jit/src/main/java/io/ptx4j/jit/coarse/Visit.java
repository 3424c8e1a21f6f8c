package io.ptx4j.jit.coarse;

import io.ptx4j.check.WarpSteps;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Constants;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.KnownNumbers;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.MeetingPoints;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What lanes of one warp do in one block, and what they hold in registers. */
final class Visit {
    private static final int WARP = BlockShape.WARP;
    /** Registers that a load from shared memory may come from. */
    private static final int SOURCES = 8;
    /** Instructions of a block that lanes execute where a predicate holds, instead of going there. */
    private static final int SHORT = 8;

    private final Unfolding unfolding;
    private final Graph graph;
    private final CoarseCode code;
    private final int warp;
    private final int lanes;
    private Location place;

    Visit(Unfolding unfolding, int warp, int lanes) {
        this.unfolding = unfolding;
        this.graph = unfolding.graph;
        this.code = unfolding.code;
        this.warp = warp;
        this.lanes = lanes;
    }

    int lanes() {
        return lanes;
    }

    void go(BasicBlock b) {
        for (Instruction i : b.instructions()) {
            if (MeetingPoint.kindOf(i) == MeetingPoint.Kind.BLOCK) {
                for (int l = 0; l < WARP; l++) {
                    unfolding.waits[warp * WARP + l] |= takesPart(l);
                }
                return;
            }
            execute(i);
        }
        place = b.terminator().location();
        switch (b.terminator()) {
            case Terminator.Jump jump -> unfolding.go(warp, lanes, jump.target());
            case Terminator.Return end -> unfolding.go(warp, lanes, Unfolding.ENDED);
            case Terminator.Exit end -> unfolding.go(warp, lanes, Unfolding.ENDED);
            case Terminator.Switch way -> throw new NotCoarse("a switch");
            case Terminator.Branch branch -> {
                Integer holds = holding(branch.predicate(), branch.negated());
                if (holds == null) {
                    unfolding.go(warp, lanes, isShort(branch) ? goShort(branch) : new Detour(unfolding, graph, this, branch).copy());
                } else {
                    unfolding.go(warp, holds, branch.taken());
                    unfolding.go(warp, lanes & ~holds, branch.otherwise());
                }
            }
        }
    }

    /** Whether both ways from a branch lead to one block, through one short block each or none. */
    private boolean isShort(Terminator.Branch branch) {
        return branch.taken() != branch.otherwise() && behind(branch.taken(), branch) == behind(branch.otherwise(), branch);
    }

    /** Where a way goes on behind a short block, or begins if that is none. */
    private int behind(int first, Terminator.Branch branch) {
        BasicBlock b = graph.blocks().get(first);
        boolean alone = graph.predecessors().get(first).size() == 1 && b.terminator() instanceof Terminator.Jump && b.instructions().size() <= SHORT
                && b.instructions().stream().allMatch(i -> i.guard() == null && i.family() != Family.BARRIER && !Operands.writes(i, r -> r == branch.predicate()));
        return alone ? b.successors().getFirst() : first;
    }

    /** Does what both ways do: all lanes compute, those that go there access memory, and what is needed behind is chosen. */
    private int goShort(Terminator.Branch branch) {
        int to = behind(branch.taken(), branch);
        Set<Register> loaded = new HashSet<>();
        Map<Register, Value> taken = way(branch.taken(), to, new Instruction.Guard(branch.predicate(), branch.negated()), loaded);
        Map<Register, Value> otherwise = way(branch.otherwise(), to, new Instruction.Guard(branch.predicate(), !branch.negated()), loaded);
        place = branch.location();
        Set<Register> written = new LinkedHashSet<>(taken.keySet());
        written.addAll(otherwise.keySet());
        written.retainAll(graph.liveness().liveIn(to));
        Value predicate = one(branch.predicate());
        Map<Register, Value> chosen = new LinkedHashMap<>();
        for (Register register : written) {
            Value old = held(register);
            Value one = taken.getOrDefault(register, old);
            Value other = otherwise.getOrDefault(register, old);
            boolean done = loaded.contains(register) && !(taken.containsKey(register) && otherwise.containsKey(register));
            chosen.put(register, done ? taken.getOrDefault(register, other) : one == null || one == other ? other : other == null ? one : chosen(register, predicate.register(), branch.negated() ? other : one, branch.negated() ? one : other));
        }
        chosen.forEach(this::keep);
        return to;
    }

    private Value chosen(Register like, Register predicate, Value one, Value other) {
        return code.valueOf(code.choose(like, predicate, operand(one, CoarseCode.typeOf(like)), operand(other, CoarseCode.typeOf(like)), place), false);
    }

    /**
     * What registers hold that one way writes, which hold again what they did before.
     *
     * @param loaded takes registers that lanes which do not go there keep as they are
     */
    private Map<Register, Value> way(int from, int to, Instruction.Guard guard, Set<Register> loaded) {
        Map<Register, Value> results = new LinkedHashMap<>();
        if (from == to) {
            return results;
        }
        List<Instruction> all = graph.blocks().get(from).instructions();
        Map<Register, Value[]> before = new LinkedHashMap<>();
        all.forEach(i -> Operands.definitions(i, r -> before.put(r, unfolding.held[r.index()].clone())));
        for (Instruction i : all) {
            place = i.location();
            boolean accesses = Unfolding.isAccess(i) && !Unfolding.isShared(i) && i.spelling().space() != StateSpace.PARAM;
            Operands.definitions(i, r -> {
                if (accesses && Arrays.equals(before.get(r), unfolding.held[r.index()])) {
                    loaded.add(r);
                } else {
                    loaded.remove(r);
                }
            });
            execute(i, Unfolding.isAccess(i) || i.family() == Family.WARP ? guard : null);
        }
        before.forEach((register, values) -> {
            results.put(register, held(register));
            unfolding.held[register.index()] = values;
        });
        return results;
    }

    /** The lanes in which a predicate holds; null if that is not known of all. */
    private Integer holding(Register predicate, boolean negated) {
        int holds = 0;
        for (int l = 0; l < WARP; l++) {
            if (takesPart(l)) {
                Value value = valueOf(predicate, l);
                if (!value.isKnown()) {
                    return null;
                }
                holds |= (int) (value.bits(l) ^ (negated ? 1 : 0)) << l;
            }
        }
        return holds;
    }

    private void execute(Instruction i) {
        place = i.location();
        Instruction.Guard guard = i.guard();
        if (guard == null) {
            execute(i, null);
            return;
        }
        Integer holds = holding(guard.predicate(), guard.negated());
        Instruction bare = new Instruction(i.spelling(), null, i.operands(), i.location());
        if (holds == null) {
            execute(bare, guard);
        } else if (holds != 0) {
            new Visit(unfolding, warp, holds).execute(bare);
        }
    }

    /** @param guard which decides for each lane, by what is not known */
    private void execute(Instruction i, Instruction.Guard guard) {
        if (Unfolding.isAccess(i) && Unfolding.isShared(i)) {
            if (guard != null) {
                throw new NotCoarse("what is not known decides of an access to shared memory");
            }
            access(i);
        } else if (Unfolding.isAccess(i) && i.spelling().space() != StateSpace.PARAM) {
            global(i, guard);
        } else if (i.family() == Family.BARRIER) {
            if (guard != null || !names(i)) {
                throw new NotCoarse("some lanes of a warp wait for others");
            }
            code.orderStores(place);
        } else if (WarpSteps.isStep(i)) {
            if (guard != null || lanes != -1) {
                throw new NotCoarse("lanes that have parted meet at steps in an order of their own");
            }
        } else if (i.family() == Family.WARP) {
            if (guard != null || lanes != -1 || !names(i)) {
                throw new NotCoarse("some lanes of a warp exchange words");
            }
            Instruction mapped = mapped(i, this::one);
            code.add(mapped);
            keep(i, mapped);
        } else if (guard != null) {
            guarded(i, guard);
        } else {
            compute(i);
        }
    }

    /** Whether those lanes are the members that an operation of a warp names. */
    private boolean names(Instruction i) {
        return MeetingPoints.mask(i) instanceof Operand.Immediate mask && (int) mask.bits() == lanes;
    }

    // What is computed

    private void compute(Instruction i) {
        Value known = knownResult(i);
        if (known != null) {
            keep(((Operand.Reg) i.operand(0)).register(), known);
            return;
        }
        Value moved = moved(i);
        if (moved != null) {
            keep(((Operand.Reg) i.operand(0)).register(), moved);
            return;
        }
        Instruction mapped = mapped(i, this::one);
        boolean same = sameSources(i);
        List<Register> results = new ArrayList<>();
        Operands.definitions(mapped, results::add);
        List<Register> all = code.compute(mapped, List.copyOf(results));
        List<Register> of = new ArrayList<>();
        Operands.definitions(i, of::add);
        for (int r = 0; r < of.size(); r++) {
            keep(of.get(r), conforming(code.valueOf(all.get(r), same), of.get(r)));
        }
    }

    private Value knownResult(Instruction i) {
        if (i.operands().isEmpty() || !(i.operand(0) instanceof Operand.Reg to)) {
            return null;
        }
        long[] bits = new long[WARP];
        for (int l = 0; l < WARP; l++) {
            int lane = l;
            Long result = takesPart(l) ? KnownNumbers.result(i, o -> bitsOf(o, lane)) : Long.valueOf(0);
            if (result == null) {
                return null;
            }
            bits[l] = result;
        }
        if (i.opcode() == Opcode.MOV && i.operand(1) instanceof Operand.Special) {
            return code.known(to.register().type(), bits, lanes, null);
        }
        Map<Register, Value> sources = new HashMap<>();
        Operands.uses(i, r -> sources.put(r, one(r)));
        return code.known(to.register().type(), bits, lanes, () -> {
            Instruction mapped = mapped(i, sources::get);
            code.add(mapped);
            return ((Operand.Reg) mapped.operand(0)).register();
        });
    }

    private Long bitsOf(Operand operand, int lane) {
        return switch (operand) {
            case Operand.Immediate n -> Long.valueOf(n.bits());
            case Operand.Reg r -> {
                Value value = valueOf(r.register(), lane);
                yield value.isKnown() ? Long.valueOf(value.bits(lane)) : null;
            }
            case Operand.Special s -> unfolding.special(s, warp * WARP + lane);
            case Operand.AddressOf a when a.variable().space() == StateSpace.SHARED && unfolding.kernel.sharedOffsets().containsKey(a.variable()) ->
                Long.valueOf(unfolding.kernel.sharedOffsets().get(a.variable()) + a.offset());
            default -> null;
        };
    }

    /** The value that an instruction moves to another register, without change; null if it does no such thing. */
    private Value moved(Instruction i) {
        if (i.opcode() != Opcode.MOV && i.opcode() != Opcode.SELP || !i.spelling().modifiers().isEmpty() || !(i.operand(0) instanceof Operand.Reg to)) {
            return null;
        }
        int from = 1;
        if (i.opcode() == Opcode.SELP) {
            Integer holds = i.operand(3) instanceof Operand.Reg which ? holding(which.register(), which.negated()) : null;
            if (holds == null || holds != 0 && holds != lanes) {
                return null;
            }
            from = holds == lanes ? 1 : 2;
        }
        boolean plain = i.operand(from) instanceof Operand.Reg r && !r.negated() && r.register().type().bits() == to.register().type().bits() && r.type().bits() == to.type().bits()
                && (r.type() == ScalarType.PRED || to.type().bits() == to.register().type().bits());
        return plain ? conforming(one(((Operand.Reg) i.operand(from)).register()), to.register()) : null;
    }

    private boolean sameSources(Instruction i) {
        boolean[] same = {true};
        Operands.uses(i, r -> same[0] &= one(r).same());
        return same[0] && i.operands().stream().noneMatch(o -> o instanceof Operand.Special s && bitsOf(s, 0) != null);
    }

    /** An instruction that only some lanes execute, by a predicate that is not known: others keep what they have. */
    private void guarded(Instruction i, Instruction.Guard guard) {
        Instruction mapped = mapped(i, this::one);
        keepOld(i, mapped);
        code.add(new Instruction(mapped.spelling(), new Instruction.Guard(one(guard.predicate()).register(), guard.negated()), mapped.operands(), mapped.location()));
        keep(i, mapped);
    }

    /** Gives results what the registers hold that they are to replace. */
    private void keepOld(Instruction i, Instruction mapped) {
        Map<Register, Register> results = results(i, mapped);
        results.forEach((of, result) -> {
            Value old = held(of);
            if (old != null) {
                move(result, old);
            }
        });
    }

    private Map<Register, Register> results(Instruction i, Instruction mapped) {
        List<Register> results = new ArrayList<>();
        List<Register> of = new ArrayList<>();
        Operands.definitions(mapped, results::add);
        Operands.definitions(i, of::add);
        Map<Register, Register> all = new LinkedHashMap<>();
        for (int r = 0; r < of.size(); r++) {
            all.put(of.get(r), results.get(r));
        }
        return all;
    }

    void move(Register to, Value value) {
        code.move(to, operand(value, CoarseCode.typeOf(to)), place);
    }

    private static Operand reg(Register register) {
        return new Operand.Reg(register, CoarseCode.typeOf(register), false);
    }

    private void global(Instruction i, Instruction.Guard guard) {
        Instruction.Guard which = lanes == -1 ? null : new Instruction.Guard(code.lanesWith(lanes), false);
        if (guard != null) {
            Register predicate = one(guard.predicate()).register();
            which = which == null ? new Instruction.Guard(predicate, guard.negated()) : new Instruction.Guard(code.both(predicate, guard.negated(), which.predicate(), i.location()), false);
        }
        Instruction mapped = mapped(i, this::one);
        if (guard != null) {
            keepOld(i, mapped);
        }
        code.add(new Instruction(mapped.spelling(), which, mapped.operands(), mapped.location()));
        keep(i, mapped);
    }

    // Shared memory

    private void access(Instruction i) {
        boolean loads = i.opcode() == Opcode.LD;
        int size = i.type().bytes();
        Operand data = i.operand(loads ? 0 : i.operands().size() - 1);
        List<Operand> elements = data instanceof Operand.Vector v ? v.elements() : List.of(data);
        if (size < Integer.BYTES || size > Long.BYTES || elements.stream().anyMatch(e -> !isWhole(e, i.type(), loads))) {
            throw new NotCoarse("part of a register is loaded or stored");
        }
        long[] addresses = addresses((Operand.Address) i.operand(loads ? 1 : 0), size * elements.size());
        Map<Register, Value> loaded = new LinkedHashMap<>();
        for (int e = 0; e < elements.size(); e++) {
            long distance = (long) size * e;
            long[] all = Arrays.stream(addresses).map(a -> a + distance).toArray();
            for (int l = 0; l < WARP; l++) {
                if (takesPart(l)) {
                    unfolding.words.access(all[l], size);
                }
            }
            if (!loads) {
                store(all, elements.get(e), i.type());
            } else if (elements.get(e) instanceof Operand.Reg to) {
                loaded.put(to.register(), loaded(to.register(), all));
            }
        }
        loaded.forEach(this::keep);
    }

    /** Whether a word goes to a register, or comes from one, that has as many bits. */
    private static boolean isWhole(Operand element, ScalarType type, boolean loads) {
        return switch (element) {
            case Operand.Reg r -> r.register().type().bits() == type.bits();
            case Operand.Immediate n -> !loads;
            case Operand.Sink none -> loads;
            default -> false;
        };
    }

    private void store(long[] addresses, Operand from, ScalarType type) {
        for (int l = 0; l < WARP; l++) {
            if (takesPart(l)) {
                unfolding.words.store(addresses[l], from instanceof Operand.Immediate n ? constant(type, n.bits()) : valueOf(((Operand.Reg) from).register(), l), l);
            }
        }
    }

    private Value constant(ScalarType type, long bits) {
        long[] all = new long[WARP];
        Arrays.fill(all, bits);
        return code.known(type, all, -1, null);
    }

    private long[] addresses(Operand.Address address, int bytes) {
        long[] all = new long[WARP];
        for (int l = 0; l < WARP; l++) {
            if (takesPart(l)) {
                Operand base = address.register() != null ? new Operand.Reg(address.register(), address.register().type(), false)
                        : address.variable() != null ? new Operand.AddressOf(address.variable(), 0, ScalarType.U64) : new Operand.Immediate(ScalarType.U64, 0);
                Long known = bitsOf(base, l);
                all[l] = known == null ? -1 : known + address.offset();
                if (all[l] < 0 || all[l] > Integer.MAX_VALUE) {
                    throw new NotCoarse("an address in shared memory is not known");
                }
                if (all[l] % bytes != 0) {
                    throw new NotCoarse("an address is misaligned");
                }
            }
        }
        return all;
    }

    private Value loaded(Register to, long[] addresses) {
        Map<Value, int[]> all = new LinkedHashMap<>();
        Map<Value, Integer> which = new LinkedHashMap<>();
        boolean known = true;
        long[] bits = new long[WARP];
        for (int l = 0; l < WARP; l++) {
            if (takesPart(l)) {
                SharedWords.Word word = unfolding.words.load(addresses[l]);
                all.computeIfAbsent(word.value(), v -> new int[WARP])[l] = word.lane();
                which.merge(word.value(), 1 << l, (a, b) -> a | b);
                known &= word.value().isKnown();
                bits[l] = word.value().isKnown() ? word.value().bits(word.lane()) : 0;
            }
        }
        if (all.size() > SOURCES) {
            throw new NotCoarse("lanes load words that many instructions have stored");
        }
        return known ? code.known(to.type(), bits, lanes, () -> loaded(to, all, which).register()) : loaded(to, all, which);
    }

    private Value loaded(Register to, Map<Value, int[]> all, Map<Value, Integer> which) {
        Register register = null;
        boolean same = all.size() == 1;
        for (Map.Entry<Value, int[]> entry : all.entrySet()) {
            Value value = entry.getKey();
            int given = which.get(value);
            int[] from = entry.getValue();
            boolean moved = false;
            for (int l = 0; l < WARP; l++) {
                moved |= (given >>> l & 1) != 0 && from[l] != l;
            }
            Register one = moved && !value.same() ? code.exchanged(value.register(), from, given, place) : value.register();
            same &= value.same();
            register = register == null ? one : code.choose(one, code.lanesWith(given), reg(one), reg(register), place);
        }
        return conforming(code.valueOf(register, same), to);
    }

    /** A value that a register of the text's may hold: floating point in those for it. */
    private Value conforming(Value value, Register register) {
        if (value.isKnown() || value.type().isFloat() == register.type().isFloat()) {
            return value;
        }
        Register to = code.newRegister(register);
        code.move(to, new Operand.Reg(value.register(), CoarseCode.typeOf(register), false), place);
        return code.valueOf(to, value.same());
    }

    // Operands

    Value valueOf(Register register, int lane) {
        Value value = unfolding.held[register.index()][warp * WARP + lane];
        if (value == null) {
            throw new NotCoarse("a register is read before it is written");
        }
        return value;
    }

    private boolean takesPart(int lane) {
        return (lanes >>> lane & 1) != 0;
    }

    /** What the lanes hold in a register, as one value. */
    Value one(Register register) {
        for (int l = 0; l < WARP; l++) {
            if (takesPart(l)) {
                valueOf(register, l);
            }
        }
        return held(register);
    }

    /** What those lanes hold in a register that hold something; null if none does. */
    Value held(Register register) {
        Map<Value, Integer> all = new LinkedHashMap<>();
        int given = 0;
        for (int l = 0; l < WARP; l++) {
            Value value = unfolding.held[register.index()][warp * WARP + l];
            if (takesPart(l) && value != null) {
                all.merge(value, 1 << l, (a, b) -> a | b);
                given |= 1 << l;
            }
        }
        return all.isEmpty() ? null : united(all, given);
    }

    private Value united(Map<Value, Integer> all, int given) {
        Value first = all.keySet().iterator().next();
        if (all.size() == 1) {
            return first;
        }
        if (all.keySet().stream().allMatch(Value::isKnown)) {
            long[] bits = new long[WARP];
            all.forEach((value, which) -> {
                for (int l = 0; l < WARP; l++) {
                    bits[l] = (which >>> l & 1) != 0 ? value.bits(l) : bits[l];
                }
            });
            return code.known(first.type(), bits, given, () -> chosen(all).register());
        }
        return chosen(all);
    }

    private Value chosen(Map<Value, Integer> all) {
        Register register = null;
        for (Map.Entry<Value, Integer> entry : all.entrySet()) {
            Register other = entry.getKey().register();
            register = register == null ? other : code.choose(other, code.lanesWith(entry.getValue()), reg(other), reg(register), place);
        }
        return code.valueOf(register, false);
    }

    void keep(Register register, Value value) {
        for (int l = 0; l < WARP; l++) {
            if (takesPart(l)) {
                unfolding.held[register.index()][warp * WARP + l] = value;
            }
        }
    }

    private void keep(Instruction i, Instruction mapped) {
        results(i, mapped).forEach((of, result) -> keep(of, code.valueOf(result, false)));
    }

    /** An instruction over registers of the coarse kernel, with new ones for its results. */
    private Instruction mapped(Instruction i, Function<Register, Value> values) {
        return Unfolding.mapped(i, r -> code.newRegister(r), o -> source(o, values));
    }

    Operand source(Operand operand, Function<Register, Value> values) {
        return switch (operand) {
            case Operand.Reg r -> {
                Value value = values.apply(r.register());
                yield value.isConstant() ? Constants.constant(r, value.bits(0)) : new Operand.Reg(value.register(), r.type(), r.negated());
            }
            case Operand.Vector v -> new Operand.Vector(v.elements().stream().map(e -> source(e, values)).toList());
            case Operand.Address a when a.register() != null -> new Operand.Address(a.space(), values.apply(a.register()).register(), null, a.offset());
            case Operand.Special s -> special(s);
            case Operand.Address a -> a;
            case Operand.Immediate n -> n;
            case Operand.Absent none -> none;
            case Operand.Sink none -> none;
            case Operand.AddressOf a -> a;
            case Operand.Part p -> throw new NotCoarse("parts of registers");
            case Operand.FunctionAddress f -> throw new NotCoarse("functions as values");
            case Operand.Call c -> throw new NotCoarse("a call");
            case Operand.Texture t -> throw new NotCoarse("a texture");
        };
    }

    private Operand special(Operand.Special s) {
        long[] bits = new long[WARP];
        for (int l = 0; l < WARP; l++) {
            Long number = unfolding.special(s, warp * WARP + l);
            if (number == null) {
                return s;
            }
            bits[l] = number;
        }
        Value value = code.known(ScalarType.bitsOf(Math.max(Integer.SIZE, s.type().bits())), bits, -1, null);
        return operand(value, s.type());
    }

    Operand operand(Value value, ScalarType type) {
        return value.isConstant() ? new Operand.Immediate(type, value.bits(0)) : new Operand.Reg(value.register(), type, false);
    }
}
