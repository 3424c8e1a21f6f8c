package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/** Atomics on device memory, atomic for all workers. Each gives the old bits. */
public final class Atomics {
    private static final VarHandle I16 = Memory.I16.varHandle();
    private static final VarHandle I32 = Memory.I32.varHandle();
    private static final VarHandle I64 = Memory.I64.varHandle();

    private Atomics() {
    }

    static int update32(MemorySegment segment, long offset, int value, IntBinaryOperator next) {
        int old = (int) I32.getVolatile(segment, offset);
        while (true) {
            int seen = (int) I32.compareAndExchange(segment, offset, old, next.applyAsInt(old, value));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static int add32(MemorySegment segment, long offset, int value) {
        return (int) I32.getAndAdd(segment, offset, value);
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
        return (int) I32.getAndBitwiseAnd(segment, offset, value);
    }

    public static int or32(MemorySegment segment, long offset, int value) {
        return (int) I32.getAndBitwiseOr(segment, offset, value);
    }

    public static int xor32(MemorySegment segment, long offset, int value) {
        return (int) I32.getAndBitwiseXor(segment, offset, value);
    }

    public static int exchange32(MemorySegment segment, long offset, int value) {
        return (int) I32.getAndSet(segment, offset, value);
    }

    public static int increment32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::increment32);
    }

    public static int decrement32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::decrement32);
    }

    public static int cas32(MemorySegment segment, long offset, int expected, int value) {
        return (int) I32.compareAndExchange(segment, offset, expected, value);
    }

    static long update64(MemorySegment segment, long offset, long value, LongBinaryOperator next) {
        long old = (long) I64.getVolatile(segment, offset);
        while (true) {
            long seen = (long) I64.compareAndExchange(segment, offset, old, next.applyAsLong(old, value));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static long add64(MemorySegment segment, long offset, long value) {
        return (long) I64.getAndAdd(segment, offset, value);
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
        return (long) I64.getAndBitwiseAnd(segment, offset, value);
    }

    public static long or64(MemorySegment segment, long offset, long value) {
        return (long) I64.getAndBitwiseOr(segment, offset, value);
    }

    public static long xor64(MemorySegment segment, long offset, long value) {
        return (long) I64.getAndBitwiseXor(segment, offset, value);
    }

    public static long exchange64(MemorySegment segment, long offset, long value) {
        return (long) I64.getAndSet(segment, offset, value);
    }

    public static long cas64(MemorySegment segment, long offset, long expected, long value) {
        return (long) I64.compareAndExchange(segment, offset, expected, value);
    }

    public static int cas16(MemorySegment segment, long offset, int expected, int value) {
        return (short) compareAndExchange16(segment, offset, (short) expected, (short) value) & 0xFFFF;
    }

    /** Shorts have no compare-and-exchange of their own in off-heap memory: their 32-bit word has. */
    private static int compareAndExchange16(MemorySegment segment, long offset, short expected, short value) {
        long word = offset & ~3L;
        int shift = (int) (offset & 2) * 8;
        if ((offset & 1) != 0) {
            I16.get(segment, offset);
        }
        int old = (int) I32.getVolatile(segment, word);
        while (true) {
            short current = (short) (old >>> shift);
            if (current != expected) {
                return current;
            }
            int next = old & ~(0xFFFF << shift) | (value & 0xFFFF) << shift;
            int seen = (int) I32.compareAndExchange(segment, word, old, next);
            if (seen == old) {
                return current;
            }
            old = seen;
        }
    }

    static int update16(MemorySegment segment, long offset, int value, IntBinaryOperator next) {
        while (true) {
            int old = (short) I16.get(segment, offset) & 0xFFFF;
            if ((compareAndExchange16(segment, offset, (short) old, (short) next.applyAsInt(old, value)) & 0xFFFF) == old) {
                return old;
            }
        }
    }

    public static int addF32(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::addFlushedF32);
    }

    public static long addF64(MemorySegment segment, long offset, long value) {
        return update64(segment, offset, value, AtomicUpdates::addF64);
    }

    public static int addF16x2(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::addF16x2);
    }

    public static int addBf16x2(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::addBf16x2);
    }

    public static int addF16(MemorySegment segment, long offset, int value) {
        return update16(segment, offset, value, HalfOps::addF16);
    }

    public static int addBf16(MemorySegment segment, long offset, int value) {
        return update16(segment, offset, value, HalfOps::addBf16);
    }

    public static int minF16(MemorySegment segment, long offset, int value) {
        return update16(segment, offset, value, HalfOps::minF16);
    }

    public static int minF16x2(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::minF16x2);
    }

    public static int maxF16(MemorySegment segment, long offset, int value) {
        return update16(segment, offset, value, HalfOps::maxF16);
    }

    public static int maxF16x2(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::maxF16x2);
    }

    public static int minBf16(MemorySegment segment, long offset, int value) {
        return update16(segment, offset, value, HalfOps::minBf16);
    }

    public static int minBf16x2(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::minBf16x2);
    }

    public static int maxBf16(MemorySegment segment, long offset, int value) {
        return update16(segment, offset, value, HalfOps::maxBf16);
    }

    public static int maxBf16x2(MemorySegment segment, long offset, int value) {
        return update32(segment, offset, value, AtomicUpdates::maxBf16x2);
    }

    /** {@code add.f32} at a generic address, which may lie in shared memory, where nothing is flushed. */
    public static int addGenericF32(MemorySegment memory, long offset, int value, Worker worker) {
        return isShared(offset, worker) ? update32(memory, offset, value, AtomicUpdates::addF32) : addF32(memory, offset, value);
    }

    /** {@code add.f64} at a generic address: which NaN it gives depends on where that is. */
    public static long addGenericF64(MemorySegment memory, long offset, long value, Worker worker) {
        return isShared(offset, worker) ? update64(memory, offset, value, AtomicUpdates::addSharedF64) : addF64(memory, offset, value);
    }

    private static boolean isShared(long offset, Worker worker) {
        return worker.cluster().rankOf(offset + AddressSpace.ORIGIN) >= 0;
    }
}
