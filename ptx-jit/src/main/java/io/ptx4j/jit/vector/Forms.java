package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.StateSpace;

import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.LocalAddresses;
import io.ptx4j.jit.flow.LowBits;
import io.ptx4j.jit.flow.LowBits.Low;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Progress;
import io.ptx4j.jit.flow.Ranges;
import io.ptx4j.jit.flow.Representation;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.flow.SpinLoops;
import io.ptx4j.jit.flow.Uniforms;
import io.ptx4j.jit.scalar.LocalLayout;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.SpecialRegisters;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The form of every register: uniform where all its definitions are, affine where all agree on the stride, else varying. A value
 * that only some lanes take over while others keep theirs for later varies too. Forms and the parting of lanes depend on each
 * other, so both are computed together, from the most hopeful assumption on.
 */
final class Forms {
    /** Of threads that do nothing together. */
    static final Predicate<Instruction> NEVER = i -> false;

    private final Form[] forms;
    private final Graph graph;
    private final Liveness liveness;
    private final Uniforms uniforms;
    private final Group group;
    private final List<LaneFlow> flows;
    private final Set<Instruction> together;
    private final Representation representation;
    private final Set<Register> places;
    private final Predicate<Instruction> once;
    private final LowBits lowBits;
    private Ranges ranges;
    private IndexedAddresses addresses;
    private LocalLayout locals;
    private UpdateOrder order;
    private LaneSets sets;
    /** Whether forms are those of each row by itself. */
    private boolean rowwise;
    private final Map<Register, Integer> numbers = new HashMap<>();
    private Map<Register, Integer> matrixSlots;
    private final Map<Instruction, Boolean> vectorCode = new IdentityHashMap<>();

    /**
     * @param together warp operations that all threads of a warp do on the spot
     * @param once whether a load from one address for all lanes is done once for them: lanes that load one word each for itself may find different values there
     */
    Forms(Graph graph, Uniforms uniforms, Group group, List<LaneFlow> flows, Set<Instruction> together, Predicate<Instruction> once) {
        this.once = once;
        this.together = together;
        this.representation = graph.representation();
        this.graph = graph;
        this.liveness = graph.liveness();
        this.uniforms = uniforms;
        this.group = group;
        this.flows = flows;
        this.lowBits = new LowBits(graph, this::extent, Set.copyOf(liveness.liveIn(0))::contains);
        this.places = group.narrow() || group.rows() > 1 ? Set.of() : BitPlaces.of(graph);
        this.forms = new Form[graph.registers().size()];
        for (Register register : graph.registers()) {
            if (uniforms != null && uniforms.contains(register)) {
                forms[register.index()] = Form.UNIFORM;
            }
        }
        liveness.liveIn(0).forEach(r -> forms[r.index()] = Form.UNIFORM);
        do {
            CompileTime.ask();
            flows.forEach(f -> f.diverge(r -> !(of(r) instanceof Form.Uniform)));
        } while (round());
    }

    /** The largest unsigned number that a register may hold. */
    long most(Register register) {
        if (ranges == null) {
            ranges = new Ranges(graph, a -> -1);
        }
        return ranges.most(register);
    }

    Group group() {
        return group;
    }

    private LaneSets sets() {
        if (sets == null) {
            sets = new LaneSets(graph, group.block());
        }
        return sets;
    }

    /** The only instruction that ever writes a register, always; null if there is none. */
    Instruction maker(Register register) {
        return sets().maker(register);
    }

    /** Whether all lanes of the group come to a shuffle together, unless one has failed. */
    boolean isCommon(Instruction shuffle) {
        return group.lanes() == Group.WARP && sets().isCommon(shuffle);
    }

    /** Lanes of a group that may execute a store or an atomic. */
    long executing(Instruction access) {
        if (group.padded()) {
            return group.full();
        }
        long warp = sets().of(access) & 0xFFFF_FFFFL;
        for (int lanes = Group.WARP; lanes > group.lanes(); lanes /= 2) {
            warp |= warp >>> lanes / 2;
        }
        return (warp | warp << Group.WARP) & group.full();
    }

