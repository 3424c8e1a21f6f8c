package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.jit.support.Point;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The matrix instructions of a kernel for which no thread stops, since all of its warp come to them together, by number. */
public final class MatrixPoints {
    private final Map<Instruction, Integer> numbers = new IdentityHashMap<>();
    private final List<Point> points = new ArrayList<>();

    /** The instruction's number, its own where it stands at several places. */
    public int number(Instruction instruction) {
        return numbers.computeIfAbsent(instruction, i -> {
            points.add(MeetingPoints.describe(i, -1, i.location().line()));
            return points.size() - 1;
        });
    }

    public List<Point> points() {
        return List.copyOf(points);
    }
}
