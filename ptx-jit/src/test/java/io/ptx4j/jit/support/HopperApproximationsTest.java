package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Holds {@link HopperApproximations} to an H100: sums of mixed results of 84 times 2^16 sources of each function, of all 2^32 with {@code -Dptx4j.long=true}.
 *
 * <p>Sources are all words that begin with some bits: the bits of an f32, the upper word of an f64 (the lower one is zero in one of four, else the upper one times 9e3779b1), or the
 * divisor of a quotient, whose dividend is made of it.
 */
final class HopperApproximationsTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");

    @FunctionalInterface
    private interface Float1 {
        float of(float a);
    }

    @FunctionalInterface
    private interface Float2 {
        float of(float a, float b);
    }

    /** The bits of a result by the word that stands for its sources. */
    @FunctionalInterface
    private interface Function {
        long of(int word);
    }

    private static final Map<String, Function> FUNCTIONS = new LinkedHashMap<>();

    static {
        FUNCTIONS.put("rcp.approx.ftz.f32", words(HopperApproximations::rcpFtzF32));
        FUNCTIONS.put("rcp.approx.f32", words(HopperApproximations::rcpF32));
        FUNCTIONS.put("rsqrt.approx.ftz.f32", words(HopperApproximations::rsqrtFtzF32));
        FUNCTIONS.put("rsqrt.approx.f32", words(HopperApproximations::rsqrtF32));
        FUNCTIONS.put("sqrt.approx.ftz.f32", words(HopperApproximations::sqrtFtzF32));
        FUNCTIONS.put("sqrt.approx.f32", words(HopperApproximations::sqrtF32));
        FUNCTIONS.put("lg2.approx.ftz.f32", words(HopperApproximations::lg2FtzF32));
        FUNCTIONS.put("lg2.approx.f32", words(HopperApproximations::lg2F32));
        FUNCTIONS.put("ex2.approx.ftz.f32", words(HopperApproximations::ex2FtzF32));
        FUNCTIONS.put("ex2.approx.f32", words(HopperApproximations::ex2F32));
        FUNCTIONS.put("sin.approx.ftz.f32", words(HopperApproximations::sinF32));
        FUNCTIONS.put("sin.approx.f32", words(HopperApproximations::sinF32));
        FUNCTIONS.put("cos.approx.ftz.f32", words(HopperApproximations::cosF32));
        FUNCTIONS.put("cos.approx.f32", words(HopperApproximations::cosF32));
        FUNCTIONS.put("tanh.approx.f32", words(HopperApproximations::tanhF32));
        FUNCTIONS.put("rcp.approx.ftz.f64", upperWords(HopperApproximations::rcpFtzF64));
        FUNCTIONS.put("rsqrt.approx.ftz.f64", upperWords(HopperApproximations::rsqrtFtzF64));
        FUNCTIONS.put("rsqrt.approx.f64", upperWords(HopperApproximations::rsqrtF64));
        FUNCTIONS.put("div.approx.f32", quotients(HopperApproximations::divF32));
        FUNCTIONS.put("div.approx.ftz.f32", quotients(HopperApproximations::divFtzF32));
        FUNCTIONS.put("div.full.f32", quotients(HopperApproximations::divFullF32));
        FUNCTIONS.put("div.full.ftz.f32", quotients(HopperApproximations::divFullFtzF32));
    }

    private static Function words(Float1 function) {
        return word -> Integer.toUnsignedLong(Float.floatToRawIntBits(function.of(Float.intBitsToFloat(word))));
    }

    private static Function upperWords(DoubleUnaryOperator function) {
        return word -> Double.doubleToRawLongBits(function.applyAsDouble(Double.longBitsToDouble((long) word << 32 | ((word & 3) == 0 ? 0 : word * 0x9E3779B1L & 0xffff_ffffL))));
    }

    /** Dividends are any; one of eight lies near its divisor. */
    private static Function quotients(Float2 function) {
        return word -> {
            long random = mixed(Integer.toUnsignedLong(word), 12345);
            int dividend = (word & 7) == 7 ? (int) random & 0x807fffff | word + ((int) (random >>> 40) & 3) * 0x800000 & 0x7f800000 : (int) random;
            return Integer.toUnsignedLong(Float.floatToRawIntBits(function.of(Float.intBitsToFloat(dividend), Float.intBitsToFloat(word))));
        };
    }

    private static long mixed(long result, long word) {
        long v = result * 0x9E3779B97F4A7C15L + word;
        v ^= v >>> 32;
        v *= 0xD6E8FEB86659FD93L;
        return v ^ v >>> 32;
    }

    @TestFactory
    Stream<DynamicTest> anH100GivesTheSameBits() throws IOException {
        Map<String, List<String[]>> sums = new LinkedHashMap<>();
        try (var lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(HopperApproximationsTest.class.getResourceAsStream("h100-approximations.gz")), StandardCharsets.US_ASCII))) {
            lines.lines().filter(line -> !line.startsWith("#")).map(line -> line.split(" ")).filter(words -> words[1].length() == 4 || LONG)
                    .forEach(words -> sums.computeIfAbsent(words[0], name -> new ArrayList<>()).add(words));
        }
        assertEquals(FUNCTIONS.keySet(), sums.keySet());
        return sums.entrySet().stream().map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
            assertTrue(entry.getValue().size() >= 64);
            for (String[] words : entry.getValue()) {
                same(FUNCTIONS.get(words[0]), words);
            }
        }));
    }

    private static void same(Function function, String[] words) {
        int bits = Integer.SIZE - 4 * words[1].length();
        int first = Integer.parseUnsignedInt(words[1], 16) << bits;
        long sum = 0;
        for (int i = 0; i < 1 << bits; i++) {
            sum += mixed(function.of(first + i), Integer.toUnsignedLong(first + i));
        }
        assertEquals(words[2], "%016x".formatted(sum), String.join(" ", words));
    }

    /** The first wrong result would be hard to find by a sum: some that show every step. */
    @Test
    void singleResults() {
        results(HopperApproximations::rcpFtzF32, 0x3f800000, 0x3f800000, 0x3f800001, 0x3f7ffffe, 0xff800000, 0x80000000, 0x00000001, 0x7f800000, 0x7f000000, 0x00000000);
        results(HopperApproximations::sqrtFtzF32, 0x3f800001, 0x3f800000, 0x3f800002, 0x3f800001, 0x80000001, 0x80000000, 0xbf800000, 0x7fffffff);
        results(HopperApproximations::tanhF32, 0x3c000000, 0x3bffff00, 0x41000000, 0x3f800000, 0x3b0fffff, 0x3b0fffff, 0x80000001, 0x80000001);
        results(HopperApproximations::lg2FtzF32, 0x3f7ffa74, 0xb8fff21a, 0x40000000, 0x3f800000, 0x3f800000, 0);
    }

    private static void results(Float1 function, int... pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            assertEquals(Integer.toHexString(pairs[i + 1]), Integer.toHexString(Float.floatToRawIntBits(function.of(Float.intBitsToFloat(pairs[i])))), Integer.toHexString(pairs[i]));
        }
    }

    /** Halves are cut off, not rounded. */
    @Test
    void halves() {
        int[] sums = new int[4];
        List<IntUnaryOperator> functions = List.of(HopperApproximations::ex2F16, HopperApproximations::tanhF16, HopperApproximations::ex2Bf16, HopperApproximations::tanhBf16);
        for (int k = 0; k < sums.length; k++) {
            for (int a = 0; a < 1 << 16; a++) {
                sums[k] = sums[k] * 31 + functions.get(k).applyAsInt(a);
            }
        }
        assertEquals(Arrays.toString(HALVES), Arrays.toString(sums));
    }

    /** Of the results for all 2^16 sources that the GPU gave. */
    private static final int[] HALVES = {221818895, 198891176, -1654531775, -1302872202};
}
