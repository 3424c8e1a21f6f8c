package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;

/** The manual's "Parallel Synchronization and Communication Instructions: mbarrier"; {@link Phase} is the opaque object. */
final class Mbarriers {
    private Mbarriers() {
    }

    /**
     * What an mbarrier object holds.
     *
     * @param parity of the phase under way
     * @param pending arrivals that the phase still waits for
     * @param expected arrivals of the next phase
     * @param transactions bytes that the phase still waits for; less than 0 when they came before they were announced
     */
    record Phase(int parity, long pending, long expected, long transactions) {
        private static final int MOST = (1 << 20) - 1;

        static Phase of(long word) {
            return new Phase((int) Bits.field(word, 63, 1), Bits.field(word, 0, 20), Bits.field(word, 20, 20),
                    Bits.signed(Bits.field(word, 40, 21), 21));
        }

        /** The object in memory; bit 62 tells it from memory that was never initialised. */
        long word() {
            return (long) parity << 63 | 1L << 62 | Bits.cut(transactions, 21) << 40 | expected << 20 | pending;
        }

        Phase expect(ThreadState thread, long bytes) {
            long sum = transactions + bytes;
            if (sum < -MOST || sum > MOST) {
                throw wrong(thread, "a transaction count of " + sum + "; possible are -" + MOST + " to " + MOST);
            }
            return new Phase(parity, pending, expected, sum);
        }

        Phase arrive(ThreadState thread, long count, boolean drop) {
            if (count == 0 || count > pending) {
                throw wrong(thread, count + " arrivals where " + pending + " are pending");
            }
            return new Phase(parity, pending - count, drop ? expected - count : expected, transactions);
        }

        boolean complete() {
            return pending == 0 && transactions == 0;
        }

        Phase next() {
            return complete() ? new Phase(1 - parity, expected, expected, 0) : this;
        }
    }

    private static Fault wrong(ThreadState thread, String message) {
        return thread.fault(Fault.Kind.ILLEGAL_OPERAND, message);
    }

    /** What {@code instruction} does. */
    static Step step(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        if (spelling.has(Modifier.PENDING_COUNT)) {
            Destination d = operands.destination(0);
            Source state = operands.source(1);
            return thread -> d.write(thread, Phase.of(state.bits(thread)).pending());
        }
        if (spelling.has(Modifier.ARRIVE) || spelling.has(Modifier.ARRIVE_DROP)) {
            return arrive(spelling, operands);
        }
        if (spelling.has(Modifier.TEST_WAIT) || spelling.has(Modifier.TRY_WAIT)) {
            return test(spelling, operands);
        }
        Place place = operands.place(0);
        if (spelling.has(Modifier.INIT)) {
            Source count = operands.source(1);
            return thread -> init(thread, place, place.address(thread), count.bits(thread));
        }
        if (spelling.has(Modifier.INVAL)) {
            return thread -> {
                load(thread, place, place.address(thread));
                write(thread, place, place.address(thread), 0);
            };
        }
        Source bytes = operands.source(1);
        boolean expects = spelling.has(Modifier.EXPECT_TX);
        return thread -> transact(thread, place, place.address(thread), expects ? bytes.bits(thread) : -bytes.bits(thread));
    }

    private static void init(ThreadState thread, Place place, long address, long count) {
        if (count < 1 || count > Phase.MOST) {
            throw wrong(thread, "mbarrier.init with a count of " + count + "; possible are 1 to " + Phase.MOST);
        }
        write(thread, place, address, new Phase(0, count, count, 0).word());
    }

    private static Step arrive(Spelling spelling, Operands operands) {
        Destination d = operands.destination(0);
        Place place = operands.place(1);
        boolean expects = spelling.has(Modifier.EXPECT_TX);
        Source given = operands.absent(2) ? new Source.Constant(1) : operands.source(2);
        boolean drop = spelling.has(Modifier.ARRIVE_DROP);
        boolean incomplete = spelling.has(Modifier.NO_COMPLETE);
        return thread -> {
            long address = place.address(thread);
            Phase before = load(thread, place, address);
            long operand = given.bits(thread);
            Phase after = (expects ? before.expect(thread, operand) : before).arrive(thread, expects ? 1 : operand, drop);
            if (incomplete && after.complete()) {
                throw wrong(thread, "an arrival with .noComplete would complete the phase");
            }
            write(thread, place, address, after.next().word());
            d.write(thread, before.word());
        };
    }

    /** A thread that finds the phase under way again and again lets others run. */
    private static Step test(Spelling spelling, Operands operands) {
        Destination p = operands.destination(0);
        Place place = operands.place(1);
        Source phase = operands.source(2);
        boolean byParity = spelling.has(Modifier.PARITY);
        return thread -> {
            long asked = phase.bits(thread);
            int parity = byParity ? (int) asked & 1 : Phase.of(asked).parity();
            long address = place.address(thread);
            Phase now = load(thread, place, address);
            boolean done = now.parity() != parity;
            p.write(thread, done ? 1 : 0);
            if (!done) {
                thread.polled(address, now.word());
            }
        };
    }

    /** Adds to the transactions that the phase waits for. */
    static void transact(ThreadState thread, Place place, long address, long bytes) {
        write(thread, place, address, load(thread, place, address).expect(thread, bytes).next().word());
        if (bytes < 0) {
            Watched.arrived(thread, place, address);
        }
    }

    /** All copies of the thread before it have been made: with {@code .noinc} an arrival, without it one that was added just before. */
    static void copied(ThreadState thread, Place place, boolean noinc) {
        long address = place.address(thread);
        if (noinc) {
            arrive(thread, place, address);
        } else {
            load(thread, place, address);
            Watched.arrived(thread, place, address);
        }
    }

    /** An arrival of what is done asynchronously. */
    static void arrive(ThreadState thread, Place place, long address) {
        Phase phase = load(thread, place, address);
        Watched.arrived(thread, place, address);
        write(thread, place, address, phase.arrive(thread, 1, false).next().word());
    }

    private static Phase load(ThreadState thread, Place place, long address) {
        long word = MemoryOrder.WEAK.read(segment(thread, place), checked(thread, place, address), 8);
        if (!Bits.bit(word >>> 62, 0)) {
            throw wrong(thread, "no mbarrier is here: it was not initialised, or overwritten or invalidated");
        }
        return Phase.of(word);
    }

    private static void write(ThreadState thread, Place place, long address, long word) {
        MemoryOrder.WEAK.write(segment(thread, place), checked(thread, place, address), 8, word);
        thread.stored();
    }

    private static MemorySegment segment(ThreadState thread, Place place) {
        return place.window().segment(thread);
    }

    private static long checked(ThreadState thread, Place place, long address) {
        if (place.window() == Window.GENERIC && !Window.CLUSTER.holds(thread, address)) {
            throw wrong(thread, "an mbarrier at 0x" + Long.toHexString(address) + ", which is not in shared memory");
        }
        return place.checked(thread, address, 8, "mbarrier");
    }
}
