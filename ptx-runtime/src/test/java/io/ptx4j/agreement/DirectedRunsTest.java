package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sums and fused sums of f32 rounded in one direction, several in a row: the scalar shape computes them in f64 where all sources are of
 * common size ({@code DirectedRun}). Sources at the edges of that, short ones whose sums are exact, of one sign and of both, NaNs,
 * infinities, zeros and subnormal ones.
 */
final class DirectedRunsTest {
    private static final int THREADS = 1024;
    private static final int REGISTERS = 6;
    private static final List<String> DIRECTIONS = List.of("rz", "rm", "rp");
    private static final int[] EDGES = {0x39800000, 0x397fffff, 0x39800001, 0x457fffff, 0x45800000, 0x45800001, 0x3f800000, 0x3f7fffff, 0x40000000,
        0, 1, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000, 0x7fc00123, 0x7f800001};

    /** What a kernel draws from. */
    private enum Mix { ONE_DIRECTION, SUMS, FUSED, ALL, WITH_OTHERS }

    private static String statement(Random random, Mix mix, String direction) {
        String d = "%f" + random.nextInt(REGISTERS);
        String a = "%f" + random.nextInt(REGISTERS);
        String b = "%f" + random.nextInt(REGISTERS);
        String c = "%f" + random.nextInt(REGISTERS);
        if (random.nextInt(12) == 0) {
            b = "0f%08x".formatted(random.nextInt(3) == 0 ? EDGES[random.nextInt(EDGES.length)] : Float.floatToRawIntBits(random.nextFloat(-3, 9)));
        }
        if (mix == Mix.WITH_OTHERS && random.nextInt(4) == 0) {
            return switch (random.nextInt(4)) {
                case 0 -> "add.rn.f32 %s, %s, %s".formatted(d, a, b);
                case 1 -> "@%%x add.rz.f32 %s, %s, %s".formatted(d, a, b);
                case 2 -> "mul.rp.f32 %s, %s, %s".formatted(d, a, b);
                default -> "mov.b32 %%r, %s; xor.b32 %%r, %%r, 0x80000000; mov.b32 %s, %%r".formatted(a, d);
            };
        }
        String rounding = mix == Mix.ONE_DIRECTION ? direction : DIRECTIONS.get(random.nextInt(3));
        boolean fused = switch (mix) {
            case SUMS -> false;
            case FUSED -> true;
            case ONE_DIRECTION, ALL, WITH_OTHERS -> random.nextInt(3) == 0;
        };
        boolean cut = mix == Mix.SUMS && direction.equals("rz");
        String sum = cut && random.nextBoolean() ? "sub.rz" : "add." + (cut ? "rz" : rounding);
        return fused ? "%s.%s.f32 %s, %s, %s, %s".formatted(random.nextInt(4) == 0 ? "mad" : "fma", rounding, d, a, b, c)
                : "%s.f32 %s, %s, %s".formatted(sum, d, a, b);
    }

