package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.DeviceCall;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Functions that PTX declares and the device has: those of the host, malloc and free. */
final class DeviceFunctionTest {
    private static final String HEAD = """
            .version 7.0
            .target sm_75
            .address_size 64
            .extern .func (.param .b64 r) malloc(.param .b64 n);
            .extern .func free(.param .b64 p);
            .extern .func (.param .b32 r) mix(.param .b32 a, .param .b64 b, .param .align 4 .b8 c[12]);
            .extern .func (.param .align 8 .b8 r[16]) pair(.reg .b32 a, .reg .f64 b);
            .extern .func (.reg .f32 r) half(.reg .f32 a);
            """;

    private static final String CALLS = HEAD + """
            .visible .entry k(.param .u64 out)
            {
                .reg .b64 %o, %p, %q;
                .reg .b32 %t, %u, %i;
                .reg .f64 %d;
                .reg .f32 %f;
                .reg .pred %odd;
                .param .b32 a;
                .param .b64 b;
                .param .align 4 .b8 c[12];
                .param .b32 r;
                .param .align 8 .b8 s[16];
                ld.param.u64 %o, [out];
                mov.u32 %t, %tid.x;
                mad.wide.u32 %o, %t, 32, %o;
                st.param.b32 [a], %t;
                cvt.rn.f64.u32 %d, %t;
                st.param.f64 [b], %d;
                st.param.b32 [c], 1;
                st.param.b32 [c+4], %t;
                st.param.b8 [c+8], 7;
                st.param.b8 [c+9], 8;
                st.param.b8 [c+10], 9;
                st.param.b8 [c+11], 10;
                call (r), mix, (a, b, c);
                ld.param.b32 %u, [r];
                st.global.u32 [%o], %u;
                call (s), pair, (%t, %d);
                ld.param.b64 %p, [s];
                ld.param.b64 %q, [s+8];
                st.global.v2.u64 [%o+16], {%p, %q};
                and.b32 %i, %t, 1;
                setp.eq.u32 %odd, %i, 1;
                mov.f32 %f, 0f41100000;
                @%odd call (%f), half, (%f);
                st.global.f32 [%o+4], %f;
                ret;
            }
            """;

    private static Device device(EngineKind engine) {
        return Device.builder().engine(engine).memory(1 << 24).heapBytes(4096)
                .function("mix", call -> call.result(call.intAt(0) + (int) call.doubleAt(1) + sum(call.bytesAt(2))))
                .function("pair", call -> call.result(ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(call.intAt(0) * 3L).putDouble(call.doubleAt(1) / 2).array()))
                .function("half", DeviceFunctionTest::half).open();
    }

    private static void half(DeviceCall call) {
        if (call.thread() >= 64) {
            throw new UnsupportedOperationException("only 64 threads");
        }
        call.result(call.floatAt(0) / 2);
    }

