package io.ptx4j.differential;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.TensorMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A tensor over the input of a random kernel, and the box that copies move.
 *
 * @param mode how copies walk through it
 * @param box extents of the box; in {@link Mode#PIXELS} how many channels of a pixel, and how many pixels
 * @param lower where the box of pixels begins along W, H and D; empty for tiles
 * @param upper where it ends
 * @param every every so manieth element of the box is moved, in each dimension
 * @param nan whether what lies outside reads as NaN
 */
public record RandomTensor(ScalarType type, Mode mode, List<Integer> extents, List<Integer> box, List<Integer> lower, List<Integer> upper, List<Integer> every,
        TensorMap.Swizzle swizzle, boolean nan) {
    /** A box, four rows ({@code tile::gather4}), or pixels of images ({@code im2col}). */
    public enum Mode { TILE, ROWS, PIXELS }

    /** Rows of one copy in {@link Mode#ROWS}. */
    static final int ROWS = 4;
    private static final int MOST_PIXELS = 8;
    private static final List<ScalarType> TYPES = List.of(ScalarType.U8, ScalarType.U16, ScalarType.U32, ScalarType.S32, ScalarType.F16, ScalarType.F32, ScalarType.F64,
            ScalarType.U64);
    private static final int UNIT = 16;
    private static final int MOST_DIMENSIONS = 5;
    private static final int MOST_UNITS = 4;

    static RandomTensor some(SplittableRandom random) {
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
        return switch (random.nextInt(4)) {
            case 0 -> new RandomTensor(type, Mode.ROWS, List.of(extents.getFirst(), 1 + random.nextInt(12)), List.of(row, 1), List.of(), List.of(), List.of(1, 1), swizzle, nan);
            case 1 -> {
                int around = 1 + random.nextInt(3);
                List<Integer> images = IntStream.range(0, around + 2).map(d -> d == 0 ? unit * (1 + random.nextInt(2)) : d > around ? 1 + random.nextInt(3) : 3 + random.nextInt(2)).boxed().toList();
                yield new RandomTensor(type, Mode.PIXELS, images, List.of(row, 1 + random.nextInt(MOST_PIXELS)), corner(random, around), corner(random, around),
                        images.stream().map(extent -> 1).toList(), swizzle, nan);
            }
            default -> new RandomTensor(type, Mode.TILE, extents, box, List.of(), List.of(), every, swizzle, nan);
        };
    }

    private static List<Integer> corner(SplittableRandom random, int dimensions) {
        return IntStream.range(0, dimensions).map(d -> random.nextInt(3) - 1).boxed().toList();
    }

    int dimensions() {
        return extents.size();
    }

    /** Of one copy. */
    int bytes() {
        if (mode != Mode.TILE) {
            return type.bytes() * box.getFirst() * (mode == Mode.ROWS ? ROWS : box.getLast());
        }
        return IntStream.range(0, dimensions()).map(d -> (box.get(d) + every.get(d) - 1) / every.get(d)).reduce(type.bytes(), (a, b) -> a * b);
    }

    TensorMap of(DeviceBuffer memory) {
        long[] sizes = extents.stream().mapToLong(Integer::longValue).toArray();
        TensorMap dense = mode == Mode.PIXELS ? TensorMap.im2col(memory, type, sizes, ints(lower), ints(upper), box.getFirst(), box.getLast()) : TensorMap.of(memory, type, sizes, ints(box));
        TensorMap map = dense.elementStrides(ints(every)).swizzle(swizzle);
        return nan ? map.fillNan() : map;
    }

    private static int[] ints(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The line of a case file without its name. */
    String text() {
        return "tensor in " + type.toString().replace(".", "") + " " + text(extents)
                + (mode == Mode.PIXELS ? " im2col " + text(lower) + " to " + text(upper) + " channels " + box.getFirst() + " pixels " + box.getLast() : " box " + text(box)) + " every " + text(every)
                + (swizzle == TensorMap.Swizzle.NONE ? "" : " swizzle " + (UNIT << swizzle.ordinal())) + (nan ? " nan" : "");
    }

    private static String text(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining("x"));
    }
}
