package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.DevicePrintf;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

import java.lang.foreign.ValueLayout;

/** Functions of the CUDA device runtime that PTX declares and does not define. */
public final class DeviceCalls {
    private static final int LONGEST_FORMAT = 1 << 12;

    private DeviceCalls() {
    }

    /** {@code vprintf}: the number of arguments, as CUDA's returns it. */
    public static int print(Worker worker, long format, long arguments) {
        worker.grid.output.accept(DevicePrintf.format(worker.memory, format, arguments));
        int directives = 0;
        long start = format - AddressSpace.ORIGIN;
        for (int i = 0; i < LONGEST_FORMAT; i++) {
            byte c = worker.memory.get(ValueLayout.JAVA_BYTE, start + i);
            if (c == 0) {
                break;
            }
            if (c == '%') {
                boolean literal = worker.memory.get(ValueLayout.JAVA_BYTE, start + i + 1) == '%';
                i += literal ? 1 : 0;
                directives += literal ? 0 : 1;
            }
        }
        return directives;
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
