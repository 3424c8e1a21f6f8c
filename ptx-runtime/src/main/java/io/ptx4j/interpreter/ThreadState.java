package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.ProgramLimits;
import io.ptx4j.ir.Location;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** One thread of the block that a worker runs: its registers, where it is and how it got there. */
final class ThreadState {
    /** Where a thread stands. */
    enum Status {
        RUNNING,
        /** At a warp operation. */
        MEETING,
        /** At a CTA barrier. */
        BARRIER,
        /** In the middle of something, to let others run: it may be waiting for them. */
        YIELDED,
        ENDED
    }

    /** Where a thread stands with the barrier of its cluster. */
    enum AtCluster { ABSENT, ARRIVED, MAY_PASS }

    /** A function waiting for the one it called. */
    private record Caller(
            Code code, int pc, long[] registers, long[] highRegisters, int frame, int stackTop, Returning returning, Caller caller) {
    }

    /** Fetches the results of a function for its caller, which is where the thread is again. */
    @FunctionalInterface
    interface Returning {
        void results(ThreadState caller, long[] registers, long[] highRegisters, int frame);
    }

    private static final int DEEPEST_CALL = 10_000;
    private static final int STEPS_BETWEEN_QUESTIONS = 256;

    final Block block;
    /** Linear index within the block. */
    final int index;
    final int lane;
    final int x;
    final int y;
    final int z;
    /** The thread's local memory. */
    final MemorySegment local;

    Status status;
    Code code;
    int pc;
    /** Raw bits by register index, cut to the register's width. */
    long[] registers;
    /** The high halves of {@code .b128} registers, by the same index. */
    long[] highRegisters;
    /** CC.CF. */
    boolean carry;
    /** Where the running function's frame begins in {@link #local}, and where free stack begins. */
    int frame;
    int stackTop;
    /** What it stands at while {@link Status#MEETING} or {@link Status#BARRIER}. */
    MeetingPoint meeting;
    /** How often it jumped back and polled without a sign of progress. */
    final Patience patience = new Patience();

    AtCluster atCluster = AtCluster.ABSENT;

    /** Round of the block in which it began to run from where it stood last, and whether it has let others run since. */
    int began;
    boolean gaveWay;
    /** Whether it has met threads of its warp where it stood last. */
    boolean met;

    /** Instructions it may still run. */
    private long left;
    private boolean begun;
    /** Whether it lets others run when it jumps back next. */
    private boolean waits;
    private Caller caller;
    private int depth;

    ThreadState(Block block, int index) {
        this.block = block;
        this.index = index;
        this.lane = index % 32;
        var shape = block.grid.block;
        this.x = index % shape.x();
        this.y = index / shape.x() % shape.y();
        this.z = index / (shape.x() * shape.y());
        long bytes = block.localBytesPerThread;
        this.local = block.worker.local.asSlice(index * bytes, bytes);
    }

    /** Puts the thread at the start of {@code kernel}. */
    void start(Code kernel) {
        stackTop = 0;
        caller = null;
        depth = 0;
        status = Status.RUNNING;
        atCluster = AtCluster.ABSENT;
        code = kernel;
        left = block.limits.instructions();
        begun = false;
        waits = false;
        gaveWay = false;
        met = false;
        enter(kernel, allocate(kernel.body().frameBytes(), kernel.body().frameAlignment()));
    }

    /** Runs alone as far as it gets. */
    void run() {
        if (met) {
            patience.met();
        } else {
            patience.renew();
        }
        met = false;
        if (!gaveWay) {
            began = block.round;
        }
        gaveWay = false;
        if (!begun) {
            begun = true;
            begin(0);
        }
        try {
            for (int steps = 1; status == Status.RUNNING; steps++) {
                if (steps % STEPS_BETWEEN_QUESTIONS == 0) {
                    ask();
                }
                code.steps()[pc++].execute(this);
            }
        } catch (Fault fault) {
            throw fault.line() > 0 ? fault : fault.within(line(), block.index, index);
        } catch (RuntimeException | StackOverflowError failure) {
            throw new Fault(
                    Fault.Kind.INTERNAL, "the interpreter failed at '" + text() + "': " + failure, line(), block.index, index, 0, 0, null,
                    failure);
        }
    }

    /** Ends the launch if it was cancelled. */
    void ask() {
        if (block.worker.cancelled()) {
            throw fault(Fault.Kind.CANCELLED, "the launch was cancelled");
        }
        if (block.worker.checks != null) {
            block.worker.checks.giveWay();
        }
    }

