package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.support.Frame;

import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A loop of one barrier, in which all threads of the block come from the barrier to the barrier again until all leave the loop. One method runs all groups turn
 * by turn, without the scheduler. Registers stay in its locals that one number gives for the whole block: they are the same for all threads, or grow from
 * thread to thread by a constant.
 *
 * <p>What decides that the loop ends is computed from such registers, before a turn does anything else. So the method returns before that turn, and other code
 * does it.
 */
final class BarrierLoop {
    /** A register in locals: what it is for thread 0 in this turn and in the next. */
    private record Kept(long stride, Local now, Local next) {
    }

    private final VectorShape shape;
    private final LaneFlow flow;
    private final MeetingPoint point;
    /** Places from which the barrier is reached. */
    private final BitSet inside = new BitSet();
    /** Registers that the loop names, and those that it may change: the frame has all others for whoever comes behind it. */
    private final Set<Register> named = new HashSet<>();
    private final Set<Register> changed = new HashSet<>();
    private final Map<Register, Kept> kept = new LinkedHashMap<>();
    private final Place leave = new Place();

    private BarrierLoop(VectorShape shape, LaneFlow flow, MeetingPoint point) {
        this.shape = shape;
        this.flow = flow;
        this.point = point;
    }

    /** The loop of which the region is a turn, or null if there is none of this kind. */
    static BarrierLoop of(VectorShape shape, Region region, LaneFlow flow) {
        MeetingPoint point = region.after();
        if (shape.group.rows() > 1 || shape.regions.spins() || point == null || !region.stops().contains(point.index()) || !MeetingPoints.describe(point, 0).isPlainBarrier() || !shape.blockTogether()) {
            return null;
        }
        BarrierLoop loop = new BarrierLoop(shape, flow, point);
        loop.findInside();
        if (loop.inside.stream().anyMatch(p -> flow.laneBlocks(p) != null)) {
            return null;
        }
        loop.findNamed();
        return loop.leftAtFirst() ? loop : null;
    }

    private void findInside() {
        inside.set(flow.placeOf(point.block()));
        boolean more = true;
        while (more) {
            more = false;
            for (int p = 0; p < flow.size(); p++) {
                if (!inside.get(p) && flow.successors(p).stream().anyMatch(inside::get)) {
                    inside.set(p);
                    more = true;
                }
            }
        }
    }

    private void findNamed() {
        inside.stream().mapToObj(p -> shape.graph.blocks().get(flow.block(p))).forEach(block -> {
            for (Instruction i : block.instructions()) {
                Operands.uses(i, named::add);
                Operands.definitions(i, changed::add);
            }
            if (Operands.use(block.terminator()) instanceof Register register) {
                named.add(register);
            }
        });
        named.addAll(changed);
    }

    /** Whether all ways out of the loop begin before anything is done that cannot be done again, and all threads of the block take them together. */
    private boolean leftAtFirst() {
        BitSet late = new BitSet();
        boolean more = true;
        while (more) {
            more = false;
            for (int p = inside.nextSetBit(0); p >= 0; p = inside.nextSetBit(p + 1)) {
                if (late.get(p) || !isClean(p)) {
                    for (int next : flow.successors(p)) {
                        more |= !late.get(next);
                        late.set(next);
                    }
                }
            }
        }
        for (int p = inside.nextSetBit(0); p >= 0; p = inside.nextSetBit(p + 1)) {
            boolean leaves = p != flow.placeOf(point.block())
                    && shape.graph.blocks().get(flow.block(p)).successors().stream().anyMatch(s -> flow.drops(s) || !inside.get(flow.placeOf(s)));
            if (leaves && (late.get(p) || !isClean(p))) {
                return false;
            }
        }
        return inside.get(0);
    }

    /** Whether the block can be run again, and all threads of the block go on from it together. */
    private boolean isClean(int place) {
        BasicBlock block = shape.graph.blocks().get(flow.block(place));
        return place != flow.placeOf(point.block()) && !LaneFlow.varies(block.terminator(), r -> !isSame(shape.forms.of(r), shape.blockForms().of(r)))
                && block.instructions().stream().allMatch(i -> shape.isHoisted(i) || isPure(i));
    }

    private static boolean isPure(Instruction i) {
        return switch (i.family()) {
            case INTEGER, FLOATING_POINT, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION -> true;
            default -> false;
        };
    }

    /** Whether the block at {@code place} belongs to the loop. */
    boolean contains(int place) {
        return inside.get(place);
    }

