package io.ptx4j.jit.scalar;

import io.ptx4j.engine.Check;
import io.ptx4j.engine.checks.Access;
import io.ptx4j.engine.checks.Shadow;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Checks;

import java.util.Optional;
import java.util.Set;

/** Code around instructions in checked mode; none at all without checks. */
final class CheckEmitter {
    private static final int EVERY_BYTE = 0x01010101;

    private CheckEmitter() {
    }

    /** What is asked before {@code i} executes. */
    static void before(ThreadCode c, Instruction i) {
        Set<Check> checks = c.context().program().checks();
        if (checks.isEmpty()) {
            return;
        }
        Access.of(i).ifPresent(access -> {
            if (checks.contains(Check.MEMORY) && access.address().space() == StateSpace.LOCAL) {
                own(c, access);
            }
            if (checks.contains(Check.MEMORY) || checks.contains(Check.INITIALIZATION)) {
                states(c, access, checks);
            }
        });
    }

    private static void own(ThreadCode c, Access access) {
        Code code = c.code().load(c.worker);
        Addresses.pushOffset(c, access.address(), 0);
        code.load(c.thread).push(c.context().localBytes()).push(access.bytes()).push(access.writes() ? 1 : 0).call(Checks.class, "own").pop();
    }

    private static void states(ThreadCode c, Access access, Set<Check> checks) {
        int needed = access.reads() ? Shadow.neededToRead(checks) : Shadow.neededToWrite(checks);
        c.push(states(c, Addresses.part(c, access.address())).orElseThrow());
        Addresses.pushOffset(c, access.address(), 0);
        boolean single = Long.bitCount(access.bytes()) == 1 && access.bytes() <= 8;
        if (!single) {
            c.code().push(access.bytes());
        }
        c.code().push(needed * EVERY_BYTE).call(Checks.class, (access.writes() ? "store" : "load") + (single ? access.bytes() : ""));
    }

    /** The states of the bytes of {@code part} that checked code looks at; empty where it looks at none. */
    static Optional<Part> states(ThreadCode c, Part part) {
        Set<Check> checks = c.context().program().checks();
        if (!checks.contains(Check.MEMORY) && !checks.contains(Check.INITIALIZATION)) {
            return Optional.empty();
        }
        return switch (part) {
            case MEMORY -> Optional.of(Part.MEMORY_STATES);
            case SHARED -> Optional.of(Part.SHARED_STATES);
            case LOCAL -> Optional.of(Part.LOCAL_STATES);
            case CONSTANTS, PARAMETERS, MEMORY_STATES, SHARED_STATES, LOCAL_STATES -> Optional.empty();
        };
    }
}