    /** What {@code sources} hold; the array is used again by the next instruction. */
    long[] gather(Source[] sources) {
        long[] values = block.sources[sources.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = sources[i].bits(this);
        }
        return values;
    }

    /** Goes on at {@code target}; loops come by here. */
    void jump(int target) {
        if (target < pc) {
            ask();
            if (patience.jumpedBack() || waits) {
                status = Status.YIELDED;
                gaveWay = true;
                waits = false;
            }
        }
        pc = target;
        begin(target);
    }

    /** Counts the instructions of the straight run of code that begins at a step. */
    private void begin(int step) {
        left -= code.runs()[step];
        if (left < 0) {
            long limit = block.limits.instructions();
            throw Fault.at(Fault.Kind.INSTRUCTION_LIMIT, ProgramLimits.tooManyInstructions(limit), code.locations()[step].line(), block.index, index);
        }
    }

    /** Notes what a strong read saw; a thread that sees the same again and again lets others run. */
    void polled(long address, long value) {
        waits |= patience.polled(pc, address, value);
    }

    /** Notes that it has changed memory. */
    void stored() {
        patience.stored();
        block.written = true;
    }

    /** As {@link #stored}, where no other thread looks: one that waits may count its turns there. */
    void storedForItself() {
        patience.storedForItself();
        block.written = true;
    }

    /** A number that is the same again if the thread stands where it stood, with the same values. */
    long fingerprint() {
        return (31L * status.ordinal() + atCluster.ordinal()) * 31 + pc * 31L * depth
                + 0x9E3779B97F4A7C15L * Arrays.hashCode(registers);
    }

    /** Enters {@code function} with fresh registers; {@code returning} fetches the results. CC is not preserved across calls. */
    void call(Code function, Returning returning) {
        if (++depth > Math.max(DEEPEST_CALL, local.byteSize() / 16)) {
            throw fault(Fault.Kind.STACK_OVERFLOW, "the chain of calls is " + depth + " deep");
        }
        int top = stackTop;
        int calleeFrame = allocate(function.body().frameBytes(), function.body().frameAlignment());
        caller = new Caller(code, pc, registers, highRegisters, frame, top, returning, caller);
        enter(function, calleeFrame);
        begin(0);
    }

    /** Ends the running function. */
    void leave() {
        if (caller == null) {
            status = Status.ENDED;
            return;
        }
        Caller back = caller;
        long[] calleeRegisters = registers;
        long[] calleeHigh = highRegisters;
        int calleeFrame = frame;
        code = back.code;
        pc = back.pc;
        registers = back.registers;
        highRegisters = back.highRegisters;
        frame = back.frame;
        stackTop = back.stackTop;
        carry = false;
        caller = back.caller;
        depth--;
        back.returning.results(this, calleeRegisters, calleeHigh, calleeFrame);
    }

    private void enter(Code function, int at) {
        code = function;
        pc = 0;
        carry = false;
        registers = new long[function.registers()];
        highRegisters = function.wide() ? new long[registers.length] : null;
        frame = at;
    }

    /** Takes {@code bytes} of stack; gives their place in local memory. */
    int allocate(long bytes, int alignment) {
        long start = (long) stackTop + alignment - 1 & -alignment;
        if (bytes < 0 || start + bytes > local.byteSize()) {
            throw fault(Fault.Kind.STACK_OVERFLOW,
                    "the stack of " + local.byteSize() + " bytes has no room for another " + Long.toUnsignedString(bytes)
                            + " (a device can be opened with more: stackBytes)");
        }
        stackTop = (int) (start + bytes);
        return (int) start;
    }

    /** Whether it waits before {@code other} in the text, whatever calls have led there. */
    boolean standsBefore(ThreadState other) {
        Location here = meeting.instruction().location();
        Location there = other.meeting.instruction().location();
        return here.line() != there.line() ? here.line() < there.line() : here.column() < there.column();
    }

    /** PTX line of the instruction that executes, or executed last; of the last jump of a loop in which the thread lets others run. */
    int line() {
        return status == Status.YIELDED ? code.lastJumps()[pc] : code.locations()[Math.max(0, pc - 1)].line();
    }

    /** The instruction that executes, or executed last. */
    String text() {
        return code.text(Math.max(0, pc - 1));
    }

    Fault fault(Fault.Kind kind, String message) {
        return Fault.at(kind, message, line(), block.index, index);
    }

    Fault fault(Fault.Kind kind, String message, String access, long address, int bytes) {
        return new Fault(kind, message, line(), block.index, index, address, bytes, access, null);
    }
}
