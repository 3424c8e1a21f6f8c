package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arithmetic of f64 rounded in one direction on vectors ({@code DirectedVectors}), where that is hard, and lanes with values that vectors do not get right. */
final class DirectedDoublesTest {
    private static final int BLOCK = 96;
    private static final int BLOCKS = 12;
    private static final int THREADS = BLOCK * BLOCKS;
    /** Threads whose numbers are of one kind: groups have 2 to 64 lanes. */
    private static final int ALIKE = 32;
    private static final List<String> INSTRUCTIONS = List.of("add.M.f64 %e, %a, %b", "sub.M.f64 %e, %c, %a", "mul.M.f64 %e, %a, %b", "fma.M.f64 %e, %a, %b, %c", "div.M.f64 %e, %c, %a",
            "rcp.M.f64 %e, %b", "sqrt.M.f64 %e, %a", "fma.M.f64 %e, %e, %b, %c");
    private static final int RESULTS = INSTRUCTIONS.size();
    private static final double[] EDGES = {0, Double.MIN_VALUE, 0x1p-1022, Math.nextDown(0x1p-1022), 0x1p-960, Math.nextDown(0x1p-960), Math.nextUp(0x1p-960), 0x1p-500, 1, Math.nextUp(1),
        Math.nextDown(1), 2, 4, 0x1p1000, Double.MAX_VALUE, Math.nextDown(Double.MAX_VALUE), Double.POSITIVE_INFINITY, Double.longBitsToDouble(0x7ff8_0000_0000_0123L),
        Double.longBitsToDouble(0x7ff0_0000_0bad_0000L)};

    /** What the lanes of a group hold. */
    private enum Mix { COMMON, WITH_ZEROS, ONE_RARE, EDGES, ANY }

    private static double signed(SplittableRandom random, double a) {
        return random.nextBoolean() ? a : -a;
    }

    /** A number of this exponent, of all bits or of few. */
    private static double number(SplittableRandom random, int exponent) {
        long one = 1L << random.nextInt(53);
        long bits = switch (random.nextInt(4)) {
            case 0 -> one;
            case 1 -> -one;
            case 2 -> one - 1;
            default -> random.nextLong();
        };
        return signed(random, Double.longBitsToDouble(exponent + 1023L << 52 | bits & (1L << 52) - 1));
    }

