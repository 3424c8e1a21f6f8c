package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.jit.support.RoundingF32;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sums, products and fused sums of f32 rounded in one direction on vectors, whose error is found in f32 ({@code DirectedVectors}), where that is hard: results next to a
 * number or half-way between two, sums that cancel, c at every distance from what the product misses; and lanes with values for which it does not hold.
 */
final class DirectedVectorsTest {
    private static final int BLOCK = 160;
    private static final int BLOCKS = 64;
    private static final int THREADS = BLOCK * BLOCKS;
    /** Threads whose numbers are of one kind: groups have 4 to 64 lanes. */
    private static final int ALIKE = 32;
    private static final List<String> DIRECTIONS = List.of("rz", "rm", "rp");
    private static final int RESULTS = 6;
    private static final int[] EDGES = {0, 1, 2, 0x007fffff, 0x00800000, 0x00800001, 0x0d7fffff, 0x0d800000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x7f000000, 0x7f7ffffe, 0x7f7fffff,
        0x7f800000, 0x7fc00123, 0x7f800001};

    /** What the lanes of a group hold. */
    private enum Mix { COMMON, WITH_ZEROS, ONE_EDGE, EDGES, ANY }

    private static float signed(SplittableRandom random, int bits) {
        return Float.intBitsToFloat(bits | random.nextInt() & Integer.MIN_VALUE);
    }

    /** A number of this exponent, of all bits or of few. */
    private static float number(SplittableRandom random, int exponent) {
        int one = 1 << random.nextInt(24);
        int bits = switch (random.nextInt(4)) {
            case 0 -> one;
            case 1 -> -one;
            case 2 -> one - 1;
            default -> random.nextInt();
        };
        return signed(random, exponent + 127 << 23 | bits & 0x7fffff);
    }

    private static float near(SplittableRandom random, float a) {
        return Float.intBitsToFloat(Float.floatToRawIntBits(a) + random.nextInt(-2, 3));
    }

    /** A c for which the fused sum is hard to round. */
    private static float addend(SplittableRandom random, float a, float b) {
        float product = a * b;
        float missed = Math.fma(a, b, -product);
        float quarters = Math.ulp(product) * random.nextInt(-9, 10) / 4;
        return switch (random.nextInt(6)) {
            case 0 -> number(random, Math.getExponent(product) + random.nextInt(-60, 61));
            case 1 -> near(random, Math.scalb(missed, random.nextInt(-60, 61)));
            case 2 -> near(random, quarters);
            case 3 -> near(random, quarters - missed);
            case 4 -> Float.intBitsToFloat(Float.floatToRawIntBits(-product) + random.nextInt(-4, 5));
            default -> -product + quarters / 2 - (random.nextBoolean() ? missed : 0);
        };
    }

    private static float[] sources(SplittableRandom random, Mix mix) {
        float[] sources = new float[3 * THREADS];
        for (int t = 0; t < THREADS; t++) {
            float a = number(random, random.nextInt(-45, 46));
            float b = number(random, random.nextInt(-45, 46));
            float c = addend(random, a, b);
            boolean odd = t % ALIKE == t / ALIKE % ALIKE;
            float edge = signed(random, EDGES[random.nextInt(EDGES.length)]);
            if (mix == Mix.WITH_ZEROS && random.nextInt(4) == 0) {
                a = random.nextBoolean() ? signed(random, 0) : a;
                b = random.nextBoolean() ? signed(random, 0) : b;
                c = random.nextBoolean() ? edge : c;
            } else if (mix == Mix.EDGES || mix == Mix.ONE_EDGE && odd) {
                a = random.nextInt(3) == 0 ? edge : a;
                b = random.nextInt(3) == 0 ? signed(random, EDGES[random.nextInt(EDGES.length)]) : b;
                c = random.nextInt(3) == 0 ? signed(random, EDGES[random.nextInt(EDGES.length)]) : addend(random, a, b);
            } else if (mix == Mix.ANY) {
                a = Float.intBitsToFloat(random.nextInt());
                b = random.nextInt(4) == 0 ? number(random, Math.clamp(-random.nextInt(95, 150) - Math.getExponent(a), -126, 127)) : Float.intBitsToFloat(random.nextInt());
                c = random.nextBoolean() ? addend(random, a, b) : Float.intBitsToFloat(random.nextInt());
            }
            sources[3 * t] = a;
            sources[3 * t + 1] = b;
            sources[3 * t + 2] = c;
        }
        return sources;
    }