    /** Whether local memory lies in an array of the frame. */
    boolean localsInArray() {
        if (locals == null) {
            locals = InterleavedLocals.layout(graph, group);
        }
        return locals.inArray();
    }

    Representation representation() {
        return representation;
    }

    /** Addresses that accesses compute from an index of each lane. */
    IndexedAddresses addresses() {
        if (addresses == null) {
            addresses = new IndexedAddresses(graph, liveness, this, localsInArray() ? LocalAddresses.offsets(graph) : Map.of(), i -> LaneAccesses.fits(this, representation, i) || localsInArray() && LocalVectors.isIndexed(this, i));
        }
        return addresses;
    }

    /**
     * Of a register that matrix instructions on the spot read or write: its slot in {@link io.ptx4j.jit.support.VectorFrame#matrix}, where it lies all the time; else null. Such an instruction
     * has up to 32 registers, of two vectors each: HotSpot's first compiler does not take a method that moves them all.
     */
    Integer matrixSlot(Register register) {
        return allMatrixSlots().get(register);
    }

    /** Whether a register lies in such a slot, and never in vectors of a method. */
    boolean isOfMatrix(Register register) {
        return matrixSlot(register) != null;
    }

    /** How many slots there are. */
    int matrixSlots() {
        return allMatrixSlots().size();
    }

    private Map<Register, Integer> allMatrixSlots() {
        if (matrixSlots == null) {
            matrixSlots = findMatrixSlots();
        }
        return matrixSlots;
    }

    private Map<Register, Integer> findMatrixSlots() {
        Map<Register, Integer> slots = new HashMap<>();
        for (Instruction i : together) {
            if (!MatrixVectors.isOfWarp(i)) {
                continue;
            }
            for (Operand operand : MatrixVectors.words(i)) {
                if (operand instanceof Operand.Reg r && isMatrixWord(r.register())) {
                    slots.put(r.register(), 0);
                }
            }
        }
        int next = 0;
        for (Register register : graph.registers()) {
            if (slots.containsKey(register)) {
                slots.put(register, next++);
            }
        }
        return slots;
    }

    private boolean isMatrixWord(Register register) {
        Held held = representation.of(register);
        return register.type().bits() == Integer.SIZE && !of(register).scalar() && (held == Held.INT || held == Held.FLOAT);
    }

    /** Whether there is vector code for an instruction; null until {@link #hasVectorCode(Instruction, boolean)} has told. */
    Boolean hasVectorCode(Instruction i) {
        return vectorCode.get(i);
    }

    void hasVectorCode(Instruction i, boolean known) {
        vectorCode.put(i, known);
    }

    /** A number for each register that is asked for: of a place, the kernel's first is 0. */
    int number(Register place) {
        return numbers.computeIfAbsent(place, r -> numbers.size());
    }

    /** Whether all threads of a warp do the warp operation on the spot. */
    boolean together(Instruction i) {
        return together.contains(i);
    }

    Form of(Register register) {
        Form form = forms[register.index()];
        return form == null ? Form.UNIFORM : rowwise ? form.row() : form;
    }

    /** Whether the register has a scalar for each row. */
    boolean hasRows(Register register) {
        return of(register) instanceof Form.Rows;
    }

    /** Whether somebody reads what an atomic gives. */
    boolean readsResult(Instruction atomic) {
        if (order == null) {
            order = UpdateOrder.of(graph);
        }
        return order.isRead(atomic);
    }

    private boolean varies(Register register) {
        return !of(register).scalar();
    }

