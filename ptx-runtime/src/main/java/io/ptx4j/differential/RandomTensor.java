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
 * @param every every so manieth element of the box is moved, in each dimension
 * @param nan whether what lies outside reads as NaN
 */
public record RandomTensor(ScalarType type, List<Integer> extents, List<Integer> box, List<Integer> every, TensorMap.Swizzle swizzle, boolean nan) {
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
        return new RandomTensor(type, extents, box, every, swizzle, type.isFloat() && random.nextInt(3) == 0);
    }

    int dimensions() {
        return extents.size();
    }

    /** Of one copy. */
    int bytes() {
        return IntStream.range(0, dimensions()).map(d -> (box.get(d) + every.get(d) - 1) / every.get(d)).reduce(type.bytes(), (a, b) -> a * b);
    }

    TensorMap of(DeviceBuffer memory) {
        TensorMap map = TensorMap.of(memory, type, extents.stream().mapToLong(Integer::longValue).toArray(), ints(box)).elementStrides(ints(every)).swizzle(swizzle);
        return nan ? map.fillNan() : map;
    }

    private static int[] ints(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The line of a case file without its name. */
    String text() {
        return "tensor in " + type.toString().replace(".", "") + " " + text(extents) + " box " + text(box) + " every " + text(every)
                + (swizzle == TensorMap.Swizzle.NONE ? "" : " swizzle " + (UNIT << swizzle.ordinal())) + (nan ? " nan" : "");
    }

    private static String text(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining("x"));
    }
}
