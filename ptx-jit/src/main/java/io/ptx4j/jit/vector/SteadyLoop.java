package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A loop of one block over neighbouring elements, as grid-stride loops are: addresses and the number that ends the loop grow by the same amount
 * each turn, since only sums with what stays and products by it lie between one turn and the next.
 */
final class SteadyLoop {
    final BasicBlock block;
    final Terminator.Branch branch;
    /** Whether lanes go on where the branch's predicate is true. */
    final boolean stayIfTrue;
    /** What a turn does, in order. */
    final List<Instruction> body = new ArrayList<>();
    /** Loads and stores of neighbouring elements. */
    final List<Instruction> accesses = new ArrayList<>();
    /** Loads of what is one for all lanes, by the register of their address, which grows as those of {@link #accesses} do. */
    final Map<Register, List<Instruction>> common = new LinkedHashMap<>();
    /** Extensions of 32-bit numbers that are the same for all lanes: they are sums only while the number does not wrap around. */
    final Set<Instruction> extensions = Collections.newSetFromMap(new IdentityHashMap<>());
    /** The instructions that addresses and the end of the loop depend on. */
    final Set<Instruction> slice = Collections.newSetFromMap(new IdentityHashMap<>());
    /** What decides for each lane whether it goes on; null where that is one for all. */
    private Instruction exit;

    private final VectorShape shape;
    private final VectorCode vc;
    private final Map<Register, Instruction> definitions = new LinkedHashMap<>();
    private final Set<Register> changing = new LinkedHashSet<>();
    private final Set<Register> linear = new HashSet<>();

    private SteadyLoop(VectorShape shape, VectorCode vc, BasicBlock block, Terminator.Branch branch) {
        this.shape = shape;
        this.vc = vc;
        this.block = block;
        this.branch = branch;
        this.stayIfTrue = (branch.taken() == block.index()) != branch.negated();
    }

    /** The loop that consists of the block at {@code place}, or null if there is none of this kind. */
    static SteadyLoop of(VectorShape shape, VectorCode vc, LaneFlow flow, int place) {
        BasicBlock block = shape.graph.blocks().get(flow.block(place));
        if (flow.laneBlocks(place) != null || shape.group.rows() > 1 || shape.regions.pointOfBlock()[block.index()] >= 0 || shape.regions.pointOfSpin()[block.index()] >= 0 || !(block.terminator() instanceof Terminator.Branch branch)
                || branch.taken() == branch.otherwise() || branch.taken() != block.index() && branch.otherwise() != block.index()) {
            return null;
        }
        SteadyLoop loop = new SteadyLoop(shape, vc, block, branch);
        return loop.find() ? loop : null;
    }

    /** What decides for each lane whether it goes on; null where that is one for all. */
    Instruction exit() {
        return exit;
    }

    /** Registers whose values come round the loop. */
    List<Register> carried() {
        return changing.stream().filter(r -> shape.liveness.isLiveIn(r, block.index())).toList();
    }

    /** Where lanes go that leave the loop. */
    int exitBlock() {
        return branch.taken() == block.index() ? branch.otherwise() : branch.taken();
    }

    private boolean find() {
        boolean parting = vc.varying(branch.predicate());
        boolean tested = false;
        for (Instruction i : block.instructions()) {
            if (shape.isHoisted(i)) {
                continue;
            }
            if (i.guard() != null && !(parting && tested && i.guard().predicate() == branch.predicate() && i.guard().negated() == stayIfTrue)) {
                return false;
            }
            if (i.guard() == null) {
                body.add(i);
                Operands.definitions(i, r -> {
                    if (definitions.put(r, i) != null) {
                        changing.add(r);
                    }
                });
                tested |= definitions.get(branch.predicate()) == i;
            }
            // What lanes take along when they leave is written for those alone.
        }
        definitions.keySet().removeIf(changing::contains);
        changing.addAll(definitions.keySet());
        for (Instruction i : body) {
            if (!simple(i)) {
                return false;
            }
            Register result = i.operands().isEmpty() || !(i.operand(0) instanceof Operand.Reg to) ? null : to.register();
            if (result != null && definitions.get(result) == i && (counts(i) || sum(i))) {
                linear.add(result);
            }
        }
        findCommon();
        return !accesses.isEmpty() && (!parting || findExit()) && findSlice();
    }

    private void findCommon() {
        for (Instruction i : body) {
            boolean load = i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU;
            if (load && !accesses.contains(i) && address(i).register() instanceof Register place && linear.contains(place)) {
                Part part = Addresses.part(vc.c, address(i));
                if (part == Part.MEMORY || part == Part.SHARED) {
                    common.computeIfAbsent(place, r -> new ArrayList<>()).add(i);
                }
            }
        }
    }

    /** Whether all lanes can do the instruction without tests; notes accesses to neighbours. */
    private boolean simple(Instruction i) {
        return switch (i.family()) {
            case INTEGER, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION -> true;
            case MEMORY -> switch (i.opcode()) {
                case LD, LDU, ST -> access(i);
                case CVTA -> i.spelling().space() == StateSpace.GLOBAL;
                default -> false;
            };
            case ATOMIC -> vc.byteSums(i) != null;
            default -> false;
        };
    }

    private boolean access(Instruction i) {
        boolean load = i.opcode() != Opcode.ST;
        Operand.Address address = (Operand.Address) i.operand(load ? 1 : 0);
        if (load && i.operand(0) instanceof Operand.Reg to && !vc.varying(to.register())) {
            return true;
        }
        if (!MemoryVectors.fitsNeighbours(vc, i) || address.space() == StateSpace.SHARED && vc.c.addressesCluster()) {
            return false;
        }
        accesses.add(i);
        return true;
    }

