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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The approximate functions on vectors against the interpreter: ordinary sources side by side, special ones side by side, and both mixed. */
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
}
