package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The way through a kernel of threads that pass all guards, where it has neither loops nor anything else that a thread does alone: what it computes with depends on a thread's
 * and a block's number only through sums of both, such as {@code %ctaid.x * %ntid.x + %tid.x}.
 */
final class SurePath {
    /** Instructions of which no method has room for more. */
    private static final int MOST_INSTRUCTIONS = 1_000;
    /** Loads that are one for all, each of which has a test of its own before the loop. */
    private static final int MOST_COMMON = 24;

    /** How a number depends on {@code %tid.x} and on {@code %ctaid.x}: on neither, as a sum with products by what stays, or in another way. */
    private enum Sum {
        STAYS, OF_THREAD, OF_BLOCK, OF_BOTH, OTHER;

        Sum plus(Sum other) {
            return this == OTHER || other == OTHER ? OTHER : this == STAYS ? other : other == STAYS || this == other ? this : OF_BOTH;
        }
    }

    /** A comparison that all threads must pass, and whether it must hold. */
    record Guard(Instruction comparison, boolean holds) {
        boolean numberFirst(VectorCode vc) {
            return AffineTest.fits(vc, comparison, 2, 3);
        }

        Modifier relation(VectorCode vc) {
            return Growing.comparison(comparison, holds, numberFirst(vc));
        }
    }

    /** An instruction that extends a 32-bit number to 64 bits, so that it is a sum as long as the number does not wrap around. */
    record Extension(Instruction at, Operand.Reg source, boolean ofBlock, boolean ofBoth) {
    }

    /** A number that something else than a sum is computed from, just before the first of such instructions. */
    record Use(Instruction at, Register register) {
    }

    final List<BasicBlock> blocks = new ArrayList<>();
    /** What the threads do, in order, but for what is computed before. */
    final List<Instruction> body = new ArrayList<>();
    /** Loads and stores of neighbouring elements; {@link #records} has those of records. */
    final List<Instruction> accesses = new ArrayList<>();
    /** Loads from places that are one for all lanes of all groups. */
    final List<Instruction> common = new ArrayList<>();
    final List<Guard> guards = new ArrayList<>();
    final List<Extension> extensions = new ArrayList<>();
    final List<Use> uses = new ArrayList<>();
    /** The instructions that compute sums, those computed before among them. */
    final Set<Instruction> sums = Collections.newSetFromMap(new IdentityHashMap<>());

    private final VectorShape shape;
    private final VectorCode vc;
    private SureRecords records;
    private final Map<Register, Sum> known = new HashMap<>();
    private final Map<Register, Instruction> definitions = new HashMap<>();
    private final Set<Register> used = new HashSet<>();

    private SurePath(VectorShape shape, VectorCode vc) {
        this.shape = shape;
        this.vc = vc;
    }

    /**
     * The way of a kernel's only region, or null if it has none of this kind.
     *
     * @param sorting {@link Records.Sorting#SURE} or {@link Records.Sorting#PARTLY_SURE}
     */
    static SurePath of(VectorShape shape, VectorCode vc, LaneFlow flow, Records.Sorting sorting) {
        SurePath path = new SurePath(shape, vc);
        if (!path.follow(flow)) {
            return null;
        }
        path.records = SureRecords.of(vc, path.body, sorting);
        return path.classify() && !(path.accesses.isEmpty() && path.records.sure().isEmpty()) ? path : null;
    }

    SureRecords records() {
        return records;
    }

    /** Whether an instruction is needed for its result alone, a guard that nobody else asks. */
    boolean isGuardAlone(Instruction i) {
        return guards.stream().anyMatch(g -> g.comparison == i) && i.operand(0) instanceof Operand.Reg p && !used.contains(p.register());
    }

