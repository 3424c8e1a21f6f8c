package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic of f64 that follows one another is looked at once for NaNs: they must come out, sign and payload, as from the interpreter. */
@Timeout(120)
final class DoubleRunTest {
    private static final int REGISTERS = 6;
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
            """;
    private static final String[] OPERATIONS = {"add.rn.f64 D, A, B", "sub.rn.f64 D, A, B", "mul.rn.f64 D, A, B", "fma.rn.f64 D, A, B, C", "add.rn.f64 D, A, A",
        "mul.rn.f64 D, A, 0d4000000000000000", "div.rn.f64 D, A, B", "rcp.rn.f64 D, A", "sqrt.rn.f64 D, A", "neg.f64 D, A", "abs.f64 D, A", "fma.rn.f64 D, A, B, D",
        "min.f64 D, A, B", "@%p1 add.rn.f64 D, A, B"};
    private static final double[] SPECIAL = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, -0.0, Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE,
        Double.longBitsToDouble(0x7ff0_0000_0000_1234L), Double.longBitsToDouble(0xfff8_0000_0bad_0000L), Double.longBitsToDouble(0x7fff_ffff_ffff_ffffL)};

    /** Some operations, mostly those that pass on NaNs. */
    private static String operations(Random random, int count) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < count; k++) {
            String operation = OPERATIONS[random.nextInt(random.nextInt(8) == 0 ? OPERATIONS.length : OPERATIONS.length - 2)];
            for (String place : new String[] {"D", "A", "B", "C"}) {
                operation = operation.replace(place + ",", "%g" + random.nextInt(REGISTERS) + ",").replaceAll(place + "$", "%g" + random.nextInt(REGISTERS));
            }
            text.append("  ").append(operation).append(";\n");
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

    private static String kernel(Random random) {
        String loads = moves("  ld.global.f64 %%g%d, [%%d1+%d];%n");
        String stores = moves("  st.global.f64 [%%d1+%2$d], %%g%1$d;%n");
        String some = operations(random, 3 + random.nextInt(12));
        String body = switch (random.nextInt(3)) {
            case 0 -> some;
            case 1 -> "  @%p1 bra OVER;\n" + some + "OVER:\n" + operations(random, 3);
            default -> "AGAIN:\n" + some + "  add.u32 %r7, %r7, 1;\n  setp.lt.u32 %p2, %r7, %r5;\n  @%p2 bra AGAIN;\n";
        };
        return HEAD + loads + body + stores + "  ret;\n}\n";
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
        for (int n = 0; n < 25; n++) {
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

    /** An infinite sum of results that are numbers is no reason to write others. */
    @Test
    void resultsWhoseSumIsNoNumberStay() {
        String text = HEAD + moves("  ld.global.f64 %%g%d, [%%d1+%d];%n") + "  add.rn.f64 %g0, %g0, %g2;\n  sub.rn.f64 %g1, %g1, %g2;\n"
                + moves("  st.global.f64 [%%d1+%2$d], %%g%1$d;%n") + "  ret;\n}\n";
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
