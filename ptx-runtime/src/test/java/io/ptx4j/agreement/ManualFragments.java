package io.ptx4j.agreement;

import java.util.Map;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/**
 * The formulas of the manual's "Matrix Fragments for mma", as they stand there, one for each shape and width of elements.
 *
 * @param lower what is added to groupID for element {@code i} of A
 * @param column of element {@code i} of A in thread {@code t} of a group
 * @param row of element {@code i} of B in thread {@code t} of a group
 */
record ManualFragments(IntUnaryOperator lower, IntBinaryOperator column, IntBinaryOperator row) {
    private static final Map<String, ManualFragments> ALL = Map.ofEntries(
            entry("m8n8k4 64", i -> 0, (t, i) -> t, (t, i) -> t),
            entry("m8n8k16 8", i -> 0, (t, i) -> t * 4 + i, (t, i) -> t * 4 + i),
            entry("m8n8k32 4", i -> 0, (t, i) -> t * 8 + i, (t, i) -> t * 8 + i),
            entry("m8n8k128 1", i -> 0, (t, i) -> t * 32 + i, (t, i) -> t * 32 + i),
            entry("m16n8k4 32", i -> i == 0 ? 0 : 8, (t, i) -> t, (t, i) -> t),
            entry("m16n8k4 64", i -> i == 0 ? 0 : 8, (t, i) -> t, (t, i) -> t),
            entry("m16n8k8 16", i -> i < 2 ? 0 : 8, (t, i) -> t * 2 + (i & 1), (t, i) -> t * 2 + i),
            entry("m16n8k8 32", i -> i == 0 || i == 2 ? 0 : 8, (t, i) -> i < 2 ? t : t + 4, (t, i) -> i == 0 ? t : t + 4),
            entry("m16n8k8 64", i -> i == 0 || i == 2 ? 0 : 8, (t, i) -> i < 2 ? t : t + 4, (t, i) -> i == 0 ? t : t + 4),
            entry("m16n8k16 64", i -> i % 2 == 0 ? 0 : 8, (t, i) -> i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t, (t, i) -> t + i * 4),
            entry("m16n8k16 16", i -> i < 2 || 4 <= i && i < 6 ? 0 : 8, (t, i) -> t * 2 + (i & 1) + (i < 4 ? 0 : 8),
                    (t, i) -> t * 2 + (i & 1) + (i < 2 ? 0 : 8)),
            entry("m16n8k16 8", i -> i < 4 ? 0 : 8, (t, i) -> t * 4 + (i & 3), (t, i) -> t * 4 + i),
            entry("m16n8k32 4", i -> i < 8 ? 0 : 8, (t, i) -> t * 8 + (i & 7), (t, i) -> t * 8 + i),
            entry("m16n8k32 8", i -> i < 4 || 8 <= i && i < 12 ? 0 : 8, (t, i) -> t * 4 + (i & 3) + (i < 8 ? 0 : 16),
                    (t, i) -> t * 4 + (i & 3) + (i < 4 ? 0 : 16)),
            entry("m16n8k64 4", i -> i < 8 || 16 <= i && i < 24 ? 0 : 8, (t, i) -> t * 8 + (i & 7) + (i < 16 ? 0 : 32),
                    (t, i) -> t * 8 + (i & 7) + (i < 8 ? 0 : 32)),
            entry("m16n8k128 1", i -> i < 32 ? 0 : 8, (t, i) -> t * 32 + (i & 31), (t, i) -> t * 32 + i),
            entry("m16n8k256 1", i -> i < 32 || 64 <= i && i < 96 ? 0 : 8, (t, i) -> t * 32 + (i & 31) + (i < 64 ? 0 : 128),
                    (t, i) -> t * 32 + (i & 31) + (i < 32 ? 0 : 128)),
            // Only B: shapes that a sparse A alone has; figures 121, 124, 132 to 135 and 142 to 145.
            entry("m16n8k32 16", null, null, (t, i) -> t * 2 + i % 2 + i / 2 * 8),
            entry("m16n8k16 32", null, null, (t, i) -> t + 4 * i),
            entry("m16n8k64 8", null, null, (t, i) -> t * 4 + i % 4 + i / 4 * 16),
            entry("m16n8k128 4", null, null, (t, i) -> t * 8 + i % 8 + i / 8 * 32));

    private static Map.Entry<String, ManualFragments> entry(String name, IntUnaryOperator lower, IntBinaryOperator column, IntBinaryOperator row) {
        return Map.entry(name, new ManualFragments(lower, column, row));
    }

    /** @param bits of an element in its register */
    static ManualFragments of(int m, int n, int k, int bits) {
        ManualFragments found = ALL.get("m" + m + "n" + n + "k" + k + " " + bits);
        if (found == null) {
            throw new AssertionError("no formulas for m" + m + "n" + n + "k" + k + " of " + bits + " bits");
        }
        return found;
    }
}
