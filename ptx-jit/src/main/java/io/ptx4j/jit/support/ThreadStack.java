package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;

/** The stack of a thread in its local memory. */
public final class ThreadStack {
    private ThreadStack() {
    }

    /**
     * Where {@code bytes} more begin behind {@code top}.
     *
     * @param limit bytes of the thread's local memory
     * @throws Fault if they do not fit
     */
    public static long allocate(long top, long bytes, int alignment, long limit) {
        long start = top + alignment - 1 & -alignment;
        if (bytes < 0 || bytes > limit - start) {
            throw Fault.at(Fault.Kind.STACK_OVERFLOW, "the stack of " + limit + " bytes has no room for another "
                    + Long.toUnsignedString(bytes) + " (a device can be opened with more: stackBytes)", 0, -1, -1);
        }
        return start;
    }
}
