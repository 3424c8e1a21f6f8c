package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Atomics on shared memory. All threads of a block run on one worker, one after the other, so a read and a write suffice.
 * Each gives the old bits.
 */
public final class SharedAtomics {
    private SharedAtomics() {
    }

    private static int update32(MemorySegment segment, long offset, int value, IntBinaryOperator next) {
        int old = Memory.loadI32(segment, offset);
        Memory.storeI32(segment, offset, next.applyAsInt(old, value));
        return old;
    }

    public static int add32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::add32);
    }

    public static int min32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::min32);
    }

    public static int max32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::max32);
    }

    public static int minUnsigned32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::minUnsigned32);
    }

    public static int maxUnsigned32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::maxUnsigned32);
    }

    public static int and32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::and32);
    }

    public static int or32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::or32);
    }

    public static int xor32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::xor32);
    }

    public static int exchange32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, (old, next) -> next);
    }

    public static int increment32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::increment32);
    }

    public static int decrement32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::decrement32);
    }

    public static int cas32(MemorySegment segment, long offset, int expected, int value) {
        int old = Memory.loadI32(segment, offset);
        if (old == expected) {
            Memory.storeI32(segment, offset, value);
        }
        return old;
    }

    private static long update64(MemorySegment segment, long offset, long value, LongBinaryOperator next) {
        long old = Memory.loadI64(segment, offset);
        Memory.storeI64(segment, offset, next.applyAsLong(old, value));
        return old;
    }

    public static long add64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::add64);
    }

    public static long min64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::min64);
    }

    public static long max64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::max64);
    }

    public static long minUnsigned64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::minUnsigned64);
    }

    public static long maxUnsigned64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::maxUnsigned64);
    }

    public static long and64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::and64);
    }

    public static long or64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::or64);
    }

    public static long xor64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::xor64);
    }

    public static long exchange64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, (old, next) -> next);
    }

    public static long cas64(MemorySegment segment, long offset, long expected, long value) {
        long old = Memory.loadI64(segment, offset);
        if (old == expected) {
            Memory.storeI64(segment, offset, value);
        }
        return old;
    }

    public static int cas16(MemorySegment segment, long offset, int expected, int value) {
        int old = Memory.loadI16(segment, offset) & 0xFFFF;
        if (old == expected) {
            Memory.storeI16(segment, offset, value);
        }
        return old;
    }

    public static int addF32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::addF32);
    }

    public static long addF64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::addSharedF64);
    }

    public static int addF16x2(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::addF16x2);
    }

    public static int addBf16x2(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::addBf16x2);
    }

    public static int addF16(MemorySegment segment, long offset, int value) {
        int old = Memory.loadI16(segment, offset) & 0xFFFF;
        Memory.storeI16(segment, offset, HalfOps.addF16(old, value));
        return old;
    }

    public static int addBf16(MemorySegment segment, long offset, int value) {
        int old = Memory.loadI16(segment, offset) & 0xFFFF;
        Memory.storeI16(segment, offset, HalfOps.addBf16(old, value));
        return old;
    }
}
