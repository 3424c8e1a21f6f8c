package io.ptx4j.jit.scalar;

import io.ptx4j.engine.Check;
import io.ptx4j.engine.checks.Access;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.engine.checks.RaceWords;
import io.ptx4j.engine.checks.Shadow;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Checks;

import java.util.Optional;
import java.util.Set;

/** Code around instructions in checked mode; none at all without checks. */
final class CheckEmitter {
    private static final int EVERY_BYTE = 0x01010101;
    /** The scratch local that keeps the offset of a strong read, whose address register it may overwrite. */
    private static final int OFFSET = 3;

    private CheckEmitter() {
    }

    /** What is asked before {@code i} executes. */
    static void before(ThreadCode c, Instruction i) {
        Set<Check> checks = c.context().program().checks();
        if (checks.isEmpty()) {
            return;
        }
        Access.of(i).ifPresent(access -> {
            c.addressCluster(Access.anyBlock(i));
            if (checks.contains(Check.MEMORY) && access.address().space() == StateSpace.LOCAL) {
                own(c, access);
            }
            if (checks.contains(Check.MEMORY) || checks.contains(Check.INITIALIZATION)) {
                states(c, i, access, checks);
            }
            if (checks.contains(Check.RACES) && access.address().space() != StateSpace.LOCAL && access.address().space() != StateSpace.PARAM) {
                race(c, i, access);
            }
        });
        synchronisation(c, i);
    }

    /** What is noted after {@code i} has been executed. */
    static void after(ThreadCode c, Instruction i) {
        if (!c.context().program().checks().contains(Check.RACES)) {
            return;
        }
        Access.of(i).filter(access -> access.reads() && access.strong()).ifPresent(access -> {
            c.code().load(c.worker).load(c.scratch(JvmType.LONG, OFFSET)).load(c.thread).push(access.kind());
            if (i.family() == Family.MBARRIER && (access.kind() & Access.ACQUIRE) != 0 && i.operand(0) instanceof Operand.Reg done) {
                c.pushInt(done);
            } else {
                c.code().push(1);
            }
            c.code().call(Checks.class, "observe" + place(c, access));
        });
    }

    private static void race(ThreadCode c, Instruction i, Access access) {
        boolean benign = c.context().program().isBenign(i.location().line());
        if (benign && !access.strong()) {
            if (access.writes()) {
                c.code().load(c.worker).call(Checks.class, "settle");
            }
            return;
        }
        boolean word = access.bytes() == Integer.BYTES && !benign;
        boolean simple = word && !access.strong() && RaceWords.holds(i.location().line());
        Code code = c.code().load(c.worker);
        Addresses.pushOffset(c, access.address(), 0);
        if (access.reads() && access.strong()) {
            Local offset = c.scratch(JvmType.LONG, OFFSET);
            code.store(offset).load(offset);
        }
        code.load(c.thread);
        if (!word) {
            code.push(access.bytes());
        }
        code.push(i.location().line() << BlockChecks.KIND_BITS | access.kind());
        if (simple) {
            code.call(RaceWords.class, (access.writes() ? "write" : "read") + place(c, access));
        } else {
            code.call(Checks.class, (word ? "raceWord" : "race") + place(c, access));
        }
    }

    private static String place(ThreadCode c, Access access) {
        return Addresses.part(c, access.address()) == Part.SHARED ? "Shared" : "";
    }

    /** Fences, barriers of the cluster, mbarriers and copies. */
    private static void synchronisation(ThreadCode c, Instruction i) {
        Code code = c.code();
        int line = i.location().line();
        switch (i.opcode()) {
            case MEMBAR, FENCE -> code.load(c.worker).load(c.thread).push(i.spelling().has(Modifier.CTA) ? 0 : 1).call(Checks.class, "fence");
            case BARRIER -> {
                if (!i.spelling().has(Modifier.RELAXED)) {
                    code.load(c.worker).load(c.thread).call(Checks.class, "arriveAtCluster");
                }
            }
            case MBARRIER -> {
                boolean init = i.spelling().has(Modifier.INIT);
                if (init || i.spelling().has(Modifier.INVAL)) {
                    code.load(c.worker);
                    Addresses.pushGeneric(c, (Operand.Address) i.operand(0));
                    code.load(c.thread).push(line).push(init ? 1 : 0).call(Checks.class, "mbarrier");
                }
            }
            default -> {
                if (i.family() == Family.ASYNC_COPY) {
                    boolean reduces = i.opcode() == Opcode.RED || i.spelling().has(Modifier.REDUCE);
                    code.load(c.worker).load(c.thread).push(line).push(reduces ? 1 : 0).call(Checks.class, "at");
                    if (i.spelling().has(Modifier.MBARRIER)) {
                        code.load(c.worker);
                        Addresses.pushGeneric(c, (Operand.Address) i.operand(0));
                        code.call(Checks.class, "arrived");
                    }
                    if (i.opcode() == Opcode.CP && !i.spelling().has(Modifier.BULK)) {
                        copies(c, i);
                    }
                }
            }
        }
    }

    /** {@code cp.async.commit_group} and what waits; an arrival at an mbarrier counts for a wait. */
    private static void copies(ThreadCode c, Instruction i) {
        boolean one = i.spelling().has(Modifier.WAIT_GROUP);
        boolean all = i.spelling().has(Modifier.WAIT_ALL) || i.spelling().has(Modifier.MBARRIER);
        if (all || i.spelling().has(Modifier.COMMIT_GROUP)) {
            c.code().load(c.worker).load(c.thread).call(Checks.class, "commitCopies");
        }
        if (one || all) {
            c.code().load(c.worker).load(c.thread);
            if (one) {
                c.pushInt(i.operand(0));
            } else {
                c.code().push(0);
            }
            c.code().call(Checks.class, "awaitCopies");
        }
    }

    private static void own(ThreadCode c, Access access) {
        Code code = c.code().load(c.worker);
        Addresses.pushOffset(c, access.address(), 0);
        code.load(c.thread).push(c.context().localBytes()).push(access.bytes()).push(access.writes() ? 1 : 0).call(Checks.class, "own").pop();
    }

    private static void states(ThreadCode c, Instruction i, Access access, Set<Check> checks) {
        int needed = access.reads() ? Shadow.neededToRead(checks) : Shadow.neededToWrite(checks);
        boolean notes = (needed & Shadow.WRITTEN) != 0 && c.context().program().goesOn();
        if (notes) {
            c.code().load(c.worker);
        }
        c.push(states(c, Addresses.part(c, access.address())).orElseThrow());
        Addresses.pushOffset(c, access.address(), 0);
        if (notes) {
            c.code().push(access.bytes()).push(needed * EVERY_BYTE).load(c.thread).push(i.location().line()).push(access.writes() ? 1 : 0)
                    .call(Checks.class, "noting");
            return;
        }
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
