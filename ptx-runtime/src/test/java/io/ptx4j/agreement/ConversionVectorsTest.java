package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;

import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversions and comparisons that vectors do by formulas of their own, of all halves, of f32 with every sign, exponent and leading digits, and of numbers next to whole and half ones. */
@Timeout(120)
final class ConversionVectorsTest {
    private static final int THREADS = 1 << 16;
    private static final int BLOCK = 256;

    private static long[] run(Engine engine, String text, long[] sources) {
        try (Device device = Device.builder().engine(engine).workers(2).memory(64 << 20).open(); PtxModule module = device.load("conversions.ptx", text);
                DeviceBuffer in = device.copyOf(sources); DeviceBuffer out = device.allocateLongs(THREADS)) {
            module.kernel("k").grid(THREADS / BLOCK).block(BLOCK).launch(in, out);
            return out.toLongs();
        }
    }

    /** @param body from {@code %d} (64 bits), {@code %r} and {@code %s} (its words), {@code %h} and {@code %g} (those of its halves) to {@code %d} */
    private static void agree(String body, long[] sources) {
        String text = """
                .version 9.2
                .target sm_100f
                .address_size 64
                .visible .entry k(.param .u64 a, .param .u64 b)
                {
                .reg .b64 %%x, %%d, %%e; .reg .b32 %%t, %%n, %%r, %%s, %%u; .reg .b16 %%h, %%g, %%i; .reg .b8 %%c; .reg .f64 %%w; .reg .pred %%p, %%q;
                mov.u32 %%t, %%ctaid.x; mov.u32 %%n, %%tid.x; mad.lo.u32 %%t, %%t, 256, %%n;
                ld.param.u64 %%x, [a]; mad.wide.u32 %%x, %%t, 8, %%x; ld.global.b64 %%d, [%%x];
                mov.b64 {%%r, %%s}, %%d; mov.b32 {%%h, %%g}, %%r; mov.b64 %%w, %%d; mov.b64 %%e, 0; mov.b32 %%u, 0;
                %s
                ld.param.u64 %%x, [b]; mad.wide.u32 %%x, %%t, 8, %%x; st.global.b64 [%%x], %%d;
                ret;
                }
                """.formatted(body);
        assertArrayEquals(run(new Interpreter(), text, sources), run(new Jit(Jit.Shape.VECTOR), text, sources), body);
    }

