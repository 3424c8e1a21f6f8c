package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Fault;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks dealt out in portions. */
@Timeout(120)
final class PortionsTest {
    private static final int WORKERS = 4;

    @Test
    void portionsLieSideBySideAndHoldAllBlocks() {
        for (long count : new long[] {1, 7, 64, 65, 1000, Long.MAX_VALUE / 2}) {
            for (int portions = 1; portions <= Math.min(count, 9); portions++) {
                Portions dealt = new Portions(count, portions);
                long next = 0;
                for (int portion = 0; portion < portions; portion++) {
                    assertTrue(dealt.left());
                    assertEquals(next, dealt.take(portion, dealt.size(portion)));
                    next = dealt.end(portion);
                    assertEquals(next, dealt.take(portion, 1));
                }
                assertEquals(count, next);
                assertFalse(dealt.left());
            }
        }
    }

    @Test
    void eachWorkerGetsItsOwnAndNobodyTheCallingThreadsWhileOthersAreFree() {
        for (int first = 0; first < 9; first++) {
            Portions dealt = new Portions(100, WORKERS);
            Set<Integer> claimed = new HashSet<>();
            for (int i = 1; i < WORKERS; i++) {
                claimed.add(dealt.claim(first));
            }
            assertEquals(Set.of(1, 2, 3), claimed);
            assertTrue(dealt.claim(first) < WORKERS);
        }
        Portions dealt = new Portions(100, WORKERS);
        assertEquals(2, dealt.claim(2));
        assertEquals(3, dealt.claim(2));
        assertEquals(0, new Portions(100, 1).claim(3));
    }

    /** Launches of a microsecond and longer ones in turn, so that some are shared with workers that are awake, some with those that are called, and some with nobody. */
    @Test
    void everyBlockRunsOnceAndTheLowestThatFailsIsReported() {
        Random random = new Random(5);
        int most = 300;
        AtomicIntegerArray ran = new AtomicIntegerArray(most);
        boolean[] fails = new boolean[most];
        int[] spins = {0};
        AtomicInteger below = new AtomicInteger();
        AtomicInteger stopped = new AtomicInteger();
        try (Device device = Device.builder().memory(1 << 20).workers(WORKERS).engine(new FakeEngine((worker, block) -> {
            ran.incrementAndGet((int) block);
            if (block < below.get() && worker.cancelled()) {
                stopped.incrementAndGet();
            }
            for (int i = 0; i < spins[0]; i++) {
                Thread.onSpinWait();
            }
            if (fails[(int) block]) {
                throw Fault.at(Fault.Kind.INTERNAL, "block " + block + " fails", 1, block, 0);
            }
        })).open()) {
            Kernel kernel = device.load(Programs.withKernel()).kernel("k");
            for (int launch = 0; launch < 20_000; launch++) {
                int count = 1 + random.nextInt(most);
                spins[0] = launch / 200 % 4 * random.nextInt(20);
                int lowest = count;
                for (int block = 0; block < count; block++) {
                    ran.set(block, 0);
                    fails[block] = launch % 3 == 0 && random.nextInt(count) == 0;
                    lowest = fails[block] ? Math.min(lowest, block) : lowest;
                }
                below.set(lowest);
                Launch of = kernel.grid(count).block(32);
                if (lowest == count) {
                    of.launch();
                } else {
                    String text = "block " + lowest + " fails";
                    KernelException thrown = assertThrows(KernelException.class, of::launch);
                    assertTrue(thrown.getMessage().contains(text), () -> thrown.getMessage() + " but " + text);
                }
                for (int block = 0; block < lowest; block++) {
                    assertEquals(1, ran.get(block), "block " + block + " of " + count);
                }
            }
        }
        assertEquals(0, stopped.get(), "blocks below the lowest that fails, on workers that were stopped");
    }
}
