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

import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Arithmetic of f64 rounded to nearest, several in a row: the scalar shape looks at what it begins with instead of each result ({@code NumberRun}).
 * Quiet and signalling NaNs of several payloads among numbers, infinities that cancel, zeros times infinities.
 */
final class NumberRunsTest {
    private static final int THREADS = 1024;
    private static final int REGISTERS = 4;
    private static final long[] SPECIAL = {0x7ff8000000000123L, 0xfff8000000000456L, 0x7ff0000000000789L, 0xfff4000000000abcL, 0x7ff0000000000000L,
        0xfff0000000000000L, 0, Long.MIN_VALUE, 0x7fefffffffffffffL, 1, 0x3ff0000000000000L, 0xbff0000000000000L};

    private static String statement(Random random) {
        String d = register(random);
        String a = random.nextInt(10) == 0 ? "0d%016x".formatted(SPECIAL[random.nextInt(SPECIAL.length)]) : register(random);
        String b = register(random);
        return switch (random.nextInt(24)) {
            case 0 -> "@%%x add.f64 %s, %s, %s".formatted(d, a, b);
            case 1 -> "add.rz.f64 %s, %s, %s".formatted(d, a, b);
            case 2 -> "neg.f64 %s, %s".formatted(d, b);
            case 3, 4 -> "div.rn.f64 %s, %s, %s".formatted(d, a, b);
            case 5, 6, 7, 8, 9 -> "mul.f64 %s, %s, %s".formatted(d, b, a);
            case 10, 11, 12 -> "sub.rn.f64 %s, %s, %s".formatted(d, a, b);
            case 13, 14, 15, 16 -> "fma.rn.f64 %s, %s, %s, %s".formatted(d, a, b, register(random));
            case 17 -> "mad.rn.f64 %s, %s, %s, %s".formatted(d, b, register(random), a);
            default -> "add.f64 %s, %s, %s".formatted(d, a, b);
        };
    }

    private static String register(Random random) {
        return "%d" + random.nextInt(REGISTERS);
    }

    private static String kernel(Random random) {
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry runs(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %t, %r, %i; .reg .f64 %d<4>; .reg .b64 %p, %q; .reg .pred %x, %y;
                ld.param.u64 %p, [sources]; ld.param.u64 %q, [results];
                mov.u32 %t, %ctaid.x; mov.u32 %r, %tid.x; mad.lo.u32 %t, %t, 128, %r;
                mad.wide.u32 %p, %t, 32, %p; mad.wide.u32 %q, %t, 32, %q;
                and.b32 %r, %t, 3; setp.eq.u32 %x, %r, 1; mov.u32 %i, 0;
                """);
        for (int k = 0; k < REGISTERS; k++) {
            text.append("ld.global.f64 %%d%d, [%%p+%d];\n".formatted(k, 8 * k));
        }
        boolean loop = random.nextBoolean();
        text.append(loop ? "LOOP:\n" : "");
        int count = 4 + random.nextInt(random.nextBoolean() ? 8 : 90);
        for (int k = 0; k < count; k++) {
            text.append(statement(random)).append(";\n");
        }
        text.append(loop ? "add.u32 %i, %i, 1; setp.lt.u32 %y, %i, 3; @%y bra LOOP;\n" : "");
        for (int k = 0; k < REGISTERS; k++) {
            text.append("st.global.f64 [%%q+%d], %%d%d;\n".formatted(8 * k, k));
        }
        return text.append("exit;\n}\n").toString();
    }

    /** Most threads have numbers alone. */
    private static long[] sources(Random random) {
        long[] bits = new long[THREADS * REGISTERS];
        for (int t = 0; t < THREADS; t++) {
            int kind = random.nextInt(4);
            for (int k = 0; k < REGISTERS; k++) {
                boolean special = kind == 0 && random.nextInt(REGISTERS) == 0 || kind == 1 && random.nextBoolean();
                bits[t * REGISTERS + k] = special ? SPECIAL[random.nextInt(SPECIAL.length)]
                        : kind == 3 ? random.nextLong() : Double.doubleToRawLongBits(random.nextDouble(-3, 3));
            }
        }
        return bits;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void runsOfArithmeticGiveTheInterpretersBits(long seed) {
        Random random = new Random(seed);
        for (int n = 0; n < 25 * (Boolean.getBoolean("ptx4j.long") ? 20 : 1); n++) {
            String text = kernel(random);
            long[] sources = sources(random);
            CheckedModule checked = Checker.check(new SourceFile("runs.ptx", text));
            assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + text);
            long[] expected = run(new Interpreter(), checked.module(), sources);
            long[] found = run(new Jit(Jit.Shape.SCALAR), checked.module(), sources);
            for (int i = 0; i < expected.length; i++) {
                int place = i;
                assertEquals(Long.toHexString(expected[i]), Long.toHexString(found[i]),
                        () -> "register %d of thread %d\n%s".formatted(place % REGISTERS, place / REGISTERS, text));
            }
        }
    }

    private static long[] run(Engine engine, Module module, long[] sources) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(64 << 20).open(); PtxModule loaded = device.load(module);
                DeviceBuffer in = device.copyOf(sources); DeviceBuffer out = device.allocateLongs(sources.length)) {
            loaded.kernel("runs").grid(THREADS / 128).block(128).launch(in, out);
            return out.toLongs();
        }
    }
}
