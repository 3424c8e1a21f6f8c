package io.ptx4j.textures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.LaunchException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.runtime.Sampler;
import io.ptx4j.runtime.Surface;
import io.ptx4j.runtime.Texture;
import io.ptx4j.runtime.UnknownNameException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Textures and surfaces against values worked out by hand or by plain Java. */
final class TextureTest {
    private static final Sampler SMOOTH = Sampler.DEFAULT.withFilter(FilterMode.LINEAR);

    static Stream<Engine> engines() {
        return Stream.of(new Interpreter(), new Jit(Jit.Shape.SCALAR), new Jit(Jit.Shape.VECTOR));
    }

    /** A kernel that reads the texture once for each thread; coordinates and results are 32-bit words, four a thread. */
    private static float[] read(Device device, Texture texture, String instruction, int elements, float... coordinates) {
        int threads = coordinates.length / elements;
        StringBuilder loads = new StringBuilder();
        StringBuilder vector = new StringBuilder();
        for (int e = 0; e < 4; e++) {
            loads.append("ld.global.b32 %c").append(e).append(", [%d3+").append(4 * e).append("];\n");
        }
        for (int e = 0; e < elements; e++) {
            vector.append(e == 0 ? "" : ", ").append("%c").append(e);
        }
        if (elements == 3) {
            vector.append(", %c2");
        }
        String text = """
            .version 8.6
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 t, .param .u64 in, .param .u64 out) {
              .reg .b32 %%c<4>, %%r<8>;
              .reg .b64 %%d<8>;
              ld.param.u64 %%d0, [t];
              ld.param.u64 %%d1, [in];
              ld.param.u64 %%d2, [out];
              mov.u32 %%r0, %%tid.x;
              mad.wide.u32 %%d3, %%r0, 16, %%d1;
              mad.wide.u32 %%d4, %%r0, 16, %%d2;
              %s
              %s
              st.global.v4.b32 [%%d4], {%%r1, %%r2, %%r3, %%r4};
              ret;
            }
            """.formatted(loads, instruction.formatted("{%r1, %r2, %r3, %r4}, [%d0, {" + vector + "}]"));
        float[] padded = new float[4 * threads];
        for (int i = 0; i < threads; i++) {
            System.arraycopy(coordinates, elements * i, padded, 4 * i, elements);
        }
        PtxModule module = device.load("read.ptx", text);
        DeviceBuffer out = device.allocateFloats(4L * threads);
        module.kernel("k").grid(1).block(threads).launch(texture, device.copyOf(padded), out);
        return out.toFloats();
    }

    private static float[] first(float[] colours) {
        float[] first = new float[colours.length / 4];
        for (int i = 0; i < first.length; i++) {
            first[i] = colours[4 * i];
        }
        return first;
    }

    private static Image ramp(Device device, ImageLayout layout) {
        Image image = device.image(layout, ChannelType.F32, 1);
        float[] values = new float[(int) layout.texels()];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        image.memory().copyFrom(values);
        return image;
    }

