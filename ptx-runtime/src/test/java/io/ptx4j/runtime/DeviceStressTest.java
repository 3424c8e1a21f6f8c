package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads do all that a device offers at once: right, wrong, slow, cancelled. A minute of it in the long profile. */
final class DeviceStressTest {
    private static final String TEXT = """
            .version 7.0
            .target sm_70
            .address_size 64
            .global .u64 total;
            .visible .entry add(.param .u64 p, .param .u32 n, .param .u32 mode)
            {
                .shared .align 4 .b8 tile[1024];
                .reg .pred %p<4>;
                .reg .u32 %r<9>;
                .reg .u64 %rd<4>;
                ld.param.u64 %rd1, [p];
                ld.param.u32 %r1, [n];
                ld.param.u32 %r2, [mode];
                mov.u32 %r3, %ctaid.x;
                mov.u32 %r4, %ntid.x;
                mov.u32 %r5, %tid.x;
                mad.lo.u32 %r6, %r3, %r4, %r5;
                setp.eq.u32 %p1, %r2, 2;
            LOOP:
                @%p1 bra LOOP;
                setp.ge.u32 %p2, %r6, %r1;
                @%p2 ret;
                setp.eq.u32 %p3, %r2, 1;
                @%p3 trap;
                mov.u32 %r8, tile;
                mad.lo.u32 %r7, %r5, 4, %r8;
                st.shared.u32 [%r7], %r6;
                bar.sync 0;
                ld.shared.u32 %r8, [%r7];
                mul.wide.u32 %rd2, %r8, 4;
                add.u64 %rd2, %rd2, %rd1;
                red.global.add.u32 [%rd2], 1;
                mov.u64 %rd3, 1;
                red.global.add.u64 [total], %rd3;
                ret;
            }
            """;
    private static final int RIGHT = 0;
    private static final int TRAPS = 1;
    private static final int ENDLESS = 2;

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong added = new AtomicLong();

    @Test
    @Timeout(180)
    void nothingIsLostAndNothingLeaksWhateverHappensAtOnce() throws InterruptedException {
        long nanos = Duration.ofSeconds(Boolean.getBoolean("ptx4j.long") ? 60 : 2).toNanos();
        try (Device device = Device.builder().memory(1L << 26).workers(3).open()) {
            PtxModule module = device.load("stress.ptx", TEXT);
            long end = System.nanoTime() + nanos;
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                Random random = new Random(t);
                threads.add(Thread.ofPlatform().start(() -> {
                    while (System.nanoTime() < end && wrong.isEmpty()) {
                        try {
                            step(device, module.kernel("add"), random);
                        } catch (RuntimeException | AssertionError unexpected) {
                            wrong.add(unexpected.toString());
                        }
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertTrue(device.launches().awaitEnd(20));
            assertEquals("[]", wrong.toString());
            assertEquals(0, device.allocatedBytes());
            assertEquals(added.get(), module.global("total").toLongs()[0]);
        }
    }

    private void step(Device device, Kernel kernel, Random random) {
        int threads = 1 + random.nextInt(256);
        int blocks = 1 + random.nextInt(40);
        int n = threads * blocks;
        Launch launch = kernel.grid(blocks).block(threads);
        try (DeviceBuffer counts = device.allocateInts(n)) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    launch.launch(counts, n, RIGHT);
                    added.addAndGet(n);
                    check(counts, 1);
                }
                case 2 -> {
                    Stream stream = device.stream();
                    for (int i = 0; i < 5; i++) {
                        stream.launch(launch, counts, n, RIGHT);
                    }
                    stream.await();
                    added.addAndGet(5L * n);
                    check(counts, 5);
                }
                case 3 -> expect(KernelException.class, () -> launch.launch(counts, n, TRAPS));
                case 4 -> expect(LaunchStoppedException.class, () -> launch.timeout(Duration.ofMillis(5)).launch(counts, n, ENDLESS));
                default -> {
                    var future = launch.launchAsync(counts, n, ENDLESS);
                    // The buffer is closed while the kernel may still run.
                    future.cancel(true);
                    expect(CancellationException.class, future::join);
                }
            }
        }
    }

    private void check(DeviceBuffer counts, int expected) {
        for (int count : counts.toInts()) {
            if (count != expected) {
                wrong.add("a thread ran " + count + " times, not " + expected);
                return;
            }
        }
    }

    private void expect(Class<? extends RuntimeException> type, Runnable action) {
        try {
            action.run();
            wrong.add("no " + type.getSimpleName());
        } catch (CompletionException wrapped) {
            wrong.add(wrapped.toString());
        } catch (RuntimeException failure) {
            if (!type.isInstance(failure)) {
                wrong.add(failure.toString());
            }
        }
    }
}