    private boolean follow(LaneFlow flow) {
        Set<Integer> seen = new HashSet<>();
        int place = 0;
        while (true) {
            if (place >= flow.size() || flow.isLoop(place) || flow.laneBlocks(place) != null || !seen.add(place)) {
                return false;
            }
            BasicBlock block = shape.graph.blocks().get(flow.block(place));
            if (body.size() > MOST_INSTRUCTIONS) {
                return false;
            }
            blocks.add(block);
            for (Instruction i : block.instructions()) {
                if (!shape.isHoisted(i)) {
                    body.add(i);
                    Operands.definitions(i, r -> definitions.put(r, i));
                }
            }
            int next;
            switch (block.terminator()) {
                case Terminator.Return r -> {
                    return true;
                }
                case Terminator.Exit e -> {
                    return true;
                }
                case Terminator.Jump jump -> next = jump.target();
                case Terminator.Branch branch -> {
                    boolean taken = flow.drops(branch.otherwise());
                    if (taken == flow.drops(branch.taken()) || !guard(branch, taken != branch.negated())) {
                        return false;
                    }
                    next = taken ? branch.taken() : branch.otherwise();
                }
                case Terminator.Switch s -> {
                    return false;
                }
            }
            if (flow.drops(next)) {
                return true;
            }
            place = flow.placeOf(next);
        }
    }

    /** @param ifTrue whether threads go on whose predicate is true */
    private boolean guard(Terminator.Branch branch, boolean ifTrue) {
        Instruction i = definitions.get(branch.predicate());
        if (i == null || i.opcode() != Opcode.SETP || i.operands().size() != 4 || !(i.operand(1) instanceof Operand.Absent)) {
            return false;
        }
        Guard guard = new Guard(i, ifTrue);
        guards.add(guard);
        return (guard.numberFirst(vc) || AffineTest.fits(vc, i, 3, 2)) && guard.relation(vc) != null;
    }

    /** Finds the sums, and whether all else is such that it may follow threads of other blocks. */
    private boolean classify() {
        Set<Register> needed = WholeTurn.needed(shape, shape.regions.regions().getFirst().blocks());
        for (Register register : shape.uniforms.order()) {
            Instruction definition = shape.uniforms.definition(register);
            known.put(register, shape.uniforms.isOfBlock(register) ? sum(definition) : Sum.STAYS);
            if (needed.contains(register) && shape.uniforms.isOfBlock(register) && known.get(register) != Sum.OTHER) {
                noteSum(definition);
            }
        }
        for (Instruction i : body) {
            if (i.guard() != null) {
                return false;
            }
            Sum sum = sum(i);
            if (sum != Sum.OTHER) {
                noteSum(i);
            } else if (!simple(i) || !usesSums(i) || !comparesSum(i)) {
                return false;
            }
            Operands.definitions(i, r -> known.put(r, sum));
        }
        return true;
    }

    private void noteSum(Instruction i) {
        sums.add(i);
        if (i.opcode() == Opcode.CVT || i.spelling().has(Modifier.WIDE)) {
            boolean first = i.opcode() == Opcode.CVT || sum(i.operand(2), 32) == Sum.STAYS;
            Operand source = i.operand(first ? 1 : 2);
            Sum of = sum(source, 32);
            if (of != Sum.STAYS) {
                extensions.add(new Extension(i, Growing.bits((Operand.Reg) source), of == Sum.OF_BLOCK, of == Sum.OF_BOTH));
            }
        }
    }

    /** Whether what an instruction that computes no sum is given is the same for one thread as for that of another block with the same sum; notes what must grow alike. */
    private boolean usesSums(Instruction i) {
        Set<Register> given = new HashSet<>();
        Operands.uses(i, given::add);
        used.addAll(given);
        for (Register register : given) {
            Sum sum = known.getOrDefault(register, Sum.STAYS);
            boolean other = shape.isUniform(register) && sum == Sum.OTHER;
            if (other || sum == Sum.OF_BLOCK || sum == Sum.OF_THREAD) {
                return false;
            }
            if (sum == Sum.OF_BOTH) {
                uses.add(new Use(i, register));
            }
        }
        return i.operands().stream().noneMatch(o -> o instanceof Operand.Special s && special(s.register()) != Sum.STAYS);
    }

    /** Whether the instruction, if it is a guard's comparison, is one of a sum of both with what stays. */
    private boolean comparesSum(Instruction i) {
        return guards.stream().noneMatch(g -> g.comparison == i && (sum(i.operand(g.numberFirst(vc) ? 2 : 3), 32) != Sum.OF_BOTH
                || sum(i.operand(g.numberFirst(vc) ? 3 : 2), 32) != Sum.STAYS));
    }

