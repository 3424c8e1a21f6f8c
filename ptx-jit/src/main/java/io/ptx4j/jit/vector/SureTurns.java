package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.Turns;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Loops of one block over neighbouring elements, as grid-stride loops are. Addresses and the number that ends the loop grow by the same
 * amount each turn, so before the loop it can be told how many turns all lanes go along in which every element is there, aligned and no index
 * wraps around. These turns run without any test of that; then come turns with all of them.
 *
 * <p>What grows is found out by computing the scalars of two turns: the differences are what each turn adds, as long as only sums with what stays
 * and products by it lie between.
 */
final class SureTurns {
    private static final long WORDS = 1L << 32;

    private final VectorShape shape;
    private final VectorCode vc;
    private final BasicBlock block;
    private final Terminator.Branch branch;
    private final boolean stayIfTrue;
    private final List<Instruction> body = new ArrayList<>();
    private final Map<Register, Instruction> definitions = new HashMap<>();
    private final Set<Register> changing = new HashSet<>();
    private final Set<Register> linear = new HashSet<>();
    private final List<Instruction> accesses = new ArrayList<>();
    /** Extensions of 32-bit numbers that are the same for all lanes: they are sums only while the number does not wrap around. */
    private final Set<Instruction> extensions = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Instruction> slice = Collections.newSetFromMap(new IdentityHashMap<>());
    /** What decides for each lane whether it goes on; null where that is one for all. */
    private Instruction exit;

    private SureTurns(VectorShape shape, VectorCode vc, BasicBlock block, Terminator.Branch branch) {
        this.shape = shape;
        this.vc = vc;
        this.block = block;
        this.branch = branch;
        this.stayIfTrue = (branch.taken() == block.index()) != branch.negated();
    }

    /** The loop that consists of the block at {@code place}, or null if there is none of this kind. */
    static SureTurns of(VectorShape shape, VectorCode vc, LaneFlow flow, int place) {
        BasicBlock block = shape.graph.blocks().get(flow.block(place));
        if (shape.regions.pointOfBlock()[block.index()] >= 0 || !(block.terminator() instanceof Terminator.Branch branch)
                || branch.taken() == branch.otherwise() || branch.taken() != block.index() && branch.otherwise() != block.index()) {
            return null;
        }
        SureTurns turns = new SureTurns(shape, vc, block, branch);
        return turns.find() ? turns : null;
    }

    // Which loops

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
        return !accesses.isEmpty() && (!parting || findExit()) && findSlice();
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

