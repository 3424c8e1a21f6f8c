package io.ptx4j.interpreter;

import io.ptx4j.engine.Check;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.checks.Access;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.engine.checks.Shadow;
import io.ptx4j.ir.Instruction;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/** Steps in checked mode: what they do to memory is looked at before they do it. */
final class Watched {
    private Watched() {
    }

    /** {@code step}, watched for what the program asks for. */
    static Step step(Instruction instruction, Operands operands, Step step) {
        Set<Check> checks = operands.program().checks();
        Optional<Access> access = checks.isEmpty() ? Optional.empty() : Access.of(instruction);
        if (access.isEmpty() || !checks.contains(Check.MEMORY) && !checks.contains(Check.INITIALIZATION)) {
            return step;
        }
        Place place = operands.place(access.get().operand());
        int needed = access.get().reads() ? Shadow.neededToRead(checks) : Shadow.neededToWrite(checks);
        int bytes = access.get().bytes();
        boolean writes = access.get().writes();
        String text = instruction.spelling().text();
        return thread -> {
            long address = place.address(thread);
            long offset = place.offset(thread, address);
            MemorySegment states = states(thread, place.window());
            int missing = Shadow.missing(states, offset, bytes, needed);
            if (missing != 0) {
                throw fault(thread, missing, text, address, bytes);
            }
            if (writes) {
                Shadow.write(states, offset, bytes);
            }
            step.execute(thread);
        };
    }

    /** Looks at an access of a copy or matrix instruction in checked mode, at an offset into the window. */
    static void range(ThreadState thread, Window window, long address, long offset, long bytes, boolean store, String access) {
        BlockChecks checks = thread.block.worker.checks;
        if (checks != null) {
            long base = window.base(thread) - Window.GENERIC.base(thread);
            boolean generic = window == Window.GENERIC || window == Window.CLUSTER;
            int missing = checks.range(generic ? offset : base + offset, bytes, store);
            if (missing != 0) {
                throw fault(thread, missing, access, address, (int) bytes);
            }
        }
    }

    private static Fault fault(ThreadState thread, int missing, String access, long address, int bytes) {
        Fault.Kind kind = Shadow.fault(missing);
        return thread.fault(kind, access + ": " + kind, access, address, bytes);
    }

    private static MemorySegment states(ThreadState thread, Window window) {
        BlockChecks checks = thread.block.worker.checks;
        return switch (window) {
            case GENERIC, CLUSTER -> checks.memory;
            case SHARED -> checks.shared;
            case LOCAL -> checks.local.asSlice(thread.index * thread.block.localBytesPerThread, thread.block.localBytesPerThread);
            case CONSTANTS, PARAMETERS -> throw new IllegalStateException("no states are kept of " + window.text());
        };
    }
}