    private boolean round() {
        boolean changed = false;
        for (LaneFlow flow : flows) {
            for (int p = 0; p < flow.size(); p++) {
                if (flow.laneBlocks(p) instanceof LaneBlocks lanes) {
                    for (Register register : lanes.results()) {
                        changed |= forms[register.index()] != Form.VARYING;
                        forms[register.index()] = Form.VARYING;
                    }
                }
                for (Instruction instruction : flow.instructions(p)) {
                    if (uniforms == null || !uniforms.defines(instruction)) {
                        changed |= define(instruction, flow, p);
                    }
                }
            }
        }
        return changed;
    }

    private boolean define(Instruction instruction, LaneFlow flow, int place) {
        List<Register> defined = new ArrayList<>();
        Operands.definitions(instruction, defined::add);
        if (defined.isEmpty()) {
            return false;
        }
        Form result = result(instruction);
        if (result == Form.VARYING && group.rows() > 1) {
            rowwise = true;
            result = Form.ofRows(result(instruction));
            rowwise = false;
        }
        if (result == null) {
            return false;
        }
        if (result.byRow() && defined.stream().anyMatch(VectorCode::isPredicate)) {
            result = Form.VARYING;
        } else if (result.byRow() && defined.stream().anyMatch(this::isFloat)) {
            result = Form.ofRows(result.row());
        }
        if (instruction.guard() != null && varies(instruction.guard().predicate())) {
            result = Form.VARYING;
        }
        boolean changed = false;
        if (result instanceof Form.Affine a && a.bits() != null && !places.contains(defined.getFirst())) {
            result = Form.VARYING;
        }
        for (Register register : defined) {
            Form given = keepsOthers(register, flow, place) || result.row() instanceof Form.Affine && (defined.size() > 1 || isFloat(register))
                    ? Form.VARYING : result;
            Form joined = Form.join(forms[register.index()], given);
            changed |= !joined.equals(forms[register.index()]);
            forms[register.index()] = joined;
        }
        return changed;
    }

    /** Numbers moved into a register of floats are counted on no more. */
    private boolean isFloat(Register register) {
        return representation.of(register) == Representation.Held.FLOAT || representation.of(register) == Representation.Held.DOUBLE;
    }

    /** Whether lanes that wait elsewhere while the block runs still need their value of the register. */
    boolean keepsOthers(Register register, LaneFlow flow, int place) {
        BitSet waiting = flow.waiting(place);
        for (int x = waiting.nextSetBit(0); x >= 0; x = waiting.nextSetBit(x + 1)) {
            if (liveness.isLiveIn(register, flow.block(x))) {
                return true;
            }
        }
        return false;
    }

    // What an instruction gives

    private Form result(Instruction i) {
        if (MeetingPoint.kindOf(i) != null) {
            return met(i);
        }
        return switch (i.family()) {
            case INTEGER, LOGIC, DATA_MOVEMENT, CONVERSION -> known(i) ? arithmetic(i) : null;
            case COMPARISON -> !known(i) ? null : i.opcode() == Opcode.SETP ? compared(i) : uniformIfAll(i);
            case FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, EXTENDED_PRECISION, VIDEO, SIMD_VIDEO ->
                    known(i) ? uniformIfAll(i) : null;
            case MEMORY -> known(i) ? memory(i) : null;
            // Lanes that ask together get one answer.
            case MBARRIER -> !SpinLoops.asks(i) ? Form.VARYING : known(i) ? uniformIfAll(i) : null;
            default -> Form.VARYING;
        };
    }

    /** What a meeting point gives. Who goes on together has met at one operation. */
    private Form met(Instruction i) {
        if (i.family() == Family.BARRIER) {
            return WarpVectors.isWarpOperation(i) || !MeetingPoints.isForBlock(i) ? Form.VARYING : Form.UNIFORM;
        }
        boolean one = WarpVectors.isWarpOperation(i) && WarpVectors.givesOne(i) || together(i) && WarpVectors.movesOne(this, i);
        return group.warps() == 1 && one && !WarpVectors.hasMasks(this, i) ? Form.UNIFORM : Form.VARYING;
    }