    private static double near(SplittableRandom random, double a) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(a) + random.nextInt(-2, 3));
    }

    /** A c for which the fused sum, or else the sum with a, is hard to round. */
    private static double addend(SplittableRandom random, double a, double b) {
        double product = a * b;
        double missed = Math.fma(a, b, -product);
        double quarters = Math.ulp(product) * random.nextInt(-9, 10) / 4;
        return switch (random.nextInt(8)) {
            case 0 -> number(random, Math.clamp(Math.getExponent(product) + random.nextInt(-120, 121), -1022, 1023));
            case 1 -> near(random, Math.scalb(missed, random.nextInt(-120, 121)));
            case 2 -> near(random, quarters);
            case 3 -> near(random, quarters - missed);
            case 4 -> Double.longBitsToDouble(Double.doubleToRawLongBits(-product) + random.nextInt(-4, 5));
            case 5 -> -product + quarters / 2 - (random.nextBoolean() ? missed : 0);
            case 6 -> near(random, signed(random, Math.scalb(a, -random.nextInt(52, 56))));
            default -> near(random, signed(random, a));
        };
    }

    private static double[] sources(SplittableRandom random, Mix mix) {
        double[] sources = new double[3 * THREADS];
        for (int t = 0; t < THREADS; t++) {
            double a = number(random, random.nextInt(-60, 61));
            // Roots that are all numbers, so that lanes do not go one by one.
            a = t / ALIKE % 4 == 0 ? a : Math.abs(a);
            double b = switch (random.nextInt(6)) {
                case 0 -> near(random, -a);
                case 1 -> signed(random, Math.scalb(near(random, a), -random.nextInt(52, 56)));
                default -> number(random, random.nextInt(-60, 61));
            };
            double c = addend(random, a, b);
            double edge = signed(random, EDGES[random.nextInt(EDGES.length)]);
            double other = signed(random, EDGES[random.nextInt(EDGES.length)]);
            if (mix == Mix.WITH_ZEROS && random.nextInt(4) == 0) {
                a = random.nextBoolean() ? signed(random, 0) : a;
                b = random.nextBoolean() ? signed(random, 0) : b;
                c = random.nextBoolean() ? edge : c;
            } else if (mix == Mix.ONE_RARE) {
                if (t % ALIKE == t / ALIKE % ALIKE) {
                    int exponent = random.nextInt(-400, 400);
                    switch (random.nextInt(8)) {
                        case 0 -> a = edge;
                        case 1 -> b = edge;
                        case 2 -> c = edge;
                        case 3 -> {
                            a = signed(random, 0);
                            b = signed(random, EDGES[EDGES.length - 1 - random.nextInt(3)]);
                        }
                        case 4 -> {
                            a = Math.abs(number(random, exponent));
                            b = number(random, -random.nextInt(940, 1080) - exponent);
                            c = addend(random, a, b);
                        }
                        case 5 -> {
                            a = Math.abs(number(random, -random.nextInt(400, 1022)));
                            c = number(random, random.nextInt(1024));
                        }
                        case 6 -> {
                            a = Math.abs(number(random, random.nextInt(400, 1024)));
                            c = number(random, -random.nextInt(400, 700));
                        }
                        default -> {
                            a = Math.scalb(Math.abs(a), -random.nextInt(850, 1100));
                            b = number(random, random.nextBoolean() ? -1022 : 1023);
                        }
                    }
                }
            } else if (mix == Mix.EDGES) {
                a = random.nextInt(3) == 0 ? edge : a;
                b = random.nextInt(3) == 0 ? other : b;
                c = random.nextInt(3) == 0 ? signed(random, EDGES[random.nextInt(EDGES.length)]) : addend(random, a, b);
            } else if (mix == Mix.ANY) {
                a = Double.longBitsToDouble(random.nextLong());
                b = random.nextInt(4) == 0 ? number(random, Math.clamp(-random.nextInt(950, 1080) - Math.getExponent(a), -1022, 1023)) : Double.longBitsToDouble(random.nextLong());
                c = random.nextBoolean() ? addend(random, a, b) : Double.longBitsToDouble(random.nextLong());
            }
            sources[3 * t] = a;
            sources[3 * t + 1] = b;
            sources[3 * t + 2] = c;
        }
        return sources;
    }

    /** Threads of an odd number skip the last instruction. */
    private static String kernel(String direction) {
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry directed(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %t, %r; .reg .f64 %a, %b, %c, %e; .reg .b64 %p, %q; .reg .pred %odd;
                ld.param.u64 %p, [sources]; ld.param.u64 %q, [results];
                mov.u32 %t, %ctaid.x; mov.u32 %r, %tid.x; mad.lo.u32 %t, %t, BLOCK, %r; mad.wide.u32 %p, %t, 24, %p; mad.wide.u32 %q, %t, BYTES, %q;
                ld.global.f64 %a, [%p]; ld.global.f64 %b, [%p+8]; ld.global.f64 %c, [%p+16];
                and.b32 %r, %t, 1; setp.eq.u32 %odd, %r, 1; mov.f64 %e, %a;
                """.replace("BLOCK", "" + BLOCK).replace("BYTES", "" + 8 * RESULTS));
        for (int k = 0; k < RESULTS; k++) {
            String instruction = INSTRUCTIONS.get(k).replace("M", direction);
            text.append("%s%s; st.global.f64 [%%q+%d], %%e;\n".formatted(k == RESULTS - 1 ? "@%odd bra END;\n" : "", instruction, 8 * k));
        }
        return text.append("END:\nexit;\n}\n").toString();
    }

    private static long[] run(Engine engine, String text, double[] sources) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(64 << 20).open(); PtxModule loaded = device.load("directed.ptx", text);
                DeviceBuffer in = device.copyOf(Arrays.stream(sources).mapToLong(Double::doubleToRawLongBits).toArray()); DeviceBuffer out = device.allocateLongs(RESULTS * THREADS)) {
            loaded.kernel("directed").grid(BLOCKS).block(BLOCK).launch(in, out);
            return out.toLongs();
        }
    }

    @ParameterizedTest
    @EnumSource(Mix.class)
    void vectorsGiveTheInterpretersBits(Mix mix) {
        SplittableRandom random = new SplittableRandom(mix.ordinal());
        for (String direction : List.of("rz", "rm", "rp")) {
            String text = kernel(direction);
            for (int n = 0; n < (Boolean.getBoolean("ptx4j.long") ? 200 : 4); n++) {
                double[] sources = sources(random, mix);
                long[] expected = run(new Interpreter(), text, sources);
                long[] found = run(new Jit(Jit.Shape.VECTOR), text, sources);
                for (int i = 0; i < expected.length; i++) {
                    int t = i / RESULTS;
                    String instruction = INSTRUCTIONS.get(i % RESULTS).replace("M", direction);
                    assertEquals(Long.toHexString(expected[i]), Long.toHexString(found[i]),
                            () -> "%s of %a, %a, %a in thread %d".formatted(instruction, sources[3 * t], sources[3 * t + 1], sources[3 * t + 2], t));
                }
            }
        }
    }
}
