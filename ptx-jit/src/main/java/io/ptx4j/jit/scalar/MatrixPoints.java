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
     * The instruction's number. Where code for it is emitted again the last one counts: what is only measured may have other slots.
     *
     * @param operands by slot of its operands: where it is in the frame
     */
    public int number(Instruction instruction, int[] operands, int[] results) {
        MatrixLanes.Place place = new MatrixLanes.Place(MeetingPoints.describe(instruction, -1, instruction.location().line()), operands, results);
        Integer known = numbers.putIfAbsent(instruction, places.size());
        if (known != null) {
            places.set(known, place);
            return known;
        }
        places.add(place);
        return places.size() - 1;
    }

    public List<MatrixLanes.Place> places() {
        return List.copyOf(places);
    }
}