    private static Sum special(SpecialRegister register) {
        return switch (register) {
            case TID_X -> Sum.OF_THREAD;
            case CTAID_X -> Sum.OF_BLOCK;
            case NTID_X, NTID_Y, NTID_Z, NCTAID_X, NCTAID_Y, NCTAID_Z, CTAID_Y, CTAID_Z -> Sum.STAYS;
            default -> Sum.OTHER;
        };
    }

    private boolean simple(Instruction i) {
        return switch (i.family()) {
            case INTEGER, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION -> true;
            case MEMORY -> switch (i.opcode()) {
                case LD, LDU, ST -> access(i);
                default -> false;
            };
            default -> false;
        };
    }

    private boolean access(Instruction i) {
        Operand.Address address = SteadyLoop.address(i);
        boolean memory = Addresses.part(vc.c, address) == Part.MEMORY && address.space() != StateSpace.SHARED;
        if (CommonLoads.fits(vc, i)) {
            common.add(i);
            return memory && common.size() <= MOST_COMMON && vc.forms.of(address.register()) instanceof Form.Uniform && known.get(address.register()) == Sum.STAYS;
        }
        boolean ofRecord = records.has(i);
        if (!memory || !ofRecord && !MemoryVectors.fitsNeighbours(vc, i)) {
            return false;
        }
        if (!ofRecord) {
            accesses.add(i);
        }
        return known.get(address.register()) == Sum.OF_BOTH;
    }

    /** How what the instruction computes depends on the numbers of thread and block. */
    private Sum sum(Instruction i) {
        if (i.operands().isEmpty() || !(i.operand(0) instanceof Operand.Reg to) || i.type() == null || !plain(i, to.register())) {
            return Sum.OTHER;
        }
        int bits = to.register().type().bits();
        boolean same = i.type().bits() == bits;
        return switch (i.opcode()) {
            case MOV -> same ? sum(i.operand(1), bits) : Sum.OTHER;
            case ADD, SUB -> same ? sum(i.operand(1), bits).plus(sum(i.operand(2), bits)) : Sum.OTHER;
            case SHL -> same && i.operand(2) instanceof Operand.Immediate n && (n.bits() & 0xFFFF_FFFFL) < bits ? sum(i.operand(1), bits) : Sum.OTHER;
            case MUL -> product(i, bits);
            case MAD -> product(i, bits).plus(sum(i.operand(3), bits));
            case CVT -> i.spelling().modifiers().isEmpty() && bits == 64 && same && i.spelling().lastType().isInteger() && i.spelling().lastType().bits() == 32
                    && i.operand(1) instanceof Operand.Reg ? sum(i.operand(1), 32) : Sum.OTHER;
            case CVTA -> same && i.spelling().space() == StateSpace.GLOBAL ? sum(i.operand(1), bits) : Sum.OTHER;
            default -> Sum.OTHER;
        };
    }

    private boolean plain(Instruction i, Register to) {
        int bits = to.type().bits();
        return (bits == 32 || bits == 64) && i.type().isInteger() && !i.type().packed() && i.type().bits() >= 32 && !i.spelling().has(Modifier.SAT)
                && !VectorCode.isPredicate(to) && !vc.varying(to) && vc.c.held(to) != Held.FLOAT && vc.c.held(to) != Held.DOUBLE;
    }

    private Sum product(Instruction i, int bits) {
        boolean wide = i.spelling().has(Modifier.WIDE);
        if (wide ? bits != 64 || i.type().bits() != 32 : !i.spelling().has(Modifier.LO) || i.type().bits() != bits) {
            return Sum.OTHER;
        }
        int of = wide ? 32 : bits;
        Sum a = sum(i.operand(1), of);
        Sum b = sum(i.operand(2), of);
        return b == Sum.STAYS && (!wide || i.operand(1) instanceof Operand.Reg) ? a : a == Sum.STAYS && (!wide || i.operand(2) instanceof Operand.Reg) ? b : Sum.OTHER;
    }

    private Sum sum(Operand operand, int bits) {
        return switch (operand) {
            case Operand.Immediate n -> Sum.STAYS;
            case Operand.Special s -> bits == 32 ? special(s.register()) : Sum.OTHER;
            case Operand.Reg r when r.type().bits() == bits && r.register().type().bits() == bits -> shape.isUniform(r.register()) || definitions.containsKey(r.register())
                    ? known.getOrDefault(r.register(), Sum.OTHER) : Sum.OTHER;
            default -> Sum.OTHER;
        };
    }
}
