package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.LONG;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/**
 * Loads and stores of several 32-bit words by each lane: a record of an array of structures, a part of a row, the words of a large number. Finds where the
 * records lie; {@link WordRecords} and {@link NarrowRecords} do the rest.
 *
 * <p>The words lie in {@link VectorFrame#records}: word {@code w} of the lanes is a slot of its own, {@code slot + w}.
 */
public final class LaneRecords {
    /** Words that a record may have. */
    public static final int WORDS = 8;
    /** Bytes from lane to lane up to which vectors have shorter elements. */
    public static final int NARROW = NarrowRecords.STEP;
    private static final int LENGTH = INT.length();
    private static final int BYTES = 4 * LENGTH;
    private static final int HALF = LONG.length();

    private LaneRecords() {
    }

    /**
     * Loads words of the executing lanes' records, which lie as the words of {@link LanePlaces#loadSteps} do.
     *
     * @param words that are loaded, 1 to {@link #WORDS}, which lie side by side
     * @param alignment of the first, in bytes
     * @return whether they are all there, aligned and at one distance from lane to lane; else the lanes' offsets are left in {@link VectorFrame#addresses}, from
     *     {@code slot} on
     */
    public static boolean load(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int words,
            int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, 4 * words, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        int lanes = frame.lanes;
        if (step > 4 && step <= 4 * WORDS && begin >= 0 && begin + step * lanes <= segment.byteSize()) {
            WordRecords.sort(segment.address() + begin, (int) step >> 2, words, frame.records, slot * lanes, lanes);
        } else {
            findPlaces(frame, mask, segment.address() + begin, step);
            int last = Long.SIZE - 1 - Long.numberOfLeadingZeros(mask);
            WordRecords.gather(frame, words, slot, begin + step * last + 4 * WordRecords.chunk(words) <= segment.byteSize());
        }
        return true;
    }

    /**
     * Where the records of all lanes begin in the process's memory; a negative number if lanes are missing, or records are not all there, not aligned or not side by side after all. The
     * records lie as the words of {@link LanePlaces#loadSteps} do.
     */
    public static long sideBySide(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int alignment) {
        long step = scale * stride;
        int last = frame.lanes - 1;
        boolean there = frame.isFull(mask) && offset >= 0 && offset <= segment.byteSize() - step * frame.lanes && (segment.address() + offset & alignment - 1) == 0;
        return there && LanePlaces.distance(last, index, stride, scale, signed) == step * last && DirectMemory.isDirect() ? segment.address() + offset : -1;
    }

    /** As {@link #load}, with the lanes' addresses in {@link VectorFrame#laneLongs} and {@code delta} what makes them offsets of the words in the segment. */
    public static boolean loadAt(VectorFrame frame, long mask, MemorySegment segment, long delta, int words, int alignment, int slot) {
        LaneMemory.Lie lie = LaneMemory.find(frame, mask, segment, delta, 4 * WordRecords.chunk(words), alignment);
        boolean room = lie != LaneMemory.Lie.UNKNOWN;
        if (!room) {
            lie = find(frame, mask, segment, delta, 4 * words, alignment, slot);
        }
        if (lie == LaneMemory.Lie.UNKNOWN) {
            return false;
        }
        if (lie == LaneMemory.Lie.SIDE_BY_SIDE && words > 1 && words == WordRecords.chunk(words)) {
            WordRecords.sort(frame.places[0], words, words, frame.records, slot * frame.lanes, frame.lanes);
        } else {
            WordRecords.gather(frame, words, slot, room);
        }
        return true;
    }

    /** As {@link #load} for words of 64 bits, which come to {@link VectorFrame#wideRecords}; each has two slots. */
    public static boolean loadWide(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int words,
            int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, 8 * words, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        int lanes = frame.lanes;
        long place = segment.address() + begin;
        if (step % 8 == 0 && step > 0 && WideRecords.areSorted((int) Math.min(step, Byte.MAX_VALUE) / 8) && words <= step / 8 && begin >= 0 && begin + step * lanes <= segment.byteSize()) {
            WideRecords.sort(place, (int) step / 8, words, frame.wideRecords, slot * lanes, lanes);
        } else {
            findPlaces(frame, mask, place, step);
            WideRecords.gather(frame.places, words, frame.wideRecords, slot * lanes, lanes);
        }
        return true;
    }

