package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which registers the pieces of a region take from the frame and leave there: those that live where a piece is entered, or that it changes
 * and others read. What lives only between blocks of one piece stays in its vectors.
 */
final class Traffic {
    private final LaneFlow flow;
    private final Pieces pieces;
    private final VectorShape shape;
    /** By place: whether code or lanes come there from outside of the piece. */
    private final boolean[] entered;
    /** At how many places a register is live. */
    private final Map<Register, Integer> places = new HashMap<>();

    Traffic(LaneFlow flow, Pieces pieces, VectorShape shape) {
        this.flow = flow;
        this.pieces = pieces;
        this.shape = shape;
        this.entered = new boolean[flow.size()];
        int[] piece = new int[flow.size()];
        for (int n = 0; n < pieces.count(); n++) {
            for (int p = pieces.low(n); p < pieces.high(n); p++) {
                piece[p] = n;
            }
            entered[pieces.low(n)] = true;
        }
        for (int p = 0; p < flow.size(); p++) {
            int here = piece[p];
            // Lanes may wait while other pieces run.
            flow.waiting(p).stream().filter(w -> piece[w] != here).forEach(w -> entered[w] = true);
            for (int s : flow.successors(p)) {
                entered[s] |= piece[s] != here;
            }
            live(p).forEach(r -> places.merge(r, 1, Integer::sum));
        }
    }

    private List<Register> live(int place) {
        return shape.liveness.liveIn(flow.block(place));
    }

    /** Of the registers that a piece writes, those that it leaves in the frame. */
    List<Register> saved(int piece, Collection<Register> written) {
        Map<Register, Integer> inside = new HashMap<>();
        for (int p = pieces.low(piece); p < pieces.high(piece); p++) {
            if (!entered[p]) {
                live(p).forEach(r -> inside.merge(r, 1, Integer::sum));
            }
        }
        return written.stream().filter(r -> places.getOrDefault(r, 0) > inside.getOrDefault(r, 0)).toList();
    }

    /** Of the registers that a piece names, those that it takes from the frame; lanes that do not write one leave what was there. */
    List<Register> restored(int piece, Collection<Register> named, Collection<Register> saved) {
        Set<Register> needed = new HashSet<>(saved);
        for (int p = pieces.low(piece); p < pieces.high(piece); p++) {
            if (entered[p]) {
                needed.addAll(live(p));
            }
            // Lanes that wait at the header of a loop that ends here may stop, though the piece does not go there.
            flow.loopsEndingAt(p).stream().mapToInt(flow::spinOf).filter(spin -> spin >= 0)
                    .forEach(spin -> needed.addAll(shape.regions.points().get(spin).saved()));
        }
        return named.stream().filter(needed::contains).toList();
    }
}
