package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Terminator;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.support.Polls;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * Jumps by which threads end before they come to any loop, as threads beyond the data do and those that find nothing to do. They go on with the next thread
 * in a loop of their own: HotSpot then makes a short counted loop of the search for a thread that goes on, and keeps in registers what that needs. Where both
 * ways meet before the next thread, each thread moves values to where the inner loops want them and back.
 *
 * @param blocks those that only threads run that have come to no loop
 */
public record EarlyEnds(Graph graph, Regions regions, BitSet blocks) {
    /** Of a region without loops none: all its threads ending in one place are what makes one counted loop of them. */
    public static EarlyEnds of(Graph graph, Regions regions, Region region) {
        BitSet within = new BitSet();
        region.blocks().forEach(within::set);
        BitSet loops = new BitSet();
        region.blocks().stream().filter(b -> graph.loopDepth()[b] > 0).forEach(loops::set);
        BitSet early = new BitSet();
        if (!loops.isEmpty() && !region.blocks().isEmpty()) {
            BitSet start = new BitSet();
            start.set(region.start());
            early = from(graph, start, within);
            early.andNot(from(graph, loops, within));
            if (LoopCost.ofTurn(early.stream().mapToObj(graph.blocks()::get).toList(), Polls.THREAD) > 0) {
                early.clear();
            }
        }
        return new EarlyEnds(graph, regions, early);
    }

    /** What can be reached from blocks without leaving others. */
    private static BitSet from(Graph graph, BitSet starts, BitSet within) {
        BitSet reached = (BitSet) starts.clone();
        Deque<Integer> work = new ArrayDeque<>();
        starts.stream().forEach(work::add);
        while (!work.isEmpty()) {
            for (int next : graph.blocks().get(work.remove()).successors()) {
                if (within.get(next) && !reached.get(next)) {
                    reached.set(next);
                    work.add(next);
                }
            }
        }
        return reached;
    }

    /** Whether threads that go from one block to the other end early. */
    public boolean contains(int from, int to) {
        BasicBlock end = graph.blocks().get(to);
        return blocks.get(from) && end.instructions().isEmpty() && regions.pointOfEntry()[to] < 0
                && (end.terminator() instanceof Terminator.Return || end.terminator() instanceof Terminator.Exit);
    }
}
