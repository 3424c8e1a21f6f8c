package io.ptx4j.interpreter;

import io.ptx4j.engine.Check;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.checks.Access;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.engine.checks.Shadow;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Steps in checked mode: what they do to memory is looked at before they do it. */
final class Watched {
    private Watched() {
    }

    /** {@code step}, watched for what the program asks for. */
    static Step step(Instruction instruction, Operands operands, Step step) {
        Set<Check> checks = operands.program().checks();
        if (checks.isEmpty()) {
            return step;
        }
        Step synchronised = synchronisation(instruction, operands, step);
        return Access.of(instruction).map(access -> states(instruction, operands, checks, access,
                checks.contains(Check.RACES) ? race(instruction, operands, access, synchronised) : synchronised)).orElse(synchronised);
    }

    /** Fences, barriers of the cluster, mbarriers. */
    private static Step synchronisation(Instruction instruction, Operands operands, Step step) {
        Spelling spelling = instruction.spelling();
        int line = instruction.location().line();
        return switch (instruction.opcode()) {
            case MEMBAR, FENCE -> thread -> {
                thread.block.worker.checks.fence(thread.index, !spelling.has(Modifier.CTA));
                step.execute(thread);
            };
            case BARRIER -> !spelling.has(Modifier.CLUSTER) || !spelling.has(Modifier.ARRIVE) || spelling.has(Modifier.RELAXED) ? step : thread -> {
                thread.block.worker.checks.arriveAtCluster(thread.index);
                step.execute(thread);
            };
            case MBARRIER -> {
                boolean init = spelling.has(Modifier.INIT);
                if (!init && !spelling.has(Modifier.INVAL)) {
                    yield step;
                }
                Place place = operands.place(0);
                yield thread -> {
                    long offset = inDevice(thread, place.window(), place.offset(thread, place.address(thread)));
                    if (init) {
                        thread.block.worker.checks.initialises(thread.index, line, offset);
                    } else {
                        thread.block.worker.checks.invalidates(offset);
                    }
                    step.execute(thread);
                };
            }
            default -> step;
        };
    }

    private static Place place(Instruction instruction, Operands operands, Access access) {
        Place place = operands.place(access.operand());
        return place.window() == Window.SHARED && Access.anyBlock(instruction)
                ? new Place(Window.CLUSTER, place.base(), place.narrow(), place.offset()) : place;
    }

    private static long inDevice(ThreadState thread, Window window, long offset) {
        return window == Window.GENERIC || window == Window.CLUSTER ? offset : window.base(thread) - Window.GENERIC.base(thread) + offset;
    }

    private static Step race(Instruction instruction, Operands operands, Access access, Step step) {
        if (access.address().space() == StateSpace.LOCAL || access.address().space() == StateSpace.PARAM) {
            return step;
        }
        Place place = place(instruction, operands, access);
        int kind = access.kind();
        int site = instruction.location().line() << BlockChecks.KIND_BITS | kind;
        boolean asks = instruction.family() == Family.MBARRIER && (kind & Access.ACQUIRE) != 0;
        Source done = asks && instruction.operand(0) instanceof Operand.Reg ? operands.source(0) : new Source.Constant(1);
        return thread -> {
            BlockChecks checks = thread.block.worker.checks;
            long offset = inDevice(thread, place.window(), place.offset(thread, place.address(thread)));
            checks.access(thread.index, offset, access.bytes(), site);
            if (access.strong() && access.writes()) {
                checks.publish(thread.index, offset, kind);
            }
            step.execute(thread);
            if (access.strong() && access.reads() && done.bits(thread) != 0) {
                checks.observe(thread.index, offset, kind);
            }
        };
    }

    private static Step states(Instruction instruction, Operands operands, Set<Check> checks, Access found, Step step) {
        if (!checks.contains(Check.MEMORY) && !checks.contains(Check.INITIALIZATION)) {
            return step;
        }
        Place place = place(instruction, operands, found);
        int needed = found.reads() ? Shadow.neededToRead(checks) : Shadow.neededToWrite(checks);
        int bytes = found.bytes();
        boolean writes = found.writes();
        String text = instruction.spelling().text();
        return thread -> {
            long address = place.address(thread);
            long offset = place.offset(thread, address);
            MemorySegment states = states(thread, place.window());
            int missing = Shadow.missing(states, offset, bytes, needed);
            if (missing != 0) {
                Fault lacks = fault(thread, missing, text, address, bytes);
                if (!thread.block.worker.checks.goesOn(missing, states, offset, bytes)) {
                    throw lacks;
                }
                thread.block.worker.checks.note(lacks);
            }
            if (writes) {
                Shadow.write(states, offset, bytes);
            }
            step.execute(thread);
        };
    }

    /** Looks at an access of a copy or matrix instruction in checked mode, at an offset into the window. */
    static void range(ThreadState thread, Window window, long address, long offset, long bytes, boolean store, boolean reduces, String access) {
        BlockChecks checks = thread.block.worker.checks;
        if (checks != null) {
            checks.at(thread.index, thread.line(), reduces);
            int missing = checks.range(inDevice(thread, window, offset), bytes, store);
            if (missing != 0) {
                throw fault(thread, missing, access, address, (int) bytes);
            }
        }
    }

    /** A thread has issued a {@code cp.async}, for which it has to wait. */
    static void copied(ThreadState thread, Place to, int bytes) {
        BlockChecks checks = thread.block.worker.checks;
        if (checks != null) {
            checks.at(thread.index, thread.line(), false);
            checks.copied(inDevice(thread, to.window(), to.offset(thread, to.address(thread))), bytes);
        }
    }

    static void commitCopies(ThreadState thread) {
        if (thread.block.worker.checks != null) {
            thread.block.worker.checks.commitCopies(thread.index);
        }
    }

    static void awaitCopies(ThreadState thread, int most) {
        if (thread.block.worker.checks != null) {
            thread.block.worker.checks.awaitCopies(thread.index, most);
        }
    }

    static void awaitAllCopies(ThreadState thread) {
        commitCopies(thread);
        awaitCopies(thread, 0);
    }

    /** An asynchronous copy has come, and the mbarrier at {@code address} counts it. */
    static void arrived(ThreadState thread, Place mbarrier, long address) {
        BlockChecks checks = thread.block.worker.checks;
        if (checks != null) {
            checks.at(thread.index, thread.line(), false);
            checks.arrived(inDevice(thread, mbarrier.window(), mbarrier.offset(thread, address)));
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
