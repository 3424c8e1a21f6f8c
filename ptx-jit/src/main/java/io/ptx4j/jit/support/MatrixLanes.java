package io.ptx4j.jit.support;

import io.ptx4j.engine.Worker;

import java.util.List;

/** Matrix instructions of a warp all of whose threads are here, in one group of the vector shape. */
public final class MatrixLanes {
    /**
     * Such an instruction.
     *
     * @param operands by slot of its operands: the slot of {@link VectorFrame#matrix} that has them
     * @param results the same of its results
     */
    public record Place(Point point, int[] operands, int[] results) {
    }

    /** After so many the worker asks whether to go on: code for vectors that HotSpot has not compiled takes up to two milliseconds for one. */
    private static final int TURNS = 4;
    /** The lanes of a whole warp. */
    private static final long WHOLE = 0xffff_ffffL;

    private MatrixLanes() {
    }

    /** Slots that some instructions need. */
    static int slots(List<Place> places) {
        int most = -1;
        for (Place place : places) {
            for (int slot : place.operands) {
                most = Math.max(most, slot);
            }
            for (int slot : place.results) {
                most = Math.max(most, slot);
            }
        }
        return most + 1;
    }

    /** The words of a place. */
    static WarpWords words(Place place, int[] matrix, int stride) {
        return new WarpWords(matrix, starts(place.operands, stride), matrix, starts(place.results, stride), true);
    }

    private static int[] starts(int[] slots, int stride) {
        int[] starts = new int[slots.length];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = slots[i] * stride;
        }
        return starts;
    }

    /**
     * Executes an instruction for the warp whose first thread that is; ends the launch if one of its threads has failed, or has ended or never was.
     *
     * @param lanes those that are here
     */
    public static void execute(Worker worker, VectorFrame frame, int thread, long lanes, int number) {
        Point point = frame.matrixPlaces[number].point();
        if (frame.failed != 0) {
            frame.raise();
        }
        if (lanes != WHOLE) {
            throw WarpOperations.incomplete(point, frame, thread, (int) lanes);
        }
        if (++frame.matrixTurns % TURNS == 0) {
            Polls.goOn(worker);
        }
        point.action().execute(point, worker, frame, thread, frame.matrixWords[number].of(thread));
    }
}