    private static String kernel(Random random) {
        Mix mix = Mix.values()[random.nextInt(Mix.values().length)];
        String direction = DIRECTIONS.get(random.nextInt(3));
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry runs(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %t, %r, %i; .reg .f32 %f<6>; .reg .b64 %p, %q; .reg .pred %x, %y;
                ld.param.u64 %p, [sources]; ld.param.u64 %q, [results];
                mov.u32 %t, %ctaid.x; mad.lo.u32 %t, %t, 128, %tid.x; mad.wide.u32 %p, %t, 24, %p; mad.wide.u32 %q, %t, 24, %q;
                and.b32 %r, %t, 3; setp.eq.u32 %x, %r, 1; mov.u32 %i, 0;
                """.replace("%tid.x", "%r").replace("mov.u32 %t, %ctaid.x;", "mov.u32 %t, %ctaid.x; mov.u32 %r, %tid.x;"));
        for (int k = 0; k < REGISTERS; k++) {
            text.append("ld.global.f32 %%f%d, [%%p+%d];\n".formatted(k, 4 * k));
        }
        boolean loop = random.nextBoolean();
        text.append(loop ? "LOOP:\n" : "");
        int count = 2 + random.nextInt(random.nextBoolean() ? 6 : 24);
        for (int k = 0; k < count; k++) {
            text.append(statement(random, mix, direction)).append(";\n");
        }
        text.append(loop ? "add.u32 %i, %i, 1; setp.lt.u32 %y, %i, 3; @%y bra LOOP;\n" : "");
        for (int k = 0; k < REGISTERS; k++) {
            text.append("st.global.f32 [%%q+%d], %%f%d;\n".formatted(4 * k, k));
        }
        return text.append("exit;\n}\n").toString();
    }

    /** For each thread numbers of one kind. */
    private static int[] sources(Random random) {
        int[] bits = new int[THREADS * REGISTERS];
        for (int t = 0; t < THREADS; t++) {
            int kind = random.nextInt(6);
            int signs = random.nextInt(3);
            for (int k = 0; k < REGISTERS; k++) {
                int value = switch (kind) {
                    case 0 -> Float.floatToRawIntBits(random.nextFloat(0.5f, 4));
                    case 1 -> 127 - 12 + random.nextInt(24) << 23 | random.nextInt(1 << 23);
                    case 2 -> Float.floatToRawIntBits((1 + random.nextInt(16)) / 4f);
                    case 3 -> 127 - 12 + random.nextInt(24) << 23 | (random.nextBoolean() ? 0x7fffff : 0) ^ random.nextInt(4);
                    case 4 -> random.nextInt(3) == 0 ? EDGES[random.nextInt(EDGES.length)] : 127 - 12 + random.nextInt(24) << 23;
                    default -> random.nextInt();
                };
                boolean minus = signs == 1 || signs == 2 && random.nextBoolean();
                bits[t * REGISTERS + k] = minus ? value ^ Integer.MIN_VALUE : value;
            }
        }
        return bits;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void runsOfDirectedSumsGiveTheInterpretersBits(long seed) {
        Random random = new Random(seed);
        for (int n = 0; n < 25 * (Boolean.getBoolean("ptx4j.long") ? 20 : 1); n++) {
            agree(kernel(random), sources(random));
        }
    }

    /** Sums that cancel and products that are exact; a fused sum that rounds to an f32 in f64, from either side. */
    @Test
    void sumsNextToNumbersOfTheirPrecision() {
        Random random = new Random(5);
        int[] bits = new int[THREADS * REGISTERS];
        for (int t = 0; t < THREADS; t++) {
            float a = 1 + random.nextInt(1 << 12) * 0x1p-12f;
            float b = 1 + random.nextInt(1 << 12) * 0x1p-23f;
            float c = 0x1p10f * (1 + random.nextInt(3)) + (random.nextBoolean() ? 0x1p-12f : 0);
            float[] all = {a, b, c, (float) (1 / (double) a), -a, t % 2 == 0 ? -c : 0x1.000002p-12f};
            for (int k = 0; k < REGISTERS; k++) {
                bits[t * REGISTERS + k] = Float.floatToRawIntBits(all[k]);
            }
        }
        for (String rounding : DIRECTIONS) {
            for (String body : List.of("fma.R.f32 %f0, %f0, %f3, %f1; fma.R.f32 %f0, %f0, %f5, %f2;", "fma.R.f32 %f0, %f0, %f1, %f2; add.R.f32 %f1, %f0, %f1;",
                    "add.R.f32 %f0, %f0, %f4; add.R.f32 %f1, %f0, %f0;", "add.rz.f32 %f2, %f2, %f1; sub.rz.f32 %f2, %f2, %f1; sub.rz.f32 %f2, %f2, %f2;",
                    "fma.R.f32 %f5, %f5, %f5, %f2; add.R.f32 %f5, %f5, %f2;", "add.R.f32 %f2, %f2, %f2; add.R.f32 %f2, %f2, %f5; add.R.f32 %f2, %f2, %f2;",
                    "add.R.f32 %f2, %f2, %f2;".repeat(32) + "add.R.f32 %f2, %f2, %f5;")) {
                agree(kernel(body.replace("R", rounding)), bits);
            }
        }
    }

    /** Sums as great as those of runs get, of short numbers and long ones, plus the least that runs take. */
    @Test
    void greatSumsAndTheLeastNumbers() {
        Random random = new Random(7);
        int[] bits = new int[THREADS * REGISTERS];
        for (int t = 0; t < THREADS; t++) {
            float sign = t % 2 == 0 ? 1 : -1;
            float short1 = 0x1p11f + random.nextInt(1 << 10) * 0x1p1f;
            float[] all = {random.nextBoolean() ? 0x1.fffffep11f : 0x1p11f, short1, 0x1p11f + random.nextInt(1 << 23) * 0x1p-12f, 0x1p-12f, 0x1.000002p-12f, 0x1p-11f - random.nextInt(3) * 0x1p-36f};
            for (int k = 0; k < REGISTERS; k++) {
                bits[t * REGISTERS + k] = Float.floatToRawIntBits(sign * all[k]);
            }
        }
        for (String rounding : DIRECTIONS) {
            for (int k = 0; k < 3; k++) {
                for (int doubled = 0; doubled < 8; doubled++) {
                    for (int least = 3; least < REGISTERS; least++) {
                        String great = "add.R.f32 %fK, %fK, %fK; ".repeat(doubled).replace("K", Integer.toString(k));
                        String sums = great + "add.R.f32 %fA, %fK, %fL; add.R.f32 %fB, %fL, %fK; add.R.f32 %fB, %fB, %fA;"
                                .replace("K", Integer.toString(k)).replace("L", Integer.toString(least)).replace("A", Integer.toString((k + 1) % 3)).replace("B", Integer.toString((k + 2) % 3));
                        agree(kernel(sums.replace("R", rounding)), bits);
                    }
                }
            }
        }
    }

    /** A positive constant among negative numbers: results may be of either sign, so that none is known before. */
    @Test
    void negativeNumbersAndAPositiveConstant() {
        Random random = new Random(6);
        int[] bits = new int[THREADS * REGISTERS];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Integer.MIN_VALUE | 127 - 12 + random.nextInt(24) << 23 | random.nextInt(1 << 23);
        }
        for (String rounding : DIRECTIONS) {
            for (String constant : List.of("0f40800000", "0f3f800001", "0f457fffff")) {
                String sums = "add.R.f32 %f0, %f0, C; add.R.f32 %f1, %f1, C; add.R.f32 %f2, %f2, %f1; add.R.f32 %f3, C, %f3; add.R.f32 %f4, %f5, C;";
                agree(kernel(sums.replace("R", rounding).replace("C", constant)), bits);
            }
        }
    }

    private static String kernel(String body) {
        StringBuilder text = new StringBuilder(kernel(new Random(0)));
        int from = text.indexOf("LOOP:") < 0 ? text.lastIndexOf("ld.global") : text.indexOf("LOOP:");
        text.delete(text.indexOf("\n", from) + 1, text.indexOf("st.global"));
        text.insert(text.indexOf("st.global"), body + "\n");
        return text.toString().replace("LOOP:\n", "");
    }

    private static void agree(String text, int[] sources) {
        CheckedModule checked = Checker.check(new SourceFile("runs.ptx", text));
        assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + text);
        int[] expected = run(new Interpreter(), checked.module(), sources);
        int[] found = run(new Jit(Jit.Shape.SCALAR), checked.module(), sources);
        for (int i = 0; i < expected.length; i++) {
            int place = i;
            assertEquals(Integer.toHexString(expected[i]), Integer.toHexString(found[i]),
                    () -> "register %d of thread %d\n%s".formatted(place % REGISTERS, place / REGISTERS, text));
        }
    }

    private static int[] run(Engine engine, Module module, int[] sources) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(64 << 20).open(); PtxModule loaded = device.load(module);
                DeviceBuffer in = device.copyOf(sources); DeviceBuffer out = device.allocateInts(sources.length)) {
            loaded.kernel("runs").grid(THREADS / 128).block(128).launch(in, out);
            return out.toInts();
        }
    }
}
