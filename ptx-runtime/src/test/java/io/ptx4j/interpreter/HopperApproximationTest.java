package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.support.HopperApproximations;

import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The interpreter's approximations as on an H100 against the JIT's, which {@code HopperApproximationsTest} holds to the GPU: other arithmetic, the same bits. */
final class HopperApproximationTest {
    private static final int RANDOM = 3000;

    @ParameterizedTest
    @CsvSource({"rcp.approx.f32, rcpF32", "rcp.approx.ftz.f32, rcpFtzF32", "rsqrt.approx.f32, rsqrtF32", "rsqrt.approx.ftz.f32, rsqrtFtzF32", "sqrt.approx.f32, sqrtF32",
        "sqrt.approx.ftz.f32, sqrtFtzF32", "lg2.approx.f32, lg2F32", "lg2.approx.ftz.f32, lg2FtzF32", "ex2.approx.f32, ex2F32", "ex2.approx.ftz.f32, ex2FtzF32",
        "sin.approx.f32, sinF32", "sin.approx.ftz.f32, sinF32", "cos.approx.f32, cosF32", "cos.approx.ftz.f32, cosF32", "tanh.approx.f32, tanhF32"})
    void single(String instruction, String method) throws ReflectiveOperationException {
        var function = HopperApproximations.class.getMethod(method, float.class);
        agree(instruction, 32, 23, a -> bits(() -> function.invoke(null, Float.intBitsToFloat((int) a))));
    }

    @ParameterizedTest
    @CsvSource({"rcp.approx.ftz.f64, rcpFtzF64", "rsqrt.approx.ftz.f64, rsqrtFtzF64", "rsqrt.approx.f64, rsqrtF64"})
    void twice(String instruction, String method) throws ReflectiveOperationException {
        var function = HopperApproximations.class.getMethod(method, double.class);
        agree(instruction, 64, 52, a -> bits(() -> function.invoke(null, Double.longBitsToDouble(a))));
    }

    @ParameterizedTest
    @CsvSource({"ex2.approx.f16, ex2F16, 10", "tanh.approx.f16, tanhF16, 10", "ex2.approx.ftz.bf16, ex2Bf16, 7", "tanh.approx.bf16, tanhBf16, 7"})
    void half(String instruction, String method, int fraction) throws ReflectiveOperationException {
        var function = HopperApproximations.class.getMethod(method, int.class);
        agree(instruction, 16, fraction, a -> bits(() -> function.invoke(null, (int) a)));
    }

    @ParameterizedTest
    @CsvSource({"div.approx.f32, divF32", "div.approx.ftz.f32, divFtzF32", "div.full.f32, divFullF32", "div.full.ftz.f32, divFullFtzF32"})
    void quotient(String instruction, String method) throws ReflectiveOperationException {
        var function = HopperApproximations.class.getMethod(method, float.class, float.class);
        Spelling spelling = Matcher.match(instruction).getFirst();
        Arithmetic definition = HopperApproximation.definition(spelling);
        var random = new SplittableRandom(7);
        long[] edges = sources(32, 23, random, 0);
        for (int i = 0; i < edges.length * edges.length + 4 * RANDOM; i++) {
            long a = i < edges.length * edges.length ? edges[i / edges.length] : random.nextLong() & 0xffff_ffffL;
            long b = i < edges.length * edges.length ? edges[i % edges.length] : random.nextLong() & 0xffff_ffffL;
            long expected = bits(() -> function.invoke(null, Float.intBitsToFloat((int) a), Float.intBitsToFloat((int) b)));
            assertEquals(Long.toHexString(expected), Long.toHexString(definition.apply(spelling, new long[] {a, b})), () -> "%s of %08x and %08x".formatted(instruction, a, b));
        }
    }

    @Test
    void whatIsRoundedIsNoApproximation() {
        for (String instruction : new String[] {"div.rn.f32", "rcp.rz.ftz.f32", "sqrt.rn.f64", "add.f32", "rcp.rn.f64", "div.s32", "div.u64"}) {
            assertNull(HopperApproximation.definition(Matcher.match(instruction).getFirst()), instruction);
        }
    }

    private interface Call {
        Object result() throws ReflectiveOperationException;
    }

    private static long bits(Call call) {
        try {
            return switch (call.result()) {
                case Float single -> Integer.toUnsignedLong(Float.floatToRawIntBits(single));
                case Double twice -> Double.doubleToRawLongBits(twice);
                case Integer half -> half;
                default -> throw new AssertionError();
            };
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static void agree(String instruction, int width, int fraction, LongUnaryOperator expected) {
        Spelling spelling = Matcher.match(instruction).getFirst();
        Arithmetic definition = HopperApproximation.definition(spelling);
        for (long a : sources(width, fraction, new SplittableRandom(instruction.hashCode()), RANDOM)) {
            assertEquals(Long.toHexString(expected.applyAsLong(a)), Long.toHexString(definition.apply(spelling, new long[] {a})), () -> instruction + " of " + Long.toHexString(a));
        }
    }

    /** First and last fractions of every 16th exponent and those around 1, of both signs; then random bits. */
    private static long[] sources(int width, int fraction, SplittableRandom random, int more) {
        long exponents = 1L << width - 1 - fraction;
        long bias = exponents / 2 - 1;
        long mask = -1L >>> 64 - width;
        return LongStream.concat(
                LongStream.range(0, exponents).filter(e -> e < 3 || e > exponents - 3 || Math.abs(e - bias) < 9 || e % Math.max(exponents / 16, 1) == 0).flatMap(e ->
                        LongStream.of(0, 1, (1L << fraction) - 1, 1L << fraction - 1).map(f -> e << fraction | f))
                        .flatMap(a -> LongStream.of(a, a | 1L << width - 1)),
                random.longs(more).map(a -> a & mask)).toArray();
    }
}
