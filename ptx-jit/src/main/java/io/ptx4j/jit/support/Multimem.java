package io.ptx4j.jit.support;

import io.ptx4j.engine.Multicast;
import io.ptx4j.engine.Worker;
import io.ptx4j.engine.checks.BlockChecks;

import java.lang.foreign.MemorySegment;
import java.util.function.LongBinaryOperator;

/**
 * What generated code calls for {@code multimem}. It hands over values element by element ({@link #setLong}) and takes results so
 * ({@link #get}). The replicas are accessed one after the other, in their order, and each element of each by itself.
 */
public final class Multimem {
    private static final int MOST_ELEMENTS = 8;

    private final long[] elements = new long[MOST_ELEMENTS];
    private int known = -1;
    private MultimemOperation operation;
    private MultimemOperation.Lane lane;

    Multimem() {
    }

    /** Sets element {@code index} of what is stored or added. */
    public static void setLong(long bits, Frame frame, int index) {
        frame.multimem().elements[index] = bits;
    }

    /** As {@link #setLong}, of at most 32 bits. */
    public static void setInt(int bits, Frame frame, int index) {
        frame.multimem().elements[index] = bits & 0xFFFF_FFFFL;
    }

    /** Element {@code index} of what was loaded. */
    public static long get(Frame frame, int index) {
        return frame.multimem().elements[index];
    }

    /** {@code multimem.ld_reduce}; {@code operation} is a {@link MultimemOperation}, {@code site} as {@link BlockChecks} wants it. */
    public static void load(long address, Worker worker, Frame frame, int thread, int operation, int site) {
        frame.multimem().enter(operation).load(address, worker, thread, site);
    }

    /** {@code multimem.st}. */
    public static void store(long address, Worker worker, Frame frame, int thread, int operation, int site) {
        frame.multimem().enter(operation).store(address, worker, thread, site);
    }

    /** {@code multimem.red}. */
    public static void reduce(long address, Worker worker, Frame frame, int thread, int operation, int site) {
        frame.multimem().enter(operation).reduce(address, worker, thread, site);
    }

    private Multimem enter(int wanted) {
        if (wanted != known) {
            known = wanted;
            operation = new MultimemOperation(wanted);
            lane = operation.lane();
        }
        return this;
    }

    private int bytes() {
        return operation.type().bytes() * operation.elements();
    }

    private Multicast object(long address, Worker worker, int thread, int site) {
        Multicast object = worker.grid.multicasts().at(address, bytes());
        if (worker.checks != null) {
            for (int r = 0; r < object.replicas().size(); r++) {
                worker.checks.accessReplica(thread, object.place(r, address), bytes(), site);
            }
        }
        return object;
    }

    private void load(long address, Worker worker, int thread, int site) {
        Multicast object = object(address, worker, thread, site);
        int size = operation.type().bytes();
        long[] values = new long[object.replicas().size()];
        for (int e = 0; e < operation.elements(); e++) {
            for (int r = 0; r < values.length; r++) {
                values[r] = read(worker.memory, object.place(r, address) + (long) e * size, size);
            }
            elements[e] = reduced(values);
        }
        if (worker.checks != null) {
            for (int r = 0; r < values.length; r++) {
                worker.checks.observeReplica(thread, object.place(r, address), site);
            }
        }
    }

    private long reduced(long[] values) {
        int lanes = operation.type().lanes();
        int width = operation.type().bits() / lanes;
        long mask = -1L >>> 64 - width;
        long result = 0;
        for (int l = 0; l < lanes; l++) {
            int shift = l * width;
            long sum = lane.widen().applyAsLong(values[0] >>> shift & mask);
            for (int r = 1; r < values.length; r++) {
                sum = lane.combine().applyAsLong(sum, lane.widen().applyAsLong(values[r] >>> shift & mask));
            }
            result |= (lane.narrow().applyAsLong(sum) & mask) << shift;
        }
        return result;
    }

    private void store(long address, Worker worker, int thread, int site) {
        Multicast object = object(address, worker, thread, site);
        int size = operation.type().bytes();
        for (int r = 0; r < object.replicas().size(); r++) {
            for (int e = 0; e < operation.elements(); e++) {
                write(worker.memory, object.place(r, address) + (long) e * size, size, elements[e]);
            }
        }
    }

    private void reduce(long address, Worker worker, int thread, int site) {
        Multicast object = object(address, worker, thread, site);
        int size = operation.type().bytes();
        LongBinaryOperator sum = (old, value) -> reduced(new long[] {old, value});
        for (int r = 0; r < object.replicas().size(); r++) {
            for (int e = 0; e < operation.elements(); e++) {
                update(worker.memory, object.place(r, address) + (long) e * size, size, elements[e], sum);
            }
        }
    }

    private static void update(MemorySegment memory, long offset, int size, long value, LongBinaryOperator sum) {
        switch (size) {
            case 2 -> Atomics.update16(memory, offset, (int) value & 0xFFFF, (a, b) -> (int) sum.applyAsLong(a, b));
            case 4 -> Atomics.update32(memory, offset, (int) value, (a, b) -> (int) sum.applyAsLong(a, b));
            default -> Atomics.update64(memory, offset, value, sum);
        }
    }

    private long read(MemorySegment memory, long offset, int size) {
        boolean acquires = operation.order() == MultimemOperation.Order.ACQUIRE;
        boolean plain = operation.order() == MultimemOperation.Order.WEAK;
        return switch (size) {
            case 1 -> acquires ? OrderedMemory.loadAcquire8(memory, offset) : OrderedMemory.loadOpaque8(memory, offset);
            case 2 -> acquires ? OrderedMemory.loadAcquire16(memory, offset) : OrderedMemory.loadOpaque16(memory, offset);
            case 4 -> plain ? Memory.loadI32(memory, offset)
                    : acquires ? OrderedMemory.loadAcquire32(memory, offset) : OrderedMemory.loadOpaque32(memory, offset);
            default -> plain ? Memory.loadI64(memory, offset)
                    : acquires ? OrderedMemory.loadAcquire64(memory, offset) : OrderedMemory.loadOpaque64(memory, offset);
        };
    }

    private void write(MemorySegment memory, long offset, int size, long value) {
        boolean releases = operation.order() == MultimemOperation.Order.RELEASE;
        switch (size) {
            case 1 -> {
                if (releases) {
                    OrderedMemory.storeRelease8(memory, offset, (int) value);
                } else {
                    OrderedMemory.storeOpaque8(memory, offset, (int) value);
                }
            }
            case 2 -> {
                if (releases) {
                    OrderedMemory.storeRelease16(memory, offset, (int) value);
                } else {
                    OrderedMemory.storeOpaque16(memory, offset, (int) value);
                }
            }
            case 4 -> {
                if (releases) {
                    OrderedMemory.storeRelease32(memory, offset, (int) value);
                } else {
                    OrderedMemory.storeOpaque32(memory, offset, (int) value);
                }
            }
            default -> {
                if (releases) {
                    OrderedMemory.storeRelease64(memory, offset, value);
                } else {
                    OrderedMemory.storeOpaque64(memory, offset, value);
                }
            }
        }
    }
}
