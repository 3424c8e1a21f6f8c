package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.InstructionEmitter;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorSpecies;

/**
 * A {@link BarrierLoop} in whose turns the first threads alone take part, as in a sum by a tree: {@code if (t < n) a[t] += a[t + n]}. Groups without any of them have no turn.
 * Where all words that they load and store are in one vector, they stay in it from turn to turn: through memory each turn waits until what the one before has stored can be
 * loaded from another place.
 *
 * <p>How many take part is computed from numbers that are one for the block. Those threads load neighbouring words, and store what they compute where one of the
 * loads was. Whether the words are those of the vector is found out in each turn before it does anything.
 */
final class TreeTurns {
    /** Instructions behind the branch; more would make the loop's method long. */
    private static final int MOST = 24;

    /** A step on the way to the branch at which threads part. */
    private sealed interface Step {
        record Computed(Instruction instruction) implements Step {
        }

        /** The loop ends, or not. */
        record Left(Terminator.Branch branch) implements Step {
        }
    }

    private final VectorShape shape;
    private final LaneFlow flow;
    private final BarrierLoop loop;
    private final VectorCode vc;
    private final Code code;
    /** The same for threads of one vector. */
    private final VectorCode one;
    /** What decides whether the loop goes on and who takes part. */
    private final List<Step> head = new ArrayList<>();
    private Terminator.Branch parting;
    /** The comparison of threads' numbers with how many take part. */
    private Instruction test;
    private Modifier holds;
    private boolean numberFirst;
    private final List<Instruction> body = new ArrayList<>();
    private final List<Instruction> scalars = new ArrayList<>();
    private final List<Instruction> vectors = new ArrayList<>();
    /** What all threads do at last. */
    private final List<Instruction> last = new ArrayList<>();
    private Instruction store;
    /** How many words behind those stored a load has its own. */
    private final Map<Instruction, Local> distances = new HashMap<>();
    private Local words;
    private Local at;
    private Local lanes;
    private Local count;
    /** Threads from here on take no part in the next turn. */
    private final Local bound;

    private TreeTurns(VectorShape shape, LaneFlow flow, BarrierLoop loop, VectorCode vc) {
        this.shape = shape;
        this.flow = flow;
        this.loop = loop;
        this.vc = vc;
        this.code = vc.code;
        this.one = one(vc.c);
        this.bound = code.newLocal(JvmType.INT);
    }

    Local bound() {
        return bound;
    }

    private VectorCode one(ThreadCode c) {
        return new VectorCode(c, vc.group.vector(), vc.forms);
    }

    /** Such turns of the loop, or null if it has none. */
    static TreeTurns of(VectorShape shape, LaneFlow flow, BarrierLoop loop, VectorCode vc) {
        if (vc.group.narrow() || vc.group.rows() > 1 || vc.group.padded() || vc.c.addressesCluster() || !loop.keepsAll()) {
            return null;
        }
        TreeTurns turns = new TreeTurns(shape, flow, loop, vc);
        return turns.findHead() && turns.findTest() && turns.findBody() && turns.hasCode() ? turns : null;
    }

    private BasicBlock block(int index) {
        return shape.graph.blocks().get(index);
    }

    private boolean leaves(int block) {
        return flow.drops(block) || !loop.contains(flow.placeOf(block));
    }

    /** From where a turn begins to the branch at which threads part. */
    private boolean findHead() {
        int next = flow.block(0);
        Set<Integer> seen = new HashSet<>();
        while (parting == null) {
            if (!seen.add(next) || next == loop.lastBlock()) {
                return false;
            }
            BasicBlock block = block(next);
            needed(block.instructions()).forEach(i -> head.add(new Step.Computed(i)));
            switch (block.terminator()) {
                case Terminator.Jump jump -> next = jump.target();
                case Terminator.Branch branch when vc.varying(branch.predicate()) -> parting = branch;
                case Terminator.Branch branch when leaves(branch.taken()) != leaves(branch.otherwise()) -> {
                    head.add(new Step.Left(branch));
                    next = leaves(branch.taken()) ? branch.otherwise() : branch.taken();
                }
                default -> {
                    return false;
                }
            }
        }
        return head.stream().allMatch(step -> !(step instanceof Step.Computed c) || Butterfly.isPure(c.instruction()));
    }

    private List<Instruction> needed(List<Instruction> all) {
        return all.stream().filter(i -> !shape.isHoisted(i) && !vc.forms.addresses().isUnneeded(i)).toList();
    }

