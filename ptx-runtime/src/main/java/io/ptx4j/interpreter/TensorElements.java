package io.ptx4j.interpreter;

import io.ptx4j.engine.TensorMap;
import io.ptx4j.engine.TensorMode;

/** The elements of a tensor copy (manual: "Tensors", the sections of the modes), each found by its number in shared memory. */
record TensorElements(TensorMap map, TensorMode mode, int[] start, int[] offsets) {
    int count() {
        return mode.elements(map, offsets);
    }

    /** Generic address of the element; -1 for one outside the tensor. */
    long address(int element) {
        return map.addressOf(switch (mode) {
            case TILE -> tile(element);
            case ROWS -> row(element % map.moved(0), element / map.moved(0));
            case PIXELS -> pixel(element, element / map.pixels().channels(), map.dimensions() - 2, 0);
            case LINE -> pixel(element, element / map.pixels().channels(), 1, 1);
            case LINE_128 -> {
                int part = TensorMode.PART + offsets[0];
                int pixel = element / map.pixels().channels();
                yield pixel(element, pixel / part * TensorMode.PART + pixel % part, 1, 1);
            }
        });
    }

    private long[] tile(int element) {
        long[] index = new long[map.dimensions()];
        int rest = element;
        for (int d = 0; d < index.length; d++) {
            index[d] = start[d] + (long) (rest % map.moved(d)) * map.elementStrides()[d];
            rest /= map.moved(d);
        }
        return index;
    }

    private long[] row(int column, int row) {
        return new long[] {start[0] + (long) column * map.elementStrides()[0], start[1 + row]};
    }

    /**
     * @param number of the pixel, from the first one on
     * @param space dimensions of the box, from W on, along which pixels follow each other before the next image comes
     * @param firstOffset which operand is the offset along W
     */
    private long[] pixel(int element, int number, int space, int firstOffset) {
        int images = map.dimensions() - 1;
        long[] index = new long[map.dimensions()];
        index[0] = (long) start[0] + element % map.pixels().channels();
        long left = number;
        for (int d = 1; d < images; d++) {
            index[d] = start[d];
            if (d <= space) {
                long end = Integer.toUnsignedLong(map.extents()[d]) + map.pixels().upper()[d - 1];
                long lower = map.pixels().lower()[d - 1];
                long step = map.elementStrides()[d];
                long first = steps(end - start[d], step);
                long full = steps(end - lower, step);
                index[d] = left < first ? start[d] + left * step : lower + (left - first) % full * step;
                left = left < first ? 0 : 1 + (left - first) / full;
                index[d] += offsets[firstOffset + d - 1];
            }
        }
        index[images] = start[images] + left;
        return index;
    }

    /** How many pixels there are along a dimension; one, where it has none, is looked at before it is left. */
    private static long steps(long length, long step) {
        return Math.max(1, Math.ceilDiv(length, step));
    }
}
