package io.ptx4j.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.CompilationException;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchStoppedException;
import io.ptx4j.runtime.OutOfDeviceMemoryException;
import io.ptx4j.runtime.PtxModule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Devices, modules and buffers are closed, twice, by several threads and while others launch, load and allocate. Whoever meets something closed is
 * told so; nothing else happens. A minute of it in the long profile.
 */
@Timeout(180)
final class ClosingUnderLoadTest {
    private static final long NANOS = Duration.ofMillis(Boolean.getBoolean("ptx4j.long") ? 60_000 : 700).toNanos();
    private static final String TEXT = """
            .version 8.0
            .target sm_80
            .address_size 64
            .global .u32 count;
            .visible .entry k(.param .u64 p, .param .u32 mode)
            {
                .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<4>;
                ld.param.u64 %d0, [p];
                ld.param.u32 %r1, [mode];
                setp.eq.u32 %p1, %r1, 1;
                setp.eq.u32 %p2, %r1, 2;
            LOOP:
                @%p1 bra LOOP;
                @%p2 trap;
                red.global.add.u32 [%d0], 1;
                bar.sync 0;
                ret;
            }
            """;
    private static final String TOO_LARGE = ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 first = 1;\n.global .b8 large[80000000];\n"
            + ".visible .entry k() { ret; }\n";

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    @Test
    void aDeviceMayBeClosedWhateverGoesOn() throws InterruptedException {
        long end = System.nanoTime() + NANOS;
        int rounds = 0;
        for (; (System.nanoTime() < end || rounds < CaseEngine.values().length) && wrong.isEmpty(); rounds++) {
            CaseEngine engine = CaseEngine.values()[rounds % CaseEngine.values().length];
            // Buffers are given back when the launches under way have ended, which on a busy machine leaves hundreds of them.
            Device device = Device.builder().engine(engine.create()).memory(1 << 26).workers(2).open();
            Launch launch = device.load("closing.ptx", TEXT).kernel("k").grid(7).block(33);
            CountDownLatch busy = new CountDownLatch(4);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Random random = new Random(31L * rounds + t);
                threads.add(Thread.ofPlatform().start(() -> use(device, launch, random, busy)));
            }
            busy.await();
            for (int t = 0; t < 2; t++) {
                threads.add(Thread.ofPlatform().start(() -> tolerant(device::close)));
            }
            for (Thread thread : threads) {
                thread.join(20_000);
                assertTrue(!thread.isAlive(), "a thread hangs in round " + rounds);
            }
            device.close();
            assertThrows(IllegalStateException.class, () -> device.allocate(1));
            assertThrows(IllegalStateException.class, () -> device.load("closing.ptx", TEXT));
            assertThrows(IllegalStateException.class, () -> launch.launch(0L, 0));
            assertThrows(IllegalStateException.class, device::stream);
        }
        assertEquals("[]", wrong.toString());
    }

    private void tolerant(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error unexpected) {
            wrong.add("close: " + unexpected);
        }
    }

    /** Uses a device until it is closed. */
    private void use(Device device, Launch launch, Random random, CountDownLatch busy) {
        try {
            for (int i = 0;; i++) {
                step(device, launch, random);
                if (i == 3) {
                    busy.countDown();
                }
            }
        } catch (IllegalStateException closed) {
            // What everything says of a closed device.
        } catch (LaunchStoppedException stopped) {
            if (stopped.reason() != LaunchStoppedException.Reason.DEVICE_CLOSED) {
                wrong.add(stopped.toString());
            }
        } catch (RuntimeException | Error unexpected) {
            wrong.add(unexpected.toString());
        } finally {
            busy.countDown();
        }
    }

    private void step(Device device, Launch launch, Random random) {
        DeviceBuffer p = device.allocate(1 + random.nextInt(100_000));
        switch (random.nextInt(7)) {
            case 0 -> launch.launch(p, 0);
            case 1 -> expect(KernelException.class, () -> launch.launch(p, 2));
            case 2 -> expect(LaunchStoppedException.class, () -> launch.timeout(Duration.ofMillis(1)).launch(p, 1));
            case 3 -> {
                try {
                    var first = launch.launchAsync(p, 0);
                    p.close();
                    p.close();
                    first.join();
                } catch (CompletionException failed) {
                    throw (RuntimeException) failed.getCause();
                }
            }
            case 4 -> {
                PtxModule module = device.load("other.ptx", TEXT);
                module.kernel("k").grid(1).block(1).launchAsync(p, 0);
                module.close();
                module.close();
            }
            case 5 -> expect(OutOfDeviceMemoryException.class, () -> device.load("large.ptx", TOO_LARGE));
            default -> expect(CompilationException.class, () -> device.load("wrong.ptx", TEXT.replace("ret;", "rte;")));
        }
        p.close();
    }

    private void expect(Class<? extends RuntimeException> type, Runnable action) {
        try {
            action.run();
            wrong.add("no " + type.getSimpleName());
        } catch (RuntimeException failure) {
            boolean closed = failure instanceof LaunchStoppedException stopped && stopped.reason() == LaunchStoppedException.Reason.DEVICE_CLOSED;
            if (closed || !type.isInstance(failure)) {
                throw failure;
            }
        }
    }

    /** What did not fit leaves nothing behind, and the device goes on. */
    @Test
    void aModuleThatDoesNotFitLeavesNothingBehind() {
        try (Device device = Device.builder().memory(1 << 21).open()) {
            for (int i = 0; i < 100; i++) {
                assertThrows(OutOfDeviceMemoryException.class, () -> device.load("large.ptx", TOO_LARGE));
                assertEquals(0, device.allocatedBytes());
            }
            try (DeviceBuffer p = device.allocate(4); PtxModule module = device.load("small.ptx", TEXT)) {
                module.kernel("k").grid(1).block(32).launch(p, 0);
                assertEquals(32, p.toInts()[0]);
            }
            assertEquals(0, device.allocatedBytes());
        }
    }
}
