package io.ptx4j.interpreter;

import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.FilterMode;
import io.ptx4j.engine.ImageDescriptor;
import io.ptx4j.engine.ImageShape;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;

import java.util.List;

/** The manual's "Texture Instructions". */
final class Textures {
    private Textures() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case TEX, TLD4 -> read(instruction, operands);
            case TXQ, SUQ -> query(instruction, operands);
            case ISTYPEP -> isType(instruction, operands);
            default -> null;
        };
    }

    /** The handle in a register or in a variable. */
    static Source handle(Operand object, Operands operands) {
        if (!(object instanceof Operand.AddressOf named)) {
            return operands.source(object);
        }
        Place place = operands.place(new Operand.Address(named.variable().space() == StateSpace.PARAM ? StateSpace.PARAM : StateSpace.GLOBAL,
                null, named.variable(), 0));
        return thread -> {
            long offset = place.checked(thread, place.address(thread), 8, "handle");
            return MemoryOrder.WEAK.read(place.window().segment(thread), offset, 8);
        };
    }

    static Operand.Texture place(Instruction instruction) {
        return (Operand.Texture) instruction.operands().stream().filter(o -> o instanceof Operand.Texture).findFirst().orElseThrow();
    }

    /** Elements of the operand that the row calls so; none where it is not written. */
    private static List<Source> named(Instruction instruction, Operands operands, String name) {
        int place = instruction.place(name);
        return place < 0 ? List.of() : operands.elements(place);
    }

    /** Coordinates along the dimensions of a geometry. */
    static int dimensions(Spelling spelling) {
        return switch (spelling.one(Modifier.Category.GEOMETRY)) {
            case D1, A1D -> 1;
            case D3, CUBE, ACUBE -> 3;
            case null, default -> 2;
        };
    }

    static boolean layered(Spelling spelling) {
        return switch (spelling.one(Modifier.Category.GEOMETRY)) {
            case A1D, A2D, ACUBE, A2DMS -> true;
            case null, default -> false;
        };
    }

    static boolean fits(Spelling spelling, ImageShape shape) {
        return switch (spelling.one(Modifier.Category.GEOMETRY)) {
            case D1 -> shape == ImageShape.D1 || shape == ImageShape.LINEAR;
            case D2 -> shape == ImageShape.D2;
            case D3 -> shape == ImageShape.D3;
            case A1D -> shape == ImageShape.LAYERED_1D;
            case A2D -> shape == ImageShape.LAYERED_2D || shape == ImageShape.CUBE || shape == ImageShape.LAYERED_CUBE;
            case CUBE -> shape == ImageShape.CUBE;
            case ACUBE -> shape == ImageShape.LAYERED_CUBE;
            case D2MS -> shape == ImageShape.MULTISAMPLED;
            case A2DMS -> shape == ImageShape.LAYERED_MULTISAMPLED;
            case null, default -> false;
        };
    }

    private static Step read(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Operand.Texture place = place(instruction);
        Source handle = handle(place.object(), operands);
        Source sampler = place.sampler() instanceof Operand.Absent ? handle : handle(place.sampler(), operands);
        List<Source> coordinates = place.coordinates().stream().map(operands::source).toList();
        List<Source> level = named(instruction, operands, "b");
        List<Source> across = named(instruction, operands, "g");
        List<Source> down = named(instruction, operands, "h");
        List<Source> offset = named(instruction, operands, "e");
        List<Source> depth = named(instruction, operands, "f");
        List<Destination> results = operands.destinations(0);
        int residency = spelling.form().operands().stream().map(OperandSpec::name).toList().indexOf("p");
        Destination resident = operands.absent(residency) ? null : operands.destination(residency);
        boolean whole = spelling.lastType() != ScalarType.F32;
        boolean cube = spelling.has(Modifier.CUBE) || spelling.has(Modifier.ACUBE);
        int dimensions = dimensions(spelling);
        int component = spelling.has(Modifier.R) ? 0 : spelling.has(Modifier.G) ? 1 : spelling.has(Modifier.B) ? 2
                : spelling.has(Modifier.A) ? 3 : -1;
        return thread -> {
            Image image = Image.named(thread, handle.bits(thread), ImageDescriptor.TEXTURE);
            if (!fits(spelling, image.shape())) {
                throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, spelling + " on an image of shape " + image.shape());
            }
            Image how = Image.named(thread, sampler.bits(thread), 0);
            int next = 0;
            int layer = 0;
            if (layered(spelling)) {
                int layers = cube ? Math.max(1, image.layers() / 6) : image.layers();
                layer = (int) Math.min(coordinates.get(next++).bits(thread), layers - 1);
            }
            int sample = 0;
            if (spelling.has(Modifier.D2MS) || spelling.has(Modifier.A2DMS)) {
                sample = (int) Math.min(coordinates.get(next++).bits(thread), image.samples() - 1);
            }
            double[] position = new double[3];
            for (int d = 0; d < dimensions; d++) {
                long bits = coordinates.get(next + d).bits(thread);
                position[d] = whole ? (int) bits : Float.intBitsToFloat((int) bits);
            }
            double major = 0;
            if (cube) {
                major = Math.max(Math.abs(position[0]), Math.max(Math.abs(position[1]), Math.abs(position[2])));
                layer = 6 * layer + face(position);
            }
            int[] texelOffset = new int[3];
            for (int d = 0; d < Math.min(3, offset.size()); d++) {
                texelOffset[d] = (int) offset.get(d).bits(thread);
            }
            Float reference = depth.isEmpty() ? null : Float.intBitsToFloat((int) depth.getFirst().bits(thread));
            TextureRead read = new TextureRead(image, how, whole, cube, layer, sample, position, texelOffset, reference);
            int[] colour = component >= 0 ? read.gathered(component)
                    : read.colour(lod(thread, spelling, image, how, level, across, down, cube ? major : 0));
            write(thread, spelling.type(), results, colour, read.floats());
            if (resident != null) {
                resident.write(thread, 1);
            }
        };
    }

    /** Turns the direction in {@code position} into a place on a face, each coordinate from 0 to 1; gives the face's number. */
    private static int face(double[] position) {
        double x = position[0];
        double y = position[1];
        double z = position[2];
        double largest = Math.abs(x);
        int axis = 0;
        if (!(largest >= Math.abs(y) && largest >= Math.abs(z))) {
            axis = Math.abs(y) >= Math.abs(z) ? 1 : 2;
            largest = Math.abs(position[axis]);
        }
        boolean negative = !(position[axis] >= 0);
        double sign = negative ? -1 : 1;
        double s = axis == 0 ? -z * sign : axis == 1 ? x : x * sign;
        double t = axis == 1 ? z * sign : -y;
        position[0] = (s / largest + 1) / 2;
        position[1] = (t / largest + 1) / 2;
        position[2] = 0;
        return 2 * axis + (negative ? 1 : 0);
    }

    private static double lod(ThreadState thread, Spelling spelling, Image image, Image sampler, List<Source> level, List<Source> across,
            List<Source> down, double major) {
        if (spelling.has(Modifier.BASE)) {
            return Double.NEGATIVE_INFINITY;
        }
        double lod = 0;
        if (spelling.has(Modifier.LEVEL)) {
            lod = Float.intBitsToFloat((int) level.getFirst().bits(thread));
        } else if (spelling.has(Modifier.GRAD)) {
            double longest = Math.max(length(thread, spelling, image, sampler, across, major), length(thread, spelling, image, sampler, down, major));
            lod = StrictMath.log(longest) / StrictMath.log(2);
        }
        lod += sampler.number(ImageDescriptor.LOD_BIAS);
        double least = sampler.number(ImageDescriptor.LOD_MIN);
        double greatest = Math.max(least, sampler.number(ImageDescriptor.LOD_MAX));
        return lod != lod ? Math.min(Math.max(0, least), greatest) : Math.min(Math.max(lod, least), greatest);
    }

    /** Length of a gradient in texels; one that is not a number counts as 0. */
    private static double length(ThreadState thread, Spelling spelling, Image image, Image sampler, List<Source> gradient, double major) {
        double squares = 0;
        for (int d = 0; d < dimensions(spelling); d++) {
            double step = Float.intBitsToFloat((int) gradient.get(d).bits(thread));
            double texels = major != 0 ? step / major * image.size(0, 0) / 2
                    : sampler.field(ImageDescriptor.NORMALIZED) != 0 ? step * image.size(d, 0) : step;
            squares += texels * texels;
        }
        return Math.sqrt(squares);
    }

    private static void write(ThreadState thread, ScalarType type, List<Destination> results, int[] colour, boolean floats) {
        for (int i = 0; i < results.size(); i++) {
            results.get(i).write(thread, switch (type) {
                case F16 -> half(colour[i], floats);
                case F16X2 -> half(colour[2 * i], floats) | half(colour[2 * i + 1], floats) << 16;
                default -> Integer.toUnsignedLong(colour[i]);
            });
        }
    }

    private static long half(int bits, boolean isFloat) {
        return isFloat ? Format.F16.round(Format.F32.decode(Integer.toUnsignedLong(bits)), Rounding.Fixed.NEAREST_EVEN) : bits & 0xFFFF;
    }

    private static Step query(Instruction instruction, Operands operands) {
        Source handle = handle(place(instruction).object(), operands);
        List<Source> level = named(instruction, operands, "b");
        Destination d = operands.destination(0);
        Modifier field = instruction.spelling().modifiers().stream().filter(m -> m != Modifier.LEVEL).findFirst().orElseThrow();
        return thread -> {
            Image image = Image.named(thread, handle.bits(thread), 0);
            int at = level.isEmpty() ? 0 : (int) level.getFirst().bits(thread);
            d.write(thread, Integer.toUnsignedLong(field(image, field, Math.clamp(at, 0, image.levels() - 1))));
        };
    }

    private static int field(Image image, Modifier field, int level) {
        return switch (field) {
            case WIDTH -> image.size(0, level);
            case HEIGHT -> image.shape().dimensions() > 1 ? image.size(1, level) : 0;
            case DEPTH -> image.shape().dimensions() > 2 ? image.size(2, level) : 0;
            case CHANNEL_DATA_TYPE -> dataType(image.type(), image.field(ImageDescriptor.READ_AS_FLOAT) != 0);
            case CHANNEL_ORDER -> switch (image.channels()) {
                case 1 -> 0x10B0;
                case 2 -> 0x10B2;
                default -> 0x10B5;
            };
            case NORMALIZED_COORDS -> image.field(ImageDescriptor.NORMALIZED) != 0 ? 1 : 0;
            case FORCE_UNNORMALIZED_COORDS -> image.field(ImageDescriptor.NORMALIZED) != 0 ? 0 : 1;
            case ARRAY_SIZE -> !image.shape().layered() ? 0 : image.shape().cube() ? image.layers() / 6 : image.layers();
            case NUM_MIPMAP_LEVELS -> image.levels();
            case NUM_SAMPLES -> image.samples();
            case MEMORY_LAYOUT -> image.shape() == ImageShape.LINEAR ? 1 : 0;
            case FILTER_MODE -> image.field(ImageDescriptor.FILTER) == FilterMode.LINEAR.ordinal() ? 1 : 0;
            case ADDR_MODE_0 -> addressMode(image, 0);
            case ADDR_MODE_1 -> addressMode(image, 1);
            case ADDR_MODE_2 -> addressMode(image, 2);
            default -> throw new NoDefinition("no field " + field);
        };
    }

    /** The manual's numbers: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border. */
    private static int addressMode(Image image, int dimension) {
        return switch (image.choice(AddressMode.values(), ImageDescriptor.ADDRESS_MODES + 4 * dimension)) {
            case WRAP -> 0;
            case MIRROR -> 1;
            case CLAMP -> 3;
            case BORDER -> 4;
        };
    }

    private static int dataType(ChannelType type, boolean normalized) {
        return 0x10D0 + switch (type) {
            case S8 -> normalized ? 0 : 7;
            case S16 -> normalized ? 1 : 8;
            case U8 -> normalized ? 2 : 10;
            case U16 -> normalized ? 3 : 11;
            case S32 -> 9;
            case U32 -> 12;
            case F16 -> 13;
            case F32 -> 14;
        };
    }

    private static Step isType(Instruction instruction, Operands operands) {
        Source handle = handle(instruction.operand(1), operands);
        Destination p = operands.destination(0);
        long kind = switch (instruction.type()) {
            case TEXREF -> ImageDescriptor.TEXTURE;
            case SAMPLERREF -> ImageDescriptor.SAMPLER;
            default -> ImageDescriptor.SURFACE;
        };
        return thread -> p.write(thread, Image.isKind(thread, handle.bits(thread), kind) ? 1 : 0);
    }
}
