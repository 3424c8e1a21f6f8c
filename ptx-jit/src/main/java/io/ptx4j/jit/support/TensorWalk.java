package io.ptx4j.jit.support;

import io.ptx4j.engine.TensorMap;
import io.ptx4j.engine.TensorMode;
import io.ptx4j.engine.TensorPixels;

/** Goes through the elements of a tensor copy in the order in which they lie in shared memory. */
final class TensorWalk {
    private final TensorMap map;
    private final TensorMode mode;
    private final int[] start;
    private final int[] offsets;
    private final int width;
    private final int step;
    /** Of a tile: how many steps have been made along each dimension. */
    private final int[] steps = new int[TensorMap.DIMENSIONS];
    /** Where the row or pixel begins, without the instruction's offsets. */
    private long[] index = new long[TensorMap.DIMENSIONS];
    /** Where the pixels go on behind a halo. */
    private long[] behind;
    private int row;
    private int column;

    TensorWalk(TensorMap map, TensorMode mode, int[] start, int[] offsets) {
        this.map = map;
        this.mode = mode;
        this.start = start;
        this.offsets = offsets;
        boolean box = map.pixels() == null;
        width = box ? map.moved(0) : map.pixels().channels();
        step = box ? map.elementStrides()[0] : 1;
        for (int d = 0; d < map.dimensions(); d++) {
            index[d] = start[d];
        }
    }

    /** Generic address of the next element; -1 for one outside the tensor. */
    long next() {
        long[] here = index.clone();
        here[0] += (long) column * step;
        switch (mode) {
            case TILE, ROWS -> { }
            case PIXELS -> {
                for (int d = 1; d < map.dimensions() - 1; d++) {
                    here[d] += offsets[d - 1];
                }
            }
            case LINE, LINE_128 -> here[1] += offsets[1];
        }
        long address = map.addressOf(here);
        if (++column == width) {
            column = 0;
            row++;
            advance();
        }
        return address;
    }

    private void advance() {
        switch (mode) {
            case TILE -> tile();
            case ROWS -> {
                if (row < TensorMode.FOUR) {
                    index[1] = start[1 + row];
                }
            }
            case PIXELS -> pixel(map.dimensions() - 1);
            case LINE -> pixel(2);
            case LINE_128 -> {
                pixel(2);
                int inPart = row % (TensorMode.PART + offsets[0]);
                if (inPart == TensorMode.PART) {
                    behind = index.clone();
                } else if (inPart == 0 && offsets[0] > 0) {
                    index = behind.clone();
                }
            }
        }
    }

    private void tile() {
        for (int d = 1; d < map.dimensions(); d++) {
            index[d] += map.elementStrides()[d];
            if (++steps[d] < map.moved(d)) {
                return;
            }
            steps[d] = 0;
            index[d] = start[d];
        }
    }

    /** To the next pixel along the dimensions from 1 to {@code end}; behind the box of all of them to the next image. */
    private void pixel(int end) {
        TensorPixels pixels = map.pixels();
        for (int d = 1; d < end; d++) {
            index[d] += map.elementStrides()[d];
            if (index[d] < Integer.toUnsignedLong(map.extents()[d]) + pixels.upper()[d - 1]) {
                return;
            }
            index[d] = pixels.lower()[d - 1];
        }
        index[map.dimensions() - 1]++;
    }
}
