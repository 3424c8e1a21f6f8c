package io.ptx4j.jit.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Groups of which some threads wait in a loop while others have gone on. The frame has room for a group whose threads all stop together: a register that is
 * one for all of them has one place. So what parts of a group leave there when they stop is kept aside; a part goes on by itself, and as one with others where these
 * stand at the same point and agree on all that is one for a group, as they do behind a barrier.
 */
public final class SplitGroups {
    /** How registers lie in a frame that outlive a stop: in elements of their own for each thread, in the first thread's alone, or as the bits of two elements. */
    public static final int EACH = 0;
    public static final int ONE = 1;
    public static final int BITS = 2;
    /** In place of a kind of array, whose number is that of {@link Frame}'s in order: {@link VectorFrame#indices}. */
    public static final int INDICES = 4;

    private static final int KIND_SHIFT = 20;
    private static final int HOW_SHIFT = 24;

    /** Threads that have stopped at a point, and the registers that they need there. */
    private static final class Part {
        final int point;
        final int call;
        final long[] values;
        long lanes;

        Part(int point, int call, long[] values, long lanes) {
            this.point = point;
            this.call = call;
            this.values = values;
            this.lanes = lanes;
        }
    }

    private final VectorFrame frame;
    private final Scheduler scheduler;
    private final int stride;
    /** By point: its registers, as {@link #register} describes them. */
    private final int[][] saved;
    private final List<List<Part>> groups = new ArrayList<>();
    /** Runs of regions so far, and the lanes of the present group that have not stopped in this one. */
    private int call;
    private long left;

    SplitGroups(VectorFrame frame, Scheduler scheduler, int stride, int[][] saved) {
        this.frame = frame;
        this.scheduler = scheduler;
        this.stride = stride;
        this.saved = saved;
        for (int low = 0; low < frame.threads; low += frame.lanes) {
            groups.add(new ArrayList<>());
        }
    }

    /** A register of a point, in a number. */
    public static int register(int how, int kind, int slot) {
        return how << HOW_SHIFT | kind << KIND_SHIFT | slot;
    }

    /** A block begins. */
    void clear() {
        groups.forEach(List::clear);
    }

    /** A region begins. */
    void begin() {
        call++;
    }

    /** As {@link VectorLanes#active}: the lanes that go on now, whose registers the frame then has. Others that stand there may have their turn next. */
    long active(int thread, int end, int from) {
        int count = Math.min(frame.lanes, end - thread);
        long standing = VectorLanes.active(frame, thread, end, frame.lanes, from);
        List<Part> parts = groups.get(thread / frame.lanes);
        left = standing;
        if (standing == 0) {
            return 0;
        }
        if (parts.isEmpty()) {
            long others = from < 0 ? 0 : alive(thread, count) & ~standing;
            if (others != 0) {
                int point = frame.point[thread + Long.numberOfTrailingZeros(others)] & ~Scheduler.RELEASED;
                parts.add(new Part(point, call, values(point, thread), others));
            }
            return standing;
        }
        left = 0;
        int point = -1;
        for (Iterator<Part> each = parts.iterator(); each.hasNext();) {
            Part part = each.next();
            long lanes = part.lanes & standing;
            if (part.call == call || lanes == 0 || point >= 0 && (part.point != point || !agrees(part, thread))) {
                continue;
            }
            give(part, thread, lanes, point < 0);
            point = part.point;
            left |= lanes;
            part.lanes &= ~lanes;
            if (part.lanes == 0) {
                each.remove();
            }
        }
        return left;
    }

    /** The same for code that counts on all lanes that have not ended: that they are here was found out before it was made. */
    long activeAll(int thread, int end, int from) {
        long lanes = active(thread, end, from);
        if (lanes != 0 && (from >= 0 || !groups.get(thread / frame.lanes).isEmpty()) && (alive(thread, Math.min(frame.lanes, end - thread)) & ~lanes) != 0) {
            throw new IllegalStateException("threads of a warp have not come together");
        }
        return lanes;
    }