    /** Fused sums and products in the three directions; threads of an odd number skip some of them, and results go where a source was. */
    private static String kernel(String modifiers) {
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry directed(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %t, %r; .reg .f32 %a, %b, %c, %d, %e; .reg .b64 %p, %q; .reg .pred %odd;
                ld.param.u64 %p, [sources]; ld.param.u64 %q, [results];
                mov.u32 %t, %ctaid.x; mov.u32 %r, %tid.x; mad.lo.u32 %t, %t, 160, %r; mad.wide.u32 %p, %t, 12, %p; mad.wide.u32 %q, %t, 24, %q;
                ld.global.f32 %a, [%p]; ld.global.f32 %b, [%p+4]; ld.global.f32 %c, [%p+8];
                and.b32 %r, %t, 1; setp.eq.u32 %odd, %r, 1;
                """);
        for (int k = 0; k < DIRECTIONS.size(); k++) {
            String m = DIRECTIONS.get(k) + modifiers;
            text.append("""
                    mov.f32 %%d, %%%1$s; fma.%2$s.f32 %%d, %3$s;
                    mov.f32 %%e, %%a; mul.%2$s.f32 %%e, %%e, %%b;
                    st.global.f32 [%%q+%4$d], %%d; st.global.f32 [%%q+%5$d], %%e;
                    """.formatted("abc".charAt(k), m, List.of("%d, %b, %c", "%a, %d, %c", "%a, %b, %d").get(k), 4 * k, 12 + 4 * k));
        }
        return text.append("""
                @%odd bra END;
                fma.rz.f32 %a, %a, %b, %c; mul.rp.f32 %b, %b, %a;
                END:
                add.rn.f32 %d, %a, %b; st.global.f32 [%q], %d;
                exit;
                }
                """.replace("add.rn.f32 %d, %a, %b; st.global.f32 [%q], %d;", modifiers.isEmpty() ? "@%odd bra OUT; st.global.f32 [%q], %a; st.global.f32 [%q+20], %b; OUT:" : ""))
                .toString();
    }

    private static String sums(String modifiers) {
        String kernel = kernel("");
        StringBuilder body = new StringBuilder();
        for (int k = 0; k < DIRECTIONS.size(); k++) {
            body.append("add.M.f32 %d, %a, %b; sub.M.f32 %e, %c, %a; st.global.f32 [%q+D], %d; st.global.f32 [%q+E], %e;\n".replace("M", DIRECTIONS.get(k) + modifiers)
                    .replace("+D", "+" + 4 * k).replace("+E", "+" + (12 + 4 * k)));
        }
        return kernel.substring(0, kernel.indexOf("mov.f32 %d")) + body + "exit;\n}\n";
    }

    private static float[] run(Engine engine, Module module, float[] sources) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(64 << 20).open(); PtxModule loaded = device.load(module);
                DeviceBuffer in = device.copyOf(sources); DeviceBuffer out = device.allocateFloats(RESULTS * THREADS)) {
            loaded.kernel("directed").grid(BLOCKS).block(BLOCK).launch(in, out);
            return out.toFloats();
        }
    }

    private static Module module(String text) {
        CheckedModule checked = Checker.check(new SourceFile("directed.ptx", text));
        assertTrue(checked.ok(), () -> checked.diagnostics().toString());
        return checked.module();
    }

    private static void same(float expected, float found, float[] sources, int t, String what) {
        if (Float.floatToRawIntBits(expected) != Float.floatToRawIntBits(found)) {
            assertEquals(Float.toHexString(expected), Float.toHexString(found),
                    () -> "%s of %a, %a, %a in thread %d".formatted(what, sources[3 * t], sources[3 * t + 1], sources[3 * t + 2], t));
        }
    }

    @ParameterizedTest
    @EnumSource(Mix.class)
    void vectorsGiveTheInterpretersBits(Mix mix) {
        SplittableRandom random = new SplittableRandom(mix.ordinal());
        for (String modifiers : List.of("", ".ftz", ".sat", ".ftz.sat")) {
            float[] sources = sources(random, mix);
            agree(module(kernel(modifiers)), sources, modifiers);
        }
    }

    /** Sums that cancel, that miss about half a unit of the last place, and any. */
    @ParameterizedTest
    @EnumSource(Mix.class)
    void vectorsOfSumsGiveTheInterpretersBits(Mix mix) {
        SplittableRandom random = new SplittableRandom(8 + mix.ordinal());
        for (String modifiers : List.of("", ".ftz", ".sat", ".ftz.sat")) {
            float[] sources = sources(random, mix);
            for (int t = 0; t < THREADS; t++) {
                float a = sources[3 * t];
                for (int k = 1; k < 3; k++) {
                    sources[3 * t + k] = switch (random.nextInt(5)) {
                        case 0 -> k == 1 ? -a : a;
                        case 1 -> near(random, k == 1 ? -a : a);
                        case 2 -> near(random, Math.scalb(a, -random.nextInt(23, 27)));
                        case 3 -> near(random, Math.scalb(-a, -random.nextInt(23, 27)));
                        default -> sources[3 * t + k];
                    };
                }
            }
            agree(module(sums(modifiers)), sources, modifiers);
        }
    }

    private static void agree(Module module, float[] sources, String modifiers) {
        float[] expected = run(new Interpreter(), module, sources);
        float[] found = run(new Jit(Jit.Shape.VECTOR), module, sources);
        for (int i = 0; i < expected.length; i++) {
            same(expected[i], found[i], sources, i / RESULTS, modifiers + " result " + i % RESULTS);
        }
    }

    /** Against the scalar shape's arithmetic, which works in f64: ten million triples in the long run. */
    @Test
    void vectorsGiveTheBitsOfTheLongWay() {
        Module module = module(kernel(""));
        SplittableRandom random = new SplittableRandom(7);
        for (int n = 0; n < (Boolean.getBoolean("ptx4j.long") ? 1000 : 20); n++) {
            float[] sources = sources(random, Mix.COMMON);
            float[] found = run(new Jit(Jit.Shape.VECTOR), module, sources);
            for (int t = 0; t < THREADS; t++) {
                float a = sources[3 * t];
                float b = sources[3 * t + 1];
                float c = sources[3 * t + 2];
                float fused = RoundingF32.fmaRzF32(a, b, c);
                same(fused, found[RESULTS * t], sources, t, "fma.rz");
                same(RoundingF32.fmaRmF32(a, b, c), found[RESULTS * t + 1], sources, t, "fma.rm");
                same(RoundingF32.fmaRpF32(a, b, c), found[RESULTS * t + 2], sources, t, "fma.rp");
                same(RoundingF32.mulRzF32(a, b), found[RESULTS * t + 3], sources, t, "mul.rz");
                same(RoundingF32.mulRmF32(a, b), found[RESULTS * t + 4], sources, t, "mul.rm");
                same(t % 2 == 0 ? RoundingF32.mulRpF32(b, fused) : RoundingF32.mulRpF32(a, b), found[RESULTS * t + 5], sources, t, "mul.rp");
            }
        }
    }
}
