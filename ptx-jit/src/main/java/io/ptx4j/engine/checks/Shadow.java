package io.ptx4j.engine.checks;

import io.ptx4j.engine.Check;
import io.ptx4j.engine.Fault;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/** For each byte of a device's memory a byte that says to whom it belongs and whether it was ever written. */
public final class Shadow {
    /** The byte belongs to a buffer, a variable or an allocation. */
    public static final int ALLOCATED = 1;
    /** The byte was written since it was allocated. */
    public static final int WRITTEN = 2;
    /** The byte belonged to something that was given back. */
    public static final int FREED = 4;

    private final MemorySegment states;

    /** @param states as many bytes as the device has, all zero */
    public Shadow(MemorySegment states) {
        this.states = states;
    }

    /** The states of all bytes. */
    public MemorySegment states() {
        return states;
    }

    /** Gives {@code bytes} bytes from {@code offset} on a state. */
    public void set(long offset, long bytes, int state) {
        states.asSlice(offset, bytes).fill((byte) state);
    }

    /** Notes that the host, or a copy, has written bytes that are allocated. */
    public void written(long offset, long bytes) {
        set(offset, bytes, ALLOCATED | WRITTEN);
    }

    /** The state that each byte must have for a read. */
    public static int neededToRead(Set<Check> checks) {
        return neededToWrite(checks) | (checks.contains(Check.INITIALIZATION) ? WRITTEN : 0);
    }

    /** The state that each byte must have for a write. */
    public static int neededToWrite(Set<Check> checks) {
        return checks.contains(Check.MEMORY) ? ALLOCATED : 0;
    }

    /**
     * What the first bad byte of an access lacks of what it needs: 0 where the access is fine, or where it leaves {@code states},
     * which the access itself will find out. {@link #FREED} is added where the byte was given back.
     */
    public static int missing(MemorySegment states, long offset, long bytes, int needed) {
        if (offset < 0 || offset > states.byteSize() - bytes) {
            return 0;
        }
        for (long i = offset; i < offset + bytes; i++) {
            int state = states.get(ValueLayout.JAVA_BYTE, i);
            if ((state & needed) != needed) {
                return needed & ~state | state & FREED;
            }
        }
        return 0;
    }

    /** What an access is called to bytes that lack what {@link #missing} says. */
    public static Fault.Kind fault(int missing) {
        return (missing & FREED) != 0 ? Fault.Kind.FREED : (missing & ALLOCATED) != 0 ? Fault.Kind.OUT_OF_BOUNDS : Fault.Kind.UNINITIALIZED;
    }

    /** Notes that a kernel writes bytes; those outside {@code states} are left alone. */
    public static void write(MemorySegment states, long offset, long bytes) {
        if (offset >= 0 && offset <= states.byteSize() - bytes) {
            for (long i = offset; i < offset + bytes; i++) {
                states.set(ValueLayout.JAVA_BYTE, i, (byte) (states.get(ValueLayout.JAVA_BYTE, i) | WRITTEN));
            }
        }
    }

    /** Notes that bytes, all inside {@code states}, have lost what was written to them. */
    static void forget(MemorySegment states, long offset, long bytes) {
        for (long i = offset; i < offset + bytes; i++) {
            states.set(ValueLayout.JAVA_BYTE, i, (byte) (states.get(ValueLayout.JAVA_BYTE, i) & ~WRITTEN));
        }
    }
}