    /** Its blocks. */
    List<Integer> blocks() {
        return inside.stream().mapToObj(flow::block).toList();
    }

    /** The block that ends at the barrier. */
    int lastBlock() {
        return point.block();
    }

    /** Whether all that outlives the barrier stays in locals, or as it is in the frame; known once those are taken out of it. */
    boolean keepsAll() {
        return kept.keySet().containsAll(savedOf(named));
    }

    Set<Register> named() {
        return named;
    }

    /** Where code goes on that leaves the loop. */
    Place leave() {
        return leave;
    }

    /** Takes the registers that stay in locals out of the frame. */
    void prepare(VectorCode vc) {
        for (Register register : savedOf(named)) {
            Form form = shape.forms.of(register);
            if (staysInLocal(vc, register, form, shape.blockForms().of(register))) {
                Local local = vc.c.local(register);
                Kept k = new Kept(form instanceof Form.Affine a ? a.stride() : 0, vc.code.newLocal(local.type()), vc.code.newLocal(local.type()));
                kept.put(register, k);
                vc.code.load(vc.c.frame).field(Frame.class, vc.kind(register).saved);
                vc.code.push(shape.frame.slots().get(register) * vc.group.paddedThreads()).arrayLoad(local.type()).store(k.now);
                vc.code.load(k.now).store(k.next);
            }
        }
    }

    private static boolean isSame(Form form, Form ofBlock) {
        return form instanceof Form.Uniform && ofBlock instanceof Form.Uniform;
    }

    private static boolean staysInLocal(VectorCode vc, Register register, Form form, Form ofBlock) {
        Held held = vc.c.held(register);
        return isSame(form, ofBlock)
                || form instanceof Form.Affine a && a.plain() && ofBlock instanceof Form.Affine b && b.plain() && a.stride() == b.stride()
                        && (held == Held.INT || held == Held.LONG);
    }

    /** Gives the registers their values with which a group begins a turn. */
    void restore(VectorCode vc) {
        kept.keySet().forEach(register -> giveFirst(vc, register));
        new GroupTransfer(vc, shape).restore(savedOf(named).stream().filter(r -> !kept.containsKey(r)).toList());
    }

    /** Those of some registers that outlive the barrier. */
    private List<Register> savedOf(Set<Register> some) {
        return point.saved().stream().filter(some::contains).toList();
    }

    private void giveFirst(VectorCode vc, Register register) {
        Kept k = kept.get(register);
        pushOf(vc, register, k.now, k.stride, Op.IADD, Op.LADD).store(vc.c.local(register));
    }

    /** Pushes a local plus or minus what the register is more for the group's first thread than for thread 0. */
    private static Code pushOf(VectorCode vc, Register register, Local local, long stride, Op ofInts, Op ofLongs) {
        vc.code.load(local);
        if (stride != 0 && vc.c.held(register) == Held.INT) {
            vc.code.load(vc.c.thread).push((int) stride).op(Op.IMUL).op(ofInts);
        } else if (stride != 0) {
            vc.code.load(vc.c.thread).op(Op.I2L).push(stride).op(Op.LMUL).op(ofLongs);
        }
        return vc.code;
    }

    /** A group has come to the barrier. */
    void stop(VectorCode vc) {
        new GroupTransfer(vc, shape).save(savedOf(changed).stream().filter(r -> !kept.containsKey(r)).toList());
        kept.forEach((register, k) -> {
            if (changed.contains(register)) {
                pushOf(vc, register, vc.c.local(register), k.stride, Op.ISUB, Op.LSUB).store(k.next);
            }
        });
    }

    /** The barrier opens. */
    void next(Code code) {
        kept.forEach((register, k) -> {
            if (changed.contains(register)) {
                code.load(k.next).store(k.now);
            }
        });
    }

    /** Puts what the threads begin the turn with that leaves the loop into the frame. */
    void giveBack(VectorCode vc) {
        Code code = vc.code;
        Place again = new Place();
        List<Register> given = kept.keySet().stream().filter(changed::contains).toList();
        code.push(0).store(vc.c.thread).place(again);
        given.forEach(register -> giveFirst(vc, register));
        new GroupTransfer(vc, shape).save(given);
        code.increment(vc.c.thread, vc.group.lanes()).load(vc.c.thread).push(vc.group.block().threads());
        code.jumpIfCompared(Condition.LT, again);
    }
}
