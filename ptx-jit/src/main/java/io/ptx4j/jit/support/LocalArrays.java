package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.HALF_INT;
import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.LONG;

import io.ptx4j.engine.Worker;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Local memory in {@link VectorFrame#locals}: word {@code w} of the window of lane {@code l} in a group that begins with thread {@code t} is number
 * {@code t * words + w * lanes + l}, where a window has so many words. From an array, and only from there, vectors gather words by an index of each lane: 128 sums in 16 words of each thread take a seventh of the time
 * that they take lane by lane.
 *
 * <p>Words of lanes go through {@link VectorFrame#laneInts}: what is loaded, in the end, and an index of each lane lie there from the first element on, what is stored at an
 * index of each lane behind that.
 */
public final class LocalArrays {
    private static final int LENGTH = INT.length();
    private static final int HALF = LONG.length();
    /** The lane's number. */
    @SuppressWarnings("exports")
    public static final IntVector LANE = IntVector.zero(INT).addIndex(1);
    /** Whether a processor has instructions for it; vectors would go through objects elsewhere. */
    private static final boolean GATHERS = INT.vectorBitSize() >= 256;
    private static final boolean SCATTERS = INT.vectorBitSize() == 512;

    private LocalArrays() {
    }

    /**
     * Where an access of a thread begins in its window.
     *
     * @param window bytes of a window
     * @param bytes of the access, a power of two
     * @throws Memory.BadAccess if the access leaves the window or is not aligned; it names the address that a window in one piece has
     */
    public static int place(Worker worker, long address, int thread, int window, int bytes, boolean store) {
        LocalWindows.require(worker.local, address, thread, window, bytes, store);
        return (int) address;
    }

    private static int word(VectorFrame frame, int place, int thread, int window) {
        return (thread & -frame.lanes) * (window >> 2) + (place >> 2) * frame.lanes + (thread & frame.lanes - 1);
    }

    /** The element of a thread at a place of its window, sign-extended. */
    public static int get(VectorFrame frame, int place, int thread, int window, int bits) {
        int free = Integer.SIZE - bits;
        return frame.locals[word(frame, place, thread, window)] << free - shift(place) >> free;
    }

    public static void put(VectorFrame frame, int place, int thread, int window, int value, int bits) {
        int word = word(frame, place, thread, window);
        int mask = mask(bits) << shift(place);
        frame.locals[word] = frame.locals[word] & ~mask | value << shift(place) & mask;
    }

    /** Bits of a word that lie below an element. */
    private static int shift(int place) {
        return (place & 3) * Byte.SIZE;
    }

    private static int mask(int bits) {
        return -1 >>> Integer.SIZE - bits;
    }

    /** Loads the elements at one place of all lanes' windows, which is known to be there. */
    public static void loadPart(VectorFrame frame, int thread, int place, int window, int bits, boolean signed) {
        int first = word(frame, place, thread, window);
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            IntVector words = IntVector.fromArray(INT, frame.locals, first + at).lanewise(VectorOperators.LSHR, shift(place));
            extend(words, bits, signed).intoArray(frame.laneInts, at);
        }
    }

    private static IntVector extend(IntVector words, int bits, boolean signed) {
        int free = Integer.SIZE - bits;
        return signed ? words.lanewise(VectorOperators.LSHL, free).lanewise(VectorOperators.ASHR, free) : words.and(mask(bits));
    }

    /** Stores the elements of executing lanes, from {@link VectorFrame#laneInts}. */
    public static void storePart(VectorFrame frame, int thread, long mask, int place, int window, int bits) {
        int first = word(frame, place, thread, window);
        int part = mask(bits) << shift(place);
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            IntVector old = IntVector.fromArray(INT, frame.locals, first + at);
            IntVector elements = IntVector.fromArray(INT, frame.laneInts, at).lanewise(VectorOperators.LSHL, shift(place));
            IntVector merged = old.and(~part).or(elements.and(part));
            old.blend(merged, executing(mask, at)).intoArray(frame.locals, first + at);
        }
    }

    private static VectorMask<Integer> executing(long mask, int at) {
        return VectorMask.fromLong(INT, mask >>> at & (1L << LENGTH) - 1);
    }

    /**
     * Loads an element of each executing lane, up to the first that is not there or not aligned ({@link Faults#defer}).
     *
     * @param mask the executing lanes
     * @param start of the window's element with index 0
     * @param shift by which an index is shifted left
     * @param signed whether an index is
     * @param most the largest index of all lanes, executing or not, none of which is negative; negative if that is not known
     */
    public static void loadIndexed(Worker worker, VectorFrame frame, int thread, long mask, int window, long start, int shift, boolean signed, int most, int bits, boolean extended) {
        if (findIndexed(frame, mask, window, start, shift, signed, most, bits)) {
            gatherElements(frame, thread, window, bits, extended);
        } else {
            LaneMemory.address(frame, start, 1L << shift, signed);
            loadEach(worker, frame, thread, mask, window, 0, bits, extended);
        }
    }

    public static void storeIndexed(Worker worker, VectorFrame frame, int thread, long mask, int window, long start, int shift, boolean signed, int most, int bits) {
        if (findIndexed(frame, mask, window, start, shift, signed, most, bits)) {
            scatterElements(frame, thread, mask, window, bits);
        } else {
            LaneMemory.address(frame, start, 1L << shift, signed);
            storeEach(worker, frame, thread, mask, window, 0, bits);
        }
    }

    /** As {@link #loadIndexed} at addresses in {@link VectorFrame#laneLongs}. */
    public static void load(Worker worker, VectorFrame frame, int thread, long mask, int window, long offset, int bits, boolean extended) {
        if (find(frame, mask, window, offset, bits)) {
            gatherElements(frame, thread, window, bits, extended);
        } else {
            loadEach(worker, frame, thread, mask, window, offset, bits, extended);
        }
    }

    public static void store(Worker worker, VectorFrame frame, int thread, long mask, int window, long offset, int bits) {
        if (find(frame, mask, window, offset, bits)) {
            scatterElements(frame, thread, mask, window, bits);
        } else {
            storeEach(worker, frame, thread, mask, window, offset, bits);
        }
    }

    /** Makes places of the lanes' indices if the elements of executing lanes are there and aligned; those of others are somewhere in the window. */
    private static boolean findIndexed(VectorFrame frame, long mask, int window, long start, int shift, boolean signed, int most, int bits) {
        int bytes = bits / Byte.SIZE;
        long lowest = Math.max(-(start >> shift), signed ? Integer.MIN_VALUE : 0);
        long highest = Math.min(window - bytes - start >> shift, signed ? Integer.MAX_VALUE : 0xFFFF_FFFFL);
        if (highest < lowest || start != (int) start) {
            return false;
        }
        int[] places = frame.laneInts;
        boolean aligned = ((start | 1L << shift) & bytes - 1) == 0;
        boolean sure = aligned && most >= 0 && lowest <= 0 && most <= highest;
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            IntVector index = IntVector.fromArray(INT, places, at);
            IntVector place = index.lanewise(VectorOperators.LSHL, shift).add((int) start);
            if (!sure) {
                VectorMask<Integer> wrong = index.sub((int) lowest).compare(VectorOperators.UGT, (int) (highest - lowest));
                if (!aligned) {
                    wrong = wrong.or(place.and(bytes - 1).compare(VectorOperators.NE, 0));
                }
                if ((wrong.toLong() & mask >>> at) != 0) {
                    restore(places, at, start, shift);
                    return false;
                }
                place = place.blend(0, wrong);
            }
            place.intoArray(places, at);
        }
        return true;
    }

    /** Makes indices of places again, up to a lane. */
    private static void restore(int[] places, int end, long start, int shift) {
        for (int at = 0; at < end; at += LENGTH) {
            IntVector.fromArray(INT, places, at).sub((int) start).lanewise(VectorOperators.ASHR, shift).intoArray(places, at);
        }
    }

    /** As {@link #findIndexed} of addresses. */
    private static boolean find(VectorFrame frame, long mask, int window, long offset, int bits) {
        int bytes = bits / Byte.SIZE;
        for (int at = 0; at < frame.lanes; at += HALF) {
            LongVector address = LongVector.fromArray(LONG, frame.laneLongs, at).add(offset);
            VectorMask<Long> wrong = address.compare(VectorOperators.UGT, window - bytes).or(address.and(bytes - 1).compare(VectorOperators.NE, 0));
            if ((wrong.toLong() & mask >>> at) != 0) {
                return false;
            }
            ((IntVector) address.blend(0, wrong).convertShape(VectorOperators.L2I, HALF_INT, 0)).intoArray(frame.laneInts, at);
        }
        return true;
    }

    /** Loads words by their numbers in {@link VectorFrame#wordsOfLocals}, to each of which that of its vector's first lane and {@code first} are added. */
    public static void gather(VectorFrame frame, int first) {
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            words(frame, first, at).intoArray(frame.laneInts, at);
        }
    }

    /** Stores executing lanes' words from {@link VectorFrame#laneInts} as {@link #gather} loads them. */
    public static void scatter(VectorFrame frame, long mask, int first) {
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            store(frame, mask, IntVector.fromArray(INT, frame.laneInts, at), first, at);
        }
    }

    private static IntVector words(VectorFrame frame, int first, int at) {
        if (GATHERS) {
            return IntVector.fromArray(INT, frame.locals, first + at, frame.wordsOfLocals, at);
        }
        int[] words = frame.wordsGathered;
        for (int lane = 0; lane < LENGTH; lane++) {
            words[lane] = frame.locals[first + at + frame.wordsOfLocals[at + lane]];
        }
        return IntVector.fromArray(INT, words, 0);
    }

    private static void store(VectorFrame frame, long mask, IntVector words, int first, int at) {
        if (SCATTERS && frame.isFull(mask)) {
            words.intoArray(frame.locals, first + at, frame.wordsOfLocals, at);
        } else if (SCATTERS) {
            words.intoArray(frame.locals, first + at, frame.wordsOfLocals, at, executing(mask, at));
        } else {
            words.intoArray(frame.wordsGathered, 0);
            for (int lane = 0; lane < LENGTH; lane++) {
                if ((mask >>> at + lane & 1) != 0) {
                    frame.locals[first + at + frame.wordsOfLocals[at + lane]] = frame.wordsGathered[lane];
                }
            }
        }
    }

    /** Leaves the numbers of a vector's words for {@link #words}. */
    private static void leaveWords(VectorFrame frame, IntVector places, int at) {
        int log = Integer.numberOfTrailingZeros(frame.lanes);
        places.lanewise(VectorOperators.ASHR, 2).lanewise(VectorOperators.LSHL, log).add(LANE).intoArray(frame.wordsOfLocals, at);
    }

    private static void gatherElements(VectorFrame frame, int thread, int window, int bits, boolean signed) {
        int first = thread * (window >> 2);
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            IntVector places = IntVector.fromArray(INT, frame.laneInts, at);
            leaveWords(frame, places, at);
            IntVector words = words(frame, first, at);
            if (bits < Integer.SIZE) {
                words = extend(words.lanewise(VectorOperators.LSHR, places.and(3).lanewise(VectorOperators.LSHL, 3)), bits, signed);
            }
            words.intoArray(frame.laneInts, at);
        }
    }

    private static void scatterElements(VectorFrame frame, int thread, long mask, int window, int bits) {
        int first = thread * (window >> 2);
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            IntVector places = IntVector.fromArray(INT, frame.laneInts, at);
            leaveWords(frame, places, at);
            IntVector words = IntVector.fromArray(INT, frame.laneInts, frame.lanes + at);
            if (bits < Integer.SIZE) {
                IntVector shift = places.and(3).lanewise(VectorOperators.LSHL, 3);
                IntVector part = IntVector.broadcast(INT, mask(bits)).lanewise(VectorOperators.LSHL, shift);
                words = words(frame, first, at).and(part.not()).or(words.lanewise(VectorOperators.LSHL, shift).and(part));
            }
            store(frame, mask, words, first, at);
        }
    }

    private static void loadEach(Worker worker, VectorFrame frame, int thread, long mask, int window, long offset, int bits, boolean signed) {
        int lane = 0;
        try {
            for (long rest = mask; rest != 0; rest &= rest - 1) {
                lane = Long.numberOfTrailingZeros(rest);
                int place = place(worker, frame.laneLongs[lane] + offset, thread + lane, window, bits / Byte.SIZE, false);
                frame.laneInts[lane] = get(frame, place, thread + lane, window, bits) & (signed ? -1 : mask(bits));
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    private static void storeEach(Worker worker, VectorFrame frame, int thread, long mask, int window, long offset, int bits) {
        int lane = 0;
        try {
            for (long rest = mask; rest != 0; rest &= rest - 1) {
                lane = Long.numberOfTrailingZeros(rest);
                int place = place(worker, frame.laneLongs[lane] + offset, thread + lane, window, bits / Byte.SIZE, true);
                put(frame, place, thread + lane, window, frame.laneInts[frame.lanes + lane], bits);
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }
}
