package io.ptx4j.engine;

import java.util.Arrays;

/**
 * Tensor memory of a block (manual: "Tensor Memory"): 128 lanes of 512 columns of 32 bits, of which a program allocates columns. An address has the lane in its upper half and the
 * column in its lower. All is zero when a block begins.
 */
public final class TensorMemory {
    public static final int LANES = 128;
    public static final int COLUMNS = 512;
    /** Lanes that a warp reaches: those of its rank in its warpgroup. */
    public static final int LANES_OF_WARP = 32;
    private static final int UNIT = 32;
    private static final int INSIDE = -1;

    /** Lane by lane. */
    public final int[] cells = new int[LANES * COLUMNS];
    /** By unit of columns: how many columns an allocation has that begins there, {@link #INSIDE} one, or 0. */
    private final int[] allocations = new int[COLUMNS / UNIT];
    private boolean relinquished;
    private long block = -1;

    TensorMemory() {
    }

    /** As the block with that linear index finds it. */
    TensorMemory of(long runs) {
        if (runs != block) {
            block = runs;
            relinquished = false;
            Arrays.fill(allocations, 0);
            Arrays.fill(cells, 0);
        }
        return this;
    }

    /** What the block before has left is gone. */
    void restart() {
        of(-1);
    }

    public static int lane(int address) {
        return address >>> 16;
    }

    public static int column(int address) {
        return address & 0xffff;
    }

    /** Where in {@link #cells} it lies. */
    public static int index(int lane, int column) {
        return lane * COLUMNS + column;
    }

    /** {@code tcgen05.relinquish_alloc_permit}: the block allocates no more. */
    public void relinquish() {
        relinquished = true;
    }

    /** Why so many columns cannot be allocated; null if they can. */
    public String cannotAllocate(int columns) {
        if (columns < UNIT || columns > COLUMNS || Integer.bitCount(columns) != 1) {
            return Integer.toUnsignedString(columns) + " columns of tensor memory; possible are powers of two from " + UNIT + " to " + COLUMNS;
        }
        if (relinquished) {
            return "columns of tensor memory, for which the block has relinquished its permit";
        }
        return place(columns) < 0 ? "no " + columns + " columns of tensor memory side by side are free" : null;
    }

    /** Allocates them, the first that are free; their address. */
    public int allocate(int columns) {
        int first = place(columns);
        Arrays.fill(allocations, first, first + columns / UNIT, INSIDE);
        allocations[first] = columns;
        return first * UNIT;
    }

    private int place(int columns) {
        int units = columns / UNIT;
        for (int first = 0; first + units <= allocations.length; first++) {
            int from = first;
            if (Arrays.stream(allocations, from, from + units).allMatch(owner -> owner == 0)) {
                return first;
            }
        }
        return -1;
    }

    /** Why the allocation at that address cannot be given back; null if it can. */
    public String cannotFree(int address, int columns) {
        boolean begins = columns > 0 && lane(address) == 0 && column(address) < COLUMNS && column(address) % UNIT == 0 && allocations[column(address) / UNIT] == columns;
        return begins ? null : "no " + Integer.toUnsignedString(columns) + " columns of tensor memory were allocated at " + text(address);
    }

    public void free(int address, int columns) {
        int first = column(address) / UNIT;
        Arrays.fill(allocations, first, first + columns / UNIT, 0);
    }

    /** What is wrong with an access to so many lanes and columns from an address on; null for nothing. */
    public String outside(int address, int lanes, int columns) {
        int lane = lane(address);
        int column = column(address);
        if (lane + lanes > LANES || column + columns > COLUMNS) {
            return lanes + " lanes and " + columns + " columns at " + text(address) + " lie outside tensor memory of " + LANES + " lanes and " + COLUMNS + " columns";
        }
        for (int unit = column / UNIT; unit <= (column + columns - 1) / UNIT; unit++) {
            if (allocations[unit] == 0) {
                return "column " + Math.max(column, unit * UNIT) + " of tensor memory is not allocated";
            }
        }
        return null;
    }

    /**
     * The same of what a warp moves.
     *
     * @param warp its number in the block
     */
    public String outsideOf(int warp, int address, int lanes, int columns) {
        int first = warp % (LANES / LANES_OF_WARP) * LANES_OF_WARP;
        int lane = lane(address);
        if (lane < first || lane + lanes > first + LANES_OF_WARP || lane % lanes != 0) {
            return lanes + " lanes of tensor memory at " + text(address) + " for warp " + warp + ", which reaches lanes " + first + " to " + (first + LANES_OF_WARP - 1)
                    + (lanes == LANES_OF_WARP ? "" : ", in halves");
        }
        return outside(address, lanes, columns);
    }

    private static String text(int address) {
        return "0x" + Integer.toHexString(address);
    }
}
