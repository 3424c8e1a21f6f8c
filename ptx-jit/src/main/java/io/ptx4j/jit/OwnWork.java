package io.ptx4j.jit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** What the current thread has worked: its time, and the objects that it has made. */
final class OwnWork {
    /** As the JVM says it. */
    static final long UNKNOWN = -1;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** Null where the JVM is another than HotSpot. */
    private static final com.sun.management.ThreadMXBean OBJECTS = THREADS instanceof com.sun.management.ThreadMXBean bean
            && bean.isThreadAllocatedMemorySupported() && bean.isThreadAllocatedMemoryEnabled() ? bean : null;
    /** Of the clock of a thread's work: coarser ones, of 10 or 15 ms, tell nothing of a few blocks. */
    private static final long COARSE = 200_000;
    private static final boolean FINE = isFine();
    /** Code of vectors that HotSpot's optimizing compiler has not compiled makes objects in each operation: 30 to 2,500 bytes a microsecond. Compiled it makes hardly any. */
    private static final long BYTES_PER_MICROSECOND = 10;
    /** Where objects are unknown: such code takes more than so many times what the scalar shape takes. */
    private static final double TIMES = 6;

    private OwnWork() {
    }

    /** Of this thread's work where the JVM can tell, so that other load of the machine does not count; of a virtual thread it cannot. */
    static long nanos() {
        long own = FINE ? THREADS.getCurrentThreadCpuTime() : -1;
        return own < 0 ? System.nanoTime() : own;
    }

    /** Bytes of all objects that this thread has made; {@link #UNKNOWN} where the JVM does not tell, as of a virtual thread. */
    static long bytes() {
        return OBJECTS == null ? UNKNOWN : OBJECTS.getCurrentThreadAllocatedBytes();
    }

    /** The same since it was {@code before}. */
    static long bytesSince(long before) {
        return before == UNKNOWN ? UNKNOWN : bytes() - before;
    }

    /** Bytes of both together. */
    static long sum(long bytes, long others) {
        return bytes == UNKNOWN || others == UNKNOWN ? UNKNOWN : bytes + others;
    }

    /**
     * Whether vector code has not been compiled yet by HotSpot's optimizing compiler, or no longer is.
     *
     * @param nanos that it took
     * @param bytes of objects that it made meanwhile, or {@link #UNKNOWN}
     * @param ratio of its time and that of the scalar shape
     */
    static boolean isCold(long nanos, long bytes, double ratio) {
        return bytes == UNKNOWN ? ratio > TIMES : bytes * 1_000 > BYTES_PER_MICROSECOND * nanos;
    }

    /** Whether the JVM tells what this thread has worked, in small steps. */
    private static boolean isFine() {
        if (!THREADS.isCurrentThreadCpuTimeSupported()) {
            return false;
        }
        long first = THREADS.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        while (THREADS.getCurrentThreadCpuTime() == first) {
            if (System.nanoTime() - start > COARSE) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }
}