    /**
     * As {@link #loadWide} for a store.
     *
     * @param some the words of 64 bits that are stored, as bits
     */
    public static boolean storeWide(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int words,
            int some, int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, 8 * words, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        int lanes = frame.lanes;
        if (step == 8L * words && WideRecords.areSorted(words) && isWhole(frame, mask, words, some)) {
            WideRecords.merge(segment.address() + begin, words, frame.wideRecords, slot * lanes, lanes);
        } else {
            findPlaces(frame, mask, segment.address() + begin, step);
            WideRecords.scatter(frame.places, mask, some, frame.wideRecords, slot * lanes, lanes);
        }
        return true;
    }

    /**
     * Loads what one access does, where not all words are there: words of 64 bits to {@link VectorFrame#wideRecords}.
     *
     * @param delta from what {@link #load} has left to the offset in the segment
     * @param bits of an element, 8 to 64
     * @param cut as for {@link LaneMemory#load}
     * @param from the slot at which addresses lie
     */
    public static void loadOne(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int bits, int elements, int cut, int from,
            int slot) {
        int lanes = frame.lanes;
        System.arraycopy(frame.addresses, from * lanes, frame.laneLongs, 0, lanes);
        if (bits < 64) {
            LaneMemory.load(worker, frame, thread, mask, segment, delta, bits, elements, cut);
            System.arraycopy(frame.laneInts, 0, frame.records, slot * lanes, elements * lanes);
            return;
        }
        LaneMemory.load64(worker, frame, thread, mask, segment, delta, elements);
        for (int e = 0; e < elements; e++) {
            System.arraycopy(frame.laneLongs, (1 + e) * lanes, frame.wideRecords, (slot + 2 * e) * lanes, lanes);
        }
    }

    /**
     * As {@link #load} for a store.
     *
     * @param words from the first that is stored to the last
     * @param some those that are stored, as bits
     */
    public static boolean store(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int words,
            int some, int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, 4 * words, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        if (step == 4L * words && isWhole(frame, mask, words, some)) {
            WordRecords.merge(segment.address() + begin, words, frame.records, slot * frame.lanes, frame.lanes);
        } else {
            findPlaces(frame, mask, segment.address() + begin, step);
            WordRecords.scatter(frame, mask, words, some, slot);
        }
        return true;
    }

    /** As {@link #loadAt} for a store. */
    public static boolean storeAt(VectorFrame frame, long mask, MemorySegment segment, long delta, int words, int some, int alignment, int slot) {
        LaneMemory.Lie lie = find(frame, mask, segment, delta, 4 * words, alignment, slot);
        if (lie == LaneMemory.Lie.UNKNOWN) {
            return false;
        }
        if (lie == LaneMemory.Lie.SIDE_BY_SIDE && words > 1 && isWhole(frame, mask, words, some)) {
            WordRecords.merge(frame.places[0], words, frame.records, slot * frame.lanes, frame.lanes);
        } else {
            WordRecords.scatter(frame, mask, words, some, slot);
        }
        return true;
    }

    /** As {@link #loadOne} for a store. */
    public static void storeOne(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int bits, int elements, int cut, int from,
            int slot) {
        int lanes = frame.lanes;
        System.arraycopy(frame.addresses, from * lanes, frame.laneLongs, 0, lanes);
        if (bits < 64) {
            System.arraycopy(frame.records, slot * lanes, frame.laneInts, 0, elements * lanes);
            LaneMemory.store(worker, frame, thread, mask, segment, delta, bits, elements);
            return;
        }
        for (int e = 0; e < elements; e++) {
            System.arraycopy(frame.wideRecords, (slot + 2 * e) * lanes, frame.laneLongs, (1 + e) * lanes, lanes);
        }
        LaneMemory.store64(worker, frame, thread, mask, segment, delta, elements);
    }

    /**
     * As {@link #load} for bytes, or 16-bit elements, which become words.
     *
     * @param units how many, 1 to {@link #WORDS}
     * @param bytes of each
     * @param extend whether signs are extended
     */
    public static boolean loadNarrow(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int units,
            int bytes, boolean extend, int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, units * bytes, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        int lanes = frame.lanes;
        long place = segment.address() + begin;
        if (step <= NarrowRecords.STEP && begin >= 0 && begin + step * lanes + units * bytes + 2 * BYTES <= segment.byteSize()) {
            NarrowRecords.sort(place, (int) step, units, bytes, extend, frame.records, slot * lanes, lanes);
            return true;
        }
        findPlaces(frame, mask, place, step);
        int last = Long.SIZE - 1 - Long.numberOfLeadingZeros(mask);
        NarrowRecords.gather(frame, units, bytes, extend, slot, begin + step * last + NarrowRecords.chunk(units, bytes) <= segment.byteSize());
        return true;
    }

