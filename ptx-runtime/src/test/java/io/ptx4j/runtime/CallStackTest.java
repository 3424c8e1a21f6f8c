package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How deep calls go (manual: "Control Flow Instructions: call"). */
final class CallStackTest {
    private static final String TEXT = """
            .version 7.0
            .target sm_75
            .address_size 64
            .func (.reg .b32 %r) down(.reg .b32 %n)
            {
                .reg .b32 %m;
                .reg .pred %p;
                .local .align 16 .b8 %room[64];
                setp.eq.u32 %p, %n, 0;
                mov.u32 %r, 0;
                @%p ret;
                sub.u32 %m, %n, 1;
                call (%r), down, (%m);
                add.u32 %r, %r, 1;
                ret;
            }
            .visible .entry k(.param .u64 out, .param .u32 n)
            {
                .reg .b64 %o;
                .reg .b32 %n, %r;
                ld.param.u64 %o, [out];
                ld.param.u32 %n, [n];
                call (%r), down, (%n);
                st.global.u32 [%o], %r;
                ret;
            }
            """;

    private static int depth(Device device, int n) {
        DeviceBuffer out = device.allocateInts(1);
        device.load("deep.ptx", TEXT).kernel("k").grid(1).block(1).launch(out, n);
        return out.toInts()[0];
    }

    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void recursionGoesAsDeepAsTheStackAllowsAndThenEndsInAnErrorWithItsPlace(EngineKind engine) {
        try (Device device = Device.builder().engine(engine).memory(1 << 26).stackBytes(16 << 10).open()) {
            assertEquals(100, depth(device, 100));
            KernelException full = assertThrows(KernelException.class, () -> depth(device, 2_000));
            assertTrue(full.getMessage().startsWith("deep.ptx:13: kernel k, block (0,0,0), thread (0,0,0): the stack of"), full.getMessage());
            assertTrue(full.getMessage().contains("stackBytes"), full.getMessage());
            assertEquals(3, depth(device, 3));
        }
        try (Device device = Device.builder().engine(engine).memory(1 << 26).stackBytes(1 << 20).open()) {
            assertEquals(2_000, depth(device, 2_000));
        }
    }
}
