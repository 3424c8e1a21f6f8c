package io.ptx4j.engine.checks;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

/** Words of a write over others that nothing orders, which is only an error if it changes something: known when it has been done. */
final class Suspects {
    private final LaunchChecks launch;
    private final Worker worker;
    private Suspect first;
    private Suspect last;

    /** One word, in a list: one access may have many. */
    private static final class Suspect {
        private final Fault fault;
        private final long origin;
        private final long offset;
        private final int mask;
        private final int before;
        private Suspect next;

        Suspect(Fault fault, long origin, long offset, int mask, int before) {
            this.fault = fault;
            this.origin = origin;
            this.offset = offset;
            this.mask = mask;
            this.before = before;
        }
    }

    Suspects(LaunchChecks launch, Worker worker) {
        this.launch = launch;
        this.worker = worker;
    }

    boolean isEmpty() {
        return first == null;
    }

    /**
     * Before a word is written.
     *
     * @param origin of its memory, in device memory
     * @param offset in device memory
     * @param mask which of its bytes are written
     */
    void add(Fault fault, long origin, long offset, int mask) {
        Suspect next = new Suspect(fault, origin, offset, mask, launch.word(offset));
        if (first == null) {
            first = next;
        } else {
            last.next = next;
        }
        last = next;
    }

    /** Reports the words that have changed. */
    void settle() {
        Suspect found = first;
        for (first = null; found != null; found = found.next) {
            settle(found);
        }
    }

    private void settle(Suspect found) {
        int bytes = 0;
        for (int b = 0; b < 4; b++) {
            bytes |= (found.mask >>> b & 1) * 0xFF << 8 * b;
        }
        if (((launch.word(found.offset) ^ found.before) & bytes) != 0) {
            launch.report(found.fault, worker, found.origin == 0 ? -1 : found.offset - found.origin);
        }
    }
}
