package io.ptx4j.engine;

/**
 * A thread did what it must not. The runtime turns it into its public exception and adds what only it knows (the nearest
 * allocation). Engines say as much as they know.
 */
public final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** Access outside device memory or the window of its space; null is one of these. */
        OUT_OF_BOUNDS,
        /** Address not a multiple of the access size. */
        MISALIGNED,
        /** In checked mode: an access to memory that was given back. */
        FREED,
        /** In checked mode: a read of bytes that nobody has written. */
        UNINITIALIZED,
        /** In checked mode: two accesses to one place, at least one a write, that nothing orders. */
        RACE,
        /** In checked mode: a barrier, a member mask or an mbarrier used in a way that the manual forbids. */
        SYNCHRONIZATION,
        /** {@code trap} executed. */
        TRAP,
        /** {@code __assertfail}. */
        ASSERTION,
        /** Threads wait for each other and none can go on. */
        DEADLOCK,
        /** Index of {@code brx.idx} or address of an indirect call names no target; a member mask without the thread itself. */
        ILLEGAL_OPERAND,
        /** A call chain deeper than the stack. */
        STACK_OVERFLOW,
        /** A {@link DeviceFunction} threw something. */
        FUNCTION,
        /** More instructions than a thread may run. */
        INSTRUCTION_LIMIT,
        /** More bytes than a launch may print. */
        OUTPUT_LIMIT,
        /** The launch was cancelled or timed out. */
        CANCELLED,
        /** Anything else: a fault of the engine itself. */
        INTERNAL
    }

    /**
     * The other one of two accesses that race.
     *
     * @param line PTX line
     * @param block linear index
     * @param thread linear index within the block
     * @param strong whether it was atomic, volatile or had an order
     * @param writes whether it wrote
     */
    public record Rival(int line, long block, int thread, boolean strong, boolean writes) {
    }

    private final transient Rival rival;
    private final Kind kind;
    private final int line;
    private final long block;
    private final int thread;
    private final long address;
    private final int bytes;
    private final String access;

    /**
     * @param line PTX line, 0 when unknown
     * @param block linear block index, -1 when unknown
     * @param thread linear thread index within the block, -1 when unknown
     * @param address generic address, or offset within the window for an explicit shared, local, const or param access
     * @param bytes size of the access, 0 when it is no access
     * @param access what was tried, such as {@code "ld.global.f32"}; null when it is no access
     */
    public Fault(
            Kind kind, String message, int line, long block, int thread, long address, int bytes, String access, Throwable cause) {
        this(kind, message, line, block, thread, address, bytes, access, null, cause);
    }

    /** @param rival the access that this one races with; null for other faults */
    public Fault(
            Kind kind, String message, int line, long block, int thread, long address, int bytes, String access, Rival rival, Throwable cause) {
        super(message, cause);
        this.rival = rival;
        this.kind = kind;
        this.line = line;
        this.block = block;
        this.thread = thread;
        this.address = address;
        this.bytes = bytes;
        this.access = access;
    }

    /** The same fault, of a thread at a line that it did not know. */
    public Fault within(int ofLine, long ofBlock, int ofThread) {
        return new Fault(kind, getMessage(), ofLine, ofBlock, ofThread, address, bytes, access, getCause());
    }

    /** A fault that is no memory access. */
    public static Fault at(Kind kind, String message, int line, long block, int thread) {
        return new Fault(kind, message, line, block, thread, 0, 0, null, null);
    }

    /** The access that this one races with; null for other faults. */
    public Rival rival() {
        return rival;
    }

    public Kind kind() {
        return kind;
    }

    public int line() {
        return line;
    }

    public long block() {
        return block;
    }

    public int thread() {
        return thread;
    }

    public long address() {
        return address;
    }

    public int bytes() {
        return bytes;
    }

    public String access() {
        return access;
    }
}
