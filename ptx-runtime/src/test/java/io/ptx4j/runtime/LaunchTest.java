package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;
import io.ptx4j.isa.ScalarType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LaunchTest {
    private static Device device(int workers, FakeEngine.BlockCode code) {
        return Device.builder().engine(new FakeEngine(code, 64)).memory(1L << 24).workers(workers).open();
    }

    private static Kernel kernel(Device device, ScalarType... types) {
        return device.load(Programs.withKernel(types)).kernel("k");
    }

    private static Fault out(long block, int thread, long address) {
        return new Fault(Fault.Kind.OUT_OF_BOUNDS, "outside", 2, block, thread, address, 4, "ld.global.u32", null);
    }

    @Test
    void everyBlockRunsOnceWhateverTheGridAndTheWorkers() {
        for (int workers : new int[] {1, 2, 7}) {
            for (int blocks : new int[] {1, 3, 64, 1000, 12_345}) {
                var ran = new AtomicIntegerArray(blocks);
                try (Device device = device(workers, (worker, block) -> ran.incrementAndGet((int) block))) {
                    LaunchResult result = kernel(device).grid(blocks).block(32).launch();
                    for (int i = 0; i < blocks; i++) {
                        assertEquals(1, ran.get(i), "block " + i + " of " + blocks + " on " + workers);
                    }
                    assertEquals(blocks * 32L, result.threads());
                    assertEquals("fake", result.shape());
                }
            }
        }
    }

    @Test
    void aWorkerSeesTheLaunchAsItWasAskedFor() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        try (Device device = device(1, (worker, block) -> {
            var grid = worker.grid;
            seen.add(grid.x + "," + grid.y + "," + grid.z + " " + grid.block + " " + grid.dynamicSharedBytes);
            assertEquals(8, grid.parameters.byteSize());
            assertEquals(worker.memory.asSlice(grid.parameterBase - AddressSpace.ORIGIN).address(), grid.parameters.address());
            assertEquals(77, grid.parameters.get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
            assertEquals(100, worker.shared.byteSize());
            assertEquals(worker.memory.asSlice(worker.sharedBase - AddressSpace.ORIGIN).address(), worker.shared.address());
            assertEquals(64 * 8, worker.local.byteSize());
            assertEquals(worker.memory.asSlice(worker.localBase - AddressSpace.ORIGIN).address(), worker.local.address());
        })) {
            kernel(device, ScalarType.U64).grid(3, 2, 1).block(2, 2, 2).shared(100).launch(77L);
            assertEquals(Collections.nCopies(6, "3,2,1 (2,2,2) 100"), seen);
        }
    }

    @Test
    void memoryEndsWithTheHighestBuffer() {
        try (Device device = device(1, (worker, block) -> {
            long end = worker.grid.parameters.get(java.lang.foreign.ValueLayout.JAVA_LONG, 0);
            assertEquals(end - AddressSpace.ORIGIN, worker.memory.byteSize());
        })) {
            Kernel kernel = kernel(device, ScalarType.U64);
            DeviceBuffer buffer = device.allocate(1001);
            kernel.grid(1).block(1).launch(buffer.address() + 1001);
        }
    }

    @Test
    void aFaultSaysWhatWhereAndNextToWhat() {
        try (Device device = device(2, (worker, block) -> {
            if (block == 4) {
                long x = worker.grid.parameters.get(java.lang.foreign.ValueLayout.JAVA_LONG, 0);
                throw out(4, 33, x + 4000 + 12);
            }
        })) {
            DeviceBuffer x = device.allocateFloats(1000).named("x");
            Kernel kernel = kernel(device, ScalarType.U64);
            var failure = assertThrows(KernelException.class, () -> kernel.grid(3, 2).block(32, 2).launch(x));
            assertEquals("test.ptx:2: kernel k, block (1,1,0), thread (1,1,0): ld.global.u32 of 4 bytes at "
                    + Amount.address(x.address() + 4012) + " is out of bounds; 12 bytes past the end of x (4,000 bytes at "
                    + Amount.address(x.address()) + ")\n  2 | second line;\n  compiled from test.cu:20", failure.getMessage());
            assertEquals(KernelException.Kind.OUT_OF_BOUNDS, failure.kind());
            assertEquals(new Dim3(1, 1, 0), failure.block().orElseThrow());
            assertEquals(new Dim3(1, 1, 0), failure.thread().orElseThrow());
            assertEquals(2, failure.line().orElseThrow());
            assertEquals("x", failure.access().orElseThrow().nearest().allocation());
            kernel.grid(1).block(1).launch(x);
        }
    }

    @Test
    void nullAndAddressesOutsideTheDeviceAreCalledSo() {
        long[] address = {0};
        try (Device device = device(1, (worker, block) -> {
            throw out(block, 0, address[0]);
        })) {
            Kernel kernel = kernel(device);
            for (var expected : Map.of(0L, "that is null", 16L, "that is null plus 16", 0x12345678L, "no device address is that low",
                    -1L, "no device address is that high").entrySet()) {
                address[0] = expected.getKey();
                var failure = assertThrows(KernelException.class, () -> kernel.grid(1).block(1).launch());
                assertTrue(failure.getMessage().lines().findFirst().orElseThrow().endsWith("; " + expected.getValue()), failure.getMessage());
            }
        }
    }

    @Test
    void anAccessToAWindowIsCountedFromItsStart() {
        try (Device device = device(1, (worker, block) -> {
            throw new Fault(Fault.Kind.OUT_OF_BOUNDS, "outside", 1, block, 3, 400, 4, "st.shared.f32", null);
        })) {
            Kernel kernel = kernel(device);
            var failure = assertThrows(KernelException.class, () -> kernel.grid(1).block(4).shared(400).launch());
            assertEquals("test.ptx:1: kernel k, block (0,0,0), thread (3,0,0): st.shared.f32 of 4 bytes at offset 400 of shared memory"
                    + " is out of bounds; the block has 400 bytes of it\n  1 | first line", failure.getMessage());
        }
    }

    @Test
    void theLowestFailingBlockIsReportedWhateverTheTiming() {
        for (int round = 0; round < 50; round++) {
            try (Device device = device(8, (worker, block) -> {
                if (block == 700) {
                    throw out(block, 0, 0);
                }
                if (block == 123) {
                    pause(2);
                    throw out(block, 0, 0);
                }
                if (block > 700) {
                    FakeEngine.loop(worker);
                }
            })) {
                Kernel kernel = kernel(device);
                var failure = assertThrows(KernelException.class, () -> kernel.grid(1000).block(32).launch());
                assertEquals(new Dim3(123, 0, 0), failure.block().orElseThrow());
            }
        }
    }

    private static void pause(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException wake) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whateverAnEngineThrowsEndsInAKernelException() {
        Throwable[] thrown = {new IllegalStateException("broken"), new StackOverflowError(), new AssertionError("assert")};
        KernelException.Kind[] kinds = {KernelException.Kind.INTERNAL, KernelException.Kind.STACK_OVERFLOW, KernelException.Kind.INTERNAL};
        for (int i = 0; i < thrown.length; i++) {
            Throwable failure = thrown[i];
            try (Device device = device(2, (worker, block) -> LaunchTest.<RuntimeException>rethrow(failure))) {
                Kernel kernel = kernel(device);
                assertEquals(kinds[i], assertThrows(KernelException.class, () -> kernel.grid(100).block(1).launch()).kind());
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void aCancelledFutureStopsTheGridSoon() throws InterruptedException {
        var started = new CountDownLatch(1);
        try (Device device = device(2, (worker, block) -> {
            started.countDown();
            FakeEngine.loop(worker);
        })) {
            CompletableFuture<LaunchResult> future = kernel(device).grid(10).block(1).launchAsync();
            started.await();
            long start = System.nanoTime();
            assertTrue(future.cancel(true));
            assertThrows(CancellationException.class, future::join);
            assertTrue(device.launches().awaitEnd(5));
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(5));
        }
    }

    @Test
    void aTimeoutStopsEvenAGridThatKeepsAllWorkersBusy() {
        try (Device device = Device.builder().engine(new FakeEngine((worker, block) -> FakeEngine.loop(worker))).workers(2)
                .memory(1L << 20).timeout(Duration.ofMillis(50)).open()) {
            Kernel kernel = kernel(device);
            var stopped = assertThrows(LaunchStoppedException.class, () -> kernel.grid(10).block(1).launch());
            assertEquals(LaunchStoppedException.Reason.TIMED_OUT, stopped.reason());
            assertTrue(stopped.getMessage().startsWith("the launch of kernel k ran longer than its timeout after "), stopped.getMessage());
            var async = kernel.grid(10).block(1).timeout(Duration.ofMillis(20)).launchAsync();
            assertTrue(assertThrows(CompletionException.class, async::join).getCause() instanceof LaunchStoppedException);
        }
    }

    @Test
    void anInterruptStopsALaunchThatItsThreadWaitsFor() throws InterruptedException {
        var waiting = new CountDownLatch(1);
        var reasons = new ArrayList<Object>();
        var caller = new Thread[1];
        try (Device device = device(2, (worker, block) -> {
            if (Thread.currentThread() != caller[0]) {
                waiting.countDown();
                FakeEngine.loop(worker);
            }
            pause(1);
        })) {
            Kernel kernel = kernel(device);
            caller[0] = new Thread(() -> {
                try {
                    kernel.grid(1_000_000).block(1).launch();
                } catch (LaunchStoppedException stopped) {
                    reasons.add(stopped.reason());
                    reasons.add(Thread.currentThread().isInterrupted());
                }
            });
            caller[0].start();
            waiting.await();
            caller[0].interrupt();
            caller[0].join();
            assertEquals(List.of(LaunchStoppedException.Reason.INTERRUPTED, true), reasons);
        }
    }

    @Test
    void closingTheDeviceEndsWhatIsUnderWay() throws InterruptedException {
        var started = new CountDownLatch(1);
        Device device = device(2, (worker, block) -> {
            started.countDown();
            FakeEngine.loop(worker);
        });
        Kernel kernel = kernel(device);
        var first = kernel.grid(10).block(1).launchAsync();
        var queued = device.stream();
        var second = queued.launch(kernel.grid(1).block(1));
        started.await();
        device.close();
        for (var future : List.of(first, second)) {
            var cause = assertThrows(CompletionException.class, future::join).getCause();
            assertEquals(LaunchStoppedException.Reason.DEVICE_CLOSED, ((LaunchStoppedException) cause).reason());
        }
        assertThrows(IllegalStateException.class, () -> kernel.grid(1).block(1).launch());
    }

    @Test
    void manyThreadsLaunchAtOnce() throws InterruptedException {
        var ran = new AtomicInteger();
        Set<Object> failures = ConcurrentHashMap.newKeySet();
        try (Device device = device(3, (worker, block) -> {
            int mine = (int) worker.grid.parameters.get(java.lang.foreign.ValueLayout.JAVA_LONG, 0);
            worker.shared.fill((byte) mine);
            ran.incrementAndGet();
            for (long i = 0; i < worker.shared.byteSize(); i++) {
                if (worker.shared.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i) != (byte) mine) {
                    failures.add("two workers share a window");
                }
            }
        })) {
            Kernel kernel = kernel(device, ScalarType.U64);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 16; t++) {
                long id = t;
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 50; i++) {
                        try (DeviceBuffer scratch = device.allocate(64 + id)) {
                            kernel.grid(20).block(8).shared(256 + i).launch(id);
                            scratch.fill((byte) 1);
                        } catch (RuntimeException failure) {
                            failures.add(failure);
                        }
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(Set.of(), failures);
            assertEquals(16 * 50 * 20, ran.get());
            assertEquals(0, device.allocatedBytes());
        }
    }

    @Test
    void aStreamKeepsItsOrder() {
        List<Long> order = Collections.synchronizedList(new ArrayList<>());
        try (Device device = device(4, (worker, block) -> {
            pause(1);
            order.add(worker.grid.parameters.get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
        })) {
            Launch launch = kernel(device, ScalarType.U64).grid(3).block(1);
            Stream stream = device.stream();
            for (long i = 0; i < 20; i++) {
                stream.launch(launch, i);
            }
            stream.run(() -> order.add(-1L));
            stream.await();
            List<Long> expected = new ArrayList<>();
            for (long i = 0; i < 20; i++) {
                expected.addAll(Collections.nCopies(3, i));
            }
            expected.add(-1L);
            assertEquals(expected, order);
        }
    }

    @Test
    void aFailureStopsItsStreamAndNoOther() {
        try (Device device = device(2, (worker, block) -> {
            if (worker.grid.parameters.get(java.lang.foreign.ValueLayout.JAVA_LONG, 0) == 1) {
                throw out(block, 0, 0);
            }
        })) {
            Launch launch = kernel(device, ScalarType.U64).grid(1).block(1);
            Stream stream = device.stream();
            Stream other = device.stream();
            stream.launch(launch, 0L);
            stream.launch(launch, 1L);
            var after = stream.launch(launch, 2L);
            other.launch(launch, 3L);
            assertEquals(KernelException.Kind.OUT_OF_BOUNDS, assertThrows(KernelException.class, stream::await).kind());
            var refused = (LaunchStoppedException) assertThrows(CompletionException.class, after::join).getCause();
            assertEquals(LaunchStoppedException.Reason.EARLIER_FAILURE, refused.reason());
            assertTrue(refused.getCause() instanceof KernelException);
            other.await();
            stream.launch(launch, 4L);
            stream.await();
        }
    }

    @Test
    void aBufferClosedDuringALaunchIsFreedAfterIt() throws InterruptedException {
        var started = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (Device device = device(2, (worker, block) -> {
            started.countDown();
            try {
                go.await();
            } catch (InterruptedException wake) {
                Thread.currentThread().interrupt();
            }
        })) {
            DeviceBuffer buffer = device.allocate(1000);
            long used = device.allocatedBytes();
            var future = kernel(device, ScalarType.U64).grid(1).block(1).launchAsync(buffer);
            started.await();
            buffer.close();
            assertEquals(used, device.allocatedBytes());
            go.countDown();
            future.join();
            assertEquals(used - 1024, device.allocatedBytes());
        }
    }

    @Test
    void limitsAreCheckedBeforeAnythingRuns() {
        try (Device device = device(1, (worker, block) -> {
            throw new AssertionError("ran");
        })) {
            Kernel kernel = kernel(device);
            String start = "kernel k cannot be launched: ";
            assertRefused(start + "the block is not given; say block(threads)", kernel.grid(1));
            assertRefused(start + "a block of (64,32,1) has 2048 threads; at most 1024 are possible", kernel.grid(1).block(64, 32));
            assertRefused(start + "the block is (2048,1,1); at most (1024,1024,64) is possible", kernel.grid(1).block(2048));
            assertRefused(start + "the block is (1,1,128); at most (1024,1024,64) is possible", kernel.grid(1).block(1, 1, 128));
            assertRefused(start + "the grid is (0,1,1); each dimension must be at least 1", kernel.grid(0).block(1));
            assertRefused(start + "the grid is (1,65536,1); at most (2147483647,65535,65535) is possible",
                    kernel.grid(1, 65_536).block(1));
            assertRefused(start + "a block needs 300 KiB of shared memory, 300 KiB of them dynamic; at most 227 KiB are possible",
                    kernel.grid(1).block(1).shared(300 << 10));
            assertRefused(start + "-1 bytes of dynamic shared memory; that is less than none", kernel.grid(1).block(1).shared(-1));
        }
    }

    @Test
    void aNullInPlaceOfAllArgumentsIsOneArgument() {
        try (Device device = device(1, (worker, block) -> { })) {
            Launch launch = kernel(device, ScalarType.U64).grid(1).block(1);
            assertThrows(LaunchException.class, () -> launch.launch((Object[]) null));
        }
    }

    @Test
    void theDirectivesOfAKernelLimitItsBlock() {
        var required = Programs.kernel("r", List.of(), new io.ptx4j.ir.Kernel.Limits(null, List.of(8, 4, 1), null), 0);
        var most = Programs.kernel("m", List.of(), new io.ptx4j.ir.Kernel.Limits(List.of(128, 1, 1), null, null), 0);
        var ran = new AtomicInteger();
        try (Device device = device(1, (worker, block) -> ran.incrementAndGet())) {
            PtxModule module = device.load(Programs.module(List.of(), Map.of(), 0, required, most));
            assertRefused("kernel r cannot be launched: the block is (32,1,1); the kernel requires (8,4,1) (.reqntid)",
                    module.kernel("r").grid(1).block(32));
            assertRefused("kernel m cannot be launched: the block is (16,16,1), 256 threads; the kernel allows 128 (.maxntid)",
                    module.kernel("m").grid(1).block(16, 16));
            assertEquals(new Dim3(8, 4, 1), module.kernel("r").grid(1).launch().block());
            module.kernel("m").grid(1).block(8, 16).launch();
            assertEquals(2, ran.get());
        }
    }

    private static void assertRefused(String message, Launch launch) {
        assertEquals(message, assertThrows(LaunchException.class, launch::launch).getMessage());
        assertEquals(message, assertThrows(LaunchException.class, launch::launchAsync).getMessage());
    }

    @Test
    void aLaunchWithoutRoomForItsWindowsSaysSoAndTheDeviceGoesOn() {
        try (Device device = Device.builder().engine(new FakeEngine((worker, block) -> { }, 1L << 20)).memory(1L << 20).workers(2).open()) {
            Kernel kernel = kernel(device);
            var full = assertThrows(OutOfDeviceMemoryException.class, () -> kernel.grid(4).block(1024).launch());
            assertTrue(full.getMessage().contains("local memory of worker"), full.getMessage());
            kernel.grid(4).block(1).launch();
        }
    }

    @Test
    void anEngineThatGivesUpUnaskedIsAFaultOfOurs() {
        try (Device device = device(2, (worker, block) -> {
            throw Fault.at(Fault.Kind.CANCELLED, "cancelled", 0, -1, -1);
        }); Device huge = Device.builder().engine(new FakeEngine((worker, block) -> { }, Long.MAX_VALUE)).memory(1L << 20).open()) {
            for (Device one : new Device[] {device, huge}) {
                Kernel kernel = kernel(one);
                var failure = assertThrows(KernelException.class, () -> kernel.grid(10).block(2).launch());
                assertEquals(KernelException.Kind.INTERNAL, failure.kind());
            }
        }
    }

    @Test
    void workersKeepTheirWindowsBetweenLaunches() {
        Set<Long> windows = ConcurrentHashMap.newKeySet();
        try (Device device = device(1, (Worker worker, long block) -> windows.add(worker.sharedBase))) {
            Kernel kernel = kernel(device);
            for (int i = 0; i < 100; i++) {
                kernel.grid(3).block(32).shared(1000).launch();
            }
            assertEquals(1, windows.size());
            assertFalse(windows.contains(0L));
        }
    }
}
