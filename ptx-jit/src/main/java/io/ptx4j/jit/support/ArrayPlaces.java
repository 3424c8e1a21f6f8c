package io.ptx4j.jit.support;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Finds arrays places where vectors lie within cache lines. HotSpot aligns objects to 8 bytes, so of eight arrays seven have each of their 64-byte
 * vectors across two lines, for which a processor takes twice as long. A function of the C library that gives back the address it was given tells where
 * the elements are; where the process may not call it, arrays stay where they are. The garbage collector may move an array, so whoever keeps one
 * asks again when that has run.
 */
final class ArrayPlaces {
    private static final int LINE = 64;
    /** The paddings of sixteen copies, one after the other, take them to all places that there are; now and then one begins in another part of the heap. */
    private static final int TRIES = 40;
    /** Bytes of an array that is placed at most: larger ones a garbage collector may put into regions of their own. */
    private static final int MOST = 1 << 18;
    /** {@code memmove} of nothing; null where it may not be called. */
    private static final MethodHandle MOVE = move();
    /** The room between the last two arrays; kept, so that HotSpot does not leave it out. */
    private static Object padding;

    private ArrayPlaces() {
    }

    @SuppressWarnings("restricted")
    private static MethodHandle move() {
        if (!DirectMemory.isDirect()) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> function = linker.defaultLookup().find("memmove");
        return function.map(f -> linker.downcallHandle(f, FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG), Linker.Option.critical(true))).orElse(null);
    }

    static int[] place(int[] array) {
        return place(array, MemorySegment::ofArray, int[]::clone);
    }

    static long[] place(long[] array) {
        return place(array, MemorySegment::ofArray, long[]::clone);
    }

    static float[] place(float[] array) {
        return place(array, MemorySegment::ofArray, float[]::clone);
    }

    static double[] place(double[] array) {
        return place(array, MemorySegment::ofArray, double[]::clone);
    }

    private static <A> A place(A array, Function<A, MemorySegment> elements, UnaryOperator<A> copy) {
        A placed = array;
        for (int n = 0; n < TRIES && isAcross(elements.apply(placed)); n++) {
            padding = new long[n % (LINE / Long.BYTES)];
            placed = copy.apply(placed);
        }
        return placed;
    }

    /** Whether the elements do not begin where a cache line does, and may be moved. */
    static boolean isAcross(MemorySegment array) {
        if (MOVE == null || array.byteSize() < LINE || array.byteSize() > MOST) {
            return false;
        }
        try {
            return ((long) MOVE.invokeExact(array, array, 0L) & LINE - 1) != 0;
        } catch (Throwable e) {
            throw new IllegalStateException("memmove failed", e);
        }
    }
}
