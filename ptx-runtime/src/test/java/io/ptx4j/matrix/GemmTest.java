package io.ptx4j.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What nvcc makes of matrix products with nvcuda::wmma, ldmatrix and mma (src/test/resources/matrix/gemm.cu), against plain Java:
 * every element is one chain of multiply-adds in the order of k.
 */
final class GemmTest {
    private static final int ROWS = 64;
    private static final int COLUMNS = 32;
    private static final int INNER = 32;

    /** What a kernel multiplies, how, and how many elements of C a warp makes. */
    private enum Gemm {
        wmma_f16_f32(Element.F16, Element.F32, 256, true), wmma_f16_f16(Element.F16, Element.F16, 256, true), wmma_s8(Element.S8, Element.S32, 256, true),
        wmma_shared(Element.F16, Element.F32, 256, false), wmma_bf16(Element.BF16, Element.F32, 256, true), wmma_tf32(Element.TF32, Element.F32, 256, true),
        wmma_f64(Element.F64, Element.F64, 64, true), mma_f16(Element.F16, Element.F32, 512, false);

        final Element in;
        final Element out;
        final int perWarp;
        final boolean byColumn;

        /** @param byColumn whether B is stored by columns, and C is added to */
        Gemm(Element in, Element out, int perWarp, boolean byColumn) {
            this.in = in;
            this.out = out;
            this.perWarp = perWarp;
            this.byColumn = byColumn;
        }

        /** sm_75 has none of the other types. */
        boolean onTuring() {
            return ordinal() <= wmma_shared.ordinal();
        }
    }

    private enum Element {
        F16(2), BF16(2), TF32(4), F32(4), F64(8), S8(1), S32(4);

        final int bytes;

        Element(int bytes) {
            this.bytes = bytes;
        }

        double random(SplittableRandom random) {
            return switch (this) {
                case F16 -> Float.float16ToFloat(Float.floatToFloat16((float) random.nextDouble(-1, 1)));
                case BF16 -> Float.intBitsToFloat(Float.floatToIntBits((float) random.nextDouble(-1, 1)) & 0xffff0000);
                case TF32 -> Float.intBitsToFloat(Float.floatToIntBits((float) random.nextDouble(-1, 1)) & 0xffffe000);
                case F32 -> (float) random.nextDouble(-1, 1);
                case F64 -> random.nextDouble(-1, 1);
                case S8 -> random.nextInt(-128, 128);
                case S32 -> random.nextInt(-100_000, 100_000);
            };
        }

        void put(ByteBuffer to, double value) {
            switch (this) {
                case F16 -> to.putShort(Float.floatToFloat16((float) value));
                case BF16 -> to.putShort((short) (Float.floatToRawIntBits((float) value) >>> 16));
                case TF32, F32 -> to.putFloat((float) value);
                case F64 -> to.putDouble(value);
                case S8 -> to.put((byte) value);
                case S32 -> to.putInt((int) value);
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> productsOfRealPrograms() {
        return Stream.of(75, 80, 90, 100, 120).flatMap(target -> Stream.of(CaseEngine.values())
                .filter(engine -> target == 75 || target == 100 || !engine.create().name().equals("interpreter"))
                .flatMap(engine -> Stream.of(Gemm.values()).filter(gemm -> target > 75 || gemm.onTuring()).map(gemm -> DynamicTest.dynamicTest(
                        gemm + " of sm_" + target + " on " + engine, () -> check(gemm, target, engine)))));
    }

    private static void check(Gemm gemm, int target, CaseEngine engine) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 24).open();
                PtxModule module = device.load(Path.of("src/test/resources/matrix/gemm.sm_" + target + ".ptx"))) {
            SplittableRandom random = new SplittableRandom(gemm.ordinal());
            double[] a = random(ROWS * INNER, gemm.in, random);
            double[] b = random(INNER * COLUMNS, gemm.in, random);
            double[] c = random(ROWS * COLUMNS, gemm.out, random);
            DeviceBuffer result = device.copyOf(bytes(c, gemm.out));
            int warps = ROWS * COLUMNS / gemm.perWarp;
            module.kernel(gemm.name()).grid(warps / 4).block(128)
                    .launch(device.copyOf(bytes(a, gemm.in)), device.copyOf(bytes(b, gemm.in)), result, COLUMNS, INNER);
            assertArrayEquals(bytes(product(gemm, a, b, c), gemm.out), result.toBytes());
        }
    }

    private static double[] random(int count, Element element, SplittableRandom random) {
        return random.doubles(count).map(ignored -> element.random(random)).toArray();
    }

    private static byte[] bytes(double[] values, Element element) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * element.bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            element.put(bytes, value);
        }
        return bytes.array();
    }

    private static double[] product(Gemm gemm, double[] a, double[] b, double[] c) {
        double[] d = new double[c.length];
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                double sum = gemm.byColumn ? c[row * COLUMNS + column] : 0;
                for (int k = 0; k < INNER; k++) {
                    double x = a[row * INNER + k] * (gemm == Gemm.wmma_shared ? 2 : 1);
                    double y = gemm.byColumn ? b[column * INNER + k] : b[k * COLUMNS + column];
                    sum = step(gemm, x, y, sum);
                    if (gemm.out == Element.F16 && k % 16 == 15) {
                        sum = Float.float16ToFloat(Float.floatToFloat16((float) sum));
                    }
                }
                d[row * COLUMNS + column] = sum;
            }
        }
        return d;
    }

    private static double step(Gemm gemm, double x, double y, double sum) {
        return switch (gemm.out) {
            case F64, S32 -> Math.fma(x, y, sum);
            default -> Math.fma((float) x, (float) y, (float) sum);
        };
    }
}