    /** As {@link #loadNarrow}, with the lanes' addresses as for {@link #loadAt}. */
    public static boolean loadNarrowAt(VectorFrame frame, long mask, MemorySegment segment, long delta, int units, int bytes, boolean extend, int alignment, int slot) {
        boolean room = LaneMemory.find(frame, mask, segment, delta, NarrowRecords.chunk(units, bytes), alignment) != LaneMemory.Lie.UNKNOWN;
        if (!room && find(frame, mask, segment, delta, units * bytes, alignment, slot) == LaneMemory.Lie.UNKNOWN) {
            return false;
        }
        NarrowRecords.gather(frame, units, bytes, extend, slot, room);
        return true;
    }

    /** As {@link #loadNarrow} for a store of all elements of a record. */
    public static boolean storeNarrow(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int units,
            int bytes, int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, units * bytes, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        int lanes = frame.lanes;
        if (step == (long) units * bytes && isWhole(frame, mask, units, (1 << units) - 1) && lanes % (2 * LENGTH) == 0) {
            NarrowRecords.merge(segment.address() + begin, units, bytes, frame.records, slot * lanes, lanes);
            return true;
        }
        findPlaces(frame, mask, segment.address() + begin, step);
        for (int u = 0; u < units; u++) {
            NarrowRecords.scatter(frame.places, mask, (long) u * bytes, bytes, frame.records, (slot + u) * lanes);
        }
        return true;
    }

    /**
     * Puts words of 64 bits together in {@link VectorFrame#wideRecords}.
     *
     * @param slot the first one's, of low words
     * @param words how many, each of two slots
     */
    public static void widen(VectorFrame frame, int slot, int words) {
        int lanes = frame.lanes;
        for (int word = slot; word < slot + 2 * words; word += 2) {
            for (int lane = 0; lane < lanes; lane += LENGTH) {
                IntVector low = IntVector.fromArray(INT, frame.records, word * lanes + lane);
                IntVector high = IntVector.fromArray(INT, frame.records, (word + 1) * lanes + lane);
                RecordOrder.INT_LOW.selectFrom(low, high).reinterpretAsLongs().intoArray(frame.wideRecords, word * lanes + lane);
                RecordOrder.INT_HIGH.selectFrom(low, high).reinterpretAsLongs().intoArray(frame.wideRecords, word * lanes + lane + HALF);
            }
        }
    }

    /** The other way. */
    public static void narrow(VectorFrame frame, int slot, int words) {
        int lanes = frame.lanes;
        for (int word = slot; word < slot + 2 * words; word += 2) {
            for (int lane = 0; lane < lanes; lane += LENGTH) {
                IntVector first = LongVector.fromArray(LONG, frame.wideRecords, word * lanes + lane).reinterpretAsInts();
                IntVector second = LongVector.fromArray(LONG, frame.wideRecords, word * lanes + lane + HALF).reinterpretAsInts();
                RecordOrder.INT_EVEN.selectFrom(first, second).intoArray(frame.records, word * lanes + lane);
                RecordOrder.INT_ODD.selectFrom(first, second).intoArray(frame.records, (word + 1) * lanes + lane);
            }
        }
    }

    /** Whether all words of all lanes' records are stored. */
    static boolean isWhole(VectorFrame frame, long mask, int words, int some) {
        return some == (1 << words) - 1 && frame.isFull(mask);
    }

    // Records that are known to lie side by side

    /** Whether there is code for records of so many words. */
    public static boolean areSorted(int words, boolean wide) {
        return wide ? WideRecords.areSorted(words) : words > 1 && words <= WORDS;
    }

    /**
     * Sorts words out of records that lie side by side.
     *
     * @param place of the first lane's in the process's memory
     * @param size words of a record
     * @param words how many of them are wanted, the first ones
     * @param lanes how many there are, those of whole vectors
     */
    public static void sort(VectorFrame frame, long place, int size, int words, int slot, int lanes) {
        WordRecords.sort(place, size, words, frame.records, slot * lanes, lanes);
    }

