package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.differential.Spellings;
import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.FilterMode;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Image;
import io.ptx4j.runtime.ImageLayout;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.runtime.Sampler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Every spelling of every texture and surface row on both engines: results and images must be the same bits. */
@Tag("thorough")
final class ImageAgreementTest {
    private static final int THREADS = 32;
    private static final int WORDS = 32;

    private static List<Device> devices;

    @BeforeAll
    static void open() {
        devices = Stream.of(new Interpreter(), new Jit(Jit.Shape.SCALAR), new Jit(Jit.Shape.VECTOR)).map(ImageAgreementTest::device).toList();
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).workers(1).memory(1 << 28).open();
    }

    @AfterAll
    static void close() {
        devices.forEach(Device::close);
    }

    /** All instructions for one shape of image, with the same first words of their spelling, in one kernel. */
    @TestFactory
    Stream<DynamicTest> everySpelling() {
        Map<String, List<Spelling>> groups = new LinkedHashMap<>();
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                if ((form.family() == Family.TEXTURE || form.family() == Family.SURFACE) && opcode != Opcode.ISTYPEP) {
                    for (Spelling spelling : Spellings.all(form)) {
                        groups.computeIfAbsent(opcode + " " + spelling.one(Modifier.Category.GEOMETRY) + (spelling.has(Modifier.TRAP) ? " inside" : ""), _ -> new ArrayList<>()).add(spelling);
                    }
                }
            }
        }
        return groups.entrySet().stream().map(group -> dynamicTest(group.getKey(), () -> agree(group.getValue())));
    }

    private static void agree(List<Spelling> spellings) {
        boolean surface = spellings.getFirst().family() == Family.SURFACE;
        int per = 12;
        for (int from = 0; from < spellings.size(); from += per) {
            List<Spelling> some = spellings.subList(from, Math.min(spellings.size(), from + per));
            String text = kernel(some);
            List<PtxModule> modules = devices.stream().map(device -> device.load("images.ptx", text)).toList();
            Modifier geometry = some.getFirst().one(Modifier.Category.GEOMETRY);
            int[] in = surface ? places(some.getFirst()) : words(some.getFirst().text().hashCode());
            for (Look look : surface ? SURFACES : TEXTURES) {
                Object[] expected = null;
                for (int d = 0; d < devices.size(); d++) {
                    Object[] found = run(devices.get(d), modules.get(d), look, geometry, surface, in, some.size());
                    expected = expected == null ? found : expected;
                    String where = devices.get(d).engine() + ", " + look + "\n" + text;
                    assertArrayEquals((int[]) expected[0], (int[]) found[0], where);
                    assertArrayEquals((byte[]) expected[1], (byte[]) found[1], where);
                }
            }
            modules.forEach(PtxModule::close);
        }
    }

    private record Look(ChannelType type, int channels, Sampler sampler) {
    }

    private static final Sampler SMOOTH = Sampler.DEFAULT.withNormalized(true).withFilter(FilterMode.LINEAR);
    private static final List<Look> TEXTURES = List.of(
        new Look(ChannelType.F32, 4, Sampler.DEFAULT),
        new Look(ChannelType.F32, 1, SMOOTH.withAddressMode(AddressMode.WRAP).withMipFilter(FilterMode.LINEAR)),
        new Look(ChannelType.U8, 4, SMOOTH.withAddressMode(AddressMode.MIRROR).withReadAsFloat(true).withSrgb(true)),
        new Look(ChannelType.S16, 2, Sampler.DEFAULT.withAddressMode(AddressMode.BORDER).withBorder(-3, 2, 1, 7)),
        new Look(ChannelType.F16, 2, SMOOTH.withAddressMode(AddressMode.BORDER).withBorder(1, 2, 3, 4).withLod(0.3f, 0.2f, 1.7f)),
        new Look(ChannelType.U32, 1, Sampler.DEFAULT.withNormalized(true).withAddressMode(AddressMode.MIRROR)));
    private static final List<Look> SURFACES = List.of(
        new Look(ChannelType.U32, 4, null), new Look(ChannelType.S32, 4, null), new Look(ChannelType.F16, 4, null), new Look(ChannelType.S8, 4, null));

    private static Object[] run(Device device, PtxModule module, Look look, Modifier geometry, boolean surface, int[] in, int count) {
        Image image = device.image(layout(geometry, surface), look.type(), look.channels());
        byte[] texels = new byte[(int) image.memory().byteSize()];
        SplittableRandom random = new SplittableRandom(5);
        random.nextBytes(texels);
        if (look.type() == ChannelType.F32) {
            for (int i = 3; i < texels.length; i += 4) {
                texels[i] = (byte) (0x3f | texels[i] & 0x80);
            }
        }
        image.memory().copyFrom(texels);
        try (image; DeviceBuffer input = device.copyOf(in); DeviceBuffer out = device.allocateInts((long) THREADS * WORDS * count);
                var handle = surface ? image.surface() : image.texture(look.sampler())) {
            // Threads write to the same places of a surface: one after the other, they do so in one order.
            module.kernel("k").grid(surface ? THREADS : 1).block(surface ? 1 : THREADS).launch(handle, input, out);
            return new Object[] {out.toInts(), image.memory().toBytes()};
        }
    }

    private static ImageLayout layout(Modifier geometry, boolean surface) {
        int levels = surface ? 1 : 3;
        int width = surface ? 8 : 7;
        return switch (geometry) {
            case D1 -> ImageLayout.of1d(width).withLevels(levels);
            case D3 -> ImageLayout.of3d(width, 4, 6).withLevels(levels);
            case A1D -> ImageLayout.layered1d(width, 3).withLevels(levels);
            case A2D -> ImageLayout.layered2d(width, 5, 3).withLevels(levels);
            case CUBE -> ImageLayout.cube(4).withLevels(levels);
            case ACUBE -> ImageLayout.layeredCube(4, 2).withLevels(levels);
            case D2MS -> ImageLayout.multisampled(4, 5, 2);
            case A2DMS -> ImageLayout.layeredMultisampled(4, 5, 3, 2);
            case null, default -> ImageLayout.of2d(width, 5).withLevels(levels);
        };
    }

    /** Sixteen words for each thread: whole numbers from −3 to 12, then floats from −2 to 8 with special ones among them. */
    private static int[] words(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] special = {0f, -0f, 0.5f, 1f, -1f, 2.5f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1e-30f, 1e20f, 0.999999f};
        int[] words = new int[THREADS * 16];
        for (int i = 0; i < words.length; i++) {
            boolean whole = i % 16 < 8;
            float number = random.nextInt(6) == 0 ? special[random.nextInt(special.length)] : (float) random.nextDouble(-2, 8) / (1 + random.nextInt(8));
            words[i] = whole ? random.nextInt(16) - 3 : Float.floatToRawIntBits(number);
        }
        return words;
    }

    /** As {@link #words}, with places in a surface: aligned to the widest access, and with {@code .trap} inside. */
    private static int[] places(Spelling spelling) {
        int[] words = words(spelling.text().hashCode());
        SplittableRandom random = new SplittableRandom(7);
        boolean layered = spelling.one(Modifier.Category.GEOMETRY) == Modifier.A1D || spelling.one(Modifier.Category.GEOMETRY) == Modifier.A2D;
        boolean inside = spelling.has(Modifier.TRAP);
        for (int thread = 0; thread < THREADS; thread++) {
            for (int w = 0; w < 4; w++) {
                boolean bytes = w == (layered ? 1 : 0);
                words[16 * thread + w] = inside ? random.nextInt(bytes ? 1 : 3) : (random.nextInt(9) - 2) * (bytes ? 16 : 1);
            }
        }
        return words;
    }

    private static String kernel(List<Spelling> spellings) {
        StringBuilder text = new StringBuilder("""
            .version 8.6
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 image, .param .u64 in, .param .u64 out) {
              .reg .pred %p<4>;
              .reg .b16 %h<8>;
              .reg .b32 %w<8>, %f<8>, %r<12>;
              .reg .b64 %d<8>, %l<8>;
              ld.param.u64 %d0, [image];
              ld.param.u64 %d1, [in];
              ld.param.u64 %d2, [out];
              mov.u32 %r10, %tid.x;
              mov.u32 %r11, %ctaid.x;
              add.u32 %r10, %r10, %r11;
              mad.wide.u32 %d1, %r10, 64, %d1;
            """);
        text.append("  mad.wide.u32 %d2, %r10, ").append(4 * WORDS * spellings.size()).append(", %d2;\n");
        for (int i = 0; i < 8; i++) {
            text.append("  ld.global.b32 %w").append(i).append(", [%d1+").append(4 * i).append("];\n");
            text.append("  ld.global.b32 %f").append(i).append(", [%d1+").append(32 + 4 * i).append("];\n");
        }
        for (int s = 0; s < spellings.size(); s++) {
            Spelling spelling = spellings.get(s);
            boolean optional = spelling.form().operands().stream().anyMatch(OperandSpec::optional);
            for (int with = 0; with < (optional ? 2 : 1); with++) {
                instruction(text, spelling, with == 1, 4 * (WORDS * s + WORDS / 2 * with));
            }
        }
        return text.append("  ret;\n}\n").toString();
    }

    /** Writes the instruction and stores its results at {@code at}. */
    private static void instruction(StringBuilder text, Spelling spelling, boolean optional, int at) {
        List<String> operands = new ArrayList<>();
        ScalarType type = spelling.type();
        String registers = type == null || type.bits() == 32 ? "%r" : type.bits() == 64 ? "%l" : "%h";
        int results = 0;
        int sources = 0;
        for (OperandSpec spec : spelling.form().operands()) {
            if (spec.optional() && !optional) {
                continue;
            }
            int elements = spelling.elementsOf(spec);
            switch (spec.role()) {
                case DESTINATION -> {
                    if (spec.paired()) {
                        operands.set(0, operands.getFirst() + "|%p0");
                    } else {
                        results = Math.max(1, elements);
                        operands.add(vector(registers, 0, elements));
                    }
                }
                case TEXTURE -> operands.add("[%d0" + (elements == 0 ? "" : ", " + coordinates(spelling, elements)) + "]");
                default -> {
                    boolean value = spelling.family() == Family.SURFACE;
                    if (value) {
                        convert(text, registers, Math.max(1, elements));
                        operands.add(vector(registers, 4, elements));
                    } else {
                        boolean whole = spelling.typeOf(spec).isInteger();
                        operands.add(vector(whole ? "%w" : "%f", whole && elements == 0 ? 3 : sources++ % 4, elements));
                    }
                }
            }
        }
        text.append("  ").append(spelling.text()).append(' ').append(String.join(", ", operands)).append(";\n");
        for (int r = 0; r < results; r++) {
            int size = registers.equals("%h") ? 2 : registers.equals("%l") ? 8 : 4;
            text.append("  st.global.b").append(8 * size).append(" [%d2+").append(at + size * r).append("], ").append(registers).append(r).append(";\n");
        }
    }

    private static void convert(StringBuilder text, String registers, int elements) {
        for (int e = 0; e < elements; e++) {
            if (registers.equals("%h")) {
                text.append("  cvt.u16.u32 %h").append(4 + e).append(", %f").append(e).append(";\n");
            } else if (registers.equals("%l")) {
                text.append("  mov.b64 %l").append(4 + e).append(", {%f").append(e).append(", %w").append(e).append("};\n");
            } else {
                text.append("  mov.b32 %r").append(4 + e).append(", %f").append(e).append(";\n");
            }
        }
    }

    private static String coordinates(Spelling spelling, int elements) {
        boolean whole = spelling.family() == Family.SURFACE || spelling.types().size() > 1 && spelling.lastType().isInteger();
        int indices = switch (spelling.one(Modifier.Category.GEOMETRY)) {
            case A1D, A2D, ACUBE, D2MS -> 1;
            case A2DMS -> 2;
            case null, default -> 0;
        };
        List<String> all = new ArrayList<>();
        for (int e = 0; e < elements; e++) {
            all.add((e < indices || whole ? "%w" : "%f") + e);
        }
        return "{" + String.join(", ", all) + "}";
    }

    private static String vector(String registers, int first, int elements) {
        if (elements == 0) {
            return registers + first;
        }
        List<String> all = new ArrayList<>();
        for (int e = 0; e < elements; e++) {
            all.add(registers + (first + e));
        }
        return "{" + String.join(", ", all) + "}";
    }
}
