package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Video instructions in kernels, held against a second definition: strings of lanes and plain arithmetic on them. */
class VideoTest {
    private static final int SAMPLES = 128;
    private static final long[] EDGES = {0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000L, 0xFFFF_FFFFL, 0x8080_8080L,
        0x7F80_FF01L, 0x8000_7FFFL, 0xFFFF_0001L, 33, 32, 31};

    private final Random random = new Random(7);
    private final long[] a = samples();
    private final long[] b = samples();
    private final long[] c = samples();

    /** What an instruction should give for three words. */
    @FunctionalInterface
    private interface Expected {
        long of(long a, long b, long c);
    }

    private record Try(String text, Expected expected) {
    }

    private long[] samples() {
        return random.longs(SAMPLES)
                .map(bits -> (bits & 1) == 0 ? EDGES[(int) (bits >>> 8 & 0xFFFF) % EDGES.length] : bits >>> 32).toArray();
    }

    private void check(List<Try> tries) {
        StringBuilder text = new StringBuilder("mul.wide.u32 %rd2, %r1, 4;\n");
        for (String name : List.of("a", "b", "c")) {
            text.append("mov.u64 %rd3, ").append(name).append("s; add.u64 %rd3, %rd3, %rd2; ld.const.u32 %").append(name).append(", [%rd3];\n");
        }
        text.append("add.u64 %rd2, %rd2, %rd0;\n");
        for (int i = 0; i < tries.size(); i++) {
            text.append(tries.get(i).text).append("; st.global.u32 [%rd2+").append(i * SAMPLES * 4).append("], %d;\n");
        }
        int[] found = Script.of(".reg .b32 %a, %b, %c, %d;\n" + text)
                .declaring(words("as", a) + words("bs", b) + words("cs", c)).threads(SAMPLES).ints(tries.size() * SAMPLES);
        for (int i = 0; i < tries.size(); i++) {
            for (int k = 0; k < SAMPLES; k++) {
                int at = i * SAMPLES + k;
                String what = tries.get(i).text + " with " + Long.toHexString(a[k]) + ", " + Long.toHexString(b[k]) + ", "
                        + Long.toHexString(c[k]);
                assertEquals(Integer.toHexString((int) tries.get(i).expected.of(a[k], b[k], c[k])), Integer.toHexString(found[at]), what);
            }
        }
    }

