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
 * @param pieces in text order
 * @param start number of the entry at which threads enter the region
 * @param entryNumber by block that another piece goes on to: its number, which is {@code piece << PIECE_SHIFT | place in the piece's entries}
 * @param crossings for each of these entries, the registers that must be handed over
 */
record Chunks(List<Piece> pieces, int start, Map<Integer, Integer> entryNumber, List<List<Register>> crossings) {
    static final int PIECE_SHIFT = 16;
    private static final int BYTES_PER_INSTRUCTION = 4;
    private static final int BYTES_PER_BLOCK = 12;

    /**
     * What one method holds.
     *
     * @param blocks in text order
     * @param entries those of them at which it is entered; in the piece with the region's start that is the first, and once more among the others
     *     where another piece jumps there
     */
    record Piece(List<Integer> blocks, List<Integer> entries) {
    }

    static Chunks of(ScalarShape shape, Region region, int budget) {
        Graph graph = shape.graph;
        int total = region.blocks().stream().mapToInt(b -> size(graph.blocks().get(b))).sum();
        List<List<Integer>> cut = total <= budget ? List.of(region.blocks()) : cut(graph, region.blocks(), budget);
        List<Piece> pieces = new ArrayList<>();
        Map<Integer, Integer> pieceOf = new HashMap<>();
        for (List<Integer> blocks : cut) {
            blocks.forEach(b -> pieceOf.put(b, pieces.size()));
            pieces.add(new Piece(blocks, new ArrayList<>()));
        }
        // A region that ends where it begins, behind a barrier before a place where code is cut, has no blocks.
        int start = region.blocks().isEmpty() ? 0 : pieceOf.get(region.start());
        pieces.get(start).entries.add(region.start());
        Map<Integer, Integer> numbers = new HashMap<>();
        List<List<Register>> crossings = new ArrayList<>();
        for (int b : region.blocks()) {
            if (shape.regions.pointOfBlock()[b] >= 0) {
                continue;
            }
            for (int s : graph.blocks().get(b).successors()) {
                Integer piece = pieceOf.get(s);
                boolean crosses = piece != null && shape.regions.pointOfEntry()[s] < 0 && !piece.equals(pieceOf.get(b));
                if (crosses && !numbers.containsKey(s)) {
                    List<Integer> entries = pieces.get(piece).entries;
                    numbers.put(s, piece << PIECE_SHIFT | entries.size());
                    entries.add(s);
                    crossings.add(shape.liveness.liveIn(s));
                }
            }
        }
        return new Chunks(pieces, start << PIECE_SHIFT, numbers, crossings);
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
            int loop = loopSize(graph, blocks, i, budget);
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

    /** Size of the blocks from {@code start} to the last one that jumps back to it, or anything above {@code most}; 0 when none does. */
    private static int loopSize(Graph graph, List<Integer> blocks, int start, int most) {
        int header = blocks.get(start);
        int last = -1;
        for (int p : graph.predecessors().get(header)) {
            last = p >= header ? Math.max(last, p) : last;
        }
        int size = 0;
        for (int i = start; i < blocks.size() && blocks.get(i) <= last && size <= most; i++) {
            size += size(graph.blocks().get(blocks.get(i)));
        }
        return last < 0 ? 0 : size;
    }
}
