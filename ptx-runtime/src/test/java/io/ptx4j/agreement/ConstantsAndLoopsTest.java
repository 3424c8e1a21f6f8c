package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.util.List;

import org.junit.jupiter.api.Test;

/**
 * Instructions of which the JIT makes something else where an operand is a constant, and arithmetic in loops, whose NaNs it looks at
 * late: on every engine the same bits.
 */
final class ConstantsAndLoopsTest {
    private static final int THREADS = 128;
    private static final long[] VALUES = {0x7f800001_00000000L, 0xfff0000000000001L, 0x7ff8000000000123L, 0xfff8000000000456L, 0x7ff0000000000000L,
        0xfff0000000000000L, 0, Long.MIN_VALUE, 1, Double.doubleToRawLongBits(1), Double.doubleToRawLongBits(-1), 0x7fefffffffffffffL,
        0x7fa00001_ffc12345L, 0xff800001_7fffffffL, 0x7f800000_ff800000L, 0x3f800000_7fa00001L};

    /** @param body reads %a and %b (64 bits) and writes %d */
    private static void agree(String body) {
        String text = """
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry probe(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %t, %r<40>, %n, %i; .reg .f32 %f<20>; .reg .f64 %g<20>; .reg .b64 %p, %q, %a, %b, %d, %o; .reg .pred %x, %y;
                ld.param.u64 %p, [sources]; ld.param.u64 %q, [results];
                mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 16; add.u64 %p, %p, %o; mul.wide.u32 %o, %t, 8; add.u64 %q, %q, %o;
                ld.global.b64 %a, [%p]; ld.global.b64 %b, [%p+8];
                """ + body + "st.global.b64 [%q], %d;\nexit;\n}\n";
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", text));
        assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + text);
        long[] expected = run(new Interpreter(), checked.module());
        for (Jit.Shape shape : List.of(Jit.Shape.SCALAR, Jit.Shape.VECTOR)) {
            assertArrayEquals(expected, run(new Jit(shape), checked.module()), () -> shape + "\n" + text);
        }
    }

    private static long[] run(Engine engine, Module module) {
        long[] sources = new long[2 * THREADS];
        for (int i = 0; i < THREADS; i++) {
            sources[2 * i] = VALUES[i % VALUES.length];
            sources[2 * i + 1] = i < VALUES.length ? VALUES[i] : VALUES[i * 7 / VALUES.length % VALUES.length] + i / 32;
        }
        try (Device device = Device.builder().engine(engine).workers(1).memory(64 << 20).open(); PtxModule loaded = device.load(module);
                DeviceBuffer in = device.copyOf(sources); DeviceBuffer out = device.allocateLongs(THREADS)) {
            loaded.kernel("probe").grid(1).block(THREADS).launch(in, out);
            return out.toLongs();
        }
    }

    @Test
    void permutationsAndFunnelShiftsByConstants() {
        StringBuilder body = new StringBuilder("mov.b64 {%r0, %r1}, %a; mov.b64 {%r2, %r3}, %b; mov.u32 %r4, 0;\n");
        for (int selector : new int[] {0x3210, 0x7654, 0x2143, 0x0123, 0x1032, 0x4444, 0x5410, 0x7632, 0x9999, 0xb3f7, 0xc084, 0x2103}) {
            body.append("prmt.b32 %%r5, %%r0, %%r3, 0x%x; mad.lo.u32 %%r4, %%r4, 31, %%r5;\n".formatted(selector));
        }
        for (String mode : List.of("l.wrap", "l.clamp", "r.wrap", "r.clamp")) {
            for (int amount : new int[] {0, 1, 7, 31, 32, 33, -1}) {
                body.append("shf.%s.b32 %%r5, %%r1, %%r2, %d; mad.lo.u32 %%r4, %%r4, 31, %%r5;\n".formatted(mode, amount));
            }
        }
        agree(body + "mov.b64 %d, {%r4, %r4};\n");
    }

    /** Every constant place and length at and beyond the ends of the register; the low byte counts. */
    @Test
    void bitFieldsAtConstantPlaces() {
        int[] numbers = {0, 1, 5, 31, 32, 33, 63, 64, 255};
        StringBuilder body = new StringBuilder("mov.b64 {%r0, %r1}, %a; mov.b64 {%r2, %r3}, %b; mov.u32 %r4, 0; mov.u64 %d, 0; mov.u64 %p, 0;\n");
        for (int position : numbers) {
            for (int length : numbers) {
                body.append("bfe.u32 %r5, %r0, P, L; mad.lo.u32 %r4, %r4, 31, %r5; bfe.s32 %r5, %r1, P, L; mad.lo.u32 %r4, %r4, 31, %r5;\n"
                        .replace("P", "" + position).replace("L", "" + length));
                body.append("bfi.b32 %r5, %r2, %r0, P, L; mad.lo.u32 %r4, %r4, 31, %r5; bfe.u64 %o, %a, P, L; mad.lo.u64 %p, %p, 31, %o;\n"
                        .replace("P", "" + position).replace("L", "" + length));
                body.append("bfe.s64 %o, %b, P, L; mad.lo.u64 %p, %p, 31, %o; bfi.b64 %o, %a, %b, P, L; mad.lo.u64 %p, %p, 31, %o;\n"
                        .replace("P", "" + position).replace("L", "" + length));
            }
        }
        agree(body + "mov.b64 %o, {%r4, %r5}; xor.b64 %d, %o, %p;\n");
    }

    /** Some threads do not enter the loop: what they loaded keeps its bits. */
    @Test
    void sumsThatBeginWithALoadedNumber() {
        String loop = """
                mov.b64 {%f0, %f1}, %a; mov.b64 {%f2, %f3}, %b; mov.f32 %f4, %f0; mov.f32 %f5, %f1;
                mov.u32 %i, 0; and.b32 %n, %t, ZERO;
                setp.eq.u32 %x, %n, 0; @%x bra END;
                LOOP:
                add.f32 %f4, %f4, %f2; fma.rn.f32 %f5, %f5, %f3, %f4;
                add.u32 %i, %i, 1; setp.lt.u32 %x, %i, %n; @%x bra LOOP;
                END:
                """;
        agree(loop.replace("ZERO", "3") + "mov.b64 %d, {%f4, %f5};\n");
        agree(loop.replace("ZERO", "1").replace("%t, 1", "1, 1") + "mov.b64 %d, {%f4, %f5};\n");
        agree(loop.replace("ZERO", "3").replace("@%x bra END;", "") + "mov.b64 %d, {%f4, %f5};\n");
        agree(loop.replace("ZERO", "3") + "@%x mov.f32 %f5, %f4; mov.f32 %f6, %f4; @%x add.f32 %f6, %f6, %f2; mov.b64 %d, {%f6, %f5};\n");
        agree(loop.replace("ZERO", "3").replace("END:", "mov.f32 %f6, %f4; mov.b64 %d, {%f6, %f4}; END: mov.b64 %d, {%f4, %f4};"));
    }

    /** Held as bits outside the loop and as a number inside. */
    @Test
    void aLoadedNumberThatOnlyALoopComputesWith() {
        agree("""
                mov.b64 {%r0, %r1}, %a; mov.b64 {%r2, %r3}, %b; mov.u32 %i, 0; and.b32 %n, %r1, 3; setp.gt.s32 %x, %r0, 3;
                LOOP:
                setp.ge.u32 %y, %i, %n; @%y bra END;
                @!%x sin.approx.f32 %r0, %r2;
                add.u32 %i, %i, 1; bra LOOP;
                END:
                mov.b64 %d, {%r0, %r1};
                """);
    }

    @Test
    void doublePrecisionInLoopsWithSourcesThatStay() {
        agree("""
                mov.b64 %g0, %a; mov.b64 %g1, %b;
                mov.f64 %g2, %g0; mov.f64 %g3, %g0; mov.f64 %g4, %g0; mov.f64 %g5, %g0; mov.f64 %g6, %g0; mov.f64 %g7, %g1; mov.f64 %g8, %g1;
                mov.u32 %i, 0;
                LOOP:
                add.f64 %g2, %g2, %g1; add.f64 %g3, %g1, %g3; sub.f64 %g4, %g4, %g1; sub.f64 %g5, %g1, %g5;
                fma.rn.f64 %g6, %g6, %g1, %g0; fma.rn.f64 %g7, %g0, %g7, %g1; fma.rn.f64 %g8, %g0, %g1, %g8; add.f64 %g8, %g8, 0d3FF0000000000000;
                add.u32 %i, %i, 1; setp.lt.u32 %x, %i, 3; @%x bra LOOP;
                mov.b64 %d, %g2;
                """ + "mul.lo.u64 %d, %d, 31; mov.b64 %o, %gK; xor.b64 %d, %d, %o;\n".repeat(6).replaceFirst("K", "3").replaceFirst("K", "4")
                        .replaceFirst("K", "5").replaceFirst("K", "6").replaceFirst("K", "7").replaceFirst("K", "8"));
    }
}
