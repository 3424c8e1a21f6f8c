package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.jit.support.MatrixLanes;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The matrix instructions of a kernel for which no thread stops, since all of its warp come to them together, by number. */
public final class MatrixPoints {
    private final Map<Instruction, Integer> numbers = new IdentityHashMap<>();
    private final List<MatrixLanes.Place> places = new ArrayList<>();

    /**
     * The instruction's number, its own where it stands at several places.
     *
     * @param operands by slot of its operands: where it is in the frame
     */
    public int number(Instruction instruction, int[] operands, int[] results) {
        return numbers.computeIfAbsent(instruction, i -> {
            places.add(new MatrixLanes.Place(MeetingPoints.describe(i, -1, i.location().line()), operands, results));
            return places.size() - 1;
        });
    }

    public List<MatrixLanes.Place> places() {
        return List.copyOf(places);
    }
}
