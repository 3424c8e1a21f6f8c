package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.Approximations;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The approximate functions on vectors against the interpreter: ordinary sources side by side, special ones side by side, and both mixed. */
@Tag("thorough")
final class LaneApproximationsTest {
    private static final int SOURCES = 1 << 14;
    private static final int[] SPECIAL = {0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x7f800000,
        0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7f7fffff, 0xff7fffff, 0x4a800000, 0x4a800001, 0xca800001, 0x40c00000, 0xc0c00000, 0x40bfffff,
        0x43000000, 0xc3150000, 0xc3160000, 0x7e800000, 0x7e800001, 0xfe800001};

    private static String kernel(String instruction, String sources) {
        return """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 in, .param .u64 out)
                {
                  .reg .b32 %%r<8>;
                  .reg .f32 %%f<8>;
                  .reg .b64 %%d<8>;
                  ld.param.u64 %%d0, [in];
                  ld.param.u64 %%d1, [out];
                  mov.u32 %%r0, %%tid.x;
                  mov.u32 %%r1, %%ctaid.x;
                  mad.lo.s32 %%r0, %%r1, 128, %%r0;
                  mul.wide.u32 %%d2, %%r0, 4;
                  add.s64 %%d0, %%d0, %%d2;
                  add.s64 %%d1, %%d1, %%d2;
                  ld.global.f32 %%f1, [%%d0];
                  ld.global.f32 %%f2, [%%d1];
                  %s %%f0, %s;
                  st.global.f32 [%%d1], %%f0;
                  ret;
                }
                """.formatted(instruction, sources);
    }

    private static int[] run(Engine engine, Approximations approximations, String text, int[] in, int[] out) {
        try (Device device = Device.builder().engine(engine).approximations(approximations).workers(1).open()) {
            PtxModule module = device.load("approximations.ptx", text);
            DeviceBuffer results = device.copyOf(out);
            module.kernel("k").grid(SOURCES / 128).block(128).launch(device.copyOf(in), results);
            return results.toInts();
        }
    }

