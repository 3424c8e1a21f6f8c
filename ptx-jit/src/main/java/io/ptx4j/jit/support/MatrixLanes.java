package io.ptx4j.jit.support;

import io.ptx4j.engine.Worker;

/** Matrix instructions of a warp all of whose threads are here, in one group of the vector shape. */
public final class MatrixLanes {
    /** Words that a thread brings to a matrix instruction and takes from it, at most. */
    private static final int OPERANDS = 40;
    private static final int RESULTS = 16;
    private static final int WARP = 32;

    private MatrixLanes() {
    }

    /** Room for the words of a warp. */
    static WarpWords words() {
        return new WarpWords(ArrayPlaces.place(new int[OPERANDS * WARP]), ArrayPlaces.place(new int[RESULTS * WARP]), WARP, true);
    }

    /** Executes an instruction whose operands are in the frame's words for a warp, and leaves its results there. */
    public static void execute(Worker worker, VectorFrame frame, int thread, int number) {
        Point point = frame.matrixPoints[number];
        point.action().execute(point, worker, frame, thread, frame.warp);
    }

    /** Ends the launch since a warp that comes to a matrix instruction has lost threads, or never had them all. */
    public static void lacks(VectorFrame frame, int thread, long lanes, int number) {
        throw WarpOperations.incomplete(frame.matrixPoints[number], frame, thread, (int) lanes);
    }
}