    private boolean findTest() {
        List<Instruction> tests = new ArrayList<>();
        Set<Register> used = new HashSet<>();
        for (Step step : head) {
            if (step instanceof Step.Computed c && !isScalar(c.instruction())) {
                tests.add(c.instruction());
            }
        }
        loop.blocks().forEach(b -> block(b).instructions().forEach(i -> Operands.uses(i, used::add)));
        if (tests.size() != 1 || used.contains(parting.predicate()) || leaves(parting.taken()) || leaves(parting.otherwise())) {
            return false;
        }
        test = tests.getFirst();
        boolean[] defines = {false};
        Operands.definitions(test, r -> defines[0] |= r == parting.predicate());
        if (!defines[0] || test.opcode() != Opcode.SETP || test.operands().size() != 4 || !(test.operand(1) instanceof Operand.Absent)) {
            return false;
        }
        boolean taken = parting.taken() != loop.lastBlock();
        numberFirst = AffineTest.fits(vc, test, 2, 3);
        if (!numberFirst && !AffineTest.fits(vc, test, 3, 2) || ((Form.Affine) vc.forms.of(number())).stride() != 1) {
            return false;
        }
        holds = Growing.comparison(test, taken != parting.negated(), numberFirst);
        return (holds == Modifier.LT || holds == Modifier.LE) && walk(taken ? parting.taken() : parting.otherwise(), body)
                && walk(taken ? parting.otherwise() : parting.taken(), new ArrayList<>());
    }

    private Operand number() {
        return test.operand(numberFirst ? 2 : 3);
    }

    /** Adds what is done from a block to the barrier; whether that is straight, and nothing if {@code all} is to stay empty. */
    private boolean walk(int from, List<Instruction> all) {
        int next = from;
        while (next != loop.lastBlock()) {
            if (leaves(next) || !(block(next).terminator() instanceof Terminator.Jump jump) || all.size() > MOST) {
                return false;
            }
            all.addAll(needed(block(next).instructions()));
            next = jump.target();
        }
        return all == body || all.isEmpty();
    }

    private boolean findBody() {
        for (Instruction i : body) {
            if (BitPlaces.address(i) != null) {
                if (i.guard() != null || !MemoryVectors.isPlain(i) || !MemoryVectors.fitsNeighbours(vc, i) || store != null) {
                    return false;
                }
                store = i.opcode() == Opcode.ST ? i : null;
                vectors.add(i);
            } else if (!Butterfly.isPure(i)) {
                return false;
            } else {
                (isScalar(i) ? scalars : vectors).add(i);
            }
        }
        List<Instruction> all = block(loop.lastBlock()).instructions();
        last.addAll(needed(all.subList(0, all.size() - 1)));
        return store != null && vectors.stream().anyMatch(i -> isLoad(i) && isSame(i)) && Butterfly.mayComeFirst(scalars, body)
                && last.stream().allMatch(i -> Butterfly.isPure(i) && isScalar(i));
    }

    private static boolean isLoad(Instruction i) {
        return i.opcode() == Opcode.LD;
    }

    /** Whether a load is of what the store overwrites. */
    private boolean isSame(Instruction load) {
        return SteadyLoop.address(load).equals(SteadyLoop.address(store));
    }

    /** Whether one execution serves all threads, and leaves nothing but a number. */
    private boolean isScalar(Instruction i) {
        boolean[] scalar = {true};
        Operands.definitions(i, r -> scalar[0] &= vc.forms.of(r) instanceof Form.Uniform || vc.forms.of(r) instanceof Form.Affine a && a.plain());
        return scalar[0];
    }

    /** Finds out by trying, in a method that nobody loads. */
    private boolean hasCode() {
        Code probe = ClassCode.probe().staticMethod("probe", "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;IJ)V");
        ThreadCode c = new ThreadCode(vc.c.context(), probe, probe.parameter(0, JvmType.REFERENCE), probe.parameter(1, JvmType.REFERENCE), probe.parameter(2, JvmType.INT));
        VectorCode tried = one(c);
        tried.lanes(probe.parameter(3, JvmType.LONG), r -> false);
        return probe.attempt(() -> vectors.stream().filter(i -> BitPlaces.address(i) == null).forEach(i -> compute(tried, i)), NoCode.class);
    }

    private static void compute(VectorCode vectors, Instruction i) {
        VectorEmitter.emit(vectors, i, () -> {
            throw new NoCode("lane by lane");
        });
    }

    /**
     * Emits such turns, from where a turn begins for thread 0; behind them the code goes on with the first turn that is none.
     *
     * @param spend emits what each turn costs, and jumps to the place given
     * @param line called before each instruction
     */
    void emit(Consumer<Place> spend, Consumer<Instruction> line) {
        Place other = new Place();
        Place again = new Place();
        Place next = new Place();
        Place left = new Place();
        Place ended = new Place();
        words = code.newLocal(JvmType.REFERENCE);
        at = code.newLocal(JvmType.LONG);
        lanes = code.newLocal(JvmType.LONG);
        count = code.newLocal(JvmType.INT);
        vectors.stream().filter(i -> isLoad(i) && !isSame(i)).forEach(i -> distances.put(i, code.newLocal(JvmType.INT)));
        Part part = Addresses.part(vc.c, SteadyLoop.address(store));
        vc.forget();
        begin(other, loop.leave(), line);
        Addresses.pushOffset(vc.c, SteadyLoop.address(store), 0);
        code.store(at);
        findDistances(other);
        vc.windows.testBounds(part, at, (long) one.group.lanes() * Integer.BYTES, other);
        vc.windows.testAlignment(part, at, Integer.BYTES, other);
        code.staticField(VectorLanes.class, Kind.INT.name());
        pushMemory(part);
        code.call(IntVector.class, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class).store(words);
        code.place(again);
        turn(line);
        spend.accept(next);
        code.place(next);
        begin(left, ended, line);
        Addresses.pushOffset(vc.c, SteadyLoop.address(store), 0);
        code.load(at).op(Op.LCMP).jumpIf(Condition.NE, left);
        findDistances(left);
        code.jump(again);
        code.place(ended);
        leave(part);
        code.jump(loop.leave());
        code.place(left);
        leave(part);
        code.place(other);
        vc.forget();
    }