    private Operand extended(Instruction i) {
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

    private boolean fitsExit(int a, int b) {
        return AffineTest.fits(vc, exit, a, b) && grows(exit.operand(a), 32) && stays(exit.operand(b));
    }

    /** The comparison of the growing number with the other that holds for lanes that stay: LT, LE, GT or GE; null if it is another one. */
    private Modifier comparison() {
        Modifier written = switch (exit.spelling().comparison()) {
            case LT, LO -> Modifier.LT;
            case LE, LS -> Modifier.LE;
            case GT, HI -> Modifier.GT;
            case GE, HS -> Modifier.GE;
            case null, default -> null;
        };
        if (written == null) {
            return null;
        }
        Modifier stay = stayIfTrue ? written : switch (written) {
            case LT -> Modifier.GE;
            case LE -> Modifier.GT;
            case GT -> Modifier.LE;
            default -> Modifier.LT;
        };
        return fitsExit(2, 3) ? stay : switch (stay) {
            case LT -> Modifier.GT;
            case LE -> Modifier.GE;
            case GT -> Modifier.LT;
            default -> Modifier.LE;
        };
    }

    /** The instructions that addresses and the end of the loop depend on; all of them must be sums. */
    private boolean findSlice() {
        Set<Register> needed = new HashSet<>();
        for (Instruction i : accesses) {
            needed.add(address(i).register());
        }
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

    private static Operand.Address address(Instruction i) {
        return (Operand.Address) i.operand(i.opcode() == Opcode.ST ? 0 : 1);
    }

    // Code

    /** A number that grows: its value in turn 0 and what each turn adds. */
    private final class Growing {
        final Instruction at;
        final boolean narrow;
        final Runnable push;
        final Runnable bound;
        final Local first = vc.code.newLocal(JvmType.LONG);
        final Local step = vc.code.newLocal(JvmType.LONG);

        /**
         * @param at pushed just before that instruction
         * @param narrow whether it grows modulo 2^32
         * @param push pushes it as {@code long}
         * @param bound pushes the lowest and the highest value that are good
         */
        Growing(Instruction at, boolean narrow, Runnable push, Runnable bound) {
            this.at = at;
            this.narrow = narrow;
            this.push = push;
            this.bound = bound;
        }

        void note(int turn) {
            push.run();
            if (turn == 0) {
                vc.code.store(first);
                return;
            }
            vc.code.load(first).op(Op.LSUB);
            if (narrow) {
                vc.code.op(Op.L2I).op(Op.I2L);
            }
            vc.code.store(step);
        }
    }

    /**
     * Emits the sure turns; code goes on behind with a turn of all tests.
     *
     * @param cost units of {@link Polls} that a turn takes
     * @param leave emits the way out of the loop for all lanes, where they leave it together
     */
    void emit(GroupInstructions instructions, Local current, Local fuel, int cost, Consumer<Instruction> line, Runnable leave) {
        Code code = vc.code;
        Place all = new Place();
        code.load(current).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, all);
        Map<Local, Local> kept = keep();
        List<Growing> growing = growing();
        for (int turn = 0; turn < 2; turn++) {
            for (Instruction i : body) {
                for (Growing g : growing) {
                    if (g.at == i) {
                        g.note(turn);
                    }
                }
                if (slice.contains(i)) {
                    instructions.emit(List.of(i), current, r -> false, line);
                }
            }
        }
        kept.forEach((local, copy) -> code.load(copy).store(local));
        Local turns = code.newLocal(JvmType.INT);
        code.push(Math.max(1, Polls.INTERVAL / cost)).store(turns);
        for (Growing g : growing) {
            code.load(turns).load(g.first).load(g.step);
            g.bound.run();
            code.call(Turns.class, "within").store(turns);
            if (accesses.contains(g.at) && !g.narrow && MemoryVectors.bytes(g.at) > 1) {
                code.load(turns);
                vc.pushStart(Addresses.part(vc.c, address(g.at)));
                code.load(g.first).op(Op.LADD).load(g.step).push(MemoryVectors.bytes(g.at)).call(Turns.class, "aligned").store(turns);
            }
        }
        code.load(turns).push(2).jumpIfCompared(Condition.LT, all);
        code.load(fuel).load(turns).push(cost).call(Turns.class, "spend").store(fuel);
        Place again = new Place();
        code.place(again);
        vc.places.forgetAll();
        vc.sure(true);
        for (Instruction i : body) {
            if (i != exit || shape.liveness.isLiveIn(branch.predicate(), block.index())) {
                instructions.emit(List.of(i), current, r -> false, line);
            }
        }
        vc.sure(false);
        if (exit == null) {
            Place stay = new Place();
            code.load(vc.c.local(branch.predicate())).jumpIf(stayIfTrue ? Condition.NE : Condition.EQ, stay);
            leave.run();
            code.place(stay);
        }
        code.increment(turns, -1).load(turns).jumpIf(Condition.GT, again);
        code.place(all);
        vc.places.forgetAll();
    }

    /** Keeps the scalars that computing two turns changes; by local: its copy. */
    private Map<Local, Local> keep() {
        Map<Local, Local> kept = new LinkedHashMap<>();
        for (Instruction i : body) {
            if (slice.contains(i)) {
                Operands.definitions(i, r -> {
                    kept.computeIfAbsent(vc.c.local(r), l -> vc.code.newLocal(l.type()));
                    if (vc.forms.of(r) instanceof Form.Affine a && a.index() != null) {
                        kept.computeIfAbsent(vc.indexOf(r), l -> vc.code.newLocal(l.type()));
                    }
                });
            }
        }
        kept.forEach((local, copy) -> vc.code.load(local).store(copy));
        return kept;
    }

    private List<Growing> growing() {
        Code code = vc.code;
        List<Growing> growing = new ArrayList<>();
        for (Instruction i : accesses) {
            Operand.Address address = address(i);
            Part part = Addresses.part(vc.c, address);
            boolean narrow = address.register().type().bits() <= 32;
            // Of a narrow address the number in the register must not wrap around either.
            long low = narrow ? Math.max(0, address.offset()) : 0;
            Form.Index index = ((Form.Affine) vc.forms.of(address.register())).index();
            if (index != null) {
                growing.add(number(i, index.signed(), index.stride(), () -> code.load(vc.indexOf(address.register()))));
            }
            growing.add(new Growing(i, narrow, () -> Addresses.pushOffset(vc.c, address, 0), () -> {
                code.push(low);
                vc.pushSize(part);
                code.push((long) vc.group.lanes() * MemoryVectors.bytes(i)).op(Op.LSUB);
            }));
        }
        for (Instruction i : body) {
            if (extensions.contains(i) && slice.contains(i)) {
                Operand source = extended(i);
                boolean signed = i.opcode() == Opcode.CVT ? i.spelling().lastType().signed() : i.type().signed();
                growing.add(number(i, signed, 0, () -> vc.c.pushInt(bits((Operand.Reg) source))));
            }
        }
        if (exit != null) {
            growing.add(end());
        }
        return growing;
    }

    private static Operand.Reg bits(Operand.Reg reg) {
        return new Operand.Reg(reg.register(), reg.register().type(), false);
    }

    /** A 32-bit number of which no lane's may wrap around. */
    private Growing number(Instruction at, boolean signed, int stride, Runnable pushInt) {
        long span = (long) stride * (vc.group.lanes() - 1);
        long low = (signed ? Integer.MIN_VALUE : 0) - Math.min(0, span);
        long high = (signed ? Integer.MAX_VALUE : WORDS - 1) - Math.max(0, span);
        return new Growing(at, true, () -> {
            pushInt.run();
            widen(signed);
        }, () -> vc.code.push(low).push(high));
    }

    private void widen(boolean signed) {
        if (signed) {
            vc.code.op(Op.I2L);
        } else {
            vc.code.call(Integer.class, "toUnsignedLong");
        }
    }

    /** What is compared at the end of a turn: as long as it is within bounds, every lane stays. */
    private Growing end() {
        Code code = vc.code;
        boolean first = fitsExit(2, 3);
        Operand.Reg number = (Operand.Reg) exit.operand(first ? 2 : 3);
        Operand other = exit.operand(first ? 3 : 2);
        boolean signed = ThreadCode.typeOf(exit.operand(2)).signed() && switch (exit.spelling().comparison()) {
            case LO, LS, HI, HS -> false;
            default -> true;
        };
        long span = ((Form.Affine) vc.forms.of(number.register())).stride() * (vc.group.lanes() - 1);
        long least = signed ? Integer.MIN_VALUE : 0;
        long most = (signed ? Integer.MAX_VALUE : WORDS - 1) - span;
        return new Growing(exit, true, () -> {
            vc.c.pushInt(number);
            widen(signed);
        }, () -> {
            Modifier stay = comparison();
            boolean below = stay == Modifier.LT || stay == Modifier.LE;
            if (below) {
                code.push(least);
            }
            vc.c.pushInt(other);
            widen(signed);
            long extra = switch (stay) {
                case LT -> -1 - span;
                case LE -> -span;
                case GT -> 1;
                default -> 0;
            };
            code.push(extra).op(Op.LADD);
            if (!below) {
                code.push(most);
            }
        });
    }
}
