package io.ptx4j.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.programs.Texts;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Products that nvcc makes with tensor memory, against sums in the order of k. */
@Tag("widths")
@Timeout(120)
final class TensorProgramsTest {
    private static void run(CaseEngine engine, Consumer<PtxModule> test) throws IOException {
        try (Device device = Device.builder().engine(engine.create()).workers(2).memory(4 << 20).timeout(Duration.ofSeconds(60)).open()) {
            test.accept(device.load("tensor.ptx", Texts.of("tensor.sm_100a")));
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void halves(CaseEngine engine) throws IOException {
        int rows = engine == CaseEngine.INTERPRETER ? 128 : 256;
        int columns = 128;
        int depth = engine == CaseEngine.INTERPRETER ? 64 : 192;
        Random random = new Random(1);
        short[] a = new short[rows * depth];
        short[] b = new short[columns * depth];
        for (int i = 0; i < a.length; i++) {
            a[i] = Float.floatToFloat16(random.nextFloat() - 0.5f);
        }
        for (int i = 0; i < b.length; i++) {
            b[i] = Float.floatToFloat16(random.nextFloat() - 0.5f);
        }
        float[] expected = new float[rows * columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                float sum = 0;
                for (int k = 0; k < depth; k++) {
                    sum = Math.fma(Float.float16ToFloat(a[i * depth + k]), Float.float16ToFloat(b[j * depth + k]), sum);
                }
                expected[i * columns + j] = sum;
            }
        }
        run(engine, module -> {
            DeviceBuffer d = module.device().allocate(4L * expected.length);
            module.kernel("gemm").grid(rows / 128, columns / 64).block(128).launch(module.device().copyOf(a), module.device().copyOf(b), d, depth);
            float[] found = new float[expected.length];
            d.copyTo(found);
            assertArrayEquals(expected, found);
        });
    }

    /** e4m3 codes of 0 to 15 eighths in steps of one, of either sign, so that all sums are exact. */
    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void scaledBytes(CaseEngine engine) throws IOException {
        int depth = 128;
        Random random = new Random(2);
        byte[] a = new byte[128 * depth];
        byte[] b = new byte[32 * depth];
        random.nextBytes(a);
        random.nextBytes(b);
        for (int i = 0; i < a.length; i++) {
            a[i] &= (byte) 0x87;
        }
        for (int i = 0; i < b.length; i++) {
            b[i] &= (byte) 0x87;
        }
        int[] scaleA = new int[128];
        int[] scaleB = new int[32];
        for (int i = 0; i < 128; i++) {
            for (int part = 0; part < 4; part++) {
                scaleA[i] |= 125 + random.nextInt(5) << 8 * part;
                scaleB[i % 32] = scaleB[i % 32] & ~(0xff << 8 * part) | 125 + random.nextInt(5) << 8 * part;
            }
        }
        float[] expected = new float[128 * 32];
        for (int i = 0; i < 128; i++) {
            for (int j = 0; j < 32; j++) {
                double sum = 0;
                for (int k = 0; k < depth; k++) {
                    int exponent = (scaleA[i] >>> k / 32 * 8 & 0xff) + (scaleB[j] >>> k / 32 * 8 & 0xff) - 2 * 127;
                    sum += Math.scalb(number(a[i * depth + k]) * number(b[j * depth + k]), exponent);
                }
                expected[i * 32 + j] = (float) sum;
            }
        }
        run(engine, module -> {
            DeviceBuffer d = module.device().allocate(4L * expected.length);
            Device device = module.device();
            module.kernel("scaled").grid(1).block(128).launch(device.copyOf(a), device.copyOf(b), device.copyOf(scaleA), device.copyOf(scaleB), d);
            float[] found = new float[expected.length];
            d.copyTo(found);
            assertArrayEquals(expected, found);
        });
    }

    /** A subnormal number of e4m3. */
    private static double number(byte code) {
        return (code < 0 ? -1 : 1) * (code & 7) * 0x1p-9;
    }
}
