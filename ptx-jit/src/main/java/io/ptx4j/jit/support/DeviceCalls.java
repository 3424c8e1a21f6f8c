package io.ptx4j.jit.support;

import io.ptx4j.engine.DevicePrintf;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

/** Functions of the CUDA device runtime that PTX declares and does not define. */
public final class DeviceCalls {
    private DeviceCalls() {
    }

    /** {@code vprintf}: the number of directives in the format. */
    public static int print(Worker worker, long format, long arguments) {
        worker.grid.output.accept(DevicePrintf.format(worker.memory, format, arguments));
        return DevicePrintf.directives(worker.memory, format);
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
