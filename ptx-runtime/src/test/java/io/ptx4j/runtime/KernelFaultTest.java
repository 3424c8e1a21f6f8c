package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What kernels do wrong, on the engines that ptx4j has. */
@Timeout(60)
final class KernelFaultTest {
    private static final String HEAD = """
            .version 7.0
            .target sm_70
            .address_size 64
            .const .u32 table[4] = {1, 2, 3, 4};
            .visible .entry k(.param .u64 p, .param .u64 q)
            {
                .shared .align 16 .b8 tile[64];
                .local .align 16 .b8 stack[32];
                .reg .pred %pr<4>;
                .reg .u32 %r<9>;
                .reg .u64 %rd<9>;
                ld.param.u64 %rd1, [p];
                ld.param.u64 %rd2, [q];
                mov.u32 %r1, %tid.x;
                mov.u32 %r2, %ctaid.x;
            """;
    private static final String TAIL = """
                ret;
            }
            """;

    private static KernelException failure(Device device, String code, long p, long q) {
        Kernel kernel = device.load("k.ptx", HEAD + code + TAIL).kernel("k");
        var failure = assertThrows(KernelException.class, () -> kernel.grid(2, 2).block(4, 2).launch(p, q));
        assertUsable(device);
        return failure;
    }

    private static void assertUsable(Device device) {
        try (DeviceBuffer word = device.allocateInts(1)) {
            device.load("good.ptx", HEAD + "    st.global.u32 [%rd1], 77;\n" + TAIL).kernel("k").grid(1).block(1).launch(word, 0L);
            assertEquals(77, word.toInts()[0]);
        }
    }

    /** Asserts what a fault says without the address, which is not ours to know. */
    private static void assertSays(String expected, KernelException failure) {
        assertEquals(expected, failure.getMessage().replaceAll("0x7f[0-9a-f]{10}", "ADDRESS"));
    }

    private static Device device(EngineKind kind) {
        return Device.builder().engine(kind).memory(1L << 24).open();
    }

