package io.ptx4j.jit.support;

import io.ptx4j.engine.DeviceCall;
import io.ptx4j.engine.DevicePrintf;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

/** Functions of the CUDA device runtime that PTX declares and does not define. */
public final class DeviceCalls {
    private DeviceCalls() {
    }

    /** {@code vprintf}: the number of directives in the format. */
    public static int print(Worker worker, long format, long arguments) {
        if (worker.checks != null) {
            worker.checks.leave();
        }
        worker.grid.output.accept(DevicePrintf.format(worker.memory, format, arguments));
        return DevicePrintf.directives(worker.memory, format);
    }

    /** A call of a function that the device supplies; {@code number} is its place among the module's functions. */
    public static DeviceCall begin(Worker worker, Frame frame, int thread, int number) {
        return new DeviceCall(worker, worker.grid.program.functionNamed(number), frame.block, thread);
    }

    /** Passes the next argument of up to 8 bytes. */
    public static void pass(DeviceCall call, long bits) {
        call.pass(bits);
    }

    /** Passes the next argument of 16 bytes. */
    public static void passWide(DeviceCall call, long low, long high) {
        call.pass(low, high);
    }

    /** Passes the next argument from a call area. */
    public static void passArea(DeviceCall call, MemorySegment memory, long offset) {
        call.pass(memory, offset);
    }

    /** {@code __assertfail}. */
    public static void assertionFailed(Worker worker, long message, long file, int line, long function) {
        throw Fault.at(Fault.Kind.ASSERTION, "assertion '" + DevicePrintf.text(worker.memory, message) + "' failed in "
                + DevicePrintf.text(worker.memory, function) + " (" + DevicePrintf.text(worker.memory, file) + ":"
                + Integer.toUnsignedString(line) + ")", 0, -1, -1);
    }

    /** An indirect call through an address that no function it may reach has. */
    public static void noFunction(long address) {
        throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "address 0x" + Long.toHexString(address) + " of an indirect call names no function",
                0, -1, -1);
    }
}