    private static int sum(byte[] bytes) {
        return IntStream.range(0, bytes.length).map(i -> bytes[i]).sum();
    }

    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void javaMethodsTakeAndGiveValuesOfEveryKind(EngineKind engine) {
        try (Device device = device(engine)) {
            DeviceBuffer out = device.allocateInts(64 * 8);
            device.load("calls.ptx", CALLS).kernel("k").grid(1).block(64).launch(out);
            int[] words = out.toInts();
            for (int t = 0; t < 64; t++) {
                assertEquals(3 * t + 35, words[8 * t]);
                assertEquals(t % 2 == 0 ? 9f : 4.5f, Float.intBitsToFloat(words[8 * t + 1]));
                assertEquals(3 * t, words[8 * t + 4]);
                assertEquals(t / 2.0, Double.longBitsToDouble((long) words[8 * t + 7] << 32 | words[8 * t + 6] & 0xFFFF_FFFFL));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void whatAJavaMethodThrowsIsAFaultOfTheKernelWithItsPlace(EngineKind engine) {
        try (Device device = device(engine)) {
            DeviceBuffer out = device.allocateInts(96 * 8);
            Kernel kernel = device.load("calls.ptx", CALLS).kernel("k");
            KernelException thrown = assertThrows(KernelException.class, () -> kernel.grid(1).block(96).launch(out));
            assertEquals(KernelException.Kind.FUNCTION, thrown.kind());
            assertTrue(thrown.getMessage().startsWith("calls.ptx:43: kernel k, block (0,0,0), thread (65,0,0): function half, which the host "
                    + "supplies, threw java.lang.UnsupportedOperationException: only 64 threads"), thrown.getMessage());
            kernel.grid(1).block(32).launch(out);
        }
    }

    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void aFunctionThatNobodySuppliesIsNamed(EngineKind engine) {
        String text = """
                .version 7.0
                .target sm_75
                .address_size 64
                .extern .func (.param .b32 r) cudaDeviceSynchronize();
                .visible .entry k() { .param .b32 r; call (r), cudaDeviceSynchronize; ret; }
                """;
        try (Device device = device(engine)) {
            Kernel kernel = device.load("sync.ptx", text).kernel("k");
            UnsupportedPtxException missing = assertThrows(UnsupportedPtxException.class, () -> kernel.grid(1).block(1).launch());
            assertTrue(missing.getMessage().contains("function cudaDeviceSynchronize is declared and defined nowhere"), missing.getMessage());
            assertTrue(missing.getMessage().contains("sync.ptx:5"), missing.getMessage());
        }
    }

    private static String heapKernel(String body) {
        return HEAD + """
                .visible .entry k(.param .u64 out)
                {
                    .reg .b64 %%o, %%p, %%q, %%s;
                    .reg .b32 %%t, %%u, %%i;
                    .reg .pred %%z;
                    .param .b64 n;
                    .param .b64 r;
                    ld.param.u64 %%o, [out];
                    mov.u32 %%t, %%tid.x;
                    mad.wide.u32 %%o, %%t, 8, %%o;
                %s
                    ret;
                }
                """.formatted(body);
    }

    private static final String MALLOC = "mov.u64 %s, 48; st.param.b64 [n], %s; call (r), malloc, (n); ld.param.b64 %p, [r];\n";
    private static final String FREE = "st.param.b64 [n], %p; call free, (n);\n";

    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void mallocGivesZeroedPiecesOfItsOwnUntilTheHeapIsExhaustedAndThenNull(EngineKind engine) {
        try (Device device = device(engine)) {
            DeviceBuffer out = device.allocateLongs(128);
            long before = device.allocatedBytes();
            Kernel kernel = device.load("heap.ptx", heapKernel(MALLOC + "st.global.u64 [%o], %p;")).kernel("k");
            assertTrue(device.allocatedBytes() - before >= 4096, "the heap counts");
            kernel.grid(1).block(128).launch(out);
            long[] pieces = Arrays.stream(out.toLongs()).filter(p -> p != 0).sorted().toArray();
            assertEquals(85, pieces.length);
            assertEquals(85, Arrays.stream(pieces).distinct().count());
            assertTrue(IntStream.range(1, 85).allMatch(i -> pieces[i] - pieces[i - 1] >= 48));
        }
    }

    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void whatIsFreedIsGivenAgain(EngineKind engine) {
        try (Device device = device(engine)) {
            DeviceBuffer out = device.allocateLongs(1000);
            device.load("heap.ptx", heapKernel(MALLOC + "st.global.u64 [%o], %p; st.u64 [%p+40], %p; ld.u64 %q, [%p+32];\n" + FREE)).kernel("k")
                    .grid(1).block(1000).launch(out);
            assertTrue(Arrays.stream(out.toLongs()).allMatch(p -> p != 0));
            device.load("null.ptx", heapKernel("mov.u64 %p, 0;" + FREE)).kernel("k").grid(1).block(1).launch(out);
        }
    }

    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void freeingTwiceOrSomethingElseIsAFaultWithItsPlace(EngineKind engine) {
        try (Device device = device(engine)) {
            DeviceBuffer out = device.allocateLongs(1);
            String[] messages = new String[2];
            String[] bodies = {MALLOC + FREE + FREE, MALLOC + "add.u64 %p, %p, 16;\n" + FREE};
            for (int i = 0; i < 2; i++) {
                Kernel kernel = device.load("heap.ptx", heapKernel(bodies[i])).kernel("k");
                KernelException fault = assertThrows(KernelException.class, () -> kernel.grid(1).block(1).launch(out));
                assertEquals(KernelException.Kind.ILLEGAL_OPERAND, fault.kind());
                messages[i] = fault.getMessage().lines().findFirst().orElseThrow().replaceAll("0x\\p{XDigit}+", "A");
            }
            assertArrayEquals(new String[] {
                "heap.ptx:21: kernel k, block (0,0,0), thread (0,0,0): free of A: it has been freed before",
                "heap.ptx:21: kernel k, block (0,0,0), thread (0,0,0): free of A: malloc has not given this address; it lies 16 bytes inside a "
                        + "malloc of 48 bytes"}, messages);
        }
    }

    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void anArgumentReadAsATypeOfAnotherSizeIsAnError(EngineKind engine) {
        try (Device device = Device.builder().engine(engine).memory(1 << 24).function("half", call -> call.longAt(0))
                .function("mix", call -> { }).function("pair", call -> { }).open()) {
            Kernel kernel = device.load("calls.ptx", CALLS).kernel("k");
            DeviceBuffer out = device.allocateInts(64);
            KernelException wrong = assertThrows(KernelException.class, () -> kernel.grid(1).block(2).launch(out));
            assertTrue(wrong.getMessage().contains("argument 0 of half has 4 bytes, not 8"), wrong.getMessage());
            assertInstanceOf(IllegalArgumentException.class, rootOf(wrong));
        }
    }

    private static Throwable rootOf(Throwable thrown) {
        return thrown.getCause() == null ? thrown : rootOf(thrown.getCause());
    }
}
