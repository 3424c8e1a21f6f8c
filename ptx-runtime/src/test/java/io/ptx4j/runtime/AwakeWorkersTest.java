package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that stay awake between launches, with an engine whose blocks are Java. */
@Timeout(60)
final class AwakeWorkersTest {
    private static final Duration MOST_IDLE = Duration.ofMillis(60);
    private static final long SECOND = 1_000_000_000;

    @BeforeAll
    static void thereAreTwoProcessors() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "nobody stays awake on the only processor");
    }

    private static Device device(int workers, FakeEngine.BlockCode code) {
        return Device.builder().engine(new FakeEngine(code, 64)).memory(1L << 24).workers(workers).open();
    }

    private static Launch launch(Device device, int blocks) {
        return device.load(Programs.withKernel()).kernel("k").grid(blocks).block(32);
    }

    private static void spin(long nanos) {
        for (long end = System.nanoTime() + nanos; System.nanoTime() < end;) {
            Thread.onSpinWait();
        }
    }

    /** Launches until somebody stays awake on the device. */
    private static void launchUntilAwake(Device device, Launch launch) {
        for (long end = System.nanoTime() + 30 * SECOND; device.awake().of(1e9) == 0;) {
            launch.launch();
            assertTrue(System.nanoTime() < end, "nobody stays awake");
        }
    }

    private static void awaitSleep(Device device) {
        for (long end = System.nanoTime() + 10 * SECOND; device.awake().of(1e9) > 0; Thread.yield()) {
            assertTrue(System.nanoTime() < end, "somebody is still awake");
        }
    }

    /** Before workers stayed awake a launch was shared after 20 µs at the earliest, if all launches before it had been so short; now and then one woke up sooner. */
    @Test
    void launchesThatComeAtOnceAreSharedThoughTheyAreShort() {
        var others = new AtomicInteger();
        var caller = Thread.currentThread();
        try (Device device = device(2, (worker, block) -> {
            if (Thread.currentThread() != caller) {
                others.incrementAndGet();
            }
            spin(500);
        })) {
            Launch launch = launch(device, 12);
            int most = 0;
            int inRow = 0;
            for (long end = System.nanoTime() + 40 * SECOND; inRow < 50;) {
                assertTrue(System.nanoTime() < end, "at most " + most + " short launches in a row were shared");
                others.set(0);
                long start = System.nanoTime();
                launch.launch();
                inRow = System.nanoTime() - start < 15_000 && others.get() > 0 ? inRow + 1 : 0;
                most = Math.max(most, inRow);
            }
        }
    }

    @Test
    void launchesApartKeepNobodyAwake() throws InterruptedException {
        try (Device device = device(2, (worker, block) -> spin(2_000))) {
            Launch launch = launch(device, 50);
            for (int i = 0; i < 100; i++) {
                launch.launch();
                for (long end = System.nanoTime() + 100_000; System.nanoTime() < end;) {
                    assertEquals(0, device.awake().of(1e9), "awake behind launch " + i);
                }
                Thread.sleep(2);
            }
        }
    }

    @Test
    void whoIsAwakeGoesToSleepAndTakesNoTime() throws InterruptedException {
        try (Device device = device(2, (worker, block) -> spin(500))) {
            launchUntilAwake(device, launch(device, 12));
            awaitSleep(device);
            // The JVM's compilers may have work for a while.
            Duration least = Duration.ofDays(1);
            for (int attempt = 0; attempt < 20 && least.compareTo(MOST_IDLE) > 0; attempt++) {
                Duration before = processTime();
                Thread.sleep(300);
                Duration took = processTime().minus(before);
                least = took.compareTo(least) < 0 ? took : least;
            }
            assertTrue(least.compareTo(MOST_IDLE) <= 0, "the process took " + least + " of 0.3 s while nothing was launched");
        }
    }

    private static Duration processTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Else a worker that has just come, whose first blocks take a little longer, would be sent away before it gains anything, each time again. */
    @Test
    void theyDoNotRestAfterTheLittleThatFirstBlocksLose() {
        try (Device device = device(2, (worker, block) -> { })) {
            AwakeWorkers awake = device.awake();
            awake.shared(-36);
            awake.shared(-1_700);
            awake.shared(-10_000);
            assertFalse(awake.rests(), "after 12 µs lost");
            awake.shared(-10_000);
            assertTrue(awake.rests(), "after 22 µs lost");
        }
    }

    @Test
    void theyRestWhereLaunchesHaveLostMoreThanTheyGained() {
        try (Device device = device(2, (worker, block) -> { })) {
            AwakeWorkers awake = device.awake();
            for (int i = 0; i < 100; i++) {
                awake.shared(2_000);
            }
            awake.shared(-25_000);
            assertFalse(awake.rests(), "after 25 µs lost of 200 gained");
            awake.shared(-4_000_000);
            assertTrue(awake.rests(), "after 4 ms lost");
        }
    }

    @Test
    void whoIsWokenInVainIsLetSleep() {
        try (Device device = device(2, (worker, block) -> { })) {
            AwakeWorkers awake = device.awake();
            assertFalse(awake.inTheWay());
            stayInVain(awake);
            assertFalse(awake.inTheWay(), "after one");
            // Nobody stays awake, and so in vain, while another thread had the processor for a moment or another device's worker is about to sleep.
            for (long end = System.nanoTime() + 30 * SECOND; !awake.inTheWay();) {
                stayInVain(awake);
                assertTrue(System.nanoTime() < end, "stays in vain, but is not let sleep");
            }
        }
    }

    private static void stayInVain(AwakeWorkers awake) {
        awake.begins(System.nanoTime());
        awake.ended(System.nanoTime());
        awake.begins(System.nanoTime());
        awake.stay();
    }

    @Test
    void nobodyIsAwakeOnAClosedDevice() {
        for (int round = 0; round < 20; round++) {
            Device device = device(3, (worker, block) -> spin(500));
            launchUntilAwake(device, launch(device, 12));
            device.close();
            awaitSleep(device);
            device.awake().stay();
            assertEquals(0, device.awake().of(1e9));
        }
    }

    @Test
    void aDeviceWithOneWorkerKeepsNobodyAwake() {
        try (Device device = device(1, (worker, block) -> spin(500))) {
            Launch launch = launch(device, 12);
            for (int i = 0; i < 1000; i++) {
                launch.launch();
                assertEquals(0, device.awake().of(1e9));
            }
        }
    }

    @Test
    void everyBlockOfShortLaunchesFromManyThreadsRunsOnce() {
        var arrays = new AtomicIntegerArray(8 * 64);
        try (Device device = device(3, (worker, block) -> arrays.incrementAndGet((int) (64 * (worker.grid.z - 1) + block % 64)))) {
            PtxModule module = device.load(Programs.withKernel());
            var failure = new AtomicReference<Throwable>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int own = t;
                // The thread's number is the grid's third size, so that each counts for itself; its blocks are a multiple of that.
                Launch launch = module.kernel("k").grid(64, 1, own + 1).block(32);
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int i = 1; i <= 500; i++) {
                        launch.launch();
                        for (int block = 0; block < 64; block++) {
                            if (arrays.get(64 * own + block) != i * (own + 1)) {
                                failure.compareAndSet(null, new AssertionError("block " + block + " of launch " + i + " of thread " + own));
                            }
                        }
                    }
                }));
            }
            threads.forEach(AwakeWorkersTest::join);
            assertEquals(null, failure.get());
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stop) {
            throw new AssertionError(stop);
        }
    }

    @Test
    void blocksThatLaunchOnOtherDevicesAndOnTheirOwnEnd() {
        var inner = new AtomicInteger();
        var innermost = new AtomicReference<Launch>();
        var own = new AtomicReference<Launch>();
        try (Device second = device(2, (worker, block) -> inner.incrementAndGet()); Device first = device(2, (worker, block) -> {
            if (worker.grid.x == 6) {
                innermost.get().launch();
                own.get().launch();
            } else {
                inner.incrementAndGet();
            }
        })) {
            innermost.set(launch(second, 12));
            own.set(launch(first, 3));
            Launch outer = launch(first, 6);
            for (int i = 1; i <= 500; i++) {
                outer.launch();
                assertEquals(i * 6 * (12 + 3), inner.get());
            }
        }
    }

    @Test
    void asynchronousLaunchesAndStreamsEndWhileSomebodyIsAwake() {
        var ran = new AtomicInteger();
        try (Device device = device(2, (worker, block) -> ran.incrementAndGet())) {
            Launch launch = launch(device, 12);
            Stream stream = device.stream();
            for (int i = 1; i <= 500; i++) {
                launch.launch();
                CompletableFuture<?>[] all = IntStream.range(0, 3).mapToObj(n -> launch.launchAsync()).toArray(CompletableFuture[]::new);
                stream.launch(launch);
                CompletableFuture.allOf(all).join();
                stream.await();
                assertEquals(i * 5 * 12, ran.get());
            }
        }
    }

    /** Blocks that wait for each other need several turns at the workers; another device's short launches go on meanwhile. */
    @Test
    void launchesWhoseBlocksWaitForEachOtherEndWhileWorkersOfTwoDevicesAreAwake() {
        try (Device waiting = Device.builder().memory(1L << 26).workers(2).open(); Device other = device(2, (worker, block) -> spin(500))) {
            Kernel meet = waiting.load("meet.ptx", """
                    .version 8.0
                    .target sm_70
                    .address_size 64
                    .visible .entry meet(.param .u64 counter, .param .u32 all)
                    {
                        .reg .u64 %a; .reg .u32 %n, %m; .reg .pred %p;
                        ld.param.u64 %a, [counter];
                        ld.param.u32 %n, [all];
                        red.global.add.u32 [%a], 1;
                    AGAIN:
                        ld.volatile.global.u32 %m, [%a];
                        setp.lt.u32 %p, %m, %n;
                        @%p bra AGAIN;
                        ret;
                    }
                    .visible .entry add(.param .u64 counter)
                    {
                        .reg .u64 %a;
                        ld.param.u64 %a, [counter];
                        red.global.add.u32 [%a+4], 1;
                        ret;
                    }
                    """).kernel("meet");
            DeviceBuffer counter = waiting.allocateInts(2);
            Launch add = meet.module().kernel("add").grid(200).block(32);
            Launch shortOne = launch(other, 12);
            int meetings = 200;
            int adds = 0;
            for (int i = 1; i <= meetings; i++) {
                shortOne.launch();
                for (int n = 0; n < 10; n++, adds++) {
                    add.launch(counter);
                }
                meet.grid(5).block(1).launch(counter, 5 * i);
            }
            assertEquals(5 * meetings, counter.toInts()[0]);
            assertEquals(adds * 200 * 32, counter.toInts()[1]);
        }
    }
}
