package io.ptx4j.isa;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a matrix instruction says about its matrices: A has {@code m} rows and {@code k} columns, B {@code k} rows and {@code n} columns,
 * C and D have {@code m} rows and {@code n} columns.
 *
 * @param layouts the layouts spelled, in order: those of A and B, or that of the only matrix
 */
public record MatrixShape(int m, int n, int k, List<Modifier> layouts) {
    private static final Pattern SHAPE = Pattern.compile("m(\\d+)n(\\d+)k(\\d+)");
    private static final Pattern WARPGROUP = Pattern.compile("\\.m64n(\\d+)k(\\d+)\\b");

    /** Of a warpgroup's product ({@code .m64n96k16}) what one of its four warps makes: sixteen rows. */
    public static MatrixShape ofWarp(Spelling spelling) {
        Matcher sizes = WARPGROUP.matcher(spelling.text());
        if (!sizes.find()) {
            throw new IllegalArgumentException(spelling + " is no product of a warpgroup");
        }
        return new MatrixShape(16, Integer.parseInt(sizes.group(1)), Integer.parseInt(sizes.group(2)), List.of());
    }

    /** The shape that {@code spelling} names, such as {@code .m16n8k16}; null when it names none with three sizes. */
    public static MatrixShape of(Spelling spelling) {
        List<Modifier> layouts = Stream.of(spelling.text().split("\\.")).map(Modifier::spelled)
                .filter(word -> word == Modifier.ROW || word == Modifier.COL).toList();
        for (Modifier modifier : spelling.modifiers()) {
            Matcher sizes = SHAPE.matcher(modifier.spelling());
            if (sizes.matches()) {
                return new MatrixShape(Integer.parseInt(sizes.group(1)), Integer.parseInt(sizes.group(2)), Integer.parseInt(sizes.group(3)),
                        layouts);
            }
        }
        return null;
    }
}
