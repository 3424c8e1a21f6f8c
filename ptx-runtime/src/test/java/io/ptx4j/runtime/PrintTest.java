package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code printf} in kernels, as nvcc compiles it. */
final class PrintTest {
    private static final String KERNEL = """
            .version 8.0
            .target sm_75
            .address_size 64
            .extern .func (.param .b32 func_retval0) vprintf(.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
            .global .align 1 .b8 $str[21] = {116, 104, 114, 101, 97, 100, 32, 37, 100, 32, 111, 102, 32, 37, 108, 108, 117, 37, 37, 10};
            .visible .entry k(.param .u64 out)
            {
                .local .align 8 .b8 __local_depot0[16];
                .reg .b64 %SP, %SPL, %rd<6>;
                .reg .b32 %r<4>;
                mov.u64 %SPL, __local_depot0;
                cvta.local.u64 %SP, %SPL;
                ld.param.u64 %rd5, [out];
                mov.u32 %r1, %tid.x;
                st.local.u32 [%SPL], %r1;
                mov.u64 %rd2, 12345678901;
                st.local.u64 [%SPL+8], %rd2;
                mov.u64 %rd3, $str;
                cvta.global.u64 %rd4, %rd3;
                {
                .param .b64 param0;
                st.param.b64 [param0], %rd4;
                .param .b64 param1;
                st.param.b64 [param1], %SP;
                .param .b32 retval0;
                call.uni (retval0), vprintf, (param0, param1);
                ld.param.b32 %r2, [retval0];
                }
                st.global.u32 [%rd5], %r2;
                ret;
            }
            """;

    @ParameterizedTest
    @EnumSource
    void aKernelPrintsToTheDevicesStreamInTheOrderOfItsThreads(EngineKind kind) {
        var bytes = new ByteArrayOutputStream();
        try (Device device = Device.builder().engine(kind).workers(1).memory(1 << 24)
                .output(new PrintStream(bytes, true, StandardCharsets.UTF_8)).open(); DeviceBuffer out = device.allocateInts(1)) {
            device.load("print.ptx", KERNEL).kernel("k").grid(1).block(3).launch(out);
            assertEquals("thread 0 of 12345678901%\nthread 1 of 12345678901%\nthread 2 of 12345678901%\n",
                    bytes.toString(StandardCharsets.UTF_8));
            assertEquals(2, out.toInts()[0]);
        }
    }
}
