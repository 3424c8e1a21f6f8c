package io.ptx4j.jit.support;

import java.util.stream.IntStream;

/** Addresses of shared memory of a group's lanes, and what {@link LanePlaces} has found out about them. */
public final class LaneSlot {
    /**
     * Two vectors of memory in which the lanes of one vector have their elements. Fields, not elements of arrays: each of those would be
     * tested for its bounds, which was half of the code.
     */
    static final class Window {
        /** Where the two vectors are. */
        long low;
        long high;
        /** In {@link VectorFrame#arrangements}. */
        int entry;
    }

    /** By lane: an unsigned number of bytes. */
    public int[] places;
    /** By lane: the number of the element in the window. */
    int[] elements;
    /** The same for a store by some of the lanes, which has a window of its own: accesses after it use what was found before. */
    int[] elementsOfSome;
    final Window first = new Window();
    final Window second = new Window();
    /** Those of further vectors. */
    final Window[] others;
    /** Not 0 if there are no such windows. */
    long outside;
    /** How many accesses need not look for windows, since the last one that did has found none. */
    int spread;

    LaneSlot(int lanes) {
        this.places = new int[lanes];
        this.elements = new int[lanes];
        this.elementsOfSome = new int[lanes];
        this.others = IntStream.range(0, Math.max(0, lanes / VectorLanes.INT.length() - 2)).mapToObj(i -> new Window()).toArray(Window[]::new);
    }

    /** As {@link VectorFrame#place}. */
    void place() {
        places = ArrayPlaces.place(places);
        elements = ArrayPlaces.place(elements);
        elementsOfSome = ArrayPlaces.place(elementsOfSome);
    }

    /** The window of the vector of lanes of which the first is {@code at}. */
    Window window(int at) {
        int vector = at / VectorLanes.INT.length();
        return vector == 0 ? first : vector == 1 ? second : others[vector - 2];
    }

    /** Where the lane's element lies in its window, {@code offset} bytes behind its place; the sum wraps around at 2^32. */
    long place(int lane, long offset) {
        return places[lane] + (int) offset & 0xFFFF_FFFFL;
    }
}
