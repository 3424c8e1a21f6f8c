package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArrayPlacesTest {
    private static final int ARRAYS = 200;

    @Test
    void placedArraysBeginAtCacheLinesAndKeepTheirElements() {
        Random random = new Random(1);
        int across = 0;
        for (int n = 0; n < ARRAYS; n++) {
            int[] ints = random.ints(16 + random.nextInt(2_000)).toArray();
            int[] placed = ArrayPlaces.place(ints);
            assertArrayEquals(ints, placed);
            across += ArrayPlaces.isAcross(MemorySegment.ofArray(placed)) ? 1 : 0;
            long[] longs = random.longs(8 + random.nextInt(2_000)).toArray();
            long[] others = ArrayPlaces.place(longs);
            assertArrayEquals(longs, others);
            across += ArrayPlaces.isAcross(MemorySegment.ofArray(others)) ? 1 : 0;
        }
        // The garbage collector may come in between.
        assertTrue(across <= ARRAYS / 20, across + " of " + 2 * ARRAYS + " arrays do not begin where a cache line does");
    }

    @Test
    void anArrayThatIsInPlaceStaysTheSame() {
        int moved = 0;
        for (int n = 0; n < ARRAYS; n++) {
            double[] placed = ArrayPlaces.place(new double[100]);
            moved += ArrayPlaces.place(placed) == placed ? 0 : 1;
        }
        assertTrue(moved <= ARRAYS / 20, moved + " of " + ARRAYS + " arrays moved");
        int[] empty = new int[0];
        assertSame(empty, ArrayPlaces.place(empty));
        assertEquals(3, ArrayPlaces.place(new float[3]).length);
    }
}
