package io.ptx4j.jit.coarse;

import io.ptx4j.ir.Location;

/**
 * Lines of a coarse kernel say which step of a block an instruction belongs to as well: what one warp does from one barrier to the next. Of the text's lines there may be so many that both have room
 * in a number.
 */
public final class Steps {
    private static final int LINE_BITS = 20;
    /** Lines of a text. */
    static final int LINES = 1 << LINE_BITS;
    /** Steps of a block. */
    static final int MOST = 1 << Integer.SIZE - 1 - LINE_BITS;

    private Steps() {
    }

    static Location at(Location place, int step) {
        return new Location(place.line() + step * LINES, place.column());
    }

    /** The text's line. */
    public static int line(int line) {
        return line > 0 ? line & LINES - 1 : line;
    }

    /** The step; 0 where there is no line. */
    public static int step(int line) {
        return line > 0 ? line >>> LINE_BITS : 0;
    }
}
