package io.ptx4j.interpreter;

import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.stream.IntStream;

/** Products of floats and then sums of doubles on the interpreter; started by {@link CompiledRoundingTest}. */
final class CompiledRoundingRuns {
    private static final int THREADS = 128;
    private static final int BLOCKS = 3;
    private static final int SUMS = 200;
    private static final String FLOATS = "ld.global.f32 %f1, [%d1];\nmov.f32 %f0, 0f00000000;\n" + "fma.rn.f32 %f0, %f1, %f1, %f0;\n".repeat(120) + "st.global.f32 [%d1], %f1;\n";
    private static final String DOUBLES = "ld.global.f64 %g0, [%d1];\nadd.f64 %g0, %g0, 0d3FF8000000000000;\nst.global.f64 [%d1], %g0;\n";

    private CompiledRoundingRuns() {
    }

    /** @param arguments how often floats are multiplied */
    public static void main(String[] arguments) {
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            run(FLOATS, IntStream.range(0, 2 * THREADS * BLOCKS).map(k -> Float.floatToRawIntBits(1 + k % 97 / 64f)).toArray());
        }
        for (int i = 0; i < SUMS; i++) {
            run(DOUBLES, IntStream.range(0, 2 * THREADS * BLOCKS).map(k -> k * 0x1234567).toArray());
        }
    }

    private static void run(String body, int[] numbers) {
        String text = """
                .version 8.6
                .target sm_100
                .address_size 64
                .visible .entry k(.param .u64 x)
                {
                  .reg .b64 %d<9>;
                  .reg .f64 %g<9>;
                  .reg .f32 %f<9>;
                  .reg .b32 %r<9>;
                  ld.param.u64 %d0, [x];
                  mov.u32 %r1, %tid.x;
                  mov.u32 %r2, %ctaid.x;
                  mad.lo.u32 %r1, %r2, 128, %r1;
                  mul.wide.u32 %d1, %r1, 8;
                  add.s64 %d1, %d0, %d1;
                """ + body + "ret;\n}\n";
        try (Device device = Device.builder().engine(new Interpreter()).workers(1).memory(1 << 20).open()) {
            DeviceBuffer buffer = device.copyOf(numbers);
            device.load("k.ptx", text).kernel("k").grid(BLOCKS).block(THREADS).launch(buffer);
        }
    }
}
