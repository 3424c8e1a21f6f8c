package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An mbarrier object that a thread has for itself in its shared memory: every row of {@code mbarrier} in an order that the manual defines. What is asked of it
 * depends on nobody else.
 */
final class MbarrierStatements {
    private static final int MOST_ARRIVALS = 6;
    private static final int MOST_BYTES = 64;
    private static final int STEPS = 4;
    private static final int MOST_PHASES = 3;
    private static final int ATTEMPTS = 20;

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;
    private final Consumer<String> statements;
    private final int place;
    /** Arrivals of each phase, and those that this one waits for. */
    private int expected;
    private int pending;
    private int bytes;
    private int phase;
    /** The phase of the state in {@code %a1}; none before the first arrival. */
    private int known = -1;

    /** @param place bytes behind the beginning of the thread's shared memory, a multiple of 8 */
    MbarrierStatements(SplittableRandom random, Registers registers, Instructions instructions, int place, Consumer<String> statements) {
        this.random = random;
        this.registers = registers;
        this.instructions = instructions;
        this.place = place;
        this.statements = statements;
    }

    void some() {
        object();
        if (random.nextInt(3) == 0) {
            object();
        }
        statements.accept("st.shared.b64 [%sa+" + place + "], %d0");
    }

    private void object() {
        expected = 1 + random.nextInt(MOST_ARRIVALS);
        pending = expected;
        bytes = 0;
        phase = 0;
        known = -1;
        statements.accept(named("mbarrier.init") + expected);
        for (int phases = 1 + random.nextInt(MOST_PHASES); phases > 0; phases--) {
            for (int i = 1 + random.nextInt(STEPS); i > 0; i--) {
                boolean asks = random.nextBoolean();
                step(some -> asks == (some.contains("_wait") || some.contains("pending")));
            }
            if (random.nextInt(4) > 0) {
                end();
            }
        }
        statements.accept(named("mbarrier.inval").replaceFirst(", $", ""));
    }

    /** Ends the phase, asks on the way, and counts what the next one waits for. */
    private void end() {
        int before = phase;
        for (int i = 0; i < ATTEMPTS && phase == before; i++) {
            boolean arrives = bytes == 0 || pending > 0 && random.nextBoolean();
            step(some -> some.contains(arrives ? "arrive" : bytes > 0 ? "complete_tx" : "expect_tx") && (arrives || !some.contains("arrive")));
            step(some -> some.contains("test_wait"));
        }
        if (phase > before) {
            step(some -> some.contains("arrive") && !some.contains("cluster"));
            step(some -> some.contains("pending"));
        }
    }

    private String named(String begin) {
        Spelling spelling = null;
        while (spelling == null) {
            spelling = instructions.spelling(Family.MBARRIER, some -> some.text().startsWith(begin + "."));
        }
        return spelling.text() + " " + address(spelling) + ", ";
    }

    private String address(Spelling spelling) {
        return (spelling.space() == StateSpace.GENERIC ? "[%gs+" : "[%sa+") + place + "]";
    }

    private void step(Predicate<String> wanted) {
        Spelling spelling = instructions.spelling(Family.MBARRIER, some -> wanted.test(some.text()));
        if (spelling != null) {
            step(spelling, spelling.text());
        }
    }

    private void step(Spelling spelling, String text) {
        if (text.contains("_wait")) {
            ask(spelling, text);
        } else if (text.contains("pending_count")) {
            if (known >= 0) {
                statements.accept(text + " " + registers.word() + ", %a1");
            }
        } else if (text.contains("arrive")) {
            arrive(spelling, text);
        } else if (text.contains("complete_tx")) {
            complete(spelling, 1 + random.nextInt(MOST_BYTES));
        } else if (text.contains("expect_tx")) {
            bytes += expect(text + " " + address(spelling) + ", ");
            turn();
        }
    }

    private int expect(String begin) {
        int more = bytes < 0 ? -bytes : random.nextInt(MOST_BYTES);
        statements.accept(begin + more);
        return more;
    }

    /** Bytes that were expected, or will be in this phase. */
    private void complete(Spelling spelling, int some) {
        int done = pending > 0 && bytes <= 0 ? some : Math.min(bytes, some);
        if (done > 0) {
            statements.accept(spelling.text() + " " + address(spelling) + ", " + done);
            bytes -= done;
            turn();
        }
    }

    private void arrive(Spelling spelling, String text) {
        boolean drops = text.contains("arrive_drop");
        // An arrival without completion must not be the last one, and somebody must be left who arrives.
        int most = Math.min(text.contains("noComplete") ? pending - 1 : pending, drops ? expected - 1 : pending);
        boolean more = text.contains("expect_tx");
        boolean counted = text.contains("noComplete") || !more && random.nextBoolean();
        int count = counted && most > 1 ? 1 + random.nextInt(most) : 1;
        if (most < 1) {
            return;
        }
        boolean sink = spelling.has(Modifier.SHARED_CLUSTER) || random.nextInt(4) == 0;
        String begin = text + " " + (sink ? "_" : "%a1") + ", " + address(spelling);
        known = sink ? known : phase;
        if (more) {
            bytes += expect(begin + ", ");
        } else {
            statements.accept(begin + (counted ? ", " + count : ""));
        }
        pending -= count;
        expected -= drops ? count : 0;
        turn();
    }

    private void turn() {
        if (pending == 0 && bytes == 0) {
            pending = expected;
            phase++;
        }
    }

    /** Of this phase or the last one; only {@code test_wait} of one that has not ended, since the other may take its time. */
    private void ask(Spelling spelling, String text) {
        boolean parity = text.contains(".parity");
        int asked = parity ? phase - random.nextInt(2) : known;
        if (!parity && (known < phase - 1 || known < 0)) {
            return;
        }
        if (asked < phase || text.contains("test_wait")) {
            statements.accept(text + " " + registers.predicate() + ", " + address(spelling) + ", " + (parity ? String.valueOf(asked & 1) : "%a1"));
        }
    }
}
