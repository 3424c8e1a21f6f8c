package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads of textures at any place, and reads and writes of the thread's own texel of a surface. */
final class ImageStatements {
    /** {@code %k} are whole coordinates, {@code %u} fractions. */
    private static final String DECLARATIONS = ".reg .b64 %im<2>; .reg .b32 %k<4>, %u<4>;";
    private static final int COORDINATES = 4;
    private static final int TEXEL = 16;
    private static final int ATTEMPTS = 10;
    /** Of how many reads of a texture that has them one gathers four texels. */
    private static final int GATHERS = 4;

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;
    private final List<RandomImage> images;
    private final Consumer<String> lines;

    ImageStatements(SplittableRandom random, Registers registers, Instructions instructions, List<RandomImage> images, Consumer<String> lines) {
        this.random = random;
        this.registers = registers;
        this.instructions = instructions;
        this.images = images;
        this.lines = lines;
    }

    /** Parameters of the kernel behind the others. */
    static String parameters(List<RandomImage> images) {
        return IntStream.range(0, images.size()).mapToObj(i -> ", .param .u64 image" + i).collect(Collectors.joining());
    }

    static List<String> prologue(List<RandomImage> images) {
        return images.isEmpty() ? List.of() : List.of(DECLARATIONS + IntStream.range(0, images.size())
                .mapToObj(i -> " ld.param.u64 %im" + i + ", [image" + i + "];").collect(Collectors.joining()));
    }

    void statement(String guard) {
        int number = random.nextInt(images.size());
        RandomImage image = images.get(number);
        boolean flat = image.geometry() == Modifier.D2 || image.geometry() == Modifier.A2D;
        boolean gathers = !image.isSurface() && flat && random.nextInt(GATHERS) == 0;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Spelling spelling = instructions.spelling(image.isSurface() ? Family.SURFACE : Family.TEXTURE,
                    some -> fits(some, image) && (!gathers || some.opcode() == Opcode.TLD4));
            String text = spelling == null ? null : instruction(spelling, "%im" + number, image);
            if (text != null) {
                lines.accept(coordinates(image, spelling, text) + guard + text);
                return;
            }
        }
    }

    private static boolean fits(Spelling spelling, RandomImage image) {
        Modifier geometry = spelling.one(Modifier.Category.GEOMETRY);
        boolean query = spelling.opcode() == Opcode.TXQ || spelling.opcode() == Opcode.SUQ;
        return spelling.opcode() != Opcode.ISTYPEP && (query || geometry == image.geometry())
                && !(spelling.opcode() == Opcode.SURED && spelling.type().bits() == Long.SIZE && spelling.has(Modifier.P));
    }

    /** Sets the coordinates that {@code text} names: anywhere about the texture, or the thread's own texel, in bytes or texels. */
    private String coordinates(RandomImage image, Spelling spelling, String text) {
        StringBuilder before = new StringBuilder();
        if (image.isSurface()) {
            String scale = spelling.has(Modifier.P) ? "1" : Integer.toString(TEXEL);
            before.append("mul.lo.u32 %k0, ").append(image.geometry() == Modifier.D1 ? "%gid, " : "%thread, ").append(scale).append("; ");
            return before + (image.geometry() == Modifier.D1 ? "" : registers.dialect().special("%k1", "ctaid.x") + "; ");
        }
        for (int i = 0; i < COORDINATES; i++) {
            String whole = "%k" + i;
            String fraction = "%u" + i;
            if (text.contains(whole) || text.contains(fraction)) {
                before.append("and.b32 ").append(whole).append(", ").append(random.nextBoolean() ? "%thread" : registers.word()).append(", 15; sub.s32 ").append(whole)
                        .append(", ").append(whole).append(", 3; ");
            }
            if (text.contains(fraction)) {
                before.append(random.nextInt(4) == 0 ? "mov.b32 " + fraction + ", " + registers.word() + "; "
                        : "cvt.rn.f32.s32 " + fraction + ", " + whole + "; mul.f32 " + fraction + ", " + fraction + ", 0f3e99999a; ");
            }
        }
        return before.toString();
    }

    private String instruction(Spelling spelling, String handle, RandomImage image) {
        boolean optional = random.nextInt(3) == 0;
        List<String> operands = new ArrayList<>();
        Set<String> written = new HashSet<>();
        for (OperandSpec spec : spelling.form().operands()) {
            // A predicate beside the result came with PTX 7.1.
            if (spec.optional() && (!optional || spec.paired() && registers.dialect() == Dialect.SM_75)) {
                continue;
            }
            int elements = spelling.elementsOf(spec);
            switch (spec.role()) {
                case DESTINATION -> {
                    String result = spec.paired() ? registers.predicate() : result(spelling, spec, elements, written);
                    if (result == null) {
                        return null;
                    }
                    if (spec.paired()) {
                        operands.set(0, operands.getFirst() + "|" + result);
                    } else {
                        operands.add(result);
                    }
                }
                case TEXTURE -> operands.add("[" + handle + (elements == 0 ? "" : ", " + vector(elements, e -> coordinate(spelling, image, e))) + "]");
                default -> {
                    ScalarType type = spelling.typeOf(spec);
                    boolean whole = type == null || type.isInteger() || spelling.family() == Family.SURFACE;
                    if (spelling.family() == Family.SURFACE) {
                        int bits = type == null ? Integer.SIZE : Math.max(Short.SIZE, type.bits());
                        operands.add(elements == 0 ? registers.ofBits(bits) : vector(elements, e -> registers.ofBits(bits)));
                    } else {
                        operands.add(elements == 0 ? (whole ? "%k3" : "%u3") : vector(elements, e -> (whole ? "%k" : "%u") + (3 - e)));
                    }
                }
            }
        }
        return spelling.text() + " " + String.join(", ", operands);
    }

    private String result(Spelling spelling, OperandSpec spec, int elements, Set<String> written) {
        ScalarType type = spelling.typeOf(spec);
        int bits = type == null ? Integer.SIZE : Math.max(Short.SIZE, type.bits());
        List<String> names = new ArrayList<>();
        for (int attempt = 0; attempt < 8 * ATTEMPTS && names.size() < Math.max(1, elements); attempt++) {
            String name = registers.ofBits(bits);
            if (written.add(name)) {
                names.add(name);
            }
        }
        return names.size() < Math.max(1, elements) ? null : elements == 0 ? names.getFirst() : "{" + String.join(", ", names) + "}";
    }

    private static String coordinate(Spelling spelling, RandomImage image, int element) {
        boolean whole = spelling.family() == Family.SURFACE || spelling.types().size() > 1 && spelling.lastType().isInteger();
        return (whole || element == 0 && image.geometry() == Modifier.A2D ? "%k" : "%u") + element;
    }

    private static String vector(int elements, IntFunction<String> name) {
        return IntStream.range(0, elements).mapToObj(name).collect(Collectors.joining(", ", "{", "}"));
    }
}
