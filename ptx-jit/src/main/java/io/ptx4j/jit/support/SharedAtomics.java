package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;

/**
 * Atomics on shared memory. All threads of a block run on one worker, one after the other, so a read and a write suffice.
 * Each returns the old value.
 */
public final class SharedAtomics {
    private SharedAtomics() {
    }

    public static int add32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, old + value);
        return old;
    }

    public static int min32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, Math.min(old, value));
        return old;
    }

    public static int max32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, Math.max(old, value));
        return old;
    }

    public static int minUnsigned32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, Integer.compareUnsigned(old, value) < 0 ? old : value);
        return old;
    }

    public static int maxUnsigned32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, Integer.compareUnsigned(old, value) > 0 ? old : value);
        return old;
    }

    public static int and32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, old & value);
        return old;
    }

    public static int or32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, old | value);
        return old;
    }

    public static int xor32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, old ^ value);
        return old;
    }

    public static int exchange32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, value);
        return old;
    }

    public static int increment32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, Integer.compareUnsigned(old, value) >= 0 ? 0 : old + 1);
        return old;
    }

    public static int decrement32(MemorySegment segment, long offset, int value) {
        int old = segment.get(Memory.I32, offset);
        segment.set(Memory.I32, offset, old == 0 || Integer.compareUnsigned(old, value) > 0 ? value : old - 1);
        return old;
    }

    public static int cas32(MemorySegment segment, long offset, int expected, int value) {
        int old = segment.get(Memory.I32, offset);
        if (old == expected) {
            segment.set(Memory.I32, offset, value);
        }
        return old;
    }

    public static long add64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, old + value);
        return old;
    }

    public static long min64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, Math.min(old, value));
        return old;
    }

    public static long max64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, Math.max(old, value));
        return old;
    }

    public static long minUnsigned64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, Long.compareUnsigned(old, value) < 0 ? old : value);
        return old;
    }

    public static long maxUnsigned64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, Long.compareUnsigned(old, value) > 0 ? old : value);
        return old;
    }

    public static long and64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, old & value);
        return old;
    }

    public static long or64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, old | value);
        return old;
    }

    public static long xor64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, old ^ value);
        return old;
    }

    public static long exchange64(MemorySegment segment, long offset, long value) {
        long old = segment.get(Memory.I64, offset);
        segment.set(Memory.I64, offset, value);
        return old;
    }

    public static long cas64(MemorySegment segment, long offset, long expected, long value) {
        long old = segment.get(Memory.I64, offset);
        if (old == expected) {
            segment.set(Memory.I64, offset, value);
        }
        return old;
    }

    public static float addF32(MemorySegment segment, long offset, float value) {
        float old = segment.get(Memory.F32, offset);
        segment.set(Memory.F32, offset, Canonical.canonical(old + value));
        return old;
    }

    public static double addF64(MemorySegment segment, long offset, double value) {
        double old = segment.get(Memory.F64, offset);
        segment.set(Memory.F64, offset, Canonical.canonical(old + value, old, value));
        return old;
    }
}
