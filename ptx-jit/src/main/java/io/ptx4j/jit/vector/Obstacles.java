package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.RetryLoop;

import java.util.BitSet;

/** What keeps a kernel in the scalar shape. */
final class Obstacles {
    private final Analysis analysis;

    private Obstacles(Analysis analysis) {
        this.analysis = analysis;
    }

    /** @throws NotVectorizable if there is one */
    static void check(Analysis analysis) {
        new Obstacles(analysis).check();
    }

    private void check() {
        for (MeetingPoint point : analysis.regions().points()) {
            if (point.kind() == MeetingPoint.Kind.PASS) {
                throw new NotVectorizable("code that several barriers share is too large to be copied");
            }
        }
        UpdateOrder order = UpdateOrder.of(analysis.graph());
        BitSet oneByOne = LaneBlocks.blocks(analysis.laneBlocks());
        for (RetryLoop loop : order.retries()) {
            if (!oneByOne.get(loop.header())) {
                throw dependsOnOrder(loop.swap());
            }
        }
        oneByOne.stream().mapToObj(analysis.graph().blocks()::get).forEach(b -> b.instructions().forEach(i -> {
            checkOrder(i, order);
            if (order.retries().stream().noneMatch(loop -> loop.blocks().get(b.index()))) {
                checkWaiting(i);
            }
        }));
        for (LaneFlow flow : analysis.flows()) {
            for (int p = 0; p < flow.size(); p++) {
                BasicBlock block = analysis.graph().blocks().get(flow.block(p));
                block.instructions().forEach(i -> checkOrder(i, order));
                if (flow.inPartingLoop(p)) {
                    block.instructions().forEach(this::checkWaiting);
                }
            }
        }
    }

    /** In the scalar shape a thread runs as far as it gets before the next one begins, and that order shows here. */
    private static void checkOrder(Instruction i, UpdateOrder order) {
        if (i.family() == Family.BARRIER && i.spelling().has(Modifier.CLUSTER) && i.spelling().has(Modifier.ARRIVE)) {
            throw new NotVectorizable("line " + i.location().line() + ": blocks of a cluster wait for each other");
        }
        if (order.shows(i)) {
            throw dependsOnOrder(i);
        }
    }

    private static NotVectorizable dependsOnOrder(Instruction i) {
        return new NotVectorizable("line " + i.location().line() + ": what " + i.spelling() + " gives depends on the order in which threads come to it");
    }

    /** Threads of a group that wait for each other in a loop would never come together. */
    private void checkWaiting(Instruction i) {
        boolean ordered = (i.opcode() == Opcode.LD || i.opcode() == Opcode.ST || i.opcode() == Opcode.MULTIMEM) && !Operands.isWeak(i);
        // Loops that wait are known, and stop.
        if ((ordered || i.family() == Family.MBARRIER) && !analysis.regions().spins()) {
            throw new NotVectorizable("line " + i.location().line() + ": " + i.spelling()
                    + " in a loop that threads of a warp leave one by one: they might wait for each other");
        }
    }
}