    /** A register to which the same is added each turn. */
    private boolean counts(Instruction i) {
        Register to = ((Operand.Reg) i.operand(0)).register();
        boolean sum = (i.opcode() == Opcode.ADD || i.opcode() == Opcode.SUB) && plain(i) && i.type().bits() == to.type().bits();
        return sum && (is(i.operand(1), to) && stays(i.operand(2)) || i.opcode() == Opcode.ADD && is(i.operand(2), to) && stays(i.operand(1)));
    }

    private static boolean is(Operand operand, Register register) {
        return operand instanceof Operand.Reg r && r.register() == register && r.type().bits() == register.type().bits();
    }

    private boolean plain(Instruction i) {
        Register to = ((Operand.Reg) i.operand(0)).register();
        return i.type() != null && i.type().isInteger() && !i.type().packed() && i.type().bits() >= 32 && !i.spelling().has(Modifier.SAT)
                && !VectorCode.isPredicate(to) && !vc.varying(to) && vc.c.held(to) != Held.FLOAT && vc.c.held(to) != Held.DOUBLE;
    }

    /** Whether the operand is the same in every turn. */
    private boolean stays(Operand operand) {
        return operand instanceof Operand.Immediate || operand instanceof Operand.Reg r && !changing.contains(r.register()) && !vc.varying(r.register());
    }

    /** Whether what a turn adds to the operand is always the same, up to multiples of two to the power of its bits. */
    private boolean grows(Operand operand, int bits) {
        return stays(operand) || operand instanceof Operand.Reg r && r.type().bits() == bits && r.register().type().bits() == bits
                && (linear.contains(r.register()) || definitions.get(r.register()) instanceof Instruction i && counts(i));
    }

    private boolean sum(Instruction i) {
        Register to = ((Operand.Reg) i.operand(0)).register();
        int bits = to.type().bits();
        if (!plain(i) || bits != 32 && bits != 64) {
            return false;
        }
        boolean same = i.type().bits() == bits;
        return switch (i.opcode()) {
            case MOV -> same && grows(i.operand(1), bits);
            case ADD, SUB -> same && grows(i.operand(1), bits) && grows(i.operand(2), bits);
            case SHL -> same && grows(i.operand(1), bits) && i.operand(2) instanceof Operand.Immediate n && (n.bits() & 0xFFFF_FFFFL) < bits;
            case MUL -> product(i, bits);
            case MAD -> product(i, bits) && grows(i.operand(3), bits);
            case CVT -> i.spelling().modifiers().isEmpty() && bits == 64 && same && i.spelling().lastType().isInteger()
                    && i.spelling().lastType().bits() == 32 && extends32(i, i.operand(1));
            case CVTA -> same && grows(i.operand(1), bits);
            default -> false;
        };
    }

    private boolean product(Instruction i, int bits) {
        boolean first = stays(i.operand(2));
        if (!first && !stays(i.operand(1))) {
            return false;
        }
        Operand number = i.operand(first ? 1 : 2);
        if (i.spelling().has(Modifier.WIDE)) {
            return bits == 64 && i.type().bits() == 32 && extends32(i, number);
        }
        return i.spelling().has(Modifier.LO) && i.type().bits() == bits && grows(number, bits);
    }

    private boolean extends32(Instruction i, Operand number) {
        if (!(number instanceof Operand.Reg r) || !grows(number, 32)) {
            return number instanceof Operand.Immediate;
        }
        if (vc.forms.of(r.register()) instanceof Form.Uniform && changing.contains(r.register())) {
            extensions.add(i);
        }
        return true;
    }

    /** The number that one of {@link #extensions} extends. */
    Operand extended(Instruction i) {
        return i.opcode() == Opcode.CVT || stays(i.operand(2)) ? i.operand(1) : i.operand(2);
    }

    /** The comparison that ends the loop lane by lane, if it is one of a growing number with one that stays. */
    private boolean findExit() {
        exit = definitions.get(branch.predicate());
        if (exit == null || exit.opcode() != Opcode.SETP || exit.operands().size() != 4 || !(exit.operand(1) instanceof Operand.Absent)) {
            return false;
        }
        boolean ordered = comparison() != null;
        return ordered && (fitsExit(2, 3) || fitsExit(3, 2));
    }

    /** Whether the growing number is the first source of {@link #exit}. */
    boolean numberFirst() {
        return fitsExit(2, 3);
    }

    private boolean fitsExit(int a, int b) {
        return AffineTest.fits(vc, exit, a, b) && grows(exit.operand(a), 32) && stays(exit.operand(b));
    }

    /** The comparison of the growing number with the other that holds for lanes that stay: LT, LE, GT or GE; null if it is another one. */
    Modifier comparison() {
        return Growing.comparison(exit, stayIfTrue, numberFirst());
    }

    /** The instructions that addresses and the end of the loop depend on; all of them must be sums. */
    private boolean findSlice() {
        Set<Register> needed = new HashSet<>();
        for (Instruction i : accesses) {
            needed.add(address(i).register());
        }
        needed.addAll(common.keySet());
        if (exit != null) {
            Operands.uses(exit, needed::add);
        }
        boolean more = true;
        while (more) {
            more = false;
            for (Instruction i : body) {
                boolean[] defines = {false};
                Operands.definitions(i, r -> defines[0] |= needed.contains(r));
                if (defines[0] && slice.add(i)) {
                    Operands.uses(i, needed::add);
                    more = true;
                }
            }
        }
        needed.retainAll(changing);
        return linear.containsAll(needed);
    }

    static Operand.Address address(Instruction i) {
        return (Operand.Address) i.operand(i.opcode() == Opcode.ST ? 0 : 1);
    }
}
