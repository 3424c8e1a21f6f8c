package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.jit.Jit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.stream.IntStream;

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

    /** Each barrier begins a region, a method of its own, and one switch over them all would be larger than HotSpot compiles. */
    @ParameterizedTest
    @EnumSource(names = {"SCALAR", "VECTOR"})
    void aKernelMayHaveManyBarriers(Jit.Shape shape) {
        int rounds = 600;
        StringBuilder text = new StringBuilder("""
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                .reg .b64 %d<4>; .reg .b32 %r<8>;
                .shared .align 4 .b32 s[64];
                ld.param.u64 %d0, [out];
                mov.u32 %r0, %tid.x;
                mul.wide.u32 %d1, %r0, 4;
                add.u64 %d0, %d0, %d1;
                mov.u32 %r1, s;
                shl.b32 %r2, %r0, 2;
                add.u32 %r3, %r1, %r2;
                xor.b32 %r4, %r2, 132;
                add.u32 %r4, %r1, %r4;
                mov.u32 %r5, %r0;
                """);
        for (int i = 0; i < rounds; i++) {
            text.append("st.shared.u32 [%r3], %r5; bar.sync 0; ld.shared.u32 %r6, [%r4]; mad.lo.u32 %r5, %r5, 3, %r6; bar.sync 0;\n");
        }
        text.append("st.global.u32 [%d0], %r5; ret; }");
        int[] expected = IntStream.range(0, 64).toArray();
        for (int i = 0; i < rounds; i++) {
            int[] before = expected;
            expected = IntStream.range(0, 64).map(t -> before[t] * 3 + before[t ^ 33]).toArray();
        }
        try (Device device = Device.builder().engine(new Jit(shape)).workers(1).memory(1 << 20).open()) {
            DeviceBuffer out = device.copyOf(new int[64]);
            device.load("barriers.ptx", text.toString()).kernel("k").grid(1).block(64).launch(out);
            assertArrayEquals(expected, out.toInts());
        }
    }
}
