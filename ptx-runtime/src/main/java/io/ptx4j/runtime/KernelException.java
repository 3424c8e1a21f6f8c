package io.ptx4j.runtime;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A thread of a running kernel did what it must not. The launch has ended; of the failing blocks this is the one with the lowest
 * linear index, and the blocks below it have run to their end.
 */
public final class KernelException extends PtxException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** An access outside device memory or outside the window of its state space; null is one of these. */
        OUT_OF_BOUNDS,
        /** An address that is no multiple of the access size. */
        MISALIGNED,
        /** With {@link io.ptx4j.engine.Check#MEMORY}: an access to a buffer or allocation that was given back. */
        USE_AFTER_FREE,
        /** With {@link io.ptx4j.engine.Check#INITIALIZATION}: a read of bytes that nobody has written. */
        UNINITIALIZED,
        /** With {@link io.ptx4j.engine.Check#RACES}: two accesses to one place, at least one a write, that nothing orders; {@link #rival()} is the other. */
        RACE,
        /** With {@link io.ptx4j.engine.Check#SYNCHRONIZATION}: a barrier, a member mask or an mbarrier used in a way that the manual forbids. */
        SYNCHRONIZATION,
        /** {@code trap} was executed. */
        TRAP,
        /** A device-side assertion failed. */
        ASSERTION,
        /** Threads wait for each other and none can go on. */
        DEADLOCK,
        /** A branch index, function address or member mask that the manual forbids. */
        ILLEGAL_OPERAND,
        /** Calls nested deeper than the stack. */
        STACK_OVERFLOW,
        /** A function that the host supplies ({@link Device.Builder#function}) threw; its exception is the cause of the cause. */
        FUNCTION,
        /** A thread would have run more instructions than {@link Limits#instructions()}. */
        INSTRUCTION_LIMIT,
        /** The launch would have printed more bytes than {@link Limits#outputBytes()}. */
        OUTPUT_LIMIT,
        /** A fault of ptx4j itself. */
        INTERNAL
    }

    /**
     * Where the failing access was headed, measured from the nearest allocation.
     *
     * @param allocation its name
     * @param address its first byte
     * @param bytes its size
     * @param offset from its first byte to the address accessed: negative before it, {@code bytes} right behind it
     * @param freed whether it was given back; such allocations are remembered with {@link io.ptx4j.engine.Check#MEMORY} only
     */
    public record Nearest(String allocation, long address, long bytes, long offset, boolean freed) implements Serializable {
        @Override
        public String toString() {
            String place = offset < 0 ? Amount.bytes(-offset) + " before the start of "
                    : offset < bytes ? "at byte " + offset + " of " : Amount.bytes(offset - bytes) + " past the end of ";
            return place + allocation + " (" + Amount.bytes(bytes) + " at " + Amount.address(address) + (freed ? ", given back" : "") + ")";
        }
    }

    /**
     * A memory access that failed.
     *
     * @param instruction what was tried, such as {@code ld.global.f32}
     * @param address generic address; for an explicit shared, local, const or param access the offset in its window
     * @param bytes size of the access
     * @param nearest the nearest allocation; null for an access to a window and for an address that is no device address at all
     */
    public record Access(String instruction, long address, int bytes, Nearest nearest) implements Serializable {
    }

    /**
     * The other one of two accesses that race.
     *
     * @param line 1-based line of the PTX text
     * @param sourceLine text of that line
     * @param cudaLine place in the source that the PTX was compiled from; null where it does not say
     * @param block {@code %ctaid} of its thread
     * @param thread {@code %tid} of its thread
     * @param writes whether it wrote
     */
    public record Rival(int line, String sourceLine, String cudaLine, Dim3 block, Dim3 thread, boolean writes) implements Serializable {
    }

    /**
     * One of several errors of a launch.
     *
     * @param first time it happened: in the lowest block, and there the first in the order of execution
     * @param times how often it happened; a race counts once for each 32-bit word of an access
     */
    public record Finding(KernelException first, long times) implements Serializable {
        private String text() {
            return first.getMessage() + (times == 1 ? "" : "\n  and " + (times == 2 ? "once" : times - 1 + " times") + " more");
        }
    }

    private final Kind kind;
    private final String kernel;
    private final String module;
    private final int line;
    private final String sourceLine;
    private final String cudaLine;
    private final Dim3 block;
    private final Dim3 thread;
    private final Access access;
    private final Rival rival;
    /** Of the class that {@code List.of} gives, which can be serialized. */
    @SuppressWarnings("serial")
    private final List<Finding> findings;

    KernelException(Kind kind, String message, FaultPlace place, Access access, Throwable cause) {
        this(kind, message, place, access, null, cause);
    }

    KernelException(Kind kind, String message, FaultPlace place, Access access, Rival rival, Throwable cause) {
        super(message, cause);
        this.rival = rival;
        this.findings = List.of(new Finding(this, 1));
        this.kind = kind;
        this.kernel = place.kernel();
        this.module = place.module();
        this.line = place.line();
        this.sourceLine = place.sourceLine();
        this.cudaLine = place.cudaLine();
        this.block = place.block();
        this.thread = place.thread();
        this.access = access;
    }

    private KernelException(String message, List<Finding> findings) {
        super(message, findings.getFirst().first().getCause());
        KernelException first = findings.getFirst().first();
        this.findings = List.copyOf(findings);
        this.rival = first.rival;
        this.kind = first.kind;
        this.kernel = first.kernel;
        this.module = first.module;
        this.line = first.line;
        this.sourceLine = first.sourceLine;
        this.cudaLine = first.cudaLine;
        this.block = first.block;
        this.thread = first.thread;
        this.access = first.access;
    }

    /** @param untold findings that there were beside these */
    static KernelException together(List<Finding> findings, int untold) {
        String all = findings.stream().map(Finding::text).collect(Collectors.joining("\n"));
        return new KernelException(untold == 0 ? all : all + "\nand " + untold + " more kinds of errors", findings);
    }

    /**
     * All errors that the launch is told to tell of ({@link Device.Builder#findings}), in the order of their blocks and of execution in them; an error that
     * ended it comes last. This exception is about the first of them, and its message has all.
     */
    public List<Finding> findings() {
        return findings;
    }

    public Kind kind() {
        return kind;
    }

    public String kernel() {
        return kernel;
    }

    /** Name the module was loaded under. */
    public String module() {
        return module;
    }

    /** 1-based line of the PTX text. */
    public OptionalInt line() {
        return line > 0 ? OptionalInt.of(line) : OptionalInt.empty();
    }

    /** Text of that line. */
    public Optional<String> sourceLine() {
        return Optional.ofNullable(sourceLine);
    }

    /** Place in the source that the PTX was compiled from, where the module has {@code .loc} directives. */
    public Optional<String> cudaLine() {
        return Optional.ofNullable(cudaLine);
    }

    /** {@code %ctaid} of the thread. */
    public Optional<Dim3> block() {
        return Optional.ofNullable(block);
    }

    /** {@code %tid} of the thread. */
    public Optional<Dim3> thread() {
        return Optional.ofNullable(thread);
    }

    /** The access that races with this one; for {@link Kind#RACE}. */
    public Optional<Rival> rival() {
        return Optional.ofNullable(rival);
    }

    /** The memory access that failed, if it was one. */
    public Optional<Access> access() {
        return Optional.ofNullable(access);
    }
}
