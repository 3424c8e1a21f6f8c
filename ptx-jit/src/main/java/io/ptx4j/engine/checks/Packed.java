package io.ptx4j.engine.checks;

import java.util.Arrays;

/**
 * Who touched a word last, in one {@code long}: number of the thread (31 bits), which other lanes of its warp have read (6 bits) or how it wrote,
 * whether it wrote, its time (12 bits) and the PTX line (13 bits). That is the whole word's last weak reads by one warp at one time in one line,
 * or one thread's of some of its bytes, or its last write where nobody has read it since. {@link Cells} have room for the rest; then it is negative.
 */
public final class Packed {
    /** The word has a cell. */
    static final long IN_CELL = Long.MIN_VALUE;
    /** A worker looks at the word. */
    static final long TAKEN = -1;

    static final int NUMBER_SHIFT = 32;
    static final int NUMBER_BITS = 31;
    static final int TIME_SHIFT = 13;
    static final int TIME_BITS = 12;
    static final int LINE_BITS = 13;
    static final long WRITE = 1L << 25;
    /** Of writes. */
    static final long STRONG = 1L << 26;
    static final long WIDE = 1L << 27;

    private static final int LANES_SHIFT = 26;
    private static final int LANES_BITS = 6;
    private static final int WARP = 32;
    private static final long NUMBER = -1L << NUMBER_SHIFT;
    private static final long TIME = (1L << TIME_BITS) - 1 << TIME_SHIFT;
    private static final long LANES = (1L << LANES_BITS) - 1 << LANES_SHIFT;
    /** The lanes that can be told, from the first on: each so many in equal distances of a power of two. */
    private static final int[] SETS = sets();
    /** Sets from here on are one lane that has read one byte, or a half, as {@link #mask} says. */
    private static final int FIRST_PART = 58;
    private static final int[] MASKS = {1, 2, 4, 8, 3, 12};
    /** By set times 32 plus lane: the set with that lane; -1 where it cannot be told. */
    private static final byte[] WITH = with();

    private Packed() {
    }

    private static int[] sets() {
        int[] sets = new int[1 << LANES_BITS];
        Arrays.fill(sets, FIRST_PART, sets.length, 1);
        int next = 0;
        for (int distance = 1; distance < WARP; distance *= 2) {
            int lanes = 1;
            for (int lane = distance == 1 ? 0 : distance; lane < WARP; lane += distance) {
                lanes |= 1 << lane;
                sets[next++] = lanes;
            }
        }
        return sets;
    }

    private static byte[] with() {
        byte[] with = new byte[SETS.length * WARP];
        for (int i = 0; i < with.length; i++) {
            with[i] = (byte) (i / WARP < FIRST_PART ? setOf(SETS[i / WARP] | 1 << i % WARP) : -1);
        }
        return with;
    }

    /** The set of lanes from lane 0 on; -1 where it cannot be told. */
    private static int setOf(int lanes) {
        for (int set = 0; set < FIRST_PART; set++) {
            if (SETS[set] == lanes) {
                return set;
            }
        }
        return -1;
    }

    /** The read of one thread. */
    static long read(long number, int time, int line) {
        return number << NUMBER_SHIFT | (long) time << TIME_SHIFT | line;
    }

    /** What to add for a read of the bytes {@code mask}; -1 where that cannot be told. */
    static long part(int mask) {
        for (int part = 0; part < MASKS.length; part++) {
            if (MASKS[part] == mask) {
                return (long) (FIRST_PART + part) << LANES_SHIFT;
            }
        }
        return mask == 0xF ? 0 : -1;
    }

    /** Of reads: the bytes. */
    static int mask(long word) {
        int part = set(word) - FIRST_PART;
        return part < 0 ? 0xF : MASKS[part];
    }

    /** Reads of {@code lanes} of the warp that begins with thread {@code number}; -1 where that cannot be told. */
    static long reads(long number, int lanes, int time, int line) {
        int first = Integer.numberOfTrailingZeros(lanes);
        int set = setOf(lanes >>> first);
        return set < 0 || !fits(number, time, line) ? -1 : read(number + first, time, line) | (long) set << LANES_SHIFT;
    }

    /** What a thread's accesses have in common; negative where it does not fit. */
    static long of(long number, int time) {
        return fits(number, time, 0) ? read(number, time, 0) : -1;
    }

    static boolean fits(long number, int time, int line) {
        return (number >>> NUMBER_BITS | time >>> TIME_BITS | line >>> LINE_BITS) == 0;
    }

    public static boolean isWrite(long word) {
        return (word & WRITE) != 0;
    }

    static long number(long word) {
        return word >>> NUMBER_SHIFT;
    }

    public static int time(long word) {
        return (int) ((word & TIME) >>> TIME_SHIFT);
    }

    static int line(long word) {
        return (int) word & (1 << LINE_BITS) - 1;
    }

    /** Of reads: the lanes of the warp. */
    static int lanes(long word) {
        return SETS[set(word)] << (int) (number(word) % WARP);
    }

    private static int set(long word) {
        return (int) ((word & LANES) >>> LANES_SHIFT);
    }

    /** Whether {@code word} is of reads, at the time of {@code read}. */
    public static boolean readsAtSameTime(long word, long read) {
        return ((word ^ read) & (WRITE | TIME)) == 0;
    }

    public static boolean sameWarp(long word, long other) {
        return (word ^ other) >>> NUMBER_SHIFT < WARP;
    }

    /** Reads with that of one more thread of the warp; -1 where they cannot be told. */
    public static long with(long word, long read) {
        int lane = (int) (number(read) - number(word));
        int set = lane < 0 ? -1 : WITH[set(word) * WARP + lane];
        return set < 0 ? -1 : word & ~LANES | (long) set << LANES_SHIFT;
    }

    /** Whether {@code word} is a read of nobody but the thread of {@code write}, or its write. */
    public static boolean sameThread(long word, long write) {
        return ((word ^ write) & NUMBER) == 0 && (isWrite(word) || (word & LANES) == 0);
    }
}