    @ParameterizedTest
    @EnumSource
    void readingPastABufferNamesIt(EngineKind kind) {
        try (Device device = device(kind); DeviceBuffer x = device.allocateInts(10).named("x")) {
            String code = """
                        setp.ne.u32 %pr1, %r2, 1;
                        @%pr1 ret;
                        mul.wide.u32 %rd3, %r1, 4;
                        add.u64 %rd3, %rd3, %rd1;
                        ld.global.v2.u32 {%r3, %r4}, [%rd3+40];
                    """;
            var failure = failure(device, code, x.address(), 0);
            assertSays("k.ptx:20: kernel k, block (1,0,0), thread (0,0,0): ld.global.v2.u32 of 8 bytes at ADDRESS is out of bounds;"
                    + " 0 bytes past the end of x (40 bytes at ADDRESS)\n  20 | ld.global.v2.u32 {%r3, %r4}, [%rd3+40];", failure);
            assertEquals(KernelException.Kind.OUT_OF_BOUNDS, failure.kind());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNullPointerIsCalledSo(EngineKind kind) {
        try (Device device = device(kind)) {
            assertSays("k.ptx:16: kernel k, block (0,0,0), thread (0,0,0): st.f32 of 4 bytes at 0x8 is out of bounds; that is null plus 8"
                    + "\n  16 | st.f32 [%rd1+8], 0f00000000;", failure(device, "    st.f32 [%rd1+8], 0f00000000;\n", 0, 0));
            assertSays("k.ptx:16: kernel k, block (0,0,0), thread (0,0,0): atom.global.add.u32 of 4 bytes at 0x0 is out of bounds; that is"
                    + " null\n  16 | atom.global.add.u32 %r3, [%rd1], 1;", failure(device, "    atom.global.add.u32 %r3, [%rd1], 1;\n", 0, 0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTruncatedAddressIsNotOnTheDevice(EngineKind kind) {
        try (Device device = device(kind); DeviceBuffer x = device.allocateInts(10)) {
            var failure = failure(device, "    cvt.u32.u64 %r3, %rd1;\n    cvt.u64.u32 %rd1, %r3;\n    ld.global.u8 %r3, [%rd1];\n", x.address(), 0);
            assertTrue(failure.getMessage().contains(" is out of bounds; no device address is that low"), failure.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMisalignedAccessSaysOfWhat(EngineKind kind) {
        try (Device device = device(kind); DeviceBuffer x = device.allocateInts(10).named("x")) {
            assertSays("k.ptx:16: kernel k, block (0,0,0), thread (0,0,0): ld.global.u64 of 8 bytes at ADDRESS is misaligned: not a multiple"
                    + " of 8; at byte 4 of x (40 bytes at ADDRESS)\n  16 | ld.global.u64 %rd3, [%rd1+4];",
                    failure(device, "    ld.global.u64 %rd3, [%rd1+4];\n", x.address(), 0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofSeveralAccessesOnALineTheOneThatFailedIsNamed(EngineKind kind) {
        try (Device device = device(kind); DeviceBuffer x = device.allocateInts(10).named("x")) {
            String code = "    ld.global.u32 %r3, [%rd1]; add.u64 %rd3, %rd1, 6; st.global.u32 [%rd3], %r3;\n";
            KernelException failure = failure(device, code, x.address(), 0);
            assertEquals("st.global.u32", failure.access().orElseThrow().instruction());
        }
    }

    @ParameterizedTest
    @EnumSource
    void sharedLocalAndConstAccessesAreHeldToTheirWindows(EngineKind kind) {
        try (Device device = device(kind)) {
            assertSays("k.ptx:17: kernel k, block (0,0,0), thread (0,0,0): st.shared.u32 of 4 bytes at offset 64 of shared memory is out of"
                    + " bounds; the block has 64 bytes of it\n  17 | st.shared.u32 [%r3+64], %r1;",
                    failure(device, "    mov.u32 %r3, tile;\n    st.shared.u32 [%r3+64], %r1;\n", 0, 0));
            assertTrue(failure(device, "    mov.u32 %r3, stack;\n    add.u32 %r3, %r3, 1000000;\n    ld.local.u32 %r4, [%r3];\n", 0, 0)
                    .getMessage().contains(": ld.local.u32 of 4 bytes at offset 1000000 of local memory is out of bounds"));
            assertTrue(failure(device, "    mov.u64 %rd3, table;\n    ld.const.u32 %r4, [%rd3+16];\n", 0, 0)
                    .getMessage().contains(": ld.const.u32 of 4 bytes at offset 16 of const memory is out of bounds"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTrapEndsTheLaunchInTheThreadThatExecutesIt(EngineKind kind) {
        try (Device device = device(kind)) {
            var failure = failure(device, """
                        mov.u32 %r3, %tid.y;
                        mad.lo.u32 %r3, %r3, 4, %r1;
                        setp.eq.u32 %pr1, %r3, 6;
                        setp.eq.u32 %pr2, %r2, 1;
                        and.pred %pr1, %pr1, %pr2;
                        @%pr1 trap;
                    """, 0, 0);
            assertEquals(KernelException.Kind.TRAP, failure.kind());
            assertEquals(new Dim3(1, 0, 0), failure.block().orElseThrow());
            assertEquals(new Dim3(2, 1, 0), failure.thread().orElseThrow());
            assertEquals(21, failure.line().orElseThrow());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDeadlockNamesWhoWaitsWithWhichMask(EngineKind kind) {
        try (Device device = device(kind)) {
            var failure = failure(device, """
                        mov.u32 %r3, %tid.y;
                        mad.lo.u32 %r3, %r3, 4, %r1;
                        setp.eq.u32 %pr1, %r3, 7;
                        @%pr1 ret;
                        setp.eq.u32 %pr2, %r3, 2;
                        mov.u32 %r4, 0xff;
                        @%pr2 mov.u32 %r4, 4;
                        setp.eq.u32 %pr3, %r3, 5;
                        @%pr3 mov.u32 %r4, 0x6f;
                        bar.warp.sync %r4;
                        bar.warp.sync %r4;
                        bar.sync 3;
                    """, 0, 0);
            assertEquals(KernelException.Kind.DEADLOCK, failure.kind());
            assertSays("k.ptx:25: kernel k, block (0,0,0), thread (0,0,0): threads wait for each other and none can go on: "
                    + "threads 0-1, 3-4, 6 at line 25: bar.warp.sync with member mask 0x000000ff; "
                    + "thread 2 at line 27: bar.sync 3 (1 of 8 threads have come); "
                    + "thread 5 at line 25: bar.warp.sync with member mask 0x0000006f; "
                    + "1 threads have ended\n  25 | bar.warp.sync %r4;", failure);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMaskThatLacksItsOwnThreadIsNamed(EngineKind kind) {
        try (Device device = device(kind)) {
            assertSays("k.ptx:16: kernel k, block (0,0,0), thread (3,0,0): member mask 0x00000007 of 'bar.warp.sync' lacks the thread's own"
                    + " lane 3\n  16 | bar.warp.sync 7;", failure(device, "    bar.warp.sync 7;\n", 0, 0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLowestFailingBlockIsReportedOnAnyNumberOfWorkers(EngineKind kind) {
        String code = "    setp.lt.u32 %pr1, %r2, 37;\n    @!%pr1 trap;\n";
        for (int workers : new int[] {1, 2, 5}) {
            try (Device device = Device.builder().engine(kind).memory(1L << 20).workers(workers).open()) {
                Kernel kernel = device.load("k.ptx", HEAD + code + TAIL).kernel("k");
                for (int i = 0; i < 20; i++) {
                    var failure = assertThrows(KernelException.class, () -> kernel.grid(1000).block(32).launch(0L, 0L));
                    assertEquals(new Dim3(37, 0, 0), failure.block().orElseThrow());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEndlessKernelIsCancelledWithinFiftyMillisecondsAndOneThatTimesOutToo(EngineKind kind) throws InterruptedException {
        String endless = "LOOP:\n    add.u32 %r3, %r3, 1;\n    bra LOOP;\n";
        try (Device device = device(kind)) {
            Kernel kernel = device.load("k.ptx", HEAD + endless + TAIL).kernel("k");
            var stopped = assertThrows(LaunchStoppedException.class,
                    () -> kernel.grid(10).block(32).timeout(Duration.ofMillis(100)).launch(0L, 0L));
            assertEquals(LaunchStoppedException.Reason.TIMED_OUT, stopped.reason());
            long best = Long.MAX_VALUE;
            for (int i = 0; i < 5; i++) {
                var future = kernel.grid(10).block(32).launchAsync(0L, 0L);
                Thread.sleep(50);
                long start = System.nanoTime();
                future.cancel(true);
                assertTrue(device.launches().awaitEnd(10));
                best = Math.min(best, System.nanoTime() - start);
            }
            assertTrue(best < TimeUnit.MILLISECONDS.toNanos(50), best + " ns");
            assertUsable(device);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingTheDeviceStopsAnEndlessKernel(EngineKind kind) throws InterruptedException {
        Device device = device(kind);
        Kernel kernel = device.load("k.ptx", HEAD + "LOOP:\n    bra LOOP;\n" + TAIL).kernel("k");
        var future = kernel.grid(10).block(32).launchAsync(0L, 0L);
        var done = new CountDownLatch(1);
        future.whenComplete((result, failure) -> done.countDown());
        Thread.sleep(50);
        device.close();
        assertTrue(done.await(1, TimeUnit.SECONDS));
        var stopped = (LaunchStoppedException) assertThrows(CompletionException.class, future::join).getCause();
        assertEquals(LaunchStoppedException.Reason.DEVICE_CLOSED, stopped.reason());
    }

    @ParameterizedTest
    @EnumSource
    void textThatIsNoPtxIsReportedWithItsPlaces(EngineKind kind) {
        try (Device device = device(kind)) {
            var failure = assertThrows(CompilationException.class, () -> device.load("bad.ptx", HEAD + "    add.rn.s32 %r1, %r1, 1;\n    add.s32 %r1, %r99, 1;\n" + TAIL));
            assertTrue(failure.getMessage().startsWith("bad.ptx does not compile:\nbad.ptx:16:"), failure.getMessage());
            assertEquals(2, failure.diagnostics().size());
        }
    }
}
