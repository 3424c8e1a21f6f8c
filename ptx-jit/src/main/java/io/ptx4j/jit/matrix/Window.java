package io.ptx4j.jit.matrix;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.support.Checks;

import java.lang.foreign.MemorySegment;

/** Which segment the offsets that threads leave as addresses count in: the low {@code int} first. */
enum Window {
    MEMORY, SHARED, LOCAL;

    static Window of(Operand.Address address) {
        return switch (address.space()) {
            case SHARED -> SHARED;
            case LOCAL -> LOCAL;
            default -> MEMORY;
        };
    }

    MemorySegment segment(Worker worker) {
        return switch (this) {
            case MEMORY -> worker.memory;
            case SHARED -> worker.shared;
            case LOCAL -> worker.local;
        };
    }

    /** Looks at an access in checked mode. */
    void watch(Worker worker, int thread, int line, long offset, int bytes, boolean store) {
        if (worker.checks != null) {
            worker.checks.at(thread, line, false);
            long base = switch (this) {
                case MEMORY -> 0;
                case SHARED -> worker.sharedBase - AddressSpace.ORIGIN;
                case LOCAL -> worker.localBase - AddressSpace.ORIGIN;
            };
            Checks.range(worker, base + offset, bytes, store);
        }
    }
}
