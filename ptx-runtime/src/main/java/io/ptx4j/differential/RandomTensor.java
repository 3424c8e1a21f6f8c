package io.ptx4j.differential;

import io.ptx4j.engine.TensorMode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.TensorMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A tensor over the input of a random kernel, and the box that copies move.
 *
 * @param mode how copies walk through it
 * @param box extents of the box; in {@link Mode#PIXELS} how many channels of a pixel, and how many pixels
 * @param lower where the box of pixels begins along W, H and D, in {@link Mode#LINE} along W; empty for tiles
 * @param upper where it ends
 * @param every every so manieth element of the box is moved, in each dimension
 * @param nan whether what lies outside reads as NaN
 * @param operations what a kernel may do to a tensor of this kind that all its blocks share, so that no order shows: reductions, and {@link #STORE}
 */
public record RandomTensor(ScalarType type, Mode mode, List<Integer> extents, List<Integer> box, List<Integer> lower, List<Integer> upper, List<Integer> every,
        TensorMap.Swizzle swizzle, boolean nan, List<String> operations) {
    /** A box, four rows ({@code tile::gather4}), pixels of images ({@code im2col}), or pixels along W with a halo ({@code im2col::w}). */
    public enum Mode { TILE, ROWS, PIXELS, LINE }

    /** Elements are stored as they are. */
    static final String STORE = "";
    /** Pixels behind those of {@link Mode#LINE}, at most. */
    static final int MOST_HALO = 4;

    /** Rows of one copy in {@link Mode#ROWS}. */
    static final int ROWS = 4;
    private static final int MOST_PIXELS = 8;
    private static final List<ScalarType> TYPES = List.of(ScalarType.U8, ScalarType.U16, ScalarType.U32, ScalarType.S32, ScalarType.F16, ScalarType.F32, ScalarType.F64,
            ScalarType.U64);
    private static final int UNIT = 16;
    private static final int MOST_DIMENSIONS = 5;
    private static final int MOST_UNITS = 4;

    /**
     * @param scatters whether rows can be stored
     * @param alone whether one block runs alone
     */
    static RandomTensor some(SplittableRandom random, boolean scatters, boolean alone) {
        ScalarType type = TYPES.get(random.nextInt(TYPES.size()));
        int dimensions = 1 + random.nextInt(MOST_DIMENSIONS);
        int unit = UNIT / type.bytes();
        int units = 1 + random.nextInt(MOST_UNITS);
        // All boxes fit into the shared memory for them, all tensors into the input.
        List<Integer> extents = IntStream.range(0, dimensions).map(d -> d == 0 ? unit * (1 + random.nextInt(MOST_UNITS)) : 1 + random.nextInt(dimensions > 3 ? 3 : 7)).boxed().toList();
        List<Integer> box = IntStream.range(0, dimensions).map(d -> d == 0 ? unit * units : 1 + random.nextInt(dimensions > 3 || units > 2 ? 2 : 3)).boxed().toList();
        List<Integer> every = IntStream.range(0, dimensions).map(d -> d == 0 || random.nextInt(4) > 0 ? 1 : 2).boxed().toList();
        TensorMap.Swizzle swizzle = random.nextInt(3) > 0 ? TensorMap.Swizzle.NONE : units <= 2 ? TensorMap.Swizzle.BYTES_32 : TensorMap.Swizzle.BYTES_64;
        boolean nan = type.isFloat() && random.nextInt(3) == 0;
        int row = unit * units;
        List<String> operations = operations(random, type, alone);
        int kind = random.nextInt(scatters ? 10 : 6);
        return switch (kind) {
            case 0, 6, 7, 8 -> new RandomTensor(type, Mode.ROWS, List.of(extents.getFirst(), 1 + random.nextInt(12)), List.of(row, 1), List.of(), List.of(), List.of(1, 1), swizzle, nan,
                    scatters ? operations : List.of());
            case 1, 2, 9 -> {
                int around = 1 + random.nextInt(3);
                boolean line = kind == 9 || random.nextBoolean();
                List<Integer> images = IntStream.range(0, around + 2).map(d -> d == 0 ? unit * (1 + random.nextInt(2)) : d > around ? 1 + random.nextInt(3) : 3 + random.nextInt(2)).boxed().toList();
                List<Integer> steps = IntStream.range(0, around + 2).map(d -> d == 0 || d > around || random.nextInt(4) > 0 ? 1 : 2).boxed().toList();
                int corners = line ? 1 : around;
                yield new RandomTensor(type, line ? Mode.LINE : Mode.PIXELS, images, List.of(line && random.nextBoolean() ? unit : row, 1 + random.nextInt(MOST_PIXELS)), corner(random, corners), corner(random, corners),
                        steps, !line ? swizzle : random.nextBoolean() ? TensorMap.Swizzle.BYTES_64 : TensorMap.Swizzle.BYTES_128, nan, line ? List.of() : operations);
            }
            default -> new RandomTensor(type, Mode.TILE, extents, box, List.of(), List.of(), every, swizzle, nan, operations);
        };
    }

    /** Of several blocks one reduction, in any order the same. */
    private static List<String> operations(SplittableRandom random, ScalarType type, boolean alone) {
        List<String> possible = switch (type) {
            case U32 -> List.of("add", "min", "max", "and", "or", "xor", "inc", "dec");
            case S32, U64 -> List.of("add", "min", "max", "and", "or", "xor");
            case F32, F64 -> List.of("and", "or", "xor", "add");
            case F16 -> List.of("add", "min", "max");
            default -> List.of();
        };
        if (alone) {
            return Stream.concat(possible.stream(), Stream.of(STORE)).toList();
        }
        List<String> free = possible.subList(0, type == ScalarType.F16 ? 0 : Math.min(type.isFloat() ? 3 : 6, possible.size()));
        return free.isEmpty() ? free : List.of(free.get(random.nextInt(free.size())));
    }

    private static List<Integer> corner(SplittableRandom random, int dimensions) {
        return IntStream.range(0, dimensions).map(d -> random.nextInt(3) - 1).boxed().toList();
    }

    int dimensions() {
        return extents.size();
    }

    /**
     * Of one copy.
     *
     * @param halo pixels behind the others
     */
    int bytes(int halo) {
        if (mode != Mode.TILE) {
            return type.bytes() * box.getFirst() * (mode == Mode.ROWS ? ROWS : box.getLast() + halo);
        }
        return IntStream.range(0, dimensions()).map(d -> (box.get(d) + every.get(d) - 1) / every.get(d)).reduce(type.bytes(), (a, b) -> a * b);
    }

    /** Of one copy in mode {@code im2col::w::128}, with {@code halo} pixels behind each of its four parts. */
    int bytesOfParts(int halo) {
        return type.bytes() * box.getFirst() * TensorMode.FOUR * (TensorMode.PART + halo);
    }

    TensorMap of(DeviceBuffer memory) {
        long[] sizes = extents.stream().mapToLong(Integer::longValue).toArray();
        TensorMap dense = switch (mode) {
            case TILE, ROWS -> TensorMap.of(memory, type, sizes, ints(box));
            case PIXELS -> TensorMap.im2col(memory, type, sizes, ints(lower), ints(upper), box.getFirst(), box.getLast());
            case LINE -> TensorMap.im2colWide(memory, type, sizes, lower.getFirst(), upper.getFirst(), box.getFirst(), box.getLast());
        };
        TensorMap map = dense.elementStrides(ints(every)).swizzle(swizzle);
        return nan ? map.fillNan() : map;
    }

    private static int[] ints(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * The line of a case file without its name.
     *
     * @param memory the argument that holds the tensor
     */
    String text(String memory) {
        boolean pixels = mode == Mode.PIXELS || mode == Mode.LINE;
        return "tensor " + memory + " " + type.toString().replace(".", "") + " " + text(extents)
                + (pixels ? " im2col" + (mode == Mode.LINE ? "::w " : " ") + text(lower) + " to " + text(upper) + " channels " + box.getFirst() + " pixels " + box.getLast() : " box " + text(box)) + " every " + text(every)
                + (swizzle == TensorMap.Swizzle.NONE ? "" : " swizzle " + (UNIT << swizzle.ordinal())) + (nan ? " nan" : "");
    }

    private static String text(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining("x"));
    }
}
