package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.RetryLoop;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Loops that update memory by compare-and-swap, which lanes go through one after the other, in the order of threads: together, all but one of those with the same place would fail in each turn, and
 * what they leave might depend on it.
 */
final class Retries {
    private Retries() {
    }

    /**
     * Adds such loops to the blocks that lanes go through one by one anyway, by head.
     *
     * @param uniform whether a register is computed once for all threads
     */
    static void add(Map<Integer, LaneBlocks> lanes, Graph graph, Regions regions, Predicate<Register> uniform) {
        BitSet taken = LaneBlocks.blocks(lanes);
        for (RetryLoop loop : RetryLoop.of(graph)) {
            if (!loop.blocks().intersects(taken) && isWhole(loop, regions)) {
                lanes.put(loop.header(), loop.next() == RetryLoop.END ? ending(graph, loop) : goingOn(graph, loop, uniform));
            }
        }
    }

    private static LaneBlocks ending(Graph graph, RetryLoop loop) {
        BitSet blocks = (BitSet) loop.blocks().clone();
        loop.blocks().stream().forEach(b -> graph.blocks().get(b).successors().forEach(blocks::set));
        return new LaneBlocks(loop.header(), blocks.stream().boxed().toList(), LaneBlocks.END, List.of());
    }

    private static LaneBlocks goingOn(Graph graph, RetryLoop loop, Predicate<Register> uniform) {
        return new LaneBlocks(loop.header(), loop.blocks().stream().boxed().toList(), loop.next(), SlowPaths.results(graph, loop.blocks(), loop.next(), uniform));
    }

    private static boolean isWhole(RetryLoop loop, Regions regions) {
        return loop.blocks().stream().noneMatch(b -> regions.pointOfBlock()[b] >= 0 || regions.pointOfEntry()[b] >= 0 || regions.pointOfSpin()[b] >= 0)
                && (loop.next() == RetryLoop.END || regions.pointOfEntry()[loop.next()] < 0);
    }
}
