package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.jit.Jit;
import org.junit.jupiter.api.Test;

/** Kernels with more registers and constants than a class file has names and numbers for. */
final class LargeKernelTest {
    private static final int NUMBERS = 34_000;
    private static final int STEP = 0x9E3779B1;

    /** A register and a constant of its own for each instruction; then constants of the other types, which find no room any more. */
    private static String text() {
        StringBuilder text = new StringBuilder("""
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                .reg .b64 %d<4>; .reg .f32 %f<2>; .reg .f64 %g<2>; .reg .b32 %r<REGISTERS>;
                ld.param.u64 %d0, [out];
                ld.global.u32 %r0, [%d0];
                """.replace("REGISTERS", Integer.toString(NUMBERS + 1)));
        for (int i = 0; i < NUMBERS; i++) {
            text.append("xor.b32 %r").append(i + 1).append(", %r").append(i).append(", ").append(i * STEP).append(";\n");
        }
        return text.append("""
                st.global.u32 [%d0], %rLAST;
                ld.global.u64 %d1, [%d0+8];
                xor.b64 %d2, %d1, 0xFEDCBA9876543210;
                xor.b64 %d3, %d2, 0x89ABCDEF80008000;
                st.global.u64 [%d0+8], %d3;
                ld.global.f32 %f0, [%d0+16];
                add.f32 %f1, %f0, 0f40490FDB;
                st.global.f32 [%d0+16], %f1;
                ld.global.f64 %g0, [%d0+24];
                add.f64 %g1, %g0, 0d400921FB54442D18;
                st.global.f64 [%d0+24], %g1;
                ret;
                }
                """.replace("LAST", Integer.toString(NUMBERS))).toString();
    }

    @Test
    void aKernelMayHaveMoreRegistersAndConstantsThanAClassHasRoomFor() {
        try (Device device = Device.builder().engine(new Jit(Jit.Shape.SCALAR)).workers(1).memory(1 << 20).open()) {
            DeviceBuffer out = device.copyOf(5L, 0x0123456789ABCDEFL, 0L, 0L);
            device.load("large.ptx", text()).kernel("k").grid(1).block(1).launch(out);
            int last = 5;
            for (int i = 0; i < NUMBERS; i++) {
                last ^= i * STEP;
            }
            assertArrayEquals(new long[] {Integer.toUnsignedLong(last), 0x0123456789ABCDEFL ^ 0xFEDCBA9876543210L ^ 0x89ABCDEF80008000L,
                Integer.toUnsignedLong(Float.floatToRawIntBits(0x1.921fb6p1f)), Double.doubleToRawLongBits(Math.PI)}, out.toLongs());
        }
    }
}
