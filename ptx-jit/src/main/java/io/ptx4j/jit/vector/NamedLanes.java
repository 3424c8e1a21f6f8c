package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.scalar.MeetingPoints;

import java.util.List;

/**
 * Warp operations of some lanes that a test of their number has let through, as in {@code if (threadIdx.x < 8) x = __shfl_up_sync(0xff, x, 1)}: those that the member mask names are all there, though
 * the others are not.
 */
final class NamedLanes {
    private final Graph graph;
    private final LaneFlow flow;
    private final Forms forms;

    NamedLanes(Graph graph, LaneFlow flow, Forms forms) {
        this.graph = graph;
        this.flow = flow;
        this.forms = forms;
    }

    /** Whether the lanes that come to an instruction in the block at {@code place} are those of its member mask, or none of their warp. */
    boolean are(Instruction i, int place) {
        if (i.guard() != null || !(MeetingPoints.mask(i) instanceof Operand.Immediate mask)) {
            return false;
        }
        int block = flow.block(place);
        // As many steps as there are blocks: a way back to where it came from has no end.
        for (int steps = 0; steps < flow.size(); steps++) {
            List<Integer> before = graph.predecessors().get(block);
            if (before.size() != 1 || flow.block(flow.placeOf(before.getFirst())) != before.getFirst()) {
                return false;
            }
            int from = before.getFirst();
            switch (graph.blocks().get(from).terminator()) {
                case Terminator.Jump j -> { }
                case Terminator.Branch b -> {
                    if (!(forms.of(b.predicate()) instanceof Form.Uniform)) {
                        return !flow.apart(flow.placeOf(from)) && b.taken() != b.otherwise() && areThose((int) mask.bits(), b.predicate(), b.negated() == (b.taken() == block));
                    }
                }
                default -> {
                    return false;
                }
            }
            block = from;
        }
        return false;
    }

    /** Whether a predicate is {@code !negated} in just these lanes of the first warp, and of others in none. */
    private boolean areThose(int mask, Register predicate, boolean negated) {
        Instruction i = graph.writes().only(predicate);
        if (i == null || i.guard() != null || i.opcode() != Opcode.SETP || i.operands().size() != 4 || !(i.operand(1) instanceof Operand.Absent) || i.type().bits() != Integer.SIZE || !i.type().isInteger()
                || !(i.operand(2) instanceof Operand.Reg number) || !(i.operand(3) instanceof Operand.Immediate limit) || !counts(number.register())) {
            return false;
        }
        long most = forms.most(number.register());
        long other = limit.bits() & 0xFFFF_FFFFL;
        if (other >= Group.WARP || i.type().signed() && most > Integer.MAX_VALUE) {
            return false;
        }
        Modifier comparison = i.spelling().comparison();
        int those = 0;
        for (int lane = 0; lane < Group.WARP; lane++) {
            those |= holds(comparison, lane, other) != negated ? 1 << lane : 0;
        }
        return those == mask && (most < Group.WARP || holds(comparison, Group.WARP, other) == negated);
    }

    /** Whether a register has the number of a lane and a multiple of a warp's size. */
    private boolean counts(Register number) {
        return forms.of(number) instanceof Form.Affine a && a.plain() && a.stride() == 1 && a.step() == 0 && a.low().count() >= 5 && a.low().most(5).value() == 0;
    }

    private static boolean holds(Modifier comparison, long number, long limit) {
        return switch (comparison) {
            case EQ -> number == limit;
            case NE -> number != limit;
            case LT, LO -> number < limit;
            case LE, LS -> number <= limit;
            case GT, HI -> number > limit;
            case GE, HS -> number >= limit;
            default -> false;
        };
    }
}
