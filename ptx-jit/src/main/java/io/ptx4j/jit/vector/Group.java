package io.ptx4j.jit.vector;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.support.VectorLanes;

/**
 * The threads that run together.
 *
 * @param lanes how many: a power of two, at most 64
 * @param vectors how many vectors of 32-bit lanes they take
 * @param narrow whether those are half as long as the machine's: then a 64-bit value takes one vector, as a 32-bit one does
 * @param rows whole rows of the block that the group has; 1 if it lies within a row, has pieces of several or the block has one row
 * @param columns threads of a row of the block that there are: fewer than places where rows are padded ({@link GroupsInRows})
 */
record Group(Kernel kernel, BlockShape block, int lanes, int vectors, boolean narrow, int rows, int columns) {
    static final int MOST = 64;

    static final int WARP = 32;

    /** @param warps whether a group should hold a whole warp */
    static Group of(Kernel kernel, BlockShape block, int wanted, boolean warps) {
        return of(kernel, block, block.x(), wanted, warps);
    }

    private static Group of(Kernel kernel, BlockShape block, int columns, int wanted, boolean warps) {
        int length = VectorLanes.INT.length();
        int lanes = Math.max(warps ? WARP : wanted, length);
        boolean flat = warps || block.y() * block.z() == 1;
        // A group within one row of a block has tid.x affine and tid.y uniform.
        while (!flat && lanes > length && block.x() % lanes != 0) {
            lanes /= 2;
        }
        if (!flat && block.x() % lanes != 0) {
            lanes = Math.max(wanted, length);
        }
        while (lanes > length && lanes / 2 >= block.threads()) {
            lanes /= 2;
        }
        return new Group(kernel, block, lanes, lanes / length, false, 1, columns);
    }

    /** As {@link #of}, for the same block, whose rows may be padded. */
    Group again(int wanted, boolean warps) {
        return of(kernel, block, columns, wanted, warps);
    }

    /** The same for a block whose rows have places for more threads than there are. */
    static Group padded(Kernel kernel, BlockShape block, int columns) {
        return of(kernel, block, columns, WARP, false);
    }

    /** The smallest group: a 64-bit value takes one vector. */
    static Group narrow(Kernel kernel, BlockShape block) {
        return new Group(kernel, block, VectorLanes.LONG.length(), 1, true, 1, block.x());
    }

    /** The smallest group of the same block. */
    Group narrowed() {
        return new Group(kernel, block, VectorLanes.LONG.length(), 1, true, 1, columns);
    }

    /** Whether rows have places for more threads than there are, so that no group is complete. */
    boolean padded() {
        return columns < block.x();
    }

    /** Vectors of 64-bit lanes for each of 32-bit lanes. */
    int spread() {
        return narrow ? 1 : 2;
    }

    /**
     * A group of {@link #MOST} lanes: more loads and chains of arithmetic in flight, and fewer instructions for each lane where they are the
     * same for all. Null where this is none of whole warps on the machine's longest vectors, or the block has no two of it side by side.
     */
    Group twice() {
        boolean rows = block.y() * block.z() == 1 || block.x() % MOST == 0;
        return lanes == WARP && vectors == 2 && rows && block.threads() > WARP ? new Group(kernel, block, MOST, 4, false, 1, columns) : null;
    }

    /**
     * A group of that many lanes that has several whole rows of the block, which are no longer than a warp: what all rows have in common is done once for them. Null if this
     * group is none on the machine's longest vectors, or there are no such rows.
     */
    Group ofRows(int wanted) {
        int x = block.x();
        boolean fits = !narrow && length() * 4 == MOST && Integer.bitCount(x) == 1 && x >= length() && x < wanted && block.threads() > wanted / 2;
        boolean whole = fits && (block.z() == 1 || block.y() % (wanted / x) == 0);
        return whole ? new Group(kernel, block, wanted, wanted / length(), false, wanted / x, columns) : null;
    }

    /** Lanes of a row. */
    int width() {
        return lanes / rows;
    }

    /** The row of which a vector of lanes is a part. */
    int row(Kind kind, int part) {
        return part * kind.length(this) / width();
    }

    /** The first of a vector's lanes, counted within its row. */
    int column(Kind kind, int part) {
        return part * kind.length(this) % width();
    }

    /** One of the two groups that {@link #twice} puts together. */
    Group half() {
        return new Group(kernel, block, lanes / 2, vectors / 2, narrow, 1, columns);
    }

    /** The lanes of one vector of this group, which lies within one row, as a group. */
    Group vector() {
        return new Group(kernel, block, length(), 1, narrow, 1, columns);
    }

    /** All threads of the block at once, for those who ask what is the same for all; no code runs so many. */
    Group ofBlock() {
        int all = Math.max(lanes, Integer.highestOneBit(block.threads() * 2 - 1));
        return new Group(kernel, block, all, all / length(), narrow, 1, columns);
    }

    /** Whether in each row of the group {@code %tid.x} is that of its first lane plus the lane, and {@code %tid.y} and {@code %tid.z} are the same for all lanes. */
    boolean rowAffine() {
        return block.y() * block.z() == 1 || block.x() % width() == 0;
    }

    /** Threads of the block, and those that a last incomplete group lacks. */
    int paddedThreads() {
        return (block.threads() + lanes - 1) / lanes * lanes;
    }

    /** Whether all threads of a warp are in one group. */
    boolean holdsWarps() {
        return lanes >= WARP || block.threads() <= Math.min(lanes, WARP);
    }

    /** Warps that a group has, whole or not. */
    int warps() {
        return Math.max(1, lanes / WARP);
    }

    /** All lanes. */
    long full() {
        return lanes == 64 ? -1L : (1L << lanes) - 1;
    }

    /** Lanes of a vector of 32-bit values. */
    int length() {
        return lanes / vectors;
    }

    /** Whether the access goes to a window of its own for each thread. */
    boolean perThread(Operand.Address address) {
        return address.space() == StateSpace.LOCAL || address.variable() != null && address.variable().space() == StateSpace.PARAM
                && !kernel.parameters().contains(address.variable());
    }
}
