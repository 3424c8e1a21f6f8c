package io.ptx4j.textures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.FilterMode;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Image;
import io.ptx4j.runtime.ImageLayout;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.runtime.Sampler;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels of CUDA texture and surface objects, as nvcc compiles them, against plain Java. */
final class CudaTexturesTest {
    static Stream<Arguments> runs() {
        return Stream.of("75", "100").flatMap(target -> Stream.of(new Interpreter(), new Jit(Jit.Shape.SCALAR), new Jit(Jit.Shape.VECTOR))
            .map(engine -> Arguments.of(target, engine)));
    }

    private static PtxModule load(Device device, String target) throws Exception {
        String file = "textures.sm_" + target + ".ptx";
        try (InputStream text = CudaTexturesTest.class.getResourceAsStream("/textures/" + file)) {
            return device.load(file, new String(text.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void resizing(String target, Engine engine) throws Exception {
        try (Device device = Device.builder().engine(engine).open()) {
            int w = 37;
            int h = 21;
            Image image = device.image(ImageLayout.of2d(4, 4), ChannelType.F32, 4);
            float[] texels = new float[64];
            for (int i = 0; i < 64; i++) {
                texels[i] = i / 4 % 4 * 2 + i / 16 * 3 + i % 4;
            }
            image.memory().copyFrom(texels);
            DeviceBuffer out = device.allocateFloats(4L * w * h);
            Sampler sampler = Sampler.DEFAULT.withNormalized(true).withFilter(FilterMode.LINEAR);
            load(device, target).kernel("resize").grid(5, 3).block(8, 8).launch(image.texture(sampler), w, h, out);
            float[] colours = out.toFloats();
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    double u = Math.clamp((x + 0.5) / w * 4 - 0.5, 0, 3);
                    double v = Math.clamp((y + 0.5) / h * 4 - 0.5, 0, 3);
                    for (int c = 0; c < 4; c++) {
                        assertEquals(2 * u + 3 * v + c, colours[4 * (y * w + x) + c], 5.1 / 512);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void blurring(String target, Engine engine) throws Exception {
        try (Device device = Device.builder().engine(engine).open()) {
            int w = 31;
            int h = 18;
            byte[] picture = new byte[w * h];
            new Random(3).nextBytes(picture);
            Image from = device.image(ImageLayout.of2d(w, h), ChannelType.U8, 1);
            from.memory().copyFrom(picture);
            Image to = device.image(ImageLayout.of2d(w, h), ChannelType.U8, 1);
            load(device, target).kernel("blur").grid(1, 3).block(32, 8).launch(from.texture(), to.surface(), w, h);
            byte[] expected = new byte[w * h];
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    int sum = 0;
                    for (int d = 0; d < 9; d++) {
                        int row = Math.clamp(y + d / 3 - 1, 0, h - 1);
                        sum += picture[row * w + Math.clamp(x + d % 3 - 1, 0, w - 1)] & 0xff;
                    }
                    expected[y * w + x] = (byte) (sum / 9);
                }
            }
            assertArrayEquals(expected, to.memory().toBytes());
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void lists(String target, Engine engine) throws Exception {
        try (Device device = Device.builder().engine(engine).open()) {
            DeviceBuffer list = device.copyOf(10, 20, 30, 40);
            Image image = device.image(ImageLayout.linear(4), ChannelType.S32, 1, list, 16);
            DeviceBuffer out = device.allocateInts(5);
            load(device, target).kernel("gather_list").grid(1).block(32).launch(image.texture(), device.copyOf(3, 0, -1, 4, 2), 5, out);
            assertArrayEquals(new int[] {40, 10, 0, 0, 30}, out.toInts());
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void everyShape(String target, Engine engine) throws Exception {
        try (Device device = Device.builder().engine(engine).open()) {
            Sampler sampler = Sampler.DEFAULT.withNormalized(true).withFilter(FilterMode.LINEAR).withAddressMode(AddressMode.CLAMP);
            Image volume = constant(device, ImageLayout.of3d(4, 4, 4), 5);
            Image cube = constant(device, ImageLayout.cube(4), 6);
            Image layers = device.image(ImageLayout.layered2d(2, 2, 3), ChannelType.F32, 1);
            layers.memory().copyFrom(new float[] {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
            Image pyramid = device.image(ImageLayout.of2d(4, 4).withLevels(3), ChannelType.F32, 1);
            float[] values = new float[21];
            Arrays.fill(values, 0, 16, 10);
            Arrays.fill(values, 16, 20, 20);
            values[20] = 30;
            pyramid.memory().copyFrom(values);
            DeviceBuffer out = device.allocateFloats(64);
            load(device, target).kernel("mixed").grid(1).block(8).launch(volume.texture(sampler), cube.texture(sampler), layers.texture(sampler),
                pyramid.texture(sampler), out);
            float[] result = out.toFloats();
            for (int i = 0; i < 8; i++) {
                float lod = Math.min(2, (float) Math.floor(i * 0.5f + 0.5f));
                float grad = Math.max(i, 1) * 0.125f * 4;
                float gradLevel = Math.clamp((float) Math.floor(Math.log(grad) / Math.log(2) + 0.5), 0, 2);
                List<Float> expected = List.of(5f, 6f, 1f + i % 3, 10 + 10 * lod, 10 + 10 * gradLevel, 40f, 10f, 10f);
                for (int k = 0; k < 8; k++) {
                    assertEquals(expected.get(k), result[8 * i + k], "thread " + i + ", value " + k);
                }
            }
        }
    }

    private static Image constant(Device device, ImageLayout layout, float value) {
        Image image = device.image(layout, ChannelType.F32, 1);
        image.memory().fill(value);
        return image;
    }

    @ParameterizedTest
    @MethodSource("runs")
    void surfacesAreReadAndWritten(String target, Engine engine) throws Exception {
        try (Device device = Device.builder().engine(engine).open()) {
            Image image = device.image(ImageLayout.of2d(16, 4), ChannelType.S32, 2);
            int[] pairs = new int[128];
            Arrays.setAll(pairs, i -> 100 * i);
            image.memory().copyFrom(pairs);
            Image layers = device.image(ImageLayout.layered2d(8, 4, 2), ChannelType.S32, 1);
            load(device, target).kernel("surfaces").grid(4).block(16).launch(image.surface(), layers.surface(), 16);
            int[] now = image.memory().toInts();
            int[] sums = layers.memory().toInts();
            for (int y = 0; y < 4; y++) {
                for (int x = 0; x < 16; x++) {
                    int at = 2 * (16 * y + x);
                    assertEquals(100 * at + x, now[at]);
                    assertEquals(100 * (at + 1) - y, now[at + 1]);
                    if (x < 8) {
                        assertEquals(now[at] + now[at + 1], sums[32 * (y & 1) + 8 * y + x]);
                    }
                }
            }
        }
    }
}