    /** Every number of the leading 16 bits, with ones behind them that lie about half way to the next. */
    private static long[] singles() {
        Random random = new Random(3);
        int[] behind = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0x1000, 0x0fff};
        return IntStream.range(0, THREADS).mapToLong(k -> (long) (k << 16 | behind[random.nextInt(behind.length)]) & 0xffff_ffffL
                | (long) (random.nextInt(THREADS) << 16 | behind[random.nextInt(behind.length)]) << 32).toArray();
    }

    private static long[] halves() {
        Random random = new Random(4);
        return IntStream.range(0, THREADS).mapToLong(k -> k | (long) random.nextInt(THREADS) << 16 | (long) random.nextInt() << 32).toArray();
    }

    private static long[] doubles() {
        Random random = new Random(5);
        double[] rare = {0.0, -0.0, Double.NaN, Double.longBitsToDouble(0xfff0_0000_0000_0001L), Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 0x1p31, 0x1p32, 0x1p52, 0x1p53,
            0x1p63, -0x1p63, 0x1p64, 127.5, 32767.5};
        return IntStream.range(0, THREADS).mapToLong(k -> {
            double whole = Math.rint(random.nextGaussian() * Math.scalb(1, random.nextInt(70)));
            double value = k % 64 == 0 ? rare[random.nextInt(rare.length)] : whole + random.nextInt(-4, 5) / 4.0;
            return k % 32 == 1 ? random.nextLong() : Double.doubleToRawLongBits(value) + (value == value && !Double.isInfinite(value) ? random.nextInt(-1, 2) : 0);
        }).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cvt.rn.satfinite.e4m3x2.f32 %i, %r, %s; cvt.u64.u16 %d, %i;", "cvt.rn.satfinite.relu.e5m2x2.f32 %i, %r, %s; cvt.u64.u16 %d, %i;",
        "cvt.rn.satfinite.e2m3x2.f32 %i, %r, %s; cvt.u64.u16 %d, %i;", "cvt.rn.satfinite.e2m1x2.f32 %c, %r, %s; cvt.u64.u8 %d, %c;", "cvt.rn.satfinite.e3m2x2.f32 %i, %r, %s; cvt.u64.u16 %d, %i;",
        "cvt.rna.tf32.f32 %r, %r; cvt.rn.tf32.f32 %s, %s; mov.b64 %d, {%r, %s};", "cvt.rz.tf32.f32 %r, %r; cvt.rn.relu.f16x2.f32 %s, %r, %s; mov.b64 %d, {%r, %s};",
        "cvt.rn.relu.bf16x2.f32 %r, %r, %s; cvt.sat.f32.f32 %s, %s; mov.b64 %d, {%r, %s};", "cvt.ftz.f32.f32 %r, %r; cvt.rni.ftz.sat.f32.f32 %s, %s; mov.b64 %d, {%r, %s};",
        "cvt.rmi.sat.s8.f32 %i, %r; cvt.s32.s16 %r, %i; cvt.rpi.sat.u16.f32 %i, %s; cvt.u32.u16 %s, %i; mov.b64 %d, {%r, %s};", "min.NaN.f32 %r, %r, %s; mov.b64 %d, {%r, %s};",
        "max.NaN.xorsign.abs.f32 %r, %r, %s; mov.b64 %d, {%r, %s};", "max.abs.f32 %r, %r, %s, 0f3f800000; mov.b64 %d, {%r, %s};", "copysign.f32 %r, %r, %s; testp.subnormal.f32 %p, %s; @%p not.b32 %r, %r; mov.b64 %d, {%r, %s};",
        "testp.normal.f32 %p, %r; selp.b64 %d, 1, %e, %p; testp.finite.f32 %p, %r; @%p add.u64 %d, %d, 2; testp.infinite.f32 %p, %r; @%p add.u64 %d, %d, 4;",
        "cvt.rzi.s64.f32 %d, %r;", "cvt.rmi.s64.f32 %d, %s;", "add.rn.f32x2 %d, %d, %d;", "mov.b64 %e, {%s, %r}; fma.rn.f32x2 %d, %d, %e, %e;", "mov.b64 %e, {%s, %r}; mul.rn.f32x2 %d, %d, %e;"})
    void singlesAgree(String body) {
        agree(body, singles());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cvt.rn.satfinite.e4m3x2.f16x2 %i, %r; cvt.u64.u16 %d, %i;", "cvt.rn.satfinite.e5m2x2.f16x2 %i, %r; cvt.u64.u16 %d, %i;", "cvt.rn.satfinite.relu.e4m3x2.bf16x2 %i, %r; cvt.u64.u16 %d, %i;",
        "cvt.rn.f16x2.e4m3x2 %r, %h; cvt.u64.u32 %d, %r;", "cvt.rn.relu.f16x2.e5m2x2 %r, %h; cvt.u64.u32 %d, %r;", "cvt.rn.f16x2.e2m3x2 %r, %h; cvt.u64.u32 %d, %r;", "cvt.rn.relu.f16x2.e3m2x2 %r, %h; cvt.u64.u32 %d, %r;",
        "cvt.rn.bf16x2.e4m3x2 %r, %h; cvt.u64.u32 %d, %r;", "cvt.rn.satfinite.bf16x2.e5m2x2 %r, %h; cvt.u64.u32 %d, %r;", "cvt.rn.relu.bf16x2.e5m2x2 %r, %h; cvt.u64.u32 %d, %r;",
        "cvt.rn.bf16x2.e2m3x2 %r, %h; cvt.u64.u32 %d, %r;", "cvt.rn.satfinite.relu.bf16x2.e3m2x2 %r, %h; cvt.u64.u32 %d, %r;",
        "cvt.u8.u16 %c, %h; cvt.rn.bf16x2.e2m1x2 %r, %c; cvt.rn.relu.f16x2.e2m1x2 %s, %c; mov.b64 %d, {%r, %s};",
        "cvt.rn.satfinite.e2m1x2.f16x2 %c, %r; cvt.u32.u8 %r, %c; cvt.rn.satfinite.relu.e2m1x2.bf16x2 %c, %s; cvt.u32.u8 %s, %c; mov.b64 %d, {%r, %s};",
        "cvt.rni.s32.f16 %r, %h; cvt.rzi.u16.bf16 %i, %g; cvt.u32.u16 %s, %i; mov.b64 %d, {%r, %s};", "cvt.rmi.f16.f16 %i, %h; cvt.rpi.bf16.bf16 %g, %g; mov.b32 %r, {%i, %g}; mov.b64 %d, {%r, %s};",
        "cvt.rn.f16.s16 %i, %h; cvt.rn.bf16.u16 %g, %h; mov.b32 %r, {%i, %g}; cvt.rn.f16.u32 %i, %s; cvt.u32.u16 %s, %i; mov.b64 %d, {%r, %s};",
        "set.gt.f16x2.f16x2 %u, %r, %s; setp.leu.f16x2 %p|%q, %r, %s; mov.b64 %d, {%u, %r}; @%p not.b64 %d, %d; @%q add.u64 %d, %d, 1;", "set.neu.bf16x2.bf16x2 %u, %r, %s; setp.num.bf16 %p, %h, %g; mov.b64 %d, {%u, %r}; @%p not.b64 %d, %d;",
        "set.ge.u32.f16x2 %u, %r, %s; set.lt.bf16.bf16 %i, %h, %g; cvt.u32.u16 %s, %i; mov.b64 %d, {%u, %s};", "ex2.approx.f16x2 %u, %r; tanh.approx.bf16x2 %s, %r; mov.b64 %d, {%u, %s};",
        "ex2.approx.ftz.bf16x2 %u, %r; tanh.approx.f16 %i, %h; cvt.u32.u16 %s, %i; mov.b64 %d, {%u, %s};", "add.f32.f16 %r, %h, %s; sub.f32.bf16 %u, %g, %s; mov.b64 %d, {%r, %u};", "fma.rn.sat.f32.f16 %r, %h, %g, %s; fma.rn.f32.bf16 %u, %h, %g, %s; mov.b64 %d, {%r, %u};",
        "cvt.pack.sat.s8.s32.b32 %u, %r, %s, %s; cvt.s32.s16 %r, %h; cvt.pack.sat.u16.s32 %r, %r, %s; mov.b64 %d, {%u, %r};"})
    void halvesAgree(String body) {
        agree(body, halves());
    }

    /** All codes with all scale factors, in both halves. */
    @ParameterizedTest
    @ValueSource(strings = {"e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2"})
    void scaledNumbersAgree(String type) {
        for (String modifiers : new String[] {"", ".relu", ".satfinite", ".satfinite.relu"}) {
            String source = type.equals("e2m1x2") ? "cvt.u8.u16 %c, %i;" : "";
            String form = modifiers + ".scaled::n2::ue8m0.bf16x2." + type + " ";
            agree("and.b16 %i, %h, 255; shr.u16 %g, %h, 8; " + source + " cvt.rn" + form + "%r, " + (source.isEmpty() ? "%i" : "%c") + ", %g;"
                    + " shl.b16 %i, %h, " + (source.isEmpty() ? 8 : 4) + "; and.b16 %g, %h, 0xff00; " + source + " cvt.rn" + form + "%s, " + (source.isEmpty() ? "%i" : "%c") + ", %g;"
                    + " mov.b64 %d, {%r, %s};", halves());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cvt.rni.f64.f64 %w, %w; mov.b64 %d, %w;", "cvt.rmi.f64.f64 %w, %w; mov.b64 %d, %w;", "cvt.rpi.f64.f64 %w, %w; mov.b64 %d, %w;", "cvt.rzi.f64.f64 %w, %w; mov.b64 %d, %w;",
        "cvt.rni.s32.f64 %r, %w; cvt.rzi.u32.f64 %s, %w; mov.b64 %d, {%r, %s};", "cvt.rmi.s16.f64 %i, %w; cvt.s32.s16 %r, %i; cvt.rpi.u16.f64 %i, %w; cvt.u32.u16 %s, %i; mov.b64 %d, {%r, %s};", "cvt.rni.s64.f64 %d, %w;",
        "cvt.rn.f64.s64 %w, %d; mov.b64 %d, %w;", "cvt.rn.f64.u64 %w, %d; mov.b64 %d, %w;", "testp.normal.f64 %p, %w; selp.b64 %d, 1, %e, %p; testp.notanumber.f64 %p, %w; @%p add.u64 %d, %d, 2; testp.subnormal.f64 %p, %w; @%p add.u64 %d, %d, 4;",
        "mov.b64 {%s, %r}, %w; mov.b64 %e, {%r, %s}; mov.b64 %w, %e; copysign.f64 %w, %w, %d; mov.b64 %d, %w;"})
    void doublesAgree(String body) {
        agree(body, doubles());
    }
}
