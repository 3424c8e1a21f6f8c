package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic of f16 and bf16 on vectors against the interpreter: random numbers, numbers of like size, and special ones. */
@Tag("thorough")
final class LaneHalvesTest {
    private static final int SOURCES = 1 << 15;
    private static final int THREADS = 128;
    private static final int[] SPECIAL = {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x8400, 0x3c00, 0xbc00, 0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xffff, 0x1400, 0x6400, 0x6801,
        0x3f80, 0xbf80, 0x3f81, 0x7f80, 0xff80, 0x7f81, 0x7f7f, 0xff7f, 0x0080, 0x007f, 0x4380, 0x3b80};

    private static String kernel(String instruction) {
        boolean packed = instruction.contains("x2");
        return """
                .version 8.6
                .target sm_100
                .address_size 64
                .visible .entry k(.param .u64 x, .param .u64 y)
                {
                  .reg .b%1$d %%r<8>;
                  .reg .b32 %%t<4>;
                  .reg .b64 %%d<8>;
                  ld.param.u64 %%d0, [x];
                  ld.param.u64 %%d1, [y];
                  mov.u32 %%t0, %%tid.x;
                  mov.u32 %%t1, %%ctaid.x;
                  mov.u32 %%t2, %%ntid.x;
                  mad.lo.s32 %%t0, %%t1, %%t2, %%t0;
                  mul.wide.u32 %%d2, %%t0, %2$d;
                  add.s64 %%d0, %%d0, %%d2;
                  mul.wide.u32 %%d2, %%t0, %3$d;
                  add.s64 %%d1, %%d1, %%d2;
                  ld.global.b%1$d %%r1, [%%d0];
                  ld.global.b%1$d %%r2, [%%d0+%3$d];
                  ld.global.b%1$d %%r3, [%%d0+%4$d];
                  %5$s %%r0, %%r1%6$s;
                  st.global.b%1$d [%%d1], %%r0;
                  ret;
                }
                """.formatted(packed ? 32 : 16, packed ? 12 : 6, packed ? 4 : 2, packed ? 8 : 4, instruction, instruction.startsWith("fma") ? ", %r2, %r3" : instruction.startsWith("abs") || instruction.startsWith("neg") ? "" : ", %r2");
    }

    /** As bf16: 7, 37 and a number that f32 does not hold beside their product, which is half way between two. */
    private static final short[] HALF_WAY = {0x40e0, 0x4214, (short) 0xb000};

    private static short[] sources(Random random, boolean packed) {
        short[] sources = new short[6 * SOURCES];
        for (int k = 0; k < sources.length; k++) {
            int block = k / 6 / THREADS;
            boolean special = block % 4 == 0 || block % 4 == 1 && random.nextInt(20) == 0;
            boolean like = block % 4 == 2;
            sources[k] = (short) (special ? SPECIAL[random.nextInt(SPECIAL.length)] : like ? 0x3c00 + random.nextInt(0x800) ^ random.nextInt(2) << 15 : random.nextInt());
        }
        for (int k = 0; k < 6; k++) {
            sources[k] = HALF_WAY[packed ? k / 2 : k % 3];
        }
        return sources;
    }

    private static short[] run(Engine engine, String text, int threads, short[] in) {
        try (Device device = Device.builder().engine(engine).workers(1).open()) {
            PtxModule module = device.load("halves.ptx", text);
            DeviceBuffer x = device.copyOf(in);
            DeviceBuffer y = device.allocateShorts(2 * SOURCES);
            module.kernel("k").grid(SOURCES / threads).block(threads).launch(x, y);
            return y.toShorts();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"add.rn.f16x2", "sub.rn.f16x2", "mul.rn.f16x2", "fma.rn.f16x2", "fma.rn.relu.f16x2", "add.sat.f16x2", "fma.rn.sat.f16x2", "add.rn.f16", "sub.f16",
        "mul.sat.f16", "fma.rn.f16", "fma.rn.relu.f16", "add.rn.bf16x2", "sub.rn.bf16x2", "mul.rn.bf16x2", "fma.rn.bf16x2", "fma.rn.relu.bf16x2", "add.bf16", "sub.bf16", "mul.bf16", "fma.rn.bf16",
        "min.f16x2", "max.f16x2", "min.NaN.f16x2", "max.NaN.bf16x2", "min.bf16x2", "max.f16", "min.NaN.bf16", "abs.f16x2", "neg.f16x2", "neg.f16", "abs.bf16x2", "neg.bf16x2", "neg.bf16"})
    void areTheInterpreters(String instruction) {
        short[] in = sources(new Random(instruction.hashCode()), instruction.contains("x2"));
        String text = kernel(instruction);
        short[] expected = run(new Interpreter(), text, THREADS, in);
        for (int threads : new int[] {THREADS, 16}) {
            short[] found = run(new Jit(Jit.Shape.VECTOR), text, threads, in);
            for (int k = 0; k < found.length; k++) {
                int at = k;
                assertEquals(Integer.toHexString(expected[k] & 0xffff), Integer.toHexString(found[k] & 0xffff), () -> "result " + at);
            }
        }
    }
}