    /** As {@link #sort} for words of 64 bits, each of two slots. */
    public static void sortWide(VectorFrame frame, long place, int size, int words, int slot, int lanes) {
        WideRecords.sort(place, size, words, frame.wideRecords, slot * lanes, lanes);
    }

    /** The other way: stores records of so many words side by side. */
    public static void merge(VectorFrame frame, long place, int words, int slot, int lanes) {
        WordRecords.merge(place, words, frame.records, slot * lanes, lanes);
    }

    /** As {@link #merge} for words of 64 bits, each of two slots. */
    public static void mergeWide(VectorFrame frame, long place, int words, int slot, int lanes) {
        WideRecords.merge(place, words, frame.wideRecords, slot * lanes, lanes);
    }

    // Where records lie

    /**
     * Whether no lane's accesses through one register touch bytes of its accesses through another. What both registers hold is said as for {@link LanePlaces#loadSteps}.
     *
     * @param small whether the segment has less than 2 GiB, so that registers of 32 bits may have come round zero
     * @param last the last lane
     * @param low accesses touch the same bytes where the other register minus this one lies between {@code low} and {@code high}
     * @param apartIfEqual whether they do not where both are the same
     */
    public static boolean apart(long otherOffset, int otherIndex, int otherStride, long otherScale, boolean otherSigned, long offset, int index, int stride, long scale,
            boolean signed, boolean small, int last, long low, long high, boolean apartIfEqual) {
        long otherWay = LanePlaces.distance(last, otherIndex, otherStride, otherScale, otherSigned);
        long way = LanePlaces.distance(last, index, stride, scale, signed);
        if (otherWay != otherScale * otherStride * last || way != scale * stride * last) {
            return false;
        }
        // Between the first lane's and the last lane's lie all others'.
        long first = small ? (int) otherOffset - (int) offset : otherOffset - offset;
        long end = first + otherWay - way;
        return Math.min(first, end) >= high || Math.max(first, end) <= low || apartIfEqual && first == 0 && end == 0;
    }

    /** Whether accesses of the executing lanes to so many bytes each are all there, aligned and at one distance from lane to lane. */
    public static boolean areThere(long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int bytes, int alignment) {
        return LanePlaces.begin(mask, segment, offset, index, stride, scale, signed, bytes, alignment) != LanePlaces.APART;
    }

    /** Leaves the lanes' offsets as {@link #load} does where it does not find all words. */
    public static void leave(VectorFrame frame, long offset, int index, int stride, long scale, boolean signed, int slot) {
        for (int lane = 0; lane < frame.lanes; lane++) {
            frame.addresses[slot * frame.lanes + lane] = offset + LanePlaces.distance(lane, index, stride, scale, signed);
        }
    }

    private static long begin(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int bytes,
            int alignment, int slot) {
        long begin = DirectMemory.isDirect() ? LanePlaces.begin(mask, segment, offset, index, stride, scale, signed, bytes, alignment) : LanePlaces.APART;
        if (begin == LanePlaces.APART) {
            leave(frame, offset, index, stride, scale, signed, slot);
        }
        return begin;
    }

    private static LaneMemory.Lie find(VectorFrame frame, long mask, MemorySegment segment, long delta, int bytes, int alignment, int slot) {
        LaneMemory.Lie lie = LaneMemory.find(frame, mask, segment, delta, bytes, alignment);
        if (lie == LaneMemory.Lie.UNKNOWN) {
            System.arraycopy(frame.laneLongs, 0, frame.addresses, slot * frame.lanes, frame.lanes);
        }
        return lie;
    }

    /** Leaves the places of the executing lanes' records; lanes that do not execute get that of one that does. */
    private static void findPlaces(VectorFrame frame, long mask, long begin, long step) {
        boolean full = frame.isFull(mask);
        long first = begin + step * Long.numberOfTrailingZeros(mask);
        LongVector place = LaneMemory.LANE.mul(step).add(begin);
        for (int at = 0; at < frame.lanes; at += HALF) {
            LongVector here = full ? place : LongVector.broadcast(LONG, first).blend(place, VectorMask.fromLong(LONG, mask >>> at & (1L << HALF) - 1));
            here.intoArray(frame.places, at);
            place = place.add(step * HALF);
        }
    }
}