    /** Whether all sources have some form already. */
    private boolean known(Instruction i) {
        boolean[] known = {true};
        Operands.uses(i, r -> known[0] &= forms[r.index()] != null);
        return known[0];
    }

    private Form uniformIfAll(Instruction i) {
        return uniformSources(i) ? Form.UNIFORM : Form.VARYING;
    }

    /** Whether every source is the same for all lanes. */
    boolean uniformSources(Instruction i) {
        boolean[] uniform = {true};
        Operands.uses(i, r -> uniform[0] &= of(r) instanceof Form.Uniform);
        for (Operand operand : i.operands()) {
            uniform[0] = uniform[0] && (operand instanceof Operand.Reg || uniformHere(operand));
        }
        return uniform[0];
    }

    private boolean uniformHere(Operand operand) {
        return switch (operand) {
            case Operand.Special s -> special(s.register()) instanceof Form.Uniform;
            case Operand.Vector v -> v.elements().stream().allMatch(this::uniformHere);
            default -> true;
        };
    }

    private Form special(SpecialRegister register) {
        return switch (register) {
            case TID_X -> group.rowAffine() ? Form.affine(1).withLow(ofFirst()) : Form.VARYING;
            // Code for a row knows lane 0 of the group alone.
            case TID_Y -> !group.rowAffine() || rowwise ? Form.VARYING : Form.affine(0, group.rows() > 1 ? 1 : 0);
            case TID_Z -> group.rowAffine() ? Form.UNIFORM : Form.VARYING;
            case LANEID -> group.lanes() <= 32 && !rowwise ? Form.affine(1, group.rows() > 1 ? group.width() : 0).withLow(ofFirst()) : Form.VARYING;
            case WARPID -> group.lanes() <= 32 ? Form.UNIFORM : Form.VARYING;
            // Who looks at a clock together sees one time.
            default -> SpecialRegisters.uniform(register) || Progress.isTime(register) && once != NEVER ? Form.UNIFORM : Form.VARYING;
        };
    }

    /** The lowest bits of the number of a row's first lane. */
    private Low ofFirst() {
        return new Low(Integer.numberOfTrailingZeros(group.width()), 0);
    }

    private Form memory(Instruction i) {
        boolean uniform = uniformSources(i);
        return switch (i.opcode()) {
            case LD, LDU -> {
                Operand.Address address = (Operand.Address) i.operand(1);
                yield uniform && once.test(i) && !group.perThread(address) ? Form.UNIFORM : Form.VARYING;
            }
            case CVTA -> {
                if (i.spelling().space() == StateSpace.LOCAL) {
                    yield Form.VARYING;
                }
                yield i.spelling().space() == StateSpace.GLOBAL ? of(i.operand(1)) : uniform ? Form.UNIFORM
                        : plain(of(i.operand(1)));
            }
            case ISSPACEP -> uniform && i.spelling().space() == StateSpace.SHARED ? Form.UNIFORM : Form.VARYING;
            default -> Form.VARYING;
        };
    }

    Form of(Operand operand) {
        // Nearly all are: a switch over patterns takes several times as long where it has not been compiled well.
        if (operand instanceof Operand.Reg r) {
            return of(r.register());
        }
        return switch (operand) {
            case Operand.Reg r -> of(r.register());
            case Operand.Special s -> special(s.register());
            case Operand.Vector v -> v.elements().stream().map(this::of).allMatch(f -> f instanceof Form.Uniform) ? Form.UNIFORM
                    : Form.VARYING;
            default -> Form.UNIFORM;
        };
    }

    private static Form plain(Form form) {
        return form instanceof Form.Affine ? form : Form.VARYING;
    }

