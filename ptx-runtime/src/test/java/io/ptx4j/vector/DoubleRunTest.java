package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic of f64 that follows one another is looked at once for NaNs: they must come out, sign and payload, as from the interpreter. */
@Timeout(120)
@Tag("thorough")
final class DoubleRunTest {
    private static final int REGISTERS = 6;
    /** Behind those that are loaded and stored: what nobody reads behind a run need not be left by it. */
    private static final int INNER = 4;
    private static final int BLOCKS = 3;
    private static final String HEAD = Shapes.head(".param .u64 x, .param .u32 turns") + """
              ld.param.u64 %d0, [x];
              cvta.to.global.u64 %d0, %d0;
              ld.param.u32 %r5, [turns];
              mul.wide.u32 %d1, %r4, 48;
              add.s64 %d1, %d0, %d1;
              and.b32 %r6, %r4, 3;
              setp.eq.u32 %p1, %r6, 1;
              mov.u32 %r7, 0;
              mov.u32 %r8, 0x3ff12345;
              mov.u32 %r9, %r4;
              mov.f64 %g6, 0d3ff0000000000000;
              mov.f64 %g7, 0d4000000000000000;
              mov.f64 %g8, 0dbff8000000000000;
              mov.f64 %g9, 0d0000000000000000;
            """;
    private static final String[] OPERATIONS = {"add.rn.f64 D, A, B;", "sub.rn.f64 D, A, B;", "mul.rn.f64 D, A, B;", "fma.rn.f64 D, A, B, C;", "add.rn.f64 D, A, A;",
        "mul.rn.f64 D, A, 0d4000000000000000;", "div.rn.f64 D, A, B;", "rcp.rn.f64 D, A;", "sqrt.rn.f64 D, A;", "neg.f64 D, A;", "abs.f64 D, A;", "fma.rn.f64 D, A, B, D;",
        "rcp.approx.ftz.f64 D, A;", "rsqrt.approx.ftz.f64 D, A;", "rsqrt.approx.f64 D, A;"};
    /** Those that can be done before a run if nothing else hinders, and others. */
    private static final String[] BETWEEN = {"mov.b64 {%r8, %r9}, A;", "mov.b64 {_, %r8}, A;", "mov.b64 D, {%r9, %r8};", "add.u32 %r9, %r9, %r8;", "mov.b64 %d2, A;", "cvt.rn.f64.s32 D, %r9;",
        "mov.f64 D, 0d4008000000000000;", "mov.f64 D, A;", "and.b64 %d2, %d2, 0x7fffffffffffffff;", "mov.b64 D, %d2;", "cvt.u32.u64 %r9, %d2;", "min.f64 D, A, B;", "@%p1 add.rn.f64 D, A, B;",
        "setp.lt.f64 %p1, A, B;", "selp.f64 D, A, B, %p1;"};
    private static final double[] SPECIAL = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, -0.0, Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE,
        Double.longBitsToDouble(0x7ff0_0000_0000_1234L), Double.longBitsToDouble(0xfff8_0000_0bad_0000L), Double.longBitsToDouble(0x7fff_ffff_ffff_ffffL)};

    /** Some operations, mostly those that pass on NaNs. */
    private static String operations(Random random, int count) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < count; k++) {
            String[] some = random.nextInt(5) == 0 ? BETWEEN : OPERATIONS;
            String operation = some[random.nextInt(some.length)];
            for (String place : new String[] {"D", "A", "B", "C"}) {
                operation = operation.replaceAll("\\b" + place + "\\b", "%g" + random.nextInt(REGISTERS + INNER));
            }
            text.append("  ").append(operation).append("\n");
        }
        return text.toString();
    }

    private static String moves(String format) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < REGISTERS; k++) {
            text.append(format.formatted(k, 8 * k));
        }
        return text.toString();
    }

    /** Instructions between loads of the registers and stores. */
    private static String kernel(String body) {
        return HEAD + moves("  ld.global.f64 %%g%d, [%%d1+%d];%n") + body + moves("  st.global.f64 [%%d1+%2$d], %%g%1$d;%n") + "  ret;\n}\n";
    }

    private static String kernel(Random random) {
        String some = operations(random, 3 + random.nextInt(random.nextBoolean() ? 12 : 60));
        String body = switch (random.nextInt(3)) {
            case 0 -> some;
            case 1 -> "  @%p1 bra OVER;\n" + some + "OVER:\n" + operations(random, 3);
            default -> "AGAIN:\n" + some + "  add.u32 %r7, %r7, 1;\n  setp.lt.u32 %p2, %r7, %r5;\n  @%p2 bra AGAIN;\n";
        };
        return kernel(body);
    }

    private static long[] values(Random random, int count) {
        long[] values = new long[count];
        int rare = 1 << random.nextInt(1, 8);
        for (int k = 0; k < count; k++) {
            double value = random.nextInt(rare) == 0 ? SPECIAL[random.nextInt(SPECIAL.length)] : random.nextDouble() * 4 - 1;
            values[k] = Double.doubleToRawLongBits(value);
        }
        return values;
    }

    private static long[] run(Engine engine, String text, int threads, long[] values) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer x = device.allocateLongs(values.length).copyFrom(values);
            device.load("k.ptx", text).kernel("k").grid(BLOCKS).block(threads).launch(x, 3);
            return x.toLongs();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 64, 256})
    void nansComeOutAsTheyWentIn(int threads) {
        Random random = new Random(threads);
        for (int n = 0; n < 60; n++) {
            String text = kernel(random);
            long[] values = values(random, BLOCKS * threads * REGISTERS);
            long[] expected = run(new Interpreter(), text, threads, values);
            long[] found = run(new Jit(Jit.Shape.VECTOR), text, threads, values);
            for (int k = 0; k < values.length; k++) {
                int at = k;
                assertEquals(Long.toHexString(expected[k]), Long.toHexString(found[k]),
                        () -> "thread " + at / REGISTERS + ", %g" + at % REGISTERS + "\n" + text);
            }
        }
    }

    /** A sum that nobody sees, because its register is written again, shows no NaN of what it was made from. */
    @Test
    void aNanShowsWhereItIsLeft() {
        String text = kernel("  fma.rn.f64 %g0, %g1, %g2, %g3;\n  add.rn.f64 %g5, %g0, %g4;\n  mul.rn.f64 %g5, %g4, %g4;\n  sub.rn.f64 %g2, %g5, %g4;\n");
        long[] values = new long[BLOCKS * 64 * REGISTERS];
        for (int k = 0; k < values.length; k++) {
            boolean nan = k % REGISTERS > 0 && k % REGISTERS < 4 && (k / REGISTERS & 1 << k % REGISTERS) != 0;
            values[k] = nan ? 0x7ff8_0000_0000_0000L + k : Double.doubleToRawLongBits(k);
        }
        long[] expected = run(new Interpreter(), text, 64, values);
        assertArrayEquals(expected, run(new Jit(Jit.Shape.VECTOR), text, 64, values));
    }

    /** An approximation takes a NaN whose payload is all in the lower word for infinity, but not one that another instruction has made quiet. */
    @Test
    void anApproximationSeesQuietNans() {
        String text = kernel("  neg.f64 %g6, %g0;\n  rcp.approx.ftz.f64 %g1, %g6;\n  abs.f64 %g7, %g2;\n  rsqrt.approx.ftz.f64 %g3, %g7;\n  rcp.approx.ftz.f64 %g4, %g5;\n");
        long[] values = new long[BLOCKS * 64 * REGISTERS];
        for (int k = 0; k < values.length; k++) {
            values[k] = k % 5 == 0 ? 0x7ff0_0000_0000_1234L : Double.doubleToRawLongBits(k);
        }
        assertArrayEquals(run(new Interpreter(), text, 64, values), run(new Jit(Jit.Shape.VECTOR), text, 64, values));
    }

    /** An infinite sum of results that are numbers is no reason to write others. */
    @Test
    void resultsWhoseSumIsNoNumberStay() {
        String text = kernel("  add.rn.f64 %g0, %g0, %g2;\n  sub.rn.f64 %g1, %g1, %g2;\n");
        long[] values = new long[BLOCKS * 64 * REGISTERS];
        for (int k = 0; k < values.length; k += REGISTERS) {
            values[k] = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
            values[k + 1] = Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY);
            values[k + 2] = Double.doubleToRawLongBits(k);
        }
        long[] found = run(new Jit(Jit.Shape.VECTOR), text, 64, values);
        for (int k = 0; k < values.length; k++) {
            assertEquals(values[k], found[k]);
        }
    }
}
