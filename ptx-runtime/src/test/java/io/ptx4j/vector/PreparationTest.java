package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Dim3;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchException;
import io.ptx4j.runtime.LaunchResult;
import io.ptx4j.runtime.LaunchStoppedException;
import io.ptx4j.runtime.LimitException;
import io.ptx4j.runtime.Preparation;
import io.ptx4j.runtime.PtxModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kernels made fast before their first launch. */
@Timeout(120)
@Tag("thorough")
final class PreparationTest {
    /** Adds a hash of its thread's number to out[i], prints now and then, and calls what stands for CALL. */
    private static final String HASH = """
            .version 8.0
            .target sm_80
            .address_size 64
            .extern .func notice();
            .extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);
            .global .align 1 .b8 text[4] = {72, 105, 10, 0};
            .visible .entry hash(.param .u64 out)
            {
              .reg .pred %p<3>;
              .reg .b32 %r<8>;
              .reg .b64 %d<6>;
              ld.param.u64 %d0, [out];
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %ctaid.x;
              mad.lo.u32 %r3, %r2, 256, %r1;
              mul.wide.u32 %d1, %r3, 4;
              add.u64 %d2, %d0, %d1;
              mov.u32 %r4, 0;
              mov.u32 %r5, %r3;
            LOOP:
              mad.lo.u32 %r5, %r5, 1664525, 1013904223;
              shf.l.wrap.b32 %r5, %r5, %r5, 7;
              add.u32 %r4, %r4, 1;
              setp.lt.u32 %p1, %r4, TIMES;
              @%p1 bra LOOP;
              ld.global.u32 %r6, [%d2];
              add.u32 %r6, %r6, %r5;
              st.global.u32 [%d2], %r6;
              CALL
              ret;
            }
            """;
    private static final String PRINT = """
              setp.ne.u32 %p2, %r3, 5;
              @%p2 bra END;
              mov.u64 %d3, text;
              cvta.global.u64 %d4, %d3;
              mov.u64 %d5, 0;
              { .reg .b32 %u; .param .b64 f; .param .b64 a; .param .b32 r;
                st.param.b64 [f], %d4; st.param.b64 [a], %d5; call.uni (r), vprintf, (f, a); ld.param.b32 %u, [r]; }
            END:
            """;
    private static final int BLOCKS = 32;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final AtomicInteger noticed = new AtomicInteger();

    private Device device(Jit.Shape shape) {
        return Device.builder().engine(new Jit(shape)).workers(1).memory(16 << 20).output(new PrintStream(printed))
                .function("notice", call -> noticed.incrementAndGet()).open();
    }

    private static Launch hash(Device device, String call, int times) {
        return device.load("hash.ptx", HASH.replace("CALL", call).replace("TIMES", Integer.toString(times))).kernel("hash")
                .grid(BLOCKS).block(256);
    }

    @Test
    void aPreparedKernelIsInTheVectorShapeFromItsFirstLaunchOnAndNothingOfTheRehearsalsShows() {
        try (Device device = device(Jit.Shape.AUTO)) {
            DeviceBuffer out = device.allocateInts(BLOCKS * 256);
            Launch launch = hash(device, PRINT, 64);
            Preparation done = launch.prepare(out).join();
            assertEquals("vector", done.shape());
            assertTrue(done.rehearsal().toMillis() > 0);
            assertArrayEquals(new int[BLOCKS * 256], out.toInts());
            assertEquals("", printed.toString());
            assertEquals("vector", launch.launch(out).shape());
            assertEquals("Hi\n", printed.toString());
        }
    }

    @Test
    void aKernelInTheScalarShapeIsRehearsedToo() {
        try (Device device = device(Jit.Shape.SCALAR)) {
            DeviceBuffer out = device.allocateInts(BLOCKS * 256);
            Preparation done = hash(device, "", 64).prepare(out).join();
            assertEquals("scalar", done.shape());
            assertTrue(done.rehearsal().toMillis() > 100, done.toString());
            assertArrayEquals(new int[BLOCKS * 256], out.toInts());
        }
    }

    @Test
    void theInterpreterIsAlwaysReady() {
        try (Device device = Device.builder().engine(EngineKind.INTERPRETER).memory(1 << 20).open()) {
            DeviceBuffer out = device.allocateInts(BLOCKS * 256);
            assertEquals("interpreter", hash(device, "", 64).prepare(out).join().shape());
        }
    }

    /** Neither prepared nor after launches that have taken long enough for rehearsals aside. */
    @Test
    void noRehearsalCallsAFunctionOfTheHost() {
        try (Device device = device(Jit.Shape.AUTO)) {
            DeviceBuffer out = device.allocateInts(BLOCKS * 256);
            Launch launch = hash(device, "call.uni notice;", 10_000);
            assertEquals("scalar", launch.prepare(out).join().shape());
            assertEquals(0, noticed.get());
            int launches = 0;
            for (long end = System.nanoTime() + 1_000_000_000L; System.nanoTime() < end; launches++) {
                launch.launch(out);
            }
            assertEquals(launches * BLOCKS * 256, noticed.get());
        }
    }