    private Form arithmetic(Instruction i) {
        if (uniformSources(i)) {
            return Form.UNIFORM;
        }
        ScalarType type = i.type();
        if (i.spelling().has(Modifier.SAT) || type == null || type.packed() || !type.isInteger()) {
            return Form.VARYING;
        }
        for (Operand operand : i.operands()) {
            if (operand instanceof Operand.Vector) {
                return Form.VARYING;
            }
        }
        if (i.opcode() == Opcode.CVT) {
            return convert(i);
        }
        if (type.bits() < 32) {
            return Form.VARYING;
        }
        Form form = switch (i.opcode()) {
            case MOV -> sameWidth(i) ? of(i.operand(1)) : Form.VARYING;
            case ADD -> sum(of(i.operand(1)), of(i.operand(2)), 1);
            case SUB -> sum(of(i.operand(1)), of(i.operand(2)), -1);
            case NEG -> sum(Form.UNIFORM, of(i.operand(1)), -1);
            case SHL -> i.operand(2) instanceof Operand.Immediate n && (n.bits() & 0xFFFF_FFFFL) < type.bits()
                    ? scaled(of(i.operand(1)), 1L << n.bits()) : Form.VARYING;
            case SHR -> shifted(i);
            case NOT -> sum(Form.UNIFORM, of(i.operand(1)), -1);
            case AND -> masked(i);
            case OR -> bits(i, 1, -1);
            case XOR -> bits(i, 1, -2);
            case MUL -> product(i);
            case MAD -> sum(product(i), of(i.operand(3)), 1);
            default -> Form.VARYING;
        };
        return form.withLow(LowBits.result(i, this::low).most(type.bits()));
    }

    /** The lowest bits of lane 0 of each row. */
    private Low low(Operand operand) {
        return of(operand) instanceof Form.Affine a ? a.low() : lowBits.of(operand);
    }

    /** The bit from which on a value is the same for all lanes, since none of them carries into it or borrows from it; -1 if that is not known. */
    private int sameFrom(Form form) {
        if (!(form instanceof Form.Affine a) || !a.plain() || a.step() != 0 || a.stride() != (int) a.stride()) {
            return -1;
        }
        long span = a.stride() * (group.width() - 1);
        for (int bits = 1; bits <= Math.min(a.low().count(), Long.SIZE - 2); bits++) {
            long first = a.low().most(bits).value();
            if (first + Math.min(0, span) >= 0 && first + Math.max(0, span) < 1L << bits) {
                return bits;
            }
        }
        return -1;
    }

    /** A warp's number is one for all its lanes; so is what lies above the lane's number elsewhere. */
    private Form shifted(Instruction i) {
        Long amount = constant(i.operand(2));
        int same = sameFrom(of(i.operand(1)));
        // The sign is one for all lanes.
        if (same < 0 || same >= i.type().bits() || amount == null || amount < 0 || amount >= i.type().bits()) {
            return Form.VARYING;
        }
        Form.Affine number = (Form.Affine) of(i.operand(1));
        int by = (int) (long) amount;
        return by >= same ? Form.UNIFORM : number.stride() % (1L << by) == 0 ? Form.affine(number.stride() >> by) : Form.VARYING;
    }

    /** The lane's number within a warp, or the number of a warp's first lane. */
    private Form masked(Instruction i) {
        Long mask = constant(i.operand(2));
        Form number = of(i.operand(1));
        int same = sameFrom(number);
        if (mask == null || same < 0) {
            return bits(i, 0, 1);
        }
        long differing = (1L << same) - Long.lowestOneBit(((Form.Affine) number).stride());
        return (mask & differing) == 0 ? Form.UNIFORM : (mask & differing) == differing ? number : bits(i, 0, 1);
    }

