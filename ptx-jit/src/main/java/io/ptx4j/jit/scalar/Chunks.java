package io.ptx4j.jit.scalar;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Regions.Region;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A region cut into pieces that fit into methods. Loops that fit into one piece stay whole.
 *
 * @param pieces blocks of each piece, in text order
 * @param entries blocks at which a piece is entered; entry 0 is the region's start
 * @param entryNumber by block: its place in {@code entries}
 * @param crossings for each entry but the first, the registers that must be handed over
 */
record Chunks(List<List<Integer>> pieces, List<Integer> entries, Map<Integer, Integer> entryNumber, List<List<Register>> crossings) {
    private static final int BYTES_PER_INSTRUCTION = 4;
    private static final int BYTES_PER_BLOCK = 12;

    static Chunks of(ScalarShape shape, Region region, int budget) {
        Graph graph = shape.graph;
        int total = region.blocks().stream().mapToInt(b -> size(graph.blocks().get(b))).sum();
        List<List<Integer>> pieces = total <= budget ? List.of(region.blocks()) : cut(graph, region.blocks(), budget);
        Map<Integer, Integer> pieceOf = new HashMap<>();
        for (int p = 0; p < pieces.size(); p++) {
            for (int b : pieces.get(p)) {
                pieceOf.put(b, p);
            }
        }
        List<Integer> entries = new ArrayList<>(List.of(region.start()));
        Map<Integer, Integer> numbers = new HashMap<>();
        List<List<Register>> crossings = new ArrayList<>();
        for (int b : region.blocks()) {
            if (shape.regions.pointOfBlock()[b] >= 0) {
                continue;
            }
            for (int s : graph.blocks().get(b).successors()) {
                boolean crosses = pieceOf.containsKey(s) && shape.regions.pointOfEntry()[s] < 0 && !pieceOf.get(s).equals(pieceOf.get(b));
                if (crosses && !numbers.containsKey(s)) {
                    numbers.put(s, entries.size());
                    entries.add(s);
                    crossings.add(shape.liveness.liveIn(s));
                }
            }
        }
        return new Chunks(pieces, entries, numbers, crossings);
    }

    boolean single() {
        return pieces.size() == 1;
    }

    private static int size(BasicBlock block) {
        int size = BYTES_PER_BLOCK;
        for (Instruction instruction : block.instructions()) {
            size += BYTES_PER_INSTRUCTION + 2 * instruction.operands().size();
        }
        return size;
    }

    private static List<List<Integer>> cut(Graph graph, List<Integer> blocks, int budget) {
        List<List<Integer>> pieces = new ArrayList<>();
        List<Integer> piece = new ArrayList<>();
        int used = 0;
        for (int i = 0; i < blocks.size(); i++) {
            int size = size(graph.blocks().get(blocks.get(i)));
            int loop = loopSize(graph, blocks, i);
            boolean wholeLoopNext = loop > size && loop <= budget && used + loop > budget;
            if (!piece.isEmpty() && (used + size > budget || wholeLoopNext)) {
                pieces.add(piece);
                piece = new ArrayList<>();
                used = 0;
            }
            piece.add(blocks.get(i));
            used += size;
        }
        pieces.add(piece);
        return pieces;
    }

    /** Size of the blocks from {@code start} to the last one that jumps back to it; 0 when none does. */
    private static int loopSize(Graph graph, List<Integer> blocks, int start) {
        int header = blocks.get(start);
        int last = -1;
        for (int p : graph.predecessors().get(header)) {
            last = p >= header ? Math.max(last, p) : last;
        }
        int size = 0;
        for (int i = start; i < blocks.size() && blocks.get(i) <= last; i++) {
            size += size(graph.blocks().get(blocks.get(i)));
        }
        return last < 0 ? 0 : size;
    }
}
