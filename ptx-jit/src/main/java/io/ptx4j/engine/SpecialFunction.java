package io.ptx4j.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tables of an H100's special function unit, which {@link Approximations#HOPPER} reads: three coefficients of a polynomial for each interval of a function. They are data, as
 * the manual is; what engines compute of them is in docs/numerics.md, "What an H100 approximates".
 */
public enum SpecialFunction {
    /** 1/m for m in [1, 2), in 128 intervals. */
    RCP,
    /** The inverse of the root, for [1, 4), 128 intervals. */
    RSQRT,
    /** The root, for [1, 4), 128 intervals. */
    SQRT,
    /** 2^f for f in [0, 1), 64 intervals. */
    EX2,
    /** The logarithm to base 2 of [1, 2), 64 intervals. */
    LG2,
    /** The sine of a quarter turn, 64 intervals. */
    SIN,
    /** The hyperbolic tangent of [2^-8, 8), 51 intervals of several widths. */
    TANH;

    private static final class Tables {
        private static final Map<SpecialFunction, List<int[]>> ROWS = read();

        private static Map<SpecialFunction, List<int[]>> read() {
            var rows = new EnumMap<SpecialFunction, List<int[]>>(SpecialFunction.class);
            try (InputStream file = SpecialFunction.class.getResourceAsStream("special-functions.txt");
                    var lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.US_ASCII))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!line.startsWith("#")) {
                        String[] words = line.split(" ");
                        rows.computeIfAbsent(SpecialFunction.valueOf(words[0].toUpperCase(Locale.ROOT)), f -> new ArrayList<>())
                                .add(new int[] {Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3])});
                    }
                }
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
            return rows;
        }
    }

    /** How many intervals it has. */
    public int intervals() {
        return Tables.ROWS.get(this).size();
    }

    /** @param degree 0 for the constant, 1 for what is multiplied by the place in the interval, 2 by the place's square */
    public int coefficient(int interval, int degree) {
        return Tables.ROWS.get(this).get(interval)[degree];
    }
}