    /** A comparison that comes out alike for all lanes: they lie on one side of a multiple of a power of two. */
    private Form compared(Instruction i) {
        if (i.operands().size() != 4 || !(i.operand(1) instanceof Operand.Absent) || !i.type().isInteger() || i.type().packed() || i.spelling().comparison() == null) {
            return uniformIfAll(i);
        }
        boolean below = switch (i.spelling().comparison()) {
            case LT, LO, GE, HS -> true;
            default -> false;
        };
        boolean upTo = switch (i.spelling().comparison()) {
            case LE, LS, GT, HI -> true;
            default -> false;
        };
        boolean alike = (below || upTo) && (onOneSide(i, 2, 3, below) || onOneSide(i, 3, 2, upTo));
        return alike ? Form.UNIFORM : uniformIfAll(i);
    }

    /**
     * Whether all lanes of a number lie on one side of another one, which is the same for all.
     *
     * @param below whether numbers below it are told from others, or else numbers up to it
     */
    private boolean onOneSide(Instruction i, int number, int other, boolean below) {
        int same = sameFrom(of(i.operand(number)));
        if (same < 0 || same >= i.type().bits() || !(of(i.operand(other)) instanceof Form.Uniform) || i.operand(other) instanceof Operand.Special) {
            return false;
        }
        Low low = lowBits.of(i.operand(other));
        return low.count() >= same && low.most(same).value() == (below ? 0 : (1L << same) - 1);
    }

    /** What an operation makes of a thread's number and a number that is one for all lanes: their bits are apart but for those of the lane. */
    private Form bits(Instruction i, int stride, int factor) {
        Form first = of(i.operand(1));
        Form second = of(i.operand(2));
        Form number = uniform(first) ? second : first;
        return number instanceof Form.Affine a && a.stride() == 1 && sameFrom(number) == Integer.numberOfTrailingZeros(group.width()) && (uniform(first) || uniform(second))
                && i.operand(0) instanceof Operand.Reg r && places.contains(r.register())
                        ? new Form.Affine(stride, new Form.Bits(factor, r.register())) : Form.VARYING;
    }

    private static boolean sameWidth(Instruction i) {
        return !(i.operand(0) instanceof Operand.Reg to) || !(i.operand(1) instanceof Operand.Reg from)
                || to.register().type().bits() == from.register().type().bits();
    }

    private Form convert(Instruction i) {
        ScalarType from = i.spelling().lastType();
        if (i.operand(1) instanceof Operand.Special s && isThread(s.register()) && from.isInteger() && from.bits() == 16 && i.spelling().modifiers().isEmpty()
                && i.operand(0) instanceof Operand.Reg to && to.register().type().bits() == i.type().bits() && i.type().bits() >= 32) {
            // In PTX 1 special registers have 16 bits. No block has as many threads as would not fit.
            return special(s.register());
        }
        if (!from.isInteger() || from.bits() < 32 || i.type().bits() < 32 || !(i.operand(1) instanceof Operand.Reg source)
                || source.register().type().bits() != from.bits() || !i.spelling().modifiers().isEmpty()
                || !(i.operand(0) instanceof Operand.Reg to) || to.register().type().bits() != i.type().bits()
                || !(of(source.register()) instanceof Form.Affine affine) || affine.bits() != null) {
            return Form.VARYING;
        }
        if (from.bits() == i.type().bits()) {
            return affine.unaligned();
        }
        if (from.bits() == 64) {
            // Of the low words of scale * extend(index) + u, the extension does not matter.
            return Form.affine((int) affine.stride(), (int) affine.step());
        }
        return affine.step() != 0 ? Form.VARYING : index(affine, 1, from.signed());
    }

    private static boolean isThread(SpecialRegister register) {
        return register == SpecialRegister.TID_X || register == SpecialRegister.TID_Y || register == SpecialRegister.TID_Z;
    }

    private static Form index(Form.Affine affine, long scale, boolean signed) {
        return new Form.Affine(affine.stride() * scale, new Form.Index((int) affine.stride(), scale, signed));
    }

