package io.ptx4j.engine.checks;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code cp.async} copies of a block's threads that nobody has waited for (manual: "cp.async.commit_group", "cp.async.wait_group"). Engines
 * copy at once; until the thread has waited, the bytes count as unwritten.
 */
final class PendingCopies {
    private record Copy(int group, long offset, int bytes) {
    }

    private final MemorySegment states;
    private final List<List<Copy>> copies = new ArrayList<>();
    /** By thread: groups it has committed. */
    private final int[] committed;

    /** @param states of device memory, byte by byte */
    PendingCopies(MemorySegment states, int threads) {
        this.states = states;
        this.committed = new int[threads];
        for (int t = 0; t < threads; t++) {
            copies.add(new ArrayList<>());
        }
    }

    void clear() {
        Arrays.fill(committed, 0);
        copies.forEach(List::clear);
    }

    /** A thread has issued a copy to an offset into device memory. */
    void add(int thread, long offset, int bytes) {
        Shadow.forget(states, offset, bytes);
        copies.get(thread).add(new Copy(committed[thread], offset, bytes));
    }

    /** A thread makes one group of its copies since the last one. */
    void commit(int thread) {
        committed[thread]++;
    }

    /** A thread has waited for its groups but the last {@code most}. */
    void await(int thread, int most) {
        copies.get(thread).removeIf(copy -> {
            boolean done = copy.group() < committed[thread] - most;
            if (done) {
                Shadow.write(states, copy.offset(), copy.bytes());
            }
            return done;
        });
    }
}
