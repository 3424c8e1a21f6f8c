package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;
import io.ptx4j.engine.checks.Shadow;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says where in the PTX a failure in generated code happened, and which access it was. */
public final class Faults {
    /** Package of all generated classes. */
    public static final String PACKAGE = "ptx4j.kernels";

    private static final Pattern BOUNDS = Pattern.compile("address: ?0x([0-9a-f]+).*offset = (-?\\d+); new length = (-?\\d+)");
    private static final Pattern ALIGNMENT = Pattern.compile("address: (-?\\d+)$");
    private static final Pattern OFFSET_ALIGNMENT = Pattern.compile("offset (-?\\d+) is incompatible with alignment.*address: ?0x([0-9a-f]+)");

    private Faults() {
    }

    /** The fault that {@code failure} in generated code means for {@code thread} of the frame's block. */
    public static Fault locate(RuntimeException failure, Worker worker, Frame frame, int thread) {
        return locateAt(frame.lineOf.applyAsInt(line(failure)), failure, worker, frame, thread);
    }

    /** As above, for a failure at a known line. */
    public static Fault locateAt(int named, RuntimeException failure, Worker worker, Frame frame, int place) {
        int thread = frame.threadAt(place, named);
        int line = frame.lineAt(named);
        if (failure instanceof Fault fault) {
            return new Fault(fault.kind(), fault.getMessage(), fault.line() > 0 ? fault.line() : line, frame.block,
                    fault.thread() >= 0 ? fault.thread() : thread, fault.address(), fault.bytes(), fault.access(), fault.rival(), fault);
        }
        String message = String.valueOf(failure.getMessage());
        Matcher bounds = BOUNDS.matcher(message);
        if (failure instanceof IndexOutOfBoundsException && bounds.find()) {
            long start = Long.parseUnsignedLong(bounds.group(1), 16);
            return new Fault(Fault.Kind.OUT_OF_BOUNDS, "access out of bounds", line, frame.block, thread,
                    generic(worker, start + Long.parseLong(bounds.group(2))), Integer.parseInt(bounds.group(3)), null, failure);
        }
        if (failure instanceof Memory.BadAccess access) {
            return new Fault(access.misaligned ? Fault.Kind.MISALIGNED : Fault.Kind.OUT_OF_BOUNDS, access.getMessage(), line,
                    frame.block, thread, generic(worker, access.nativeAddress), access.bytes, access.store ? "store" : "load", failure);
        }
        if (failure instanceof Checks.Refused refused) {
            Fault.Kind kind = Shadow.fault(refused.missing);
            return new Fault(kind, kind.toString(), line, frame.block, thread, refused.state - worker.checks.memory.address() + AddressSpace.ORIGIN,
                    refused.bytes, refused.store ? "store" : "load", failure);
        }
        Matcher alignment = ALIGNMENT.matcher(message);
        if (failure instanceof IllegalArgumentException && alignment.find()) {
            return misaligned(failure, line, worker, frame, thread, Long.parseLong(alignment.group(1)));
        }
        Matcher offset = OFFSET_ALIGNMENT.matcher(message);
        if (failure instanceof IllegalArgumentException && offset.find()) {
            long start = Long.parseUnsignedLong(offset.group(2), 16);
            return misaligned(failure, line, worker, frame, thread, start + Long.parseLong(offset.group(1)));
        }
        return new Fault(Fault.Kind.INTERNAL, failure.toString(), line, frame.block, thread, 0, 0, null, failure);
    }

    private static Fault misaligned(RuntimeException failure, int line, Worker worker, Frame frame, int thread, long nativeAddress) {
        return new Fault(Fault.Kind.MISALIGNED, "misaligned access", line, frame.block, thread, generic(worker, nativeAddress), 0, null, failure);
    }

    /**
     * Keeps the fault of one lane until the lanes below it have come to their stops: the thread to name is the lowest that fails, as in the scalar
     * shape, and it may fail later than others.
     *
     * @param first thread of the group
     */
    public static void defer(RuntimeException failure, Worker worker, VectorFrame frame, int first, int lane) {
        int line = frame.lineOf.applyAsInt(line(failure));
        Fault fault = locateAt(line, failure, worker, frame, first + lane);
        if (fault.kind() == Fault.Kind.CANCELLED) {
            frame.lines = 0;
            throw fault;
        }
        frame.fail(fault, lane, line);
    }

    /** As above, for what several lanes did at once. */
    public static void deferAll(RuntimeException failure, Worker worker, VectorFrame frame, int first, long lanes) {
        defer(failure, worker, frame, first, Long.numberOfTrailingZeros(lanes));
    }

    private static long generic(Worker worker, long nativeAddress) {
        return nativeAddress - worker.memory.address() + AddressSpace.ORIGIN;
    }

    private static int line(Throwable failure) {
        for (StackTraceElement element : failure.getStackTrace()) {
            if (element.getClassName().startsWith(PACKAGE)) {
                return Math.max(0, element.getLineNumber());
            }
        }
        return 0;
    }
}
