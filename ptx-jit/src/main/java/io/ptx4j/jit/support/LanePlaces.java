package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.DirectMemory.ALL;
import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.LONG;
import static io.ptx4j.jit.support.VectorLanes.ORDER;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Accesses of a group's lanes to 32-bit elements wherever they lie: {@code tid ^ k}, every second element, the pairs of a bitonic sort. The lanes
 * of a vector often stay within a <em>window</em>, two vectors of memory. Then a load is the whole window, of which each lane chooses its element. A
 * store writes one vector if the elements are neighbours, upwards or downwards, and moves lanes apart if their elements ascend. What is
 * spread further goes one by one.
 *
 * <p>The frame has places, unsigned numbers of bytes, and values. An element lies a constant of bytes behind its place in the segment.
 */
public final class LanePlaces {
    private static final int LENGTH = INT.length();
    private static final long FULL = (1L << LENGTH) - 1;
    private static final int BYTES = 4 * LENGTH;
    /** Elements of an entry of {@link VectorFrame#arrangements}. */
    private static final int ENTRY = 4 * LENGTH;
    /** Lanes that are done without a loop, of which HotSpot makes several, each with its own tests, for two turns at most. */
    private static final int STRAIGHT = 2 * LENGTH;

    /** So many accesses do not look for windows after one that has found none. */
    private static final int UNTRIED = 15;

    /** So many lanes take longer to be looked at together than to be stored one by one. */
    private static final int FEW = 2;

    /** Windows are looked for where one lane of so many executes, or more. */
    private static final int SPARSE = 4;

    static final long APART = Long.MIN_VALUE;

    private LanePlaces() {
    }

    /**
     * Loads the elements of executing lanes, up to the first whose element is not there or not aligned ({@link Faults#defer}).
     *
     * @param thread of the first lane
     * @param mask the executing lanes
     * @param slot has the places of the lanes
     */
    public static void load(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        look(slot, segment, offset);
        loadAgain(worker, frame, thread, mask, segment, offset, slot);
    }

    /** As {@link #load} with the slot's places and the offset of the access before. */
    public static void loadAgain(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        if (slot.outside != 0) {
            loadSlowly(worker, frame, thread, mask, segment, offset, slot);
            return;
        }
        MemorySegment memory = DirectMemory.whole(segment);
        int[] values = frame.laneInts;
        take(memory, slot.first, slot.elements, 0, values);
        if (slot.elements.length > LENGTH) {
            take(memory, slot.second, slot.elements, LENGTH, values);
            for (int i = 0; i < slot.others.length; i++) {
                take(memory, slot.others[i], slot.elements, STRAIGHT + i * LENGTH, values);
            }
        }
    }

    private static void take(MemorySegment memory, LaneSlot.Window window, int[] elements, int at, int[] values) {
        IntVector low = IntVector.fromMemorySegment(INT, memory, window.low, ORDER);
        IntVector high = IntVector.fromMemorySegment(INT, memory, window.high, ORDER);
        IntVector.fromArray(INT, elements, at).selectFrom(low, high).intoArray(values, at);
    }