    private static String words(String name, long[] words) {
        return ".const .u32 " + name + "[" + words.length + "] = {"
                + LongStream.of(words).mapToObj(Long::toString).collect(Collectors.joining(", ")) + "};\n";
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** The number that {@code selector} of a word stands for. */
    private static long part(long word, String selector, String type) {
        int width = selector.isEmpty() ? 32 : selector.charAt(1) == 'b' ? 8 : 16;
        int place = selector.isEmpty() ? 0 : (selector.charAt(2) - '0') * width;
        long field = word >> place & (1L << width) - 1;
        return type.equals(".s32") && field >= 1L << width - 1 ? field - (1L << width) : field;
    }

    private static long clamp(long t, String type, int width) {
        long least = type.equals(".s32") ? -(1L << width - 1) : 0;
        long most = type.equals(".s32") ? (1L << width - 1) - 1 : (1L << width) - 1;
        return Math.max(least, Math.min(most, t));
    }

    private static long second(String operation, long t, long c) {
        return switch (operation) {
            case ".add" -> t + c;
            case ".min" -> Math.min(t, c);
            case ".max" -> Math.max(t, c);
            default -> t;
        };
    }

    private static long merged(String selector, long t, long c) {
        int width = selector.charAt(1) == 'b' ? 8 : 16;
        int place = (selector.charAt(2) - '0') * width;
        long mask = (1L << width) - 1 << place;
        return c & ~mask | t << place & mask;
    }

    /** One instruction of every kind of ending: alone, with a second operation, merged. */
    private Try scalar(String head, String result, String typeA, String typeB, boolean saturates, LongBinaryOperator operation) {
        String selectA = pick("", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1");
        String selectB = pick("", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1");
        String ending = pick("", ".add", ".min", ".max", " .b0", " .b3", " .h0", " .h1");
        boolean merges = ending.startsWith(" ");
        String selector = merges ? ending.strip() : "";
        int width = merges ? selector.charAt(1) == 'b' ? 8 : 16 : 32;
        String text = head + (merges ? "" : ending) + " %d" + selector + ", %a" + selectA + ", %b" + selectB + (ending.isEmpty() ? "" : ", %c");
        return new Try(text, (x, y, z) -> {
            long t = operation.applyAsLong(part(x, selectA, typeA), part(y, selectB, typeB));
            t = saturates ? clamp(t, result, width) : t;
            return merges ? merged(selector, t, z) : second(ending, t, part(z, "", result));
        });
    }

    @Test
    void scalarArithmeticAgrees() {
        List<Try> tries = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String result = pick(".s32", ".u32");
            String typeA = pick(".s32", ".u32");
            String typeB = pick(".s32", ".u32");
            String saturate = pick("", ".sat");
            String name = pick("vadd", "vsub", "vabsdiff", "vmin", "vmax");
            tries.add(scalar(name + result + typeA + typeB + saturate, result, typeA, typeB, !saturate.isEmpty(), operation(name)));
        }
        check(tries);
    }

    private static LongBinaryOperator operation(String name) {
        return switch (name.replaceAll("[24]", "")) {
            case "vadd" -> (x, y) -> x + y;
            case "vsub" -> (x, y) -> x - y;
            case "vabsdiff" -> (x, y) -> Math.abs(x - y);
            case "vmin" -> Math::min;
            case "vmax" -> Math::max;
            case "vavrg" -> (x, y) -> x + y >= 0 ? (x + y + 1) / 2 : Math.floorDiv(x + y, 2);
            default -> throw new AssertionError(name);
        };
    }

    @Test
    void scalarShiftsAgree() {
        List<Try> tries = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String result = pick(".s32", ".u32");
            String typeA = pick(".s32", ".u32");
            String mode = pick(".clamp", ".wrap");
            boolean left = random.nextBoolean();
            String head = (left ? "vshl" : "vshr") + result + typeA + ".u32" + mode;
            tries.add(scalar(head, result, typeA, ".u32", false, (x, y) -> {
                int amount = (int) (mode.equals(".wrap") ? y % 32 : Math.min(y, 32));
                return left ? x << amount : x >> amount;
            }));
        }
        tries.removeIf(one -> one.text.contains(".max") || one.text.contains(".min"));
        check(tries);
    }

    @Test
    void aShiftSaturatesHoweverFarTheBitsGo() {
        check(List.of(new Try("vshl.s32.u32.u32.sat.clamp %d, %a, 32", (x, y, z) -> x == 0 ? 0 : 0x7FFF_FFFF),
                new Try("vshl.u32.u32.u32.sat.clamp %d, %a, 31", (x, y, z) -> Math.min(x << 31, 0xFFFF_FFFFL) | (x > 1 ? 0xFFFF_FFFFL : 0))));
    }

    @Test
    void scalarComparisonsAgree() {
        List<Try> tries = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String typeA = pick(".s32", ".u32");
            String typeB = pick(".s32", ".u32");
            String comparison = pick(".eq", ".ne", ".lt", ".le", ".gt", ".ge");
            tries.add(scalar("vset" + typeA + typeB + comparison, ".u32", typeA, typeB, false, comparison(comparison)));
        }
        check(tries);
    }

    private static LongBinaryOperator comparison(String name) {
        return (x, y) -> {
            int order = Long.compare(x, y);
            boolean holds = switch (name) {
                case ".eq" -> order == 0;
                case ".ne" -> order != 0;
                case ".lt" -> order < 0;
                case ".le" -> order <= 0;
                case ".gt" -> order > 0;
                default -> order >= 0;
            };
            return holds ? 1 : 0;
        };
    }

