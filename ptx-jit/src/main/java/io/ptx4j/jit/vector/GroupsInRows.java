package io.ptx4j.jit.vector;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.SpinLoops;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.support.VectorLanes;

import java.util.ArrayList;
import java.util.List;

/**
 * A kernel whose blocks have rows of no whole number of vectors, such as 8 or 18 threads, and whose groups lie within a row even so, since then addresses have a form: groups are narrow, or each row
 * gets places for so many threads more. Places without a thread never run. The others have the numbers of other threads, so rows are padded only where no number shows: neither in what the kernel
 * does, nor in which of several waiting threads fails first.
 *
 * @param group threads that run together, at first
 */
record GroupsInRows(Graph graph, Group group) {
    /** Places of a block. */
    private static final int MOST_PLACES = 1024;
    /** Vector instructions that take as long as an access whose address has no form, which is done lane by lane. */
    private static final int ACCESS = 24;
    /** How often a loop turns, in powers of two, and how deeply nested loops count. */
    private static final int TURNS = 3;
    private static final int DEEPEST = 3;

    /** Null where groups lie within rows as it is, or no such group would be better than the one that has parts of several rows. */
    static GroupsInRows of(Graph graph, Group flat) {
        if (flat.rowAffine()) {
            return null;
        }
        GroupsInRows best = null;
        double least = cost(graph, flat);
        for (int length : new int[] {flat.length(), VectorLanes.LONG.length()}) {
            GroupsInRows rows = of(graph, flat, length);
            double cost = rows == null ? Double.MAX_VALUE : cost(rows.graph, rows.group);
            best = cost < least ? rows : best;
            least = Math.min(cost, least);
        }
        return best;
    }

    /** Groups of that many lanes or more, or null. */
    private static GroupsInRows of(Graph graph, Group flat, int length) {
        BlockShape block = flat.block();
        int places = (block.x() + length - 1) / length * length;
        Group group = Group.padded(flat.kernel(), new BlockShape(places, block.y(), block.z()), block.x());
        Group wanted = length < flat.length() ? group.narrowed() : group;
        if (!group.padded()) {
            return new GroupsInRows(graph, wanted);
        }
        boolean fits = 2 * block.x() > places && (long) places * block.y() * block.z() <= MOST_PLACES;
        return !fits || graph.localBytes() > 0 || graph.usesStack() || Operands.any(graph.blocks(), GroupsInRows::countsThreads) || !SpinLoops.headers(graph).isEmpty() ? null
                : new GroupsInRows(withConstants(graph, block.x()), wanted);
    }

    /** Vector instructions for each vector of threads. */
    private static double cost(Graph graph, Group group) {
        Forms forms = Analysis.of(graph, group, group.kernel()).forms();
        int[] depth = graph.loopDepth();
        long instructions = 0;
        long accesses = 0;
        for (BasicBlock block : graph.blocks()) {
            int turns = TURNS * Math.min(depth[block.index()], DEEPEST);
            instructions += (long) block.instructions().size() << turns;
            accesses += block.instructions().stream().filter(i -> varies(i, forms)).count() << turns;
        }
        double used = (double) group.columns() / group.block().x() / (group.narrow() ? 2 : 1);
        return instructions / used + (double) ACCESS * accesses;
    }

    private static boolean varies(Instruction i, Forms forms) {
        return i.operands().stream().anyMatch(o -> o instanceof Operand.Address a && a.register() != null && !forms.of(a.register()).scalar());
    }

    /** Whether an instruction makes something of a thread's number in its block, or of how many threads there are. */
    private static boolean countsThreads(Instruction i) {
        MeetingPoint.Kind meeting = MeetingPoint.kindOf(i);
        boolean counts = meeting != null && (meeting != MeetingPoint.Kind.BLOCK || !MeetingPoints.isForBlock(i) || i.spelling().has(Modifier.RED));
        return counts || i.opcode() == Opcode.CALL || i.family() == Family.MBARRIER || i.operands().stream().anyMatch(GroupsInRows::isNumber);
    }

    private static boolean isNumber(Operand operand) {
        return operand instanceof Operand.Special s && switch (s.register()) {
            case TID_X, TID_Y, TID_Z, NTID_X, NTID_Y, NTID_Z, CTAID_X, CTAID_Y, CTAID_Z, NCTAID_X, NCTAID_Y, NCTAID_Z -> false;
            default -> true;
        } || operand instanceof Operand.Address a && a.space() == StateSpace.LOCAL;
    }

    private static boolean isColumns(Operand operand) {
        return operand instanceof Operand.Special s && s.register() == SpecialRegister.NTID_X;
    }

    /** {@code %ntid.x} is that of the launch. */
    private static Graph withConstants(Graph graph, int columns) {
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock b : graph.blocks()) {
            List<Instruction> code = new ArrayList<>();
            for (Instruction i : b.instructions()) {
                code.add(i.operands().stream().noneMatch(GroupsInRows::isColumns) ? i : new Instruction(i.spelling(), i.guard(), i.operands().stream().map(o -> isColumns(o)
                        ? new Operand.Immediate(ScalarType.U32, columns) : o).toList(), i.location()));
            }
            blocks.add(new BasicBlock(b.index(), b.label(), List.copyOf(code), b.terminator()));
        }
        return graph.with(blocks);
    }
}