    private static void loadSlowly(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        boolean window = false;
        boolean tries = slot.spread == 0;
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            long here = mask >>> at & FULL;
            if (here != 0 && tries && loadWindow(segment, offset, slot.places, at, frame.laneInts, here)) {
                window = true;
            } else if (here != 0) {
                loadEach(worker, frame, thread, here, at, segment, offset, slot);
            }
        }
        if (tries && !window) {
            slot.spread = UNTRIED;
        }
    }

    /** As {@link #find}, unless lanes are spread wide at this time: there are no windows then, as before. */
    private static void look(LaneSlot slot, MemorySegment segment, long offset) {
        if (slot.spread > 0) {
            slot.spread--;
        } else {
            find(slot, segment, offset);
        }
    }

    /** Finds the windows of all lanes, executing or not, if there are such, from multiples of a vector's size on. */
    private static void find(LaneSlot slot, MemorySegment segment, long offset) {
        // What is left behind the last whole vector, other code accesses.
        long room = segment.byteSize() & -BYTES;
        long origin = DirectMemory.place(segment, 0);
        long outside = segment.address() + offset & 3 | find(slot.first, slot.places, slot.elements, 0, room, origin, offset);
        if (slot.places.length > LENGTH) {
            outside |= find(slot.second, slot.places, slot.elements, LENGTH, room, origin, offset);
            for (int i = 0; i < slot.others.length; i++) {
                outside |= find(slot.others[i], slot.places, slot.elements, STRAIGHT + i * LENGTH, room, origin, offset);
            }
        }
        slot.outside = outside;
    }

    /** The window of one vector of lanes; gives a number other than 0 if there is none. */
    private static long find(LaneSlot.Window window, int[] places, int[] elements, int at, long room, long origin, long offset) {
        IntVector place = IntVector.fromArray(INT, places, at);
        int one = places[at];
        int other = places[at + LENGTH - 1];
        int base = Math.min(one, other) & -BYTES;
        long start = base + offset;
        long length = Math.min(room - start, 2 * BYTES) & -BYTES;
        IntVector element = elements(place, base);
        element.intoArray(elements, at);
        long low = origin + start;
        window.low = low;
        // Where memory ends with the first vector, no element lies in the second.
        window.high = low + length - BYTES;
        window.entry = entry(one - base, other - base);
        return element.compare(VectorOperators.UGE, (int) (length >> 2)).toLong() | (base | start | length - BYTES) & Long.MIN_VALUE;
    }

    /** Where the table has the arrangement of lanes of which the first and the last lie so many bytes from the window's beginning. */
    private static int entry(int one, int other) {
        // Differs between the arrangements that a sort or a transposition has.
        return (5 * one + other) * LENGTH & (VectorFrame.ARRANGEMENTS - 1) * ENTRY;
    }

    private static boolean loadWindow(MemorySegment segment, long offset, int[] places, int at, int[] values, long here) {
        int lowest = Math.min(places[at + Long.numberOfTrailingZeros(here)], places[at + 63 - Long.numberOfLeadingZeros(here)]);
        IntVector place = IntVector.fromArray(INT, places, at);
        int base = lowest & -BYTES;
        IntVector element = elements(place, base);
        long start = base + offset;
        if (outside(segment, element, base, start, here)) {
            base = lowest;
            element = elements(place, base);
            start = base + offset;
            if (outside(segment, element, base, start, here)) {
                return false;
            }
        }
        MemorySegment memory = DirectMemory.whole(segment);
        long from = DirectMemory.place(segment, start);
        long behind = segment.byteSize() - start;
        long there = behind >= 2 * BYTES ? -1L : (1L << (behind >> 2)) - 1;
        IntVector low = IntVector.fromMemorySegment(INT, memory, from, ORDER, VectorMask.fromLong(INT, there & FULL));
        IntVector high = IntVector.fromMemorySegment(INT, memory, from + BYTES, ORDER, VectorMask.fromLong(INT, there >>> LENGTH & FULL));
        element.selectFrom(low, high).intoArray(values, at);
        return true;
    }

    /** The numbers of elements in the window from {@code base} on; of places that are not aligned to it, or lie before it, large ones. */
    private static IntVector elements(IntVector place, int base) {
        return place.sub(base).lanewise(VectorOperators.ROR, 2);
    }

    /** Whether one of the lanes has no element in the window and in memory. A place of 2^31 or more is negative here. */
    private static boolean outside(MemorySegment segment, IntVector element, int base, long start, long lanes) {
        long length = Math.min(segment.byteSize() - start, 2 * BYTES);
        long some = element.compare(VectorOperators.UGE, (int) (length >> 2)).toLong() & lanes;
        return (some | (base | start | length) & Long.MIN_VALUE | segment.address() + start & 3) != 0;
    }

    private static void loadEach(Worker worker, VectorFrame frame, int thread, long here, int at, MemorySegment segment, long offset, LaneSlot slot) {
        int[] values = frame.laneInts;
        if (findEach(segment, offset, slot, at, here)) {
            long origin = segment.address();
            int[] found = slot.elementsOfSome;
            for (int lane = at; lane < at + LENGTH; lane++) {
                values[lane] = ALL.get(DirectMemory.I32, origin + (found[lane] & 0xFFFF_FFFFL) & DirectMemory.ADDRESSES);
            }
            return;
        }
        int lane = 0;
        try {
            for (long rest = here; rest != 0; rest &= rest - 1) {
                lane = at + Long.numberOfTrailingZeros(rest);
                values[lane] = Memory.loadI32(segment, slot.place(lane, offset));
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /**
     * Leaves the offsets of a vector's lanes in {@link LaneSlot#elementsOfSome} if the elements of those that execute are there and aligned. The others get that of one that does,
     * so that all may be loaded without a look at the mask, of which a processor would guess every second bit wrong.
     */
    private static boolean findEach(MemorySegment segment, long offset, LaneSlot slot, int at, long here) {
        return findEach(segment, offset, slot, at, at + Long.numberOfTrailingZeros(here), here, 4);
    }

    /**
     * The same of elements of so many bytes.
     *
     * @param executing a lane that does
     */
    private static boolean findEach(MemorySegment segment, long offset, LaneSlot slot, int at, int executing, long here, int bytes) {
        long last = Math.min(segment.byteSize() - bytes, 0xFFFF_FFFFL);
        if (ALL == null || !segment.isNative() || last < 0) {
            return false;
        }
        IntVector place = IntVector.fromArray(INT, slot.places, at).add((int) offset);
        int first = slot.places[executing] + (int) offset;
        place = IntVector.broadcast(INT, first).blend(place, VectorMask.fromLong(INT, here));
        place.intoArray(slot.elementsOfSome, at);
        return (place.compare(VectorOperators.UGT, (int) last).toLong() | place.and(bytes - 1).compare(VectorOperators.NE, 0).toLong() | segment.address() & bytes - 1) == 0;
    }

    /** As {@link #load} for stores; of lanes with one place the last one's value stays. */
    public static void store(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        if (Long.bitCount(mask) * SPARSE >= slot.elements.length) {
            look(slot, segment, offset);
        } else {
            // Nobody has looked, also not for those that access the same places again.
            slot.outside = APART;
        }
        storeAgain(worker, frame, thread, mask, segment, offset, slot);
    }

    /** As {@link #store} with the slot's places and the offset of the access before. */
    public static void storeAgain(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        if (slot.outside != 0) {
            storeSlowly(worker, frame, thread, mask, segment, offset, slot);
            return;
        }
        MemorySegment memory = DirectMemory.whole(segment);
        if (mask != -1L >>> Long.SIZE - slot.elements.length) {
            storeSome(worker, frame, thread, mask, segment, offset, slot, memory);
            return;
        }
        int[] values = frame.laneInts;
        put(memory, slot.first, slot.elements, 0, values, frame.arrangements);
        if (slot.elements.length > LENGTH) {
            put(memory, slot.second, slot.elements, LENGTH, values, frame.arrangements);
            for (int i = 0; i < slot.others.length; i++) {
                put(memory, slot.others[i], slot.elements, STRAIGHT + i * LENGTH, values, frame.arrangements);
            }
        }
    }

    /** Windows of which some lanes do not execute. */
    private static void storeSome(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot, MemorySegment memory) {
        for (int at = 0; at < slot.elements.length; at += LENGTH) {
            long here = mask >>> at & FULL;
            LaneSlot.Window window = slot.window(at);
            boolean few = Long.bitCount(here) <= FEW;
            if (here != 0 && (few || !putSome(memory, window, IntVector.fromArray(INT, slot.elements, at), window.entry, IntVector.fromArray(INT, frame.laneInts, at), frame.arrangements, here))) {
                storeEach(worker, frame, thread, here, at, segment, offset, slot);
            }
        }
    }

    private static void put(MemorySegment memory, LaneSlot.Window window, int[] elements, int at, int[] values, int[] table) {
        arrange(IntVector.fromArray(INT, elements, at), table, window.entry);
        put(memory, window.low, IntVector.fromArray(INT, values, at), table, window.entry);
    }

    /** Has an entry of the table describe the elements of a vector of lanes. */
    private static void arrange(IntVector element, int[] table, int entry) {
        if (element.compare(VectorOperators.NE, IntVector.fromArray(INT, table, entry)).toLong() != 0) {
            element.intoArray(table, entry);
            arrange(table, entry);
        }
    }

    private static void put(MemorySegment memory, long from, IntVector value, int[] table, int entry) {
        int low = table[entry + 3 * LENGTH];
        int high = table[entry + 3 * LENGTH + 1];
        // Whole vectors, which nobody else writes to meanwhile: stores under a mask take longer, as do loads of what they have stored.
        IntVector.fromMemorySegment(INT, memory, from, ORDER).blend(IntVector.fromArray(INT, table, entry + LENGTH).selectFrom(value), VectorMask.fromLong(INT, low))
                .intoMemorySegment(memory, from, ORDER);
        if (high != 0) {
            IntVector.fromMemorySegment(INT, memory, from + BYTES, ORDER)
                    .blend(IntVector.fromArray(INT, table, entry + 2 * LENGTH).selectFrom(value), VectorMask.fromLong(INT, high))
                    .intoMemorySegment(memory, from + BYTES, ORDER);
        }
    }

    /** As {@link #put}, where lanes that do not execute store what is there; false, and nothing is done, where two lanes have one element. */
    private static boolean putSome(MemorySegment memory, LaneSlot.Window window, IntVector element, int entry, IntVector value, int[] table, long here) {
        arrange(element, table, entry);
        if (here == FULL) {
            put(memory, window.low, value, table, entry);
            return true;
        }
        if (Integer.bitCount(table[entry + 3 * LENGTH]) + Integer.bitCount(table[entry + 3 * LENGTH + 1]) != LENGTH) {
            return false;
        }
        IntVector low = IntVector.fromMemorySegment(INT, memory, window.low, ORDER);
        IntVector high = IntVector.fromMemorySegment(INT, memory, window.high, ORDER);
        put(memory, window.low, element.selectFrom(low, high).blend(value, VectorMask.fromLong(INT, here)), table, entry);
        return true;
    }

    /**
     * As {@link #load} for pairs of words: the first ones go to the frame's first slot, the second ones to the next.
     *
     * @param again whether the slot has the places and the offset of the access before
     */
    public static void loadPair(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot, boolean again) {
        if (!again) {
            look(slot, segment, offset);
        }
        int[] values = frame.laneInts;
        int lanes = frame.lanes;
        if (slot.outside != 0 || !holdPairs(slot, segment, offset)) {
            loadPairs(worker, frame, thread, mask, segment, offset, slot);
            return;
        }
        MemorySegment memory = DirectMemory.whole(segment);
        for (int at = 0; at < lanes; at += LENGTH) {
            LaneSlot.Window window = slot.window(at);
            IntVector low = IntVector.fromMemorySegment(INT, memory, window.low, ORDER);
            IntVector high = IntVector.fromMemorySegment(INT, memory, window.high, ORDER);
            IntVector element = IntVector.fromArray(INT, slot.elements, at);
            element.selectFrom(low, high).intoArray(values, at);
            element.add(1).selectFrom(low, high).intoArray(values, lanes + at);
        }
    }

    private static void loadPairs(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        if (findPairs(segment, offset, slot, mask)) {
            long origin = segment.address();
            int[] found = slot.elementsOfSome;
            int[] values = frame.laneInts;
            for (int lane = 0; lane < frame.lanes; lane++) {
                long pair = ALL.get(DirectMemory.I64, origin + (found[lane] & 0xFFFF_FFFFL) & DirectMemory.ADDRESSES);
                values[lane] = (int) pair;
                values[frame.lanes + lane] = (int) (pair >>> 32);
            }
            return;
        }
        int lane = 0;
        try {
            for (long rest = mask; rest != 0; rest &= rest - 1) {
                lane = Long.numberOfTrailingZeros(rest);
                long pair = Memory.loadI64(segment, slot.place(lane, offset));
                frame.laneInts[lane] = (int) pair;
                frame.laneInts[frame.lanes + lane] = (int) (pair >>> 32);
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /** As {@link #loadPair} for stores; where lanes have words in common, the last one's stay. */
    public static void storePair(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot, boolean again) {
        if (!again) {
            look(slot, segment, offset);
        }
        if (slot.outside != 0 || !holdPairs(slot, segment, offset)) {
            storePairs(worker, frame, thread, mask, segment, offset, slot);
            return;
        }
        MemorySegment memory = DirectMemory.whole(segment);
        int[] table = frame.arrangements;
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            LaneSlot.Window window = slot.window(at);
            long here = mask >>> at & FULL;
            IntVector element = IntVector.fromArray(INT, slot.elements, at);
            int next = window.entry + entry(4, 4) & (VectorFrame.ARRANGEMENTS - 1) * ENTRY;
            if (!putSome(memory, window, element, window.entry, IntVector.fromArray(INT, frame.laneInts, at), table, here)) {
                storePairs(worker, frame, thread, here << at, segment, offset, slot);
            } else {
                // Whole pairs: where no two lanes have one first word, none have one second word.
                putSome(memory, window, element.add(1), next, IntVector.fromArray(INT, frame.laneInts, frame.lanes + at), table, here);
            }
        }
    }

    /** As {@link #findEach} for the pairs of all lanes. */
    private static boolean findPairs(MemorySegment segment, long offset, LaneSlot slot, long mask) {
        if (mask == 0) {
            return false;
        }
        for (int at = 0; at < slot.places.length; at += LENGTH) {
            long here = mask >>> at & FULL;
            // Lanes of a vector in which none executes get what the first one has that does.
            if (!findEach(segment, offset, slot, at, here == 0 ? Long.numberOfTrailingZeros(mask) : at + Long.numberOfTrailingZeros(here), here, 8)) {
                return false;
            }
        }
        return true;
    }

    private static void storePairs(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        if (findPairs(segment, offset, slot, mask)) {
            long origin = segment.address();
            int[] found = slot.elementsOfSome;
            int[] values = frame.laneInts;
            for (long rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Long.numberOfTrailingZeros(rest);
                long pair = (long) values[frame.lanes + lane] << 32 | values[lane] & 0xFFFF_FFFFL;
                ALL.set(DirectMemory.I64, origin + (found[lane] & 0xFFFF_FFFFL) & DirectMemory.ADDRESSES, pair);
            }
            return;
        }
        int lane = 0;
        try {
            for (long rest = mask; rest != 0; rest &= rest - 1) {
                lane = Long.numberOfTrailingZeros(rest);
                long high = (long) frame.laneInts[frame.lanes + lane] << 32;
                Memory.storeI64(segment, slot.place(lane, offset), high | frame.laneInts[lane] & 0xFFFF_FFFFL);
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /** Whether the windows of all lanes have the word behind each element too, and pairs are aligned. */
    private static boolean holdPairs(LaneSlot slot, MemorySegment segment, long offset) {
        int aligned = (int) -(segment.address() + offset) & 7;
        long outside = 0;
        for (int at = 0; at < slot.elements.length; at += LENGTH) {
            LaneSlot.Window window = slot.window(at);
            int words = (int) (window.high - window.low + BYTES >> 2);
            outside |= IntVector.fromArray(INT, slot.elements, at).compare(VectorOperators.UGE, words - 1).toLong();
            outside |= IntVector.fromArray(INT, slot.places, at).and(7).compare(VectorOperators.NE, aligned).toLong();
        }
        return outside == 0;
    }

    private static void storeSlowly(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        boolean window = false;
        boolean tries = slot.spread == 0;
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            long here = mask >>> at & FULL;
            if (here == FULL && tries && storeWindow(segment, offset, frame, slot, at)) {
                window = true;
            } else if (here != 0) {
                storeEach(worker, frame, thread, here, at, segment, offset, slot);
            }
        }
        if (tries && !window && slot.outside != 0) {
            slot.spread = UNTRIED;
        }
    }

    /** The window of one vector of lanes, from the lowest element on. */
    private static boolean storeWindow(MemorySegment segment, long offset, VectorFrame frame, LaneSlot slot, int at) {
        int one = slot.places[at];
        int other = slot.places[at + LENGTH - 1];
        int base = Math.min(one, other);
        long start = base + offset;
        IntVector element = elements(IntVector.fromArray(INT, slot.places, at), base);
        if (outside(segment, element, base, start, FULL) || segment.byteSize() - start < 2 * BYTES) {
            return false;
        }
        element.intoArray(slot.elementsOfSome, at);
        LaneSlot.Window window = new LaneSlot.Window();
        window.low = DirectMemory.place(segment, start);
        window.entry = entry(one - base, other - base);
        put(DirectMemory.whole(segment), window, slot.elementsOfSome, at, frame.laneInts, frame.arrangements);
        return true;
    }

    /**
     * Finds out how the lanes of a vector are stored that have elements of a window. Of lanes with one element the last one's value stays.
     *
     * @param table has the number of each lane's element at {@code at}; behind these, for each element, the lane that it is stored from, and then, for
     *     both halves of the window, the elements that are stored to, as bits
     */
    private static void arrange(int[] table, int at) {
        int taken = 0;
        for (int lane = 0; lane < LENGTH; lane++) {
            int element = table[at + lane];
            table[at + LENGTH + element] = lane;
            taken |= 1 << element;
        }
        table[at + 3 * LENGTH] = taken & (int) FULL;
        table[at + 3 * LENGTH + 1] = taken >>> LENGTH & (int) FULL;
    }

    private static void storeEach(Worker worker, VectorFrame frame, int thread, long here, int at, MemorySegment segment, long offset, LaneSlot slot) {
        int[] values = frame.laneInts;
        if (Long.bitCount(here) > FEW && findEach(segment, offset, slot, at, here)) {
            long origin = segment.address();
            int[] found = slot.elementsOfSome;
            for (long rest = here; rest != 0; rest &= rest - 1) {
                int lane = at + Long.numberOfTrailingZeros(rest);
                ALL.set(DirectMemory.I32, origin + (found[lane] & 0xFFFF_FFFFL) & DirectMemory.ADDRESSES, values[lane]);
            }
            return;
        }
        int lane = 0;
        try {
            for (long rest = here; rest != 0; rest &= rest - 1) {
                lane = at + Long.numberOfTrailingZeros(rest);
                Memory.storeI32(segment, slot.place(lane, offset), values[lane]);
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /**
     * Loads elements of executing lanes at a constant distance from lane to lane, as {@link #load} does. That of lane {@code l} lies
     * {@code scale * (i(l) - i(0))} bytes behind the first lane's, with {@code i(l)} the number {@code index + stride * l} of 32 bits, extended: the
     * distance is {@code scale * stride} unless the number wraps around.
     *
     * @param offset of the first lane's element, which need not be there if that lane does not execute
     * @param signed how the number is extended
     */
    public static void loadSteps(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed) {
        loadSteps(worker, frame, thread, mask, segment, offset, index, stride, scale, signed, 0, frame.lanes);
    }

    /**
     * The same of some lanes.
     *
     * @param mask with the bit of the first one first
     * @param first number of the first lane, which {@code offset} and {@code index} are those of
     * @param count lanes
     * @return whether all that execute have loaded
     */
    static boolean loadSteps(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed, int first, int count) {
        long step = scale * stride;
        long begin = begin(mask, segment, offset, index, stride, scale, signed, 4, 4);
        if (begin != APART && step != 4) {
            int lowest = Long.numberOfTrailingZeros(mask);
            DirectMemory.loadEach(DirectMemory.place(segment, 0) + begin + step * lowest, step, frame.laneInts, first + lowest, first + Long.SIZE - Long.numberOfLeadingZeros(mask));
            return true;
        }
        if (begin != APART) {
            for (int at = 0; at < count; at += LENGTH) {
                VectorMask<Integer> here = VectorMask.fromLong(INT, mask >>> at & FULL);
                IntVector.fromMemorySegment(INT, segment, begin + 4 * at, ORDER, here).intoArray(frame.laneInts, first + at);
            }
            return true;
        }
        int lane = 0;
        try {
            for (; lane < count; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    frame.laneInts[first + lane] = Memory.loadI32(segment, offset + distance(lane, index, stride, scale, signed));
                }
            }
            return true;
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, first + lane);
            return false;
        }
    }

    /** As {@link #loadSteps}, leaving the words in {@link VectorFrame#words}. */
    public static void loadStepsAside(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed) {
        loadSteps(worker, frame, thread, mask, segment, offset, index, stride, scale, signed);
        MemorySegment.copy(frame.laneInts, 0, frame.words, ValueLayout.JAVA_INT, 0, frame.lanes);
    }

    /** As {@link #loadSteps} for a store from the frame's array. */
    public static void storeSteps(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed) {
        storeSteps(worker, frame, thread, mask, segment, offset, index, stride, scale, signed, 0, frame.lanes);
    }

    /** The same of some lanes, as {@link #loadSteps}. */
    static boolean storeSteps(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed, int first, int count) {
        long step = scale * stride;
        long begin = begin(mask, segment, offset, index, stride, scale, signed, 4, 4);
        if (begin != APART && step != 4) {
            DirectMemory.storeEach(DirectMemory.place(segment, 0) + begin - step * first, step, frame.laneInts, mask << first);
            return true;
        }
        if (begin != APART) {
            storeBeside(frame, mask, segment, begin, segment == worker.shared, first, count);
            return true;
        }
        int lane = 0;
        try {
            for (; lane < count; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    Memory.storeI32(segment, offset + distance(lane, index, stride, scale, signed), frame.laneInts[first + lane]);
                }
            }
            return true;
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, first + lane);
            return false;
        }
    }

    /**
     * Stores the frame's values of executing lanes side by side, the first lane's at {@code begin}.
     *
     * @param mask with the bit of the first lane first
     * @param own whether nobody else writes to the segment meanwhile: then a vector is stored whole, with the words of other lanes as they were, since
     *     loads wait for what was stored under a mask until it is in the cache
     * @param first the first lane's place in the frame
     * @param count lanes
     */
    static void storeBeside(VectorFrame frame, long mask, MemorySegment segment, long begin, boolean own, int first, int count) {
        long room = segment.byteSize() - BYTES;
        MemorySegment memory = DirectMemory.whole(segment);
        for (int at = 0; at < count; at += LENGTH) {
            long here = mask >>> at & FULL;
            long from = begin + 4L * at;
            if (here == 0) {
                continue;
            }
            IntVector value = IntVector.fromArray(INT, frame.laneInts, first + at);
            if (!own || from < 0 || from > room) {
                value.intoMemorySegment(segment, from, ORDER, VectorMask.fromLong(INT, here));
                continue;
            }
            long place = DirectMemory.place(segment, from);
            IntVector.fromMemorySegment(INT, memory, place, ORDER).blend(value, VectorMask.fromLong(INT, here)).intoMemorySegment(memory, place, ORDER);
        }
    }

    /** Stores the frame's values of executing lanes side by side, from {@code place} on, which are known to be there. */
    public static void storeSome(VectorFrame frame, long mask, MemorySegment segment, long place) {
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            VectorMask<Integer> here = VectorMask.fromLong(INT, mask >>> at & FULL);
            IntVector.fromArray(INT, frame.laneInts, at).intoMemorySegment(segment, place + 4 * at, ORDER, here);
        }
    }

    /** As {@link #storeSome} for the 64-bit values of one vector, the first of which is that of {@code lane}. */
    public static void storeSomeWide(VectorFrame frame, long mask, MemorySegment segment, long place, int lane) {
        VectorMask<Long> here = VectorMask.fromLong(LONG, mask >>> lane & (1L << LONG.length()) - 1);
        LongVector.fromArray(LONG, frame.laneLongs, lane).intoMemorySegment(segment, place, ORDER, here);
    }

    static long distance(int lane, int index, int stride, long scale, boolean signed) {
        int other = index + stride * lane;
        return scale * (signed ? (long) other - index : (other & 0xFFFF_FFFFL) - (index & 0xFFFF_FFFFL));
    }

    /**
     * Where the first lane's element would lie if those of executing lanes are there, aligned and at one distance from lane to lane, {@code scale * stride}; else
     * {@link #APART}. That is not where it lies if their numbers have wrapped around and its own, which does not execute, has not.
     *
     * @param bytes of an element
     * @param alignment a power of two
     */
    static long begin(long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int bytes, int alignment) {
        int first = Long.numberOfTrailingZeros(mask);
        int last = Long.SIZE - 1 - Long.numberOfLeadingZeros(mask);
        long step = scale * stride;
        long low = offset + distance(first, index, stride, scale, signed);
        long high = offset + distance(last, index, stride, scale, signed);
        long room = segment.byteSize() - bytes;
        boolean there = mask != 0 && low >= 0 && low <= room && high >= 0 && high <= room && (segment.address() + low & alignment - 1) == 0
                && (step & alignment - 1) == 0;
        return there && (step == 4 || DirectMemory.isDirect()) && high - low == step * (last - first) ? low - step * first : APART;
    }
}