    @ParameterizedTest
    @MethodSource("engines")
    void addressModes(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            Image image = ramp(device, ImageLayout.of1d(4));
            float[] at = {-1.125f, -0.625f, -0.125f, 0.125f, 0.375f, 0.99f, 1.0f, 1.4f, 2.3f};
            float[][] expected = {
                {3, 1, 3, 0, 1, 3, 0, 1, 1}, {3, 2, 0, 0, 1, 3, 3, 2, 1}, {0, 0, 0, 0, 1, 3, 3, 3, 3}, {9, 9, 9, 0, 1, 3, 9, 9, 9}};
            AddressMode[] modes = {AddressMode.WRAP, AddressMode.MIRROR, AddressMode.CLAMP, AddressMode.BORDER};
            for (int m = 0; m < modes.length; m++) {
                Sampler sampler = Sampler.DEFAULT.withNormalized(true).withAddressMode(modes[m]).withBorder(9, 8, 7, 6);
                assertArrayEquals(expected[m], first(read(device, image.texture(sampler), "tex.1d.v4.f32.f32 %s;", 1, at)), modes[m].name());
            }
            Sampler texels = Sampler.DEFAULT.withAddressMode(AddressMode.WRAP);
            assertArrayEquals(new float[] {0, 2, 3}, first(read(device, image.texture(texels), "tex.1d.v4.f32.f32 %s;", 1, -3, 2.9f, 7)));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void linearFilterOfARampIsTheRamp(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            Image plane = ramp(device, ImageLayout.of2d(8, 4));
            float[] colours = read(device, plane.texture(SMOOTH), "tex.2d.v4.f32.f32 %s;", 2, 0.5f, 0.5f, 1.0f, 0.5f, 3.75f, 2.25f, 7.9f, 3.9f, 4, 2);
            // x − 0.5 + 8 (y − 0.5) inside, the edge outside; green, blue and alpha are missing, and 0 as on an H100.
            assertArrayEquals(new float[] {0, 0.5f, 3.25f + 8 * 1.75f, 31, 3.5f + 12}, first(colours));
            assertArrayEquals(new float[4], Arrays.copyOf(colours, 4));
            Image volume = ramp(device, ImageLayout.of3d(4, 4, 4));
            assertArrayEquals(new float[] {1.25f + 4 * 0.5f + 16 * 2.125f},
                first(read(device, volume.texture(SMOOTH), "tex.3d.v4.f32.f32 %s;", 3, 1.75f, 1.0f, 2.625f)));
            // Weights have 8 bits: 1/1024 is lost, 3/1024 becomes 1/256.
            assertArrayEquals(new float[] {0, 1 / 256f},
                first(read(device, ramp(device, ImageLayout.of1d(4)).texture(SMOOTH), "tex.1d.v4.f32.f32 %s;", 1, 0.5f + 1 / 1024f, 0.5f + 3 / 1024f)));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void facesOfACube(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            Image cube = ramp(device, ImageLayout.cube(2));
            float[] directions = {1, 0.5f, 0.5f, -1, 0.5f, 0.5f, 0.5f, 1, 0.5f, 0.5f, -1, 0.5f, 0.5f, 0.5f, 1, 0.5f, 0.5f, -1};
            // Texel 2 y + x of face f, with s and t of the direction by the table of cube faces.
            assertArrayEquals(new float[] {0, 4 + 1, 8 + 3, 12 + 1, 16 + 1, 20},
                first(read(device, cube.texture(), "tex.cube.v4.f32.f32 %s;", 3, directions)));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void levels(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            Image image = device.image(ImageLayout.of2d(4, 4).withLevels(3), ChannelType.F32, 1);
            float[] values = new float[16 + 4 + 1];
            Arrays.fill(values, 0, 16, 1);
            Arrays.fill(values, 16, 20, 2);
            values[20] = 4;
            image.memory().copyFrom(values);
            Sampler normalized = Sampler.DEFAULT.withNormalized(true);
            float[] places = {0.25f, 0.25f, 0, 0.25f, 0.25f, 0.4f, 0.25f, 0.25f, 0.5f, 0.75f, 0.75f, 1.75f, 0.25f, 0.25f, 9};
            String level = "tex.level.2d.v4.f32.f32 {%%r1, %%r2, %%r3, %%r4}, [%%d0, {%%c0, %%c1}], %%c2;";
            assertArrayEquals(new float[] {1, 1, 2, 4, 4}, first(read(device, image.texture(normalized), level, 3, places)));
            Sampler between = normalized.withMipFilter(FilterMode.LINEAR);
            assertArrayEquals(new float[] {1, 1 + Math.round(0.4f * 256) / 256f, 1.5f, 3.5f, 4},
                first(read(device, image.texture(between), level, 3, places)));
            String grad = "tex.grad.2d.v4.f32.f32 {%%r1, %%r2, %%r3, %%r4}, [%%d0, {%%c0, %%c1}], {%%c2, %%c3}, {%%c3, %%c3};";
            assertArrayEquals(new float[] {1, 2, 4}, first(read(device, image.texture(normalized), grad, 4,
                0.25f, 0.25f, 0.25f, 0, 0.25f, 0.25f, 0.5f, 0, 0.25f, 0.25f, 1, 0)));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void gathersFourTexels(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            Image image = ramp(device, ImageLayout.of2d(4, 4));
            assertArrayEquals(new float[] {5, 6, 2, 1}, read(device, image.texture(), "tld4.r.2d.v4.f32.f32 %s;", 2, 2, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void wholeNumbersAsFloats(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            Image image = device.image(ImageLayout.of1d(2), ChannelType.U8, 4);
            image.memory().copyFrom(new byte[] {0, 51, (byte) 255, (byte) 128, 1, 2, 3, 4});
            Sampler asFloat = Sampler.DEFAULT.withReadAsFloat(true);
            assertArrayEquals(new float[] {0, 0.2f, 1, 128 / 255f}, read(device, image.texture(asFloat), "tex.1d.v4.f32.f32 %s;", 1, 0));
            float[] srgb = read(device, image.texture(asFloat.withSrgb(true)), "tex.1d.v4.f32.f32 %s;", 1, 0);
            assertEquals(0.033104766f, srgb[1], 1e-7f);
            assertEquals(128 / 255f, srgb[3]);
            Image signed = device.image(ImageLayout.of1d(1), ChannelType.S8, 2);
            signed.memory().copyFrom(new byte[] {-128, 127});
            assertArrayEquals(new float[] {-1, 1, 0, 0}, read(device, signed.texture(asFloat), "tex.1d.v4.f32.f32 %s;", 1, 0));
            float[] raw = read(device, signed.texture(), "tex.1d.v4.s32.f32 %s;", 1, 0);
            assertEquals(-128, Float.floatToRawIntBits(raw[0]));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void linearMemoryIsZeroOutside(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            Image image = ramp(device, ImageLayout.linear(4));
            float[] places = {Float.intBitsToFloat(3), Float.intBitsToFloat(-1), Float.intBitsToFloat(4)};
            assertArrayEquals(new float[] {3, 0, 0}, first(read(device, image.texture(), "tex.1d.v4.f32.s32 %s;", 1, places)));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void texturesOfAModuleAreBound(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            PtxModule module = device.load("bound.ptx", """
                .version 4.1
                .target sm_30
                .address_size 64
                .global .texref picture;
                .visible .entry k(.param .u64 out) {
                  .reg .f32 %f<5>;
                  .reg .u64 %d<3>;
                  .reg .pred %p;
                  ld.param.u64 %d0, [out];
                  tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [picture, {1.0}];
                  st.global.f32 [%d0], %f0;
                  mov.u64 %d1, picture;
                  tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d1, {2.0}];
                  st.global.f32 [%d0+4], %f0;
                  istypep.texref %p, %d1;
                  selp.f32 %f4, 1.0, 0.0, %p;
                  st.global.f32 [%d0+8], %f4;
                  ret;
                }
                """);
            DeviceBuffer out = device.allocateFloats(3);
            KernelException unbound = assertThrows(KernelException.class, () -> module.kernel("k").grid(1).block(1).launch(out));
            assertTrue(unbound.getMessage().contains("no handle of a texture"), unbound.getMessage());
            module.bind("picture", ramp(device, ImageLayout.of1d(4)).texture());
            module.kernel("k").grid(1).block(1).launch(out);
            assertArrayEquals(new float[] {1, 2, 1}, out.toFloats());
            assertThrows(UnknownNameException.class, () -> module.bind("pictures", ramp(device, ImageLayout.of1d(4)).texture()));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void badHandlesShapesAndPlacesAreFaults(Engine engine) {
        try (Device device = Device.builder().engine(engine).open()) {
            Image plane = ramp(device, ImageLayout.of2d(4, 4));
            KernelException shape = assertThrows(KernelException.class, () -> read(device, plane.texture(), "tex.3d.v4.f32.f32 %s;", 3, 0, 0, 0));
            assertEquals(KernelException.Kind.ILLEGAL_OPERAND, shape.kind());
            PtxModule module = device.load("store.ptx", """
                .version 8.0
                .target sm_75
                .address_size 64
                .visible .entry k(.param .u64 s, .param .u32 x) {
                  .reg .u64 %d0;
                  .reg .b32 %r<2>;
                  ld.param.u64 %d0, [s];
                  ld.param.u32 %r0, [x];
                  sust.b.2d.b32.trap [%d0, {%r0, 3}], {%r0};
                  ret;
                }
                """);
            Surface surface = plane.surface();
            module.kernel("k").grid(1).block(1).launch(surface, 12);
            KernelException outside = assertThrows(KernelException.class, () -> module.kernel("k").grid(1).block(1).launch(surface, 16));
            assertEquals(KernelException.Kind.OUT_OF_BOUNDS, outside.kind());
            assertThrows(KernelException.class, () -> module.kernel("k").grid(1).block(1).launch(12345L, 0));
            assertThrows(LaunchException.class, () -> module.kernel("k").grid(1).block(1).launch(surface, surface));
        }
    }

    @Test
    void samplersMustFitTheirImage() {
        try (Device device = Device.open()) {
            Image whole = device.image(ImageLayout.of1d(4), ChannelType.U32, 1);
            assertThrows(IllegalArgumentException.class, () -> whole.texture(SMOOTH));
            assertThrows(IllegalArgumentException.class, () -> whole.texture(Sampler.DEFAULT.withReadAsFloat(true)));
            assertThrows(IllegalArgumentException.class, () -> device.image(ImageLayout.of1d(4), ChannelType.U32, 3));
            assertThrows(IllegalArgumentException.class, () -> ImageLayout.of2d(4, 4).withLevels(4));
            assertThrows(IllegalArgumentException.class,
                () -> device.image(ImageLayout.of2d(4, 4), ChannelType.F32, 1, device.allocateFloats(15), 16));
            Image pitched = device.image(ImageLayout.of2d(3, 4), ChannelType.F32, 1, device.allocateFloats(15), 16);
            assertEquals(16, pitched.pitch());
        }
    }
}