    /** Whether there are more lanes of the group that stand where the region began and have not had their turn. */
    boolean more(int thread, int end, int from) {
        List<Part> parts = groups.get(thread / frame.lanes);
        if (parts.isEmpty()) {
            return false;
        }
        long standing = VectorLanes.active(frame, thread, end, frame.lanes, from);
        for (Part part : parts) {
            if (part.call != call && (part.lanes & standing) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Lanes of a group that have stopped before the present run of a region, and not gone on in it. */
    long waiting(int thread) {
        long lanes = 0;
        for (Part part : groups.get(thread / frame.lanes)) {
            lanes |= part.call != call ? part.lanes : 0;
        }
        return lanes;
    }

    /**
     * Whether it is the turn of lanes that have come to a warp operation: all others of their group have stopped, none of them where it may go on or at an operation that may execute before. So what fails behind it, or shows otherwise, does in the order of execution.
     */
    boolean isNext(int thread, long lanes, int point) {
        if (left != lanes) {
            return false;
        }
        for (Part part : groups.get(thread / frame.lanes)) {
            boolean goesOn = part.call != call && (frame.from < 0 || (frame.point[thread + Long.numberOfTrailingZeros(part.lanes)] & Scheduler.RELEASED) != 0);
            if (goesOn || !scheduler.isBehind(part.point, point)) {
                return false;
            }
        }
        return true;
    }

    /** Whether all lanes that a member mask names and that have not ended are among some. */
    boolean meet(int thread, long lanes, int mask) {
        long others = left & ~lanes;
        for (Part part : groups.get(thread / frame.lanes)) {
            others |= part.lanes;
        }
        return (others & mask) == 0;
    }

    /** Lanes have stopped, and the frame has their registers. */
    void stop(int thread, long lanes, int point) {
        left &= ~lanes;
        List<Part> parts = groups.get(thread / frame.lanes);
        if (point != Frame.ENDED && (left != 0 || !parts.isEmpty())) {
            parts.add(new Part(point, call, values(point, thread), lanes));
        }
    }

    /** Counts the registers that are kept aside. */
    long fingerprint(long sum) {
        long all = sum;
        for (List<Part> parts : groups) {
            for (Part part : parts) {
                all = (all * 31 + part.lanes) * 31 + Arrays.hashCode(part.values);
            }
        }
        return all;
    }

    private long alive(int thread, int count) {
        long alive = 0;
        for (int lane = 0; lane < count; lane++) {
            alive |= frame.point[thread + lane] != Frame.ENDED ? 1L << lane : 0;
        }
        return alive;
    }

    private static int how(int register) {
        return register >>> HOW_SHIFT;
    }

    private int place(int register, int thread) {
        return (register & (1 << KIND_SHIFT) - 1) * stride + thread;
    }

    private int size(int register) {
        return how(register) == EACH ? frame.lanes : how(register) == BITS ? 2 : 1;
    }

    private long[] values(int point, int thread) {
        int size = 0;
        for (int register : saved[point]) {
            size += size(register);
        }
        long[] values = new long[size];
        int next = 0;
        for (int register : saved[point]) {
            int place = place(register, thread);
            for (int i = 0; i < size(register); i++) {
                values[next++] = get(register, place + i);
            }
        }
        return values;
    }

    /** Whether what is one for a group is the same in the frame and for a part. */
    private boolean agrees(Part part, int thread) {
        int next = 0;
        for (int register : saved[part.point]) {
            if (how(register) == ONE && get(register, place(register, thread)) != part.values[next]) {
                return false;
            }
            next += size(register);
        }
        return true;
    }

    /** Gives the frame the registers of some lanes of a part, beside those of others or as the first. */
    private void give(Part part, int thread, long lanes, boolean first) {
        int next = 0;
        for (int register : saved[part.point]) {
            int place = place(register, thread);
            for (int i = 0; i < size(register); i++) {
                long value = part.values[next++];
                switch (how(register)) {
                    case EACH -> {
                        if ((lanes >>> i & 1) != 0) {
                            put(register, place + i, value);
                        }
                    }
                    case BITS -> {
                        long half = lanes >>> 32 * i;
                        put(register, place + i, value & half | (first ? 0 : get(register, place + i) & ~half));
                    }
                    default -> put(register, place, value);
                }
            }
        }
    }

    private long get(int register, int at) {
        return switch (register >>> KIND_SHIFT & 15) {
            case 0 -> frame.ints[at];
            case 1 -> frame.longs[at];
            case 2 -> Float.floatToRawIntBits(frame.floats[at]);
            case 3 -> Double.doubleToRawLongBits(frame.doubles[at]);
            default -> frame.indices[at];
        };
    }

    private void put(int register, int at, long value) {
        switch (register >>> KIND_SHIFT & 15) {
            case 0 -> frame.ints[at] = (int) value;
            case 1 -> frame.longs[at] = value;
            case 2 -> frame.floats[at] = Float.intBitsToFloat((int) value);
            case 3 -> frame.doubles[at] = Double.longBitsToDouble(value);
            default -> frame.indices[at] = (int) value;
        }
    }
}
