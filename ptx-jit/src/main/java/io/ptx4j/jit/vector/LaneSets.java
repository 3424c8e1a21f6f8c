package io.ptx4j.jit.vector;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.KnownNumbers;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.MeetingPoints;

import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which lanes of warps may execute instructions, where threads' numbers alone decide: behind {@code tid.x == 0} only lane 0 is.
 */
final class LaneSets {
    private static final int WARP = BlockShape.WARP;
    static final int ALL = -1;
    /** Instructions one behind the other that a predicate may be computed by. */
    private static final int DEEPEST = 40;
    private static final long[] UNKNOWN = {};

    private final Graph graph;
    private final BlockShape block;
    private final Map<Register, long[]> values = new HashMap<>();
    /** By block. */
    private int[] lanes;
    private Map<Instruction, BasicBlock> places;
    /** Blocks that all lanes of a block come to together. */
    private BitSet common;

    LaneSets(Graph graph, BlockShape block) {
        this.graph = graph;
        this.block = block;
    }

    /** The only instruction that ever writes a register, always; null if there is none. */
    Instruction maker(Register register) {
        Instruction only = Operands.isHidden(register) ? null : graph.writes().only(register);
        return only == null || only.guard() != null || graph.liveness().liveIn(0).contains(register) ? null : only;
    }

    /** Lanes that may come to a block. */
    int at(BasicBlock where) {
        if (lanes == null) {
            find();
        }
        return lanes[where.index()];
    }

    /** Of lanes that come to an instruction, those that may execute it. */
    int of(Instruction i, int there) {
        return i.guard() == null ? there : there & with(i.guard().predicate(), i.guard().negated());
    }

    /** Lanes that may execute a store or an atomic. */
    int of(Instruction access) {
        BasicBlock where = place(access);
        return where == null ? ALL : of(access, at(where));
    }

    /**
     * Whether all threads of a block that is one warp come to a shuffle together, but those that have failed: no way leads round it, none comes back, and wherever threads meet in the kernel, all do.
     */
    boolean isCommon(Instruction shuffle) {
        BasicBlock where = block.threads() == WARP ? place(shuffle) : null;
        if (where != null && common == null) {
            findCommon();
        }
        return where != null && common.get(where.index());
    }

    private BasicBlock place(Instruction i) {
        if (places == null) {
            places = new IdentityHashMap<>();
            graph.blocks().forEach(b -> b.instructions().stream().filter(LaneSets::isAsked).forEach(one -> places.put(one, b)));
        }
        return places.get(i);
    }

    private static boolean isAsked(Instruction i) {
        return i.opcode() == Opcode.ST || i.opcode() == Opcode.SHFL || i.family() == Family.ATOMIC;
    }

    private void findCommon() {
        common = new BitSet();
        List<BasicBlock> all = graph.blocks();
        List<BasicBlock> meeting = all.stream().filter(b -> b.instructions().stream().anyMatch(i -> MeetingPoint.kindOf(i) != null)).toList();
        boolean ahead = all.stream().allMatch(b -> b.successors().stream().noneMatch(s -> graph.isBackEdge(b.index(), s)));
        if (ahead && meeting.stream().allMatch(this::isOnAllWays) && !Operands.any(meeting, i -> MeetingPoint.kindOf(i) != null && !isOfAll(i))) {
            meeting.forEach(b -> common.set(b.index()));
        }
    }

    private static boolean isOfAll(Instruction i) {
        boolean known = i.opcode() == Opcode.SHFL && i.spelling().has(Modifier.SYNC) || i.family() == Family.BARRIER && MeetingPoint.kindOf(i) == MeetingPoint.Kind.WARP;
        return known && i.guard() == null && MeetingPoints.mask(i) instanceof Operand.Immediate mask && (int) mask.bits() == ALL;
    }

    private boolean isOnAllWays(BasicBlock block) {
        BitSet others = graph.reached(List.of(0), b -> b != block.index());
        others.clear(block.index());
        return others.stream().noneMatch(b -> graph.blocks().get(b).successors().isEmpty());
    }

    private void find() {
        lanes = new int[graph.blocks().size()];
        lanes[0] = ALL;
        boolean more = true;
        while (more) {
            more = false;
            for (int b : graph.order()) {
                BasicBlock from = graph.blocks().get(b);
                for (int to : from.successors()) {
                    int all = lanes[to] | lanes[b] & taking(from.terminator(), to);
                    more |= all != lanes[to];
                    lanes[to] = all;
                }
            }
        }
    }

    private int taking(Terminator end, int to) {
        return end instanceof Terminator.Branch branch && branch.taken() != branch.otherwise() ? with(branch.predicate(), branch.negated() == (to == branch.taken())) : ALL;
    }

    /** Lanes in which a predicate, or its opposite, may hold. */
    int with(Register predicate, boolean negated) {
        long[] known = value(predicate, 0);
        if (known == UNKNOWN) {
            return ALL;
        }
        int mask = 0;
        for (int t = 0; t < known.length; t++) {
            mask |= (int) (known[t] & 1 ^ (negated ? 1 : 0)) << t % WARP;
        }
        return mask;
    }

    /** By thread of the block. */
    private long[] value(Register register, int depth) {
        long[] known = values.get(register);
        if (known == null) {
            known = depth > DEEPEST || maker(register) == null ? UNKNOWN : computed(maker(register), depth);
            values.put(register, known);
        }
        return known;
    }

    private long[] computed(Instruction i, int depth) {
        long[] all = new long[block.threads()];
        for (int t = 0; t < all.length; t++) {
            int thread = t;
            Long result = KnownNumbers.result(i, o -> bits(o, thread, depth));
            if (result == null) {
                return UNKNOWN;
            }
            all[t] = result;
        }
        return all;
    }

    private Long bits(Operand operand, int thread, int depth) {
        return switch (operand) {
            case Operand.Immediate n -> Long.valueOf(n.bits());
            case Operand.Reg r -> {
                long[] known = value(r.register(), depth + 1);
                yield known == UNKNOWN ? null : Long.valueOf(known[thread]);
            }
            case Operand.Special s -> KnownNumbers.special(s, block, thread);
            default -> null;
        };
    }
}
