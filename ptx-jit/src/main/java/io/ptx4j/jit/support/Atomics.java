package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** Atomics on device memory, atomic for all workers. Each returns the old value. */
public final class Atomics {
    private static final VarHandle I32 = Memory.I32.varHandle();
    private static final VarHandle I64 = Memory.I64.varHandle();

    private Atomics() {
    }

    public static int add32(MemorySegment segment, long offset, int value) {
        return (int) I32.getAndAdd(segment, offset, value);
    }

    public static int min32(MemorySegment segment, long offset, int value) {
        int old = (int) I32.getVolatile(segment, offset);
        while (true) {
            int seen = (int) I32.compareAndExchange(segment, offset, old, Math.min(old, value));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static int max32(MemorySegment segment, long offset, int value) {
        int old = (int) I32.getVolatile(segment, offset);
        while (true) {
            int seen = (int) I32.compareAndExchange(segment, offset, old, Math.max(old, value));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static int minUnsigned32(MemorySegment segment, long offset, int value) {
        int old = (int) I32.getVolatile(segment, offset);
        while (true) {
            int seen = (int) I32.compareAndExchange(segment, offset, old, Integer.compareUnsigned(old, value) < 0 ? old : value);
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static int maxUnsigned32(MemorySegment segment, long offset, int value) {
        int old = (int) I32.getVolatile(segment, offset);
        while (true) {
            int seen = (int) I32.compareAndExchange(segment, offset, old, Integer.compareUnsigned(old, value) > 0 ? old : value);
            if (seen == old) {
                return old;
            }
            old = seen;
        }
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
        int old = (int) I32.getVolatile(segment, offset);
        while (true) {
            int seen = (int) I32.compareAndExchange(segment, offset, old, Integer.compareUnsigned(old, value) >= 0 ? 0 : old + 1);
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static int decrement32(MemorySegment segment, long offset, int value) {
        int old = (int) I32.getVolatile(segment, offset);
        while (true) {
            int seen = (int) I32.compareAndExchange(segment, offset, old, old == 0 || Integer.compareUnsigned(old, value) > 0 ? value : old - 1);
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static int cas32(MemorySegment segment, long offset, int expected, int value) {
        return (int) I32.compareAndExchange(segment, offset, expected, value);
    }

    public static long add64(MemorySegment segment, long offset, long value) {
        return (long) I64.getAndAdd(segment, offset, value);
    }

    public static long min64(MemorySegment segment, long offset, long value) {
        long old = (long) I64.getVolatile(segment, offset);
        while (true) {
            long seen = (long) I64.compareAndExchange(segment, offset, old, Math.min(old, value));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static long max64(MemorySegment segment, long offset, long value) {
        long old = (long) I64.getVolatile(segment, offset);
        while (true) {
            long seen = (long) I64.compareAndExchange(segment, offset, old, Math.max(old, value));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static long minUnsigned64(MemorySegment segment, long offset, long value) {
        long old = (long) I64.getVolatile(segment, offset);
        while (true) {
            long seen = (long) I64.compareAndExchange(segment, offset, old, Long.compareUnsigned(old, value) < 0 ? old : value);
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    public static long maxUnsigned64(MemorySegment segment, long offset, long value) {
        long old = (long) I64.getVolatile(segment, offset);
        while (true) {
            long seen = (long) I64.compareAndExchange(segment, offset, old, Long.compareUnsigned(old, value) > 0 ? old : value);
            if (seen == old) {
                return old;
            }
            old = seen;
        }
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

    public static float addF32(MemorySegment segment, long offset, float value) {
        int old = (int) I32.getVolatile(segment, offset);
        while (true) {
            float sum = Canonical.canonical(Float.intBitsToFloat(old) + value);
            int seen = (int) I32.compareAndExchange(segment, offset, old, Float.floatToRawIntBits(sum));
            if (seen == old) {
                return Float.intBitsToFloat(old);
            }
            old = seen;
        }
    }

    public static double addF64(MemorySegment segment, long offset, double value) {
        long old = (long) I64.getVolatile(segment, offset);
        while (true) {
            double sum = Canonical.canonical(Double.longBitsToDouble(old) + value, Double.longBitsToDouble(old), value);
            long seen = (long) I64.compareAndExchange(segment, offset, old, Double.doubleToRawLongBits(sum));
            if (seen == old) {
                return Double.longBitsToDouble(old);
            }
            old = seen;
        }
    }
}
