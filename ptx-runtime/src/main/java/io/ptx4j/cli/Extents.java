package io.ptx4j.cli;

import io.ptx4j.runtime.Dim3;
import java.util.regex.Pattern;

/** Counts in up to three dimensions on the command line: {@code 4}, {@code 16,16}. */
final class Extents {
    private static final Pattern EXTENT = Pattern.compile("\\d{1,10}([,x]\\d{1,10}){0,2}");

    private Extents() {
    }

    /** @throws IllegalArgumentException if {@code text} is something else */
    static Dim3 parse(String option, String text) {
        if (!EXTENT.matcher(text).matches()) {
            throw new IllegalArgumentException(option + " " + text + ": expected one to three counts, as in 4 or 16,16");
        }
        int[] size = {1, 1, 1};
        String[] counts = text.split("[,x]");
        for (int i = 0; i < counts.length; i++) {
            size[i] = (int) Math.min(Integer.MAX_VALUE, Long.parseLong(counts[i]));
        }
        return new Dim3(size[0], size[1], size[2]);
    }
}
