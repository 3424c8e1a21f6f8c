package io.ptx4j.jit.vector;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.support.PointKind;
import io.ptx4j.jit.support.WarpLanes;

import java.util.ArrayList;
import java.util.List;

/**
 * In which lanes somebody needs what registers hold. Where only lane 0 stores a sum that {@code shfl.down} collects, the other half of each step is for nobody, and lanes without a source need
 * not keep what they have: such shuffles become crosswise ones, which a processor does in one instruction, and half of whose vectors then nobody reads.
 */
final class NeededLanes {
    private static final int WARP = BlockShape.WARP;
    private static final int LIMIT = 20_000;

    private final Graph graph;
    private final LaneSets sets;
    /** By register's number. */
    private final int[] needed;
    private boolean more;

    private NeededLanes(Graph graph, BlockShape block) {
        this.graph = graph;
        this.sets = new LaneSets(graph, block);
        this.needed = new int[graph.registers().size()];
    }

    /** The graph with shuffles that are crosswise where they may. */
    static Graph crossed(Graph graph, BlockShape block) {
        if (graph.instructionCount() > LIMIT || !Operands.any(graph.blocks(), NeededLanes::mayCross)) {
            return graph;
        }
        NeededLanes all = new NeededLanes(graph, block);
        all.find();
        return graph.with(graph.blocks().stream().map(b -> new BasicBlock(b.index(), b.label(), b.instructions().stream().map(all::crossed).toList(), b.terminator())).toList());
    }

    private static boolean mayCross(Instruction i) {
        return i.opcode() == Opcode.SHFL && (i.spelling().has(Modifier.DOWN) || i.spelling().has(Modifier.UP)) && isFixed(i);
    }

    private static boolean isFixed(Instruction shuffle) {
        return shuffle.operand(3) instanceof Operand.Immediate && shuffle.operand(4) instanceof Operand.Immediate;
    }

    private void find() {
        do {
            more = false;
            for (int o = graph.order().length - 1; o >= 0; o--) {
                BasicBlock b = graph.blocks().get(graph.order()[o]);
                Register last = Operands.use(b.terminator());
                if (last != null) {
                    need(last, sets.at(b));
                }
                for (Instruction i : b.instructions().reversed()) {
                    visit(i, sets.at(b));
                }
            }
        } while (more);
    }

    private void need(Register register, int lanes) {
        if (!Operands.isHidden(register)) {
            more |= (lanes & ~needed[register.index()]) != 0;
            needed[register.index()] |= lanes;
        }
    }

    private void visit(Instruction i, int there) {
        if (i.opcode() == Opcode.SHFL) {
            boolean fixed = isFixed(i) && (i.operands().size() < 6 || i.operand(5) instanceof Operand.Immediate);
            int read = fixed ? sources(i, results(i)) : LaneSets.ALL;
            Operands.uses(i, r -> need(r, i.operand(2) instanceof Operand.Reg from && from.register() == r ? read : LaneSets.ALL));
            return;
        }
        boolean accesses = i.family() == Family.MEMORY || i.family() == Family.ATOMIC;
        int lanes = isOfLanes(i) ? results(i) : accesses ? sets.of(i, there) : LaneSets.ALL;
        Register guard = i.guard() == null ? null : i.guard().predicate();
        Operands.uses(i, r -> need(r, accesses && r == guard ? there : lanes));
    }

    /** Whether each lane's results depend on what that lane has, and nobody sees what it does but by them. */
    private static boolean isOfLanes(Instruction i) {
        return i.family().isPure() || i.family() == Family.HALF_PRECISION || i.family() == Family.MIXED_PRECISION;
    }

    private int results(Instruction i) {
        int[] lanes = {0};
        Operands.definitions(i, r -> lanes[0] |= Operands.isHidden(r) ? LaneSets.ALL : needed[r.index()]);
        return lanes[0];
    }

    /** Lanes that some lanes take a word from. */
    private static int sources(Instruction shuffle, int lanes) {
        int sources = 0;
        for (int l = 0; l < WARP; l++) {
            if ((lanes >>> l & 1) != 0) {
                int source = source(shuffle, l);
                sources |= 1 << (source < 0 ? l : source);
            }
        }
        return sources;
    }

    private static int source(Instruction shuffle, int lane) {
        return WarpLanes.source(MeetingPoints.kind(shuffle), lane, (int) ((Operand.Immediate) shuffle.operand(3)).bits(), (int) ((Operand.Immediate) shuffle.operand(4)).bits());
    }

    private Instruction crossed(Instruction i) {
        if (!mayCross(i)) {
            return i;
        }
        int lanes = results(i);
        int distance = lanes == 0 ? 0 : source(i, Integer.numberOfTrailingZeros(lanes)) ^ Integer.numberOfTrailingZeros(lanes);
        for (int l = 0; l < WARP; l++) {
            if ((lanes >>> l & 1) != 0 && (source(i, l) < 0 || WarpLanes.source(PointKind.SHFL_BFLY, l, distance, WARP - 1) != source(i, l))) {
                return i;
            }
        }
        List<Operand> operands = new ArrayList<>(i.operands());
        operands.set(3, new Operand.Immediate(ScalarType.B32, distance));
        operands.set(4, new Operand.Immediate(ScalarType.B32, WARP - 1));
        return Instruction.of(i.spelling().has(Modifier.SYNC) ? "shfl.sync.bfly.b32" : "shfl.bfly.b32", i.guard(), i.location(), operands.toArray(Operand[]::new));
    }
}
