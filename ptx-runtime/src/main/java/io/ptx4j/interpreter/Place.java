package io.ptx4j.interpreter;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;

/**
 * A decoded address operand.
 *
 * @param narrow the base is a 32-bit register, and the sum wraps at 32 bits
 */
record Place(Window window, Source base, boolean narrow, long offset) {
    /** Generic address, or offset within the window of an explicit space. */
    long address(ThreadState thread) {
        long address = base.bits(thread) + offset;
        if (!narrow) {
            return address;
        }
        return Bits.cut(address, 32) + (window == Window.GENERIC ? AddressSpace.BASE : 0);
    }

    /** Where in the window's segment {@code address} lies, once it is known that all {@code bytes} are there and aligned. */
    long checked(ThreadState thread, long address, int bytes, String access) {
        return range(thread, address, bytes, bytes, access);
    }

    /** As {@link #checked} for so many bytes that the address need not be a multiple of. */
    long range(ThreadState thread, long address, long bytes, int alignment, String access) {
        long offset = offset(thread, address);
        long size = window.segment(thread).byteSize();
        boolean ends = window == Window.CLUSTER && bytes > 0 && offset(thread, address + bytes - 1) != offset + bytes - 1;
        if (offset < 0 || offset > size - bytes || ends) {
            throw thread.fault(Fault.Kind.OUT_OF_BOUNDS,
                    access + " of " + bytes + " bytes at " + hex(address) + " lies outside " + window.text()
                            + (window == Window.GENERIC || window == Window.CLUSTER ? "" : " of " + size + " bytes"),
                    access, address, (int) bytes);
        }
        if ((address & alignment - 1) != 0) {
            throw thread.fault(Fault.Kind.MISALIGNED,
                    access + " of " + bytes + " bytes at " + hex(address) + " is not aligned to " + alignment + " bytes", access, address,
                    alignment);
        }
        return offset;
    }

    /** Of the shared memory of another block no more than the segment is known here: its end is where that of the window is. */
    long offset(ThreadState thread, long address) {
        return switch (window) {
            case GENERIC -> address - AddressSpace.ORIGIN;
            case CLUSTER -> {
                long generic = thread.block.worker.cluster().generic(thread.block.worker, address);
                yield generic < 0 ? -1 : generic - AddressSpace.ORIGIN;
            }
            case SHARED, LOCAL, CONSTANTS, PARAMETERS -> address;
        };
    }

    private static String hex(long address) {
        return "0x" + Long.toHexString(address);
    }
}
