package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/** What several lanes do to one place with an atomic, brought together so that memory is updated once. Values are raw bits, one for each lane; the bits of {@code lanes} say whose count: one at least. */
public final class LaneUpdates {
    private LaneUpdates() {
    }

    private static int fold(int[] values, long lanes, IntBinaryOperator both) {
        return inTurn(values[Long.numberOfTrailingZeros(lanes)], values, lanes & lanes - 1, both);
    }

    private static long fold(long[] values, long lanes, LongBinaryOperator both) {
        return inTurn(values[Long.numberOfTrailingZeros(lanes)], values, lanes & lanes - 1, both);
    }

    public static int add32(int[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::add32);
    }

    public static int min32(int[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::min32);
    }

    public static int max32(int[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::max32);
    }

    public static int minUnsigned32(int[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::minUnsigned32);
    }

    public static int maxUnsigned32(int[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::maxUnsigned32);
    }

    public static int and32(int[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::and32);
    }

    public static int or32(int[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::or32);
    }

    public static int xor32(int[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::xor32);
    }

    public static long add64(long[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::add64);
    }

    public static long min64(long[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::min64);
    }

    public static long max64(long[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::max64);
    }

    public static long minUnsigned64(long[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::minUnsigned64);
    }

    public static long maxUnsigned64(long[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::maxUnsigned64);
    }

    public static long and64(long[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::and64);
    }

    public static long or64(long[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::or64);
    }

    public static long xor64(long[] values, long lanes) {
        return fold(values, lanes, AtomicUpdates::xor64);
    }

    /** Sums on global memory, rounded after each lane. */
    public static void addF32(MemorySegment segment, long offset, int[] values, long lanes) {
        Atomics.update32(segment, offset, 0, (old, none) -> inTurn(old, values, lanes, AtomicUpdates::addFlushedF32));
    }

    public static void addF64(MemorySegment segment, long offset, long[] values, long lanes) {
        Atomics.update64(segment, offset, 0, (old, none) -> inTurn(old, values, lanes, AtomicUpdates::addF64));
    }

    /** The same on shared memory. */
    public static void addSharedF32(MemorySegment segment, long offset, int[] values, long lanes) {
        Memory.storeI32(segment, offset, inTurn(Memory.loadI32(segment, offset), values, lanes, AtomicUpdates::addF32));
    }

    public static void addSharedF64(MemorySegment segment, long offset, long[] values, long lanes) {
        Memory.storeI64(segment, offset, inTurn(Memory.loadI64(segment, offset), values, lanes, AtomicUpdates::addSharedF64));
    }

    private static int inTurn(int old, int[] values, long lanes, IntBinaryOperator next) {
        int result = old;
        for (long rest = lanes; rest != 0; rest &= rest - 1) {
            result = next.applyAsInt(result, values[Long.numberOfTrailingZeros(rest)]);
        }
        return result;
    }

    private static long inTurn(long old, long[] values, long lanes, LongBinaryOperator next) {
        long result = old;
        for (long rest = lanes; rest != 0; rest &= rest - 1) {
            result = next.applyAsLong(result, values[Long.numberOfTrailingZeros(rest)]);
        }
        return result;
    }
}