    private static int[] sources(int seed) {
        Random random = new Random(seed);
        return random.ints(SOURCES).map(bits -> switch (random.nextInt(4)) {
            case 0 -> bits;
            case 1 -> SPECIAL[(bits & 0xffff) % SPECIAL.length];
            default -> Float.floatToRawIntBits((float) random.nextGaussian() * 30);
        }).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ex2.approx.f32", "ex2.approx.ftz.f32", "lg2.approx.f32", "lg2.approx.ftz.f32", "sin.approx.f32", "sin.approx.ftz.f32",
        "cos.approx.f32", "cos.approx.ftz.f32", "tanh.approx.f32", "div.approx.f32", "div.approx.ftz.f32"})
    void givesTheBitsOfTheInterpreter(String instruction) {
        agree(instruction, Approximations.PORTABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rcp.approx.f32", "rcp.approx.ftz.f32", "rsqrt.approx.f32", "rsqrt.approx.ftz.f32", "sqrt.approx.f32", "sqrt.approx.ftz.f32", "ex2.approx.f32", "ex2.approx.ftz.f32",
        "lg2.approx.f32", "lg2.approx.ftz.f32", "sin.approx.f32", "sin.approx.ftz.f32", "cos.approx.f32", "cos.approx.ftz.f32", "tanh.approx.f32", "div.approx.f32", "div.approx.ftz.f32",
        "div.full.f32", "div.full.ftz.f32"})
    void givesTheBitsOfAnH100(String instruction) {
        agree(instruction, Approximations.HOPPER);
        Module module = Checker.check(new SourceFile("k.ptx", text(instruction))).module();
        var program = new Program(module, new long[module.variableCount()], 0);
        program.approximate(Approximations.HOPPER);
        assertEquals(Optional.of(List.of()), new Jit(Jit.Shape.VECTOR).laneByLane(program, module.kernels().get("k"), new BlockShape(128, 1, 1)));
    }

    private static String text(String instruction) {
        return kernel(instruction, instruction.startsWith("div") ? "%f1, %f2" : "%f1");
    }

    private static void agree(String instruction, Approximations approximations) {
        String text = text(instruction);
        int[] in = sources(1);
        // Sorted, most vectors hold only ordinary numbers or only special ones.
        Arrays.sort(in, 0, SOURCES / 2);
        int[] out = sources(2);
        Arrays.sort(out, SOURCES / 4, SOURCES);
        int[] expected = run(new Interpreter(), approximations, text, in, out);
        int[] found = run(new Jit(Jit.Shape.VECTOR), approximations, text, in, out);
        assertFalse(Arrays.equals(out, expected));
        for (int i = 0; i < SOURCES; i++) {
            int at = i;
            assertEquals(Integer.toHexString(expected[i]), Integer.toHexString(found[i]),
                    () -> instruction + " of " + Integer.toHexString(in[at]) + " and " + Integer.toHexString(out[at]));
        }
    }

    /** Halves are 16 or 32 bits of a word; results of single ones are widened by zeros. */
    @ParameterizedTest
    @ValueSource(strings = {"ex2.approx.f16", "ex2.approx.f16x2", "tanh.approx.f16", "tanh.approx.f16x2", "ex2.approx.ftz.bf16", "ex2.approx.ftz.bf16x2", "tanh.approx.bf16", "tanh.approx.bf16x2"})
    void halvesOfAnH100(String instruction) {
        boolean single = !instruction.endsWith("x2");
        String text = kernel("mov.b32", "%f1").replace("mov.b32 %f0, %f1;", single
                ? ".reg .b16 %h<3>; mov.b32 {%h0, %h2}, %f1; " + instruction + " %h1, %h0; mov.b32 %f0, {%h1, %h2};"
                : ".reg .b32 %h<2>; mov.b32 %h0, %f1; " + instruction + " %h1, %h0; mov.b32 %f0, %h1;").replace("sm_80", "sm_90");
        int[] in = new Random(5).ints(SOURCES).map(bits -> (bits & 3) == 0 ? bits : bits & 0x3fff3fff | bits << 15 & 0x80008000).toArray();
        Arrays.sort(in, 0, SOURCES / 2);
        same(text, in, new int[SOURCES], instruction);
    }

    /** Among sums that are looked at once for NaNs, too. */
    @Test
    void doublesOfAnH100() {
        String text = kernel("mov.b32", "%f1").replace("mov.b32 %f0, %f1;", """
                .reg .f64 %g<6>; .reg .b64 %w; .reg .b32 %x;
                mov.b32 %x, %f1; cvt.u64.u32 %w, %x; shl.b64 %w, %w, 32; or.b64 %w, %w, 0x80000001; mov.b64 %g0, %w;
                rcp.approx.ftz.f64 %g1, %g0; fma.rn.f64 %g2, %g1, %g0, 0dBFF0000000000000; fma.rn.f64 %g2, %g2, %g1, %g1;
                rsqrt.approx.ftz.f64 %g3, %g0; mul.rn.f64 %g3, %g3, %g2; rsqrt.approx.f64 %g4, %g0; add.rn.f64 %g4, %g4, %g3;
                mov.b64 %w, %g4; shr.u64 %d3, %w, 29; xor.b64 %w, %w, %d3; cvt.u32.u64 %x, %w; mov.b32 %f0, %x;
                """);
        int[] in = new Random(6).ints(SOURCES).map(bits -> (bits & 7) == 0 ? bits : bits & 0x1fffff | 0x3f000000 + (bits & 0x700000)).toArray();
        Arrays.sort(in, 0, SOURCES / 2);
        same(text, in, new int[SOURCES], "f64");
    }

    private static void same(String text, int[] in, int[] out, String what) {
        int[] expected = run(new Interpreter(), Approximations.HOPPER, text, in, out);
        int[] found = run(new Jit(Jit.Shape.VECTOR), Approximations.HOPPER, text, in, out);
        assertFalse(Arrays.equals(found, run(new Jit(Jit.Shape.VECTOR), Approximations.PORTABLE, text, in, out)));
        for (int i = 0; i < SOURCES; i++) {
            int at = i;
            assertEquals(Integer.toHexString(expected[i]), Integer.toHexString(found[i]), () -> what + " of " + Integer.toHexString(in[at]));
        }
    }
}
