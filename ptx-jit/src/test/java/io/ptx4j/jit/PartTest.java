package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.ClusterShape;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PartTest {
    private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

    /** Notes which blocks run. */
    private static final class Noted implements Part.Code {
        private final List<List<Long>> runs = new ArrayList<>();

        @Override
        public void run(Worker worker, long first, long end) {
            runs.add(List.of(first, end));
        }

        @Override
        public void runThreads(Worker worker, long block, int first, int end) {
            throw new AssertionError();
        }
    }

    private static Worker worker(int blocks) {
        Grid grid = new Grid(null, null, blocks, 1, 1, new BlockShape(32, 1, 1), ClusterShape.SINGLE, 0, 0, NONE, 0, 0, text -> { }, null);
        return new Worker(grid, NONE, NONE, 0, NONE, 0, NONE, 0);
    }

    @Test
    void blocksThatWaitRunInOrderUntilHalfOfTheGridHasRunInEachShape() {
        Worker worker = worker(11);
        Part part = new Part(32, 32, true);
        Noted code = new Noted();
        assertTrue(part.grow());
        for (int turn = 0; turn < 2; turn++) {
            code.runs.clear();
            part.restart();
            for (boolean first = true; first || !part.atEnd(11); first = false) {
                part.time(worker, code);
                part.time(worker, code);
                part.next();
            }
            assertEquals(List.of(List.of(0L, 2L), List.of(0L, 2L), List.of(2L, 4L), List.of(2L, 4L)), code.runs);
        }
    }

    @Test
    void aGridOfOneBlockHasAPart() {
        Worker worker = worker(1);
        Part part = new Part(32, 32, true);
        Noted code = new Noted();
        assertFalse(part.atEnd(1));
        part.time(worker, code);
        part.time(worker, code);
        part.next();
        assertTrue(part.atEnd(1));
        assertEquals(List.of(List.of(0L, 1L), List.of(0L, 1L)), code.runs);
    }

    @Test
    void allBlocksRunInOrder() {
        Noted code = new Noted();
        new Part(32, 32, true).runAll(worker(130), code, Long.MAX_VALUE);
        assertEquals(List.of(List.of(0L, 64L), List.of(64L, 128L), List.of(128L, 130L)), code.runs);
    }

    @Test
    void otherPartsLieAtTheStartAndAllOverTheGrid() {
        Worker worker = worker(800);
        Part part = new Part(32, 32, false);
        Noted code = new Noted();
        for (int i = 0; i < 16; i++, part.next()) {
            part.time(worker, code);
        }
        assertEquals(List.of(0L, 799L, 1L, 100L, 2L, 200L, 3L, 300L, 4L, 400L, 5L, 500L, 6L, 600L, 7L, 700L), code.runs.stream().map(List::getFirst).toList());
    }
}
