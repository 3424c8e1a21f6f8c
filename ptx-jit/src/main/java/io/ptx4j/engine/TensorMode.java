package io.ptx4j.engine;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

/** Which elements a tensor copy moves (manual: the load modes of "cp.async.bulk.tensor"). */
public enum TensorMode {
    /** The map's box. */
    TILE,
    /** Four rows of a matrix, {@code tile::gather4} and {@code tile::scatter4}. */
    ROWS,
    /** Pixels of the map's box, {@code im2col} and {@code im2col_no_offs}. */
    PIXELS,
    /** Pixels along W and a halo behind them, {@code im2col::w}. */
    LINE,
    /** 128 pixels along W, with a halo behind each 32, {@code im2col::w::128}. */
    LINE_128;

    /** Rows of {@link #ROWS}, and parts of {@link #LINE_128}. */
    public static final int FOUR = 4;
    /** Pixels of each part of {@link #LINE_128}. */
    public static final int PART = 32;
    private static final int MOST_BYTES = 1 << 24;

    public static TensorMode of(Spelling spelling) {
        if (spelling.has(Modifier.TILE_GATHER4) || spelling.has(Modifier.TILE_SCATTER4)) {
            return ROWS;
        }
        if (spelling.has(Modifier.IM2COL) || spelling.has(Modifier.IM2COL_NO_OFFS)) {
            return PIXELS;
        }
        return spelling.has(Modifier.IM2COL_W) ? LINE : spelling.has(Modifier.IM2COL_W_128) ? LINE_128 : TILE;
    }

    /** Elements that a copy moves, those outside the tensor included. */
    public int elements(TensorMap map, int[] offsets) {
        return (int) count(map, offsets);
    }

    private long count(TensorMap map, int[] offsets) {
        return switch (this) {
            case TILE -> {
                long elements = 1;
                for (int d = 0; d < map.dimensions(); d++) {
                    elements *= map.moved(d);
                }
                yield elements;
            }
            case ROWS -> FOUR * map.moved(0);
            case PIXELS -> map.pixels().channels() * map.pixels().count();
            case LINE -> map.pixels().channels() * (map.pixels().count() + offsets[0]);
            case LINE_128 -> map.pixels().channels() * FOUR * (PART + offsets[0]);
        };
    }

    /** Why {@code map} cannot be used with an instruction of this mode, so many dimensions and such offsets; null if it can. */
    String mismatch(TensorMap map, int dimensions, int[] offsets) {
        TensorPixels pixels = map.pixels();
        String has = pixels == null ? "tiles" : pixels.wide() ? "im2col::w" : "im2col";
        String needs = switch (this) {
            case TILE, ROWS -> "tiles";
            case PIXELS -> "im2col";
            case LINE, LINE_128 -> "im2col::w";
        };
        if (!has.equals(needs)) {
            return "it is one of " + has + ", the copy one of " + needs;
        }
        if (map.dimensions() != dimensions) {
            return "it has " + map.dimensions() + " dimensions, the copy " + dimensions;
        }
        if (this == ROWS && map.box()[1] != 1) {
            return "its box has " + map.box()[1] + " rows; four rows are copied one by one";
        }
        for (int k = 0; k < offsets.length; k++) {
            if (offsets[k] > most(dimensions, k)) {
                return "offset " + k + " is " + offsets[k] + "; possible are 0 to " + most(dimensions, k);
            }
        }
        return count(map, offsets) * map.elementType().bytes() <= MOST_BYTES ? null
                : "its box of " + count(map, offsets) + " elements is larger than any shared memory";
    }

    /** The greatest offset that the manual allows. */
    private int most(int dimensions, int k) {
        return switch (this) {
            case TILE, ROWS -> 0;
            case PIXELS -> dimensions == 3 ? 0xFFFF : dimensions == 4 ? 0xFF : 0x1F;
            case LINE -> k == 0 ? 511 : 31;
            case LINE_128 -> 31;
        };
    }
}