    @Test
    void cancellingEndsIt() throws Exception {
        try (Device device = device(Jit.Shape.AUTO)) {
            DeviceBuffer out = device.allocateInts(BLOCKS * 256);
            // A block takes a minute, so only a rehearsal that is stopped within one ends in time.
            CompletableFuture<Preparation> preparing = hash(device, "", 1 << 30).prepare(out);
            Thread.sleep(200);
            preparing.cancel(false);
            assertTrue(preparing.isCancelled());
            assertEquals("scalar", hash(device, "", 1).launch(out).shape());
        }
    }

    @Test
    void closingTheDeviceEndsIt() throws Exception {
        CompletableFuture<Preparation> preparing;
        long start;
        try (Device device = device(Jit.Shape.AUTO)) {
            DeviceBuffer out = device.allocateInts(BLOCKS * 256);
            preparing = hash(device, "", 1 << 30).prepare(out);
            Thread.sleep(200);
            start = System.nanoTime();
        }
        var ended = assertThrows(ExecutionException.class, () -> preparing.get(1, TimeUnit.SECONDS));
        assertInstanceOf(LaunchStoppedException.class, ended.getCause());
        assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(8), "closing took long");
    }

    @Test
    void aWrongLaunchIsRefusedAtOnce() {
        try (Device device = device(Jit.Shape.AUTO)) {
            Kernel kernel = hash(device, "", 1).kernel();
            assertThrows(LaunchException.class, () -> kernel.grid(1).block(2048).prepare(0L));
            assertThrows(LaunchException.class, () -> kernel.grid(1).block(32).prepare());
        }
    }

    @Test
    void aKernelThatFaultsIsPreparedAllTheSame() {
        try (Device device = device(Jit.Shape.AUTO)) {
            Launch launch = hash(device, "", 1);
            CompletableFuture<Preparation> preparing = launch.prepare(0L);
            assertFalse(preparing.join().shape().isEmpty());
            assertThrows(CompletionException.class, () -> launch.launchAsync(0L).join());
        }
    }

    @Test
    void withoutArgumentsTheCodeIsThereAndNothingHasRun() {
        try (Device device = device(Jit.Shape.AUTO)) {
            DeviceBuffer out = device.allocateInts(BLOCKS * 256);
            Kernel kernel = hash(device, PRINT, 64).kernel();
            Preparation done = kernel.prepare(new Dim3(256, 1, 1)).join();
            assertEquals(new Preparation("hash", "jit", "scalar", new Dim3(256, 1, 1), done.compilation(), Duration.ZERO), done);
            assertTrue(done.compilation().toNanos() > 0);
            assertEquals("", printed.toString());
            Preparation again = kernel.prepare(new Dim3(256, 1, 1)).join();
            assertTrue(again.compilation().compareTo(done.compilation()) < 0, () -> done + " and then " + again);
            LaunchResult first = kernel.grid(BLOCKS).block(256).launch(out);
            assertTrue(first.preparation().compareTo(done.compilation()) < 0, () -> done + " and then " + first);
            assertEquals("Hi\n", printed.toString());
            Preparation warm = kernel.grid(BLOCKS).block(256).prepare(out).join();
            assertEquals("vector", warm.shape(), warm::toString);
            assertEquals("vector", kernel.grid(BLOCKS).block(256).launch(out).shape());
        }
    }

    @Test
    void bothShapesAreGeneratedWithoutArguments(@TempDir Path kept) throws IOException {
        try (Device device = Device.builder().engine(new Jit(Jit.Shape.AUTO)).memory(16 << 20).codeCache(kept, 1 << 20).open()) {
            device.load("hash.ptx", HASH.replace("CALL", "").replace("TIMES", "64").replace(".extern .func notice();", "")).kernel("hash").prepare(new Dim3(256, 1, 1)).join();
            try (Stream<Path> files = Files.list(kept)) {
                assertEquals(2, files.count());
            }
        }
    }

    @Test
    void whatIsWrongIsSaidBeforeThereAreArguments() {
        try (Device device = device(Jit.Shape.AUTO)) {
            Kernel kernel = hash(device, "", 64).kernel();
            assertEquals("kernel hash cannot be launched: the block is not given; say prepare(new Dim3(threads, 1, 1)), since the kernel has no .reqntid",
                    assertThrows(LaunchException.class, kernel::prepare).getMessage());
            assertThrows(LaunchException.class, () -> kernel.prepare(new Dim3(1025, 1, 1)));
            PtxModule required = device.load("required.ptx", HASH.replace("CALL", "").replace("TIMES", "1").replace("(.param .u64 out)", "(.param .u64 out) .reqntid 64"));
            assertEquals(new Dim3(64, 1, 1), required.kernel("hash").prepare().join().block());
            required.close();
            assertThrows(IllegalStateException.class, () -> required.kernel("hash").prepare());
        }
        try (Device device = Device.builder().engine(new Jit(Jit.Shape.AUTO)).memory(16 << 20).function("notice", call -> { })
                .codeBytes(1000).open()) {
            var failed = assertThrows(CompletionException.class, () -> hash(device, "", 64).kernel().prepare(new Dim3(256, 1, 1)).join());
            assertEquals(LimitException.Kind.CODE, assertInstanceOf(LimitException.class, failed.getCause()).kind());
        }
    }

    @Test
    void onTheInterpreterNothingIsGenerated() {
        try (Device device = Device.builder().engine(EngineKind.INTERPRETER).memory(1 << 20).open()) {
            assertEquals("interpreter", hash(device, "", 64).kernel().prepare(new Dim3(32, 1, 1)).join().shape());
        }
    }
}