    @Test
    void multiplyAddScalesNegatesAndAddsOne() {
        check(List.of(
                new Try("vmad.s32.s32.s32 %d, %a.b1, %b.h0, %c", (x, y, z) -> part(x, ".b1", ".s32") * part(y, ".h0", ".s32") + z),
                new Try("vmad.s32.s32.s32 %d, -%a.h1, %b.h0, %c", (x, y, z) -> z - part(x, ".h1", ".s32") * part(y, ".h0", ".s32")),
                new Try("vmad.u32.u32.u32 %d, %a.h1, %b.h0, -%c", (x, y, z) -> part(x, ".h1", ".u32") * part(y, ".h0", ".u32") - z),
                new Try("vmad.u32.u32.u32.po %d, %a.b3, %b.b0, %c", (x, y, z) -> part(x, ".b3", ".u32") * part(y, ".b0", ".u32") + z + 1),
                new Try("vmad.u32.u32.u32.shr7 %d, %a.h1, %b.h0, %c",
                        (x, y, z) -> part(x, ".h1", ".u32") * part(y, ".h0", ".u32") + z >> 7),
                new Try("vmad.s32.s32.u32.sat.shr15 %d, %a, %b.h0, %c", (x, y, z) -> clamp(
                        part(x, "", ".s32") * part(y, ".h0", ".u32") + part(z, "", ".s32") >> 15, ".s32", 32)),
                new Try("vmad.u32.u32.u32.sat %d, %a.h0, %b.h0, %c", (x, y, z) -> clamp(
                        part(x, ".h0", ".u32") * part(y, ".h0", ".u32") + z, ".u32", 32))));
    }

    /** Lanes of a word or two, lowest first. */
    private static long[] lanes(long bits, int count, int width, String type) {
        long[] lanes = new long[count];
        for (int i = 0; i < count; i++) {
            lanes[i] = part(bits >>> i * width & 0xFFFF_FFFFL, width == 8 ? ".b0" : ".h0", type);
        }
        return lanes;
    }

    private String selector(int lanes) {
        if (random.nextInt(3) == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder(lanes == 2 ? ".h" : ".b");
        for (int i = 0; i < lanes; i++) {
            text.append(random.nextInt(2 * lanes));
        }
        return text.toString();
    }

    private static int chosen(String selector, int lanes, int lane, int first) {
        return selector.isEmpty() ? first + lane : selector.charAt(selector.length() - 1 - lane) - '0';
    }

    private Try simd(String head, int lanes, String ending, String[] types, boolean saturates, LongBinaryOperator operation) {
        int width = 32 / lanes;
        String mask = lanes == 2 ? pick("", ".h0", ".h1", ".h10") : pick("", ".b0", ".b20", ".b321", ".b3");
        String selectA = selector(lanes);
        String selectB = selector(lanes);
        return new Try(head + ending + " %d" + mask + ", %a" + selectA + ", %b" + selectB + ", %c", (x, y, z) -> {
            long[] fromA = lanes(x | y << 32, 2 * lanes, width, types[1]);
            long[] fromB = lanes(x | y << 32, 2 * lanes, width, types[2]);
            long sum = z;
            long word = z;
            for (int i = 0; i < lanes; i++) {
                long t = operation.applyAsLong(fromA[chosen(selectA, lanes, i, 0)], fromB[chosen(selectB, lanes, i, lanes)]);
                t = saturates ? clamp(t, types[0], width) : t;
                if (mask.isEmpty() || mask.substring(2).contains("" + i)) {
                    sum += t;
                    word = merged((width == 8 ? ".b" : ".h") + i, t, word);
                }
            }
            return ending.equals(".add") ? sum : word;
        });
    }

    @Test
    void simdArithmeticAgrees() {
        List<Try> tries = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            int lanes = random.nextBoolean() ? 2 : 4;
            String name = pick("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg") + lanes;
            String[] types = {pick(".s32", ".u32"), pick(".s32", ".u32"), pick(".s32", ".u32")};
            String ending = pick("", ".sat", ".add");
            tries.add(simd(name + String.join("", types), lanes, ending, types, ending.equals(".sat"), operation(name)));
        }
        check(tries);
    }

    @Test
    void simdComparisonsAgree() {
        List<Try> tries = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int lanes = random.nextBoolean() ? 2 : 4;
            String[] types = {".u32", pick(".s32", ".u32"), pick(".s32", ".u32")};
            String comparison = pick(".eq", ".ne", ".lt", ".le", ".gt", ".ge");
            tries.add(simd("vset" + lanes + types[1] + types[2] + comparison, lanes, pick("", ".add"), types, false, comparison(comparison)));
        }
        check(tries);
    }
}