    private void pushMemory(Part part) {
        vc.windows.pushSegment(part);
        vc.windows.pushPlace(part, at, 0);
        code.staticField(VectorLanes.class, "ORDER");
    }

    private void leave(Part part) {
        code.load(words);
        pushMemory(part);
        code.call(IntVector.class, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
    }

    /** What comes before threads part, and how many take part; then what they compute once for all. */
    private void begin(Place other, Place leave, Consumer<Instruction> line) {
        loop.restore(vc);
        for (Step step : head) {
            switch (step) {
                case Step.Left(Terminator.Branch branch) ->
                    code.load(vc.c.local(branch.predicate())).jumpIf(leaves(branch.taken()) != branch.negated() ? Condition.NE : Condition.EQ, leave);
                case Step.Computed(Instruction i) when i == test -> {
                    line.accept(test);
                    findCount(other);
                }
                case Step.Computed(Instruction i) -> scalar(i, line);
            }
        }
        scalars.forEach(i -> scalar(i, line));
    }

    private void scalar(Instruction i, Consumer<Instruction> line) {
        line.accept(i);
        InstructionEmitter.emit(vc.c, i);
    }

    /** How many threads take part: those of one vector, and no thread's number wraps around. */
    private void findCount(Place other) {
        Local first = vc.c.scratch(JvmType.LONG, 5);
        vc.c.pushInt(number());
        Growing.widen(vc, Growing.isSigned(test));
        code.store(first).load(first);
        code.push(vc.group.block().threads()).store(bound);
        code.push((Growing.isSigned(test) ? Integer.MAX_VALUE : (1L << 32) - 1) - (vc.group.block().threads() - 1)).op(Op.LCMP).jumpIf(Condition.GT, other);
        Local found = vc.c.scratch(JvmType.LONG, 6);
        vc.c.pushInt(test.operand(numberFirst ? 3 : 2));
        Growing.widen(vc, Growing.isSigned(test));
        code.load(first).op(Op.LSUB).push(holds == Modifier.LE ? 0L : -1L).op(Op.LADD).store(found);
        code.load(found).push((long) vc.group.block().threads()).call(Long.class, "compareUnsigned", long.class, long.class).jumpIf(Condition.GE, other);
        code.load(found).op(Op.L2I).push(1).op(Op.IADD).store(bound);
        code.load(bound).store(count).load(count).push(one.group.lanes()).jumpIfCompared(Condition.GT, other);
        code.push(1L).load(count).op(Op.LSHL).push(1L).op(Op.LSUB).store(lanes);
    }

    /** The words that the threads load must be among those of the vector. */
    private void findDistances(Place other) {
        Local bytes = vc.c.scratch(JvmType.LONG, 6);
        distances.forEach((load, words) -> {
            Addresses.pushOffset(vc.c, SteadyLoop.address(load), 0);
            code.load(at).op(Op.LSUB).store(bytes);
            code.load(bytes).push(Integer.BYTES - 1L).op(Op.LAND).push(0L).op(Op.LCMP).jumpIf(Condition.NE, other);
            code.load(bytes).push((long) Integer.BYTES * one.group.lanes()).load(count).op(Op.I2L).push((long) Integer.BYTES).op(Op.LMUL).op(Op.LSUB);
            code.call(Long.class, "compareUnsigned", long.class, long.class).jumpIf(Condition.GT, other);
            code.load(bytes).op(Op.L2I).push(2).op(Op.ISHR).store(words);
        });
    }

    private void turn(Consumer<Instruction> line) {
        one.lanes(lanes, r -> false);
        for (Instruction i : vectors) {
            line.accept(i);
            if (i == store) {
                code.load(words);
                one.pushInts(i.operand(1), 0);
                one.blend(Kind.INT, 0, () -> code.load(lanes));
                code.store(words);
            } else if (!isLoad(i)) {
                compute(one, i);
            } else {
                if (isSame(i)) {
                    code.load(words);
                } else {
                    one.broadcast(Kind.INT, () -> code.load(distances.get(i)));
                    code.push(1).call(IntVector.class, "addIndex", int.class);
                    code.load(words).load(words).call(IntVector.class, "selectFrom", Vector.class, Vector.class);
                }
                one.popInts(i.operand(0), 0);
            }
        }
        last.forEach(i -> scalar(i, line));
        loop.stop(vc);
        loop.next(code);
    }
}