    private Form product(Instruction i) {
        boolean first = i.operand(2) instanceof Operand.Immediate || constant(i.operand(2)) != null;
        Operand number = i.operand(first ? 2 : 1);
        Form other = of(i.operand(first ? 1 : 2));
        Long factor = constant(number);
        if (uniform(of(i.operand(1))) && uniform(of(i.operand(2)))) {
            return Form.UNIFORM;
        }
        if (factor == null || !(other instanceof Form.Affine affine)) {
            return Form.VARYING;
        }
        if (i.spelling().has(Modifier.WIDE)) {
            return i.type().bits() == 32 && affine.plain() && affine.step() == 0
                    ? index(affine, i.type().signed() ? (int) (long) factor : factor & 0xFFFF_FFFFL, i.type().signed()) : Form.VARYING;
        }
        return i.spelling().has(Modifier.LO) ? scaled(affine, i.type().bits() == 32 ? (int) (long) factor : factor) : Form.VARYING;
    }

    private static boolean uniform(Form form) {
        return form instanceof Form.Uniform;
    }

    /** The constant that an operand is known to be, or null. */
    private Long constant(Operand operand) {
        if (operand instanceof Operand.Immediate i) {
            return i.bits();
        }
        if (operand instanceof Operand.Reg r && uniforms != null && uniforms.contains(r.register())) {
            Instruction definition = uniforms.definition(r.register());
            if (definition.opcode() == Opcode.MOV && definition.operand(1) instanceof Operand.Immediate i) {
                return i.bits();
            }
            if (definition.opcode() == Opcode.MOV && definition.operand(1) instanceof Operand.Special s) {
                return extent(s.register());
            }
        }
        return null;
    }

    private Long extent(SpecialRegister register) {
        return switch (register) {
            case NTID_X -> (long) group.block().x();
            case NTID_Y -> (long) group.block().y();
            case NTID_Z -> (long) group.block().z();
            default -> null;
        };
    }

    private static Form scaled(Form form, long factor) {
        return switch (form) {
            case Form.Uniform u -> u;
            case Form.Affine a when a.plain() -> Form.affine(a.stride() * factor, a.step() * factor);
            case Form.Affine a when a.bits() != null -> withBits((int) (a.stride() * factor), (int) (a.bits().factor() * factor), a.bits().origin());
            case Form.Affine a -> factor == 0 ? Form.VARYING : new Form.Affine(a.stride() * factor,
                    new Form.Index(a.index().stride(), a.index().scale() * factor, a.index().signed()));
            case Form.Rows r -> Form.VARYING;
            case Form.Varying v -> v;
        };
    }

    private static Form sum(Form a, Form b, int sign) {
        if (!a.scalar() || !b.scalar() || a instanceof Form.Rows || b instanceof Form.Rows) {
            return Form.VARYING;
        }
        Form other = scaled(b, sign);
        if (a instanceof Form.Uniform) {
            return other;
        }
        if (other instanceof Form.Uniform) {
            return a;
        }
        Form.Affine left = (Form.Affine) a;
        Form.Affine right = (Form.Affine) other;
        if (left.index() == null && right.index() == null) {
            return sumOfBits(left, right);
        }
        // Affine by itself plus affine by index: the index no longer tells all.
        return Form.VARYING;
    }

    private static Form sumOfBits(Form.Affine left, Form.Affine right) {
        if (left.plain() && right.plain()) {
            return Form.affine(left.stride() + right.stride(), left.step() + right.step());
        }
        Form.Bits one = left.bits();
        Form.Bits other = right.bits();
        if (one != null && other != null && one.origin() != other.origin()) {
            return Form.VARYING;
        }
        int factor = (one == null ? 0 : one.factor()) + (other == null ? 0 : other.factor());
        return withBits((int) (left.stride() + right.stride()), factor, (one == null ? other : one).origin());
    }

    private static Form withBits(int stride, int factor, Register origin) {
        return factor == 0 ? Form.affine(stride) : new Form.Affine(stride, new Form.Bits(factor, origin));
    }

    Predicate<Register> varying() {
        return this::varies;
    }
}
