package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Floats.f32;
import static io.ptx4j.interpreter.Floats.f64;
import static io.ptx4j.interpreter.Floats.hex;
import static io.ptx4j.interpreter.Floats.operation;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.interpreter.Floats.Operation;
import io.ptx4j.isa.ScalarType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;

/** cvt between numbers of one lane, and cvt.pack. */
class ConversionTest {
    private static final List<Reals> TYPES = List.of(Reals.F16, Reals.BF16, Reals.F32, Reals.F64);
    private static final List<String> INTEGERS = List.of("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64");

    @ParameterizedTest
    @ValueSource(strings = {"rn", "rz", "rm", "rp"})
    void floatToNarrowerFloatTakesTheNeighbourThatTheRoundingNames(String rounding) {
        for (Reals from : TYPES) {
            for (Reals to : TYPES) {
                String name = "cvt." + rounding + "." + to.type().spelling() + "." + from.type().spelling();
                Operation operation = operation(name);
                forEach(from, bits -> {
                    if (from.isFinite(bits)) {
                        BigDecimal value = from.value(bits);
                        to.assertRounded(value::compareTo, Reals.direction(rounding), operation.of(bits), name + " of " + hex(bits));
                    } else if (from.isInfinite(bits)) {
                        long expected = to.infinity() | (from.isNegative(bits) ? to.sign() : 0);
                        assertEquals(expected, operation.of(bits), name);
                    }
                });
            }
        }
    }

    private static void forEach(Reals from, LongConsumer test) {
        if (from.type().bits() == 16) {
            for (long bits = 0; bits < 1 << 16; bits++) {
                test.accept(bits);
            }
            return;
        }
        for (long edge : from.edges()) {
            test.accept(edge);
        }
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            test.accept(from.random(random, 1)[0]);
            test.accept(near(random, from));
        }
    }

    /** Values about where integers and half precision numbers end. */
    private static long near(Random random, Reals type) {
        double value = Math.scalb(random.nextInt(1 << 12) - (1 << 11) + random.nextInt(3) * 0.5 + random.nextGaussian() * 1e-4, random.nextInt(56) - 2);
        return type == Reals.F64 ? f64(value) : f32((float) value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rni", "rzi", "rmi", "rpi"})
    void floatToIntegerRoundsAndClampsAndNaNIsWhatTheManualSays(String rounding) {
        RoundingMode mode = mode(rounding);
        for (Reals from : TYPES) {
            for (String to : INTEGERS) {
                ScalarType type = ScalarType.named(to);
                Operation operation = operation("cvt." + rounding + "." + to + "." + from.type().spelling());
                long nan = from == Reals.F64 || type.bits() == 64 ? 1L << type.bits() - 1 : 0;
                forEach(from, bits -> {
                    long expected = from.isNaN(bits) ? nan : clamped(type, from, bits, mode);
                    assertEquals(expected, operation.of(bits), () -> "cvt." + rounding + "." + to + " of " + hex(bits));
                });
            }
        }
    }

    private static long clamped(ScalarType type, Reals from, long bits, RoundingMode mode) {
        BigInteger least = type.signed() ? BigInteger.TWO.pow(type.bits() - 1).negate() : BigInteger.ZERO;
        BigInteger greatest = least.add(BigInteger.TWO.pow(type.bits())).subtract(BigInteger.ONE);
        BigInteger value = from.isInfinite(bits) ? (from.isNegative(bits) ? least : greatest)
                : from.value(bits).setScale(0, mode).toBigInteger().max(least).min(greatest);
        return cut(type, value);
    }

    private static long cut(ScalarType type, BigInteger value) {
        return type.bits() == 64 ? value.longValue() : value.longValue() & (1L << type.bits()) - 1;
    }

    private static RoundingMode mode(String rounding) {
        return switch (rounding) {
            case "rni" -> RoundingMode.HALF_EVEN;
            case "rzi" -> RoundingMode.DOWN;
            case "rmi" -> RoundingMode.FLOOR;
            default -> RoundingMode.CEILING;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"rni", "rzi", "rmi", "rpi"})
    void floatToIntegralFloatKeepsTypeAndSign(String rounding) {
        for (Reals type : TYPES) {
            Operation operation = operation("cvt." + rounding + "." + type.type().spelling() + "." + type.type().spelling());
            forEach(type, bits -> {
                long found = operation.of(bits);
                if (type.isFinite(bits)) {
                    assertEquals(0, type.value(bits).setScale(0, mode(rounding)).compareTo(type.value(found)), () -> rounding + hex(bits));
                    assertEquals(type.isNegative(bits), type.isNegative(found), () -> rounding + hex(bits));
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rn", "rz", "rm", "rp"})
    void integerToFloatTakesTheNeighbourThatTheRoundingNames(String rounding) {
        Random random = new Random(3);
        for (String from : INTEGERS) {
            ScalarType type = ScalarType.named(from);
            for (Reals to : TYPES) {
                Operation operation = operation("cvt." + rounding + "." + to.type().spelling() + "." + from);
                for (int i = 0; i < 2_000; i++) {
                    long edge = i < 2 * type.bits() ? (1L << i / 2) - i % 2 : random.nextLong() >> random.nextInt(64);
                    BigInteger value = BigInteger.valueOf(edge);
                    long bits = cut(type, value);
                    BigInteger exact = type.signed() ? BigInteger.valueOf(bits << 64 - type.bits() >> 64 - type.bits())
                            : new BigInteger(Long.toUnsignedString(bits));
                    BigDecimal decimal = new BigDecimal(exact);
                    to.assertRounded(decimal::compareTo, Reals.direction(rounding), operation.of(bits), from + " " + hex(bits));
                }
            }
        }
    }

    @Test
    void integerToIntegerCutsOrExtendsAndSatClamps() {
        assertEquals(0xffff_ffff_ffff_ff80L, operation("cvt.s64.s8").of(0x80));
        assertEquals(0x80, operation("cvt.u64.u8").of(0x80));
        assertEquals(0x34, operation("cvt.u8.u32").of(0x1234));
        assertEquals(0x7f, operation("cvt.sat.s8.s32").of(0x1234));
        assertEquals(0x80, operation("cvt.sat.s8.s64").of(-1L << 40));
        assertEquals(0, operation("cvt.sat.u32.s32").of(0xffff_ffffL));
        assertEquals(0xffff_ffffL, operation("cvt.sat.u32.u64").of(-1L));
        assertEquals(Long.MAX_VALUE, operation("cvt.sat.s64.u64").of(-1L));
        assertEquals(0x7fff_ffffL, operation("cvt.sat.s32.u32").of(0x8000_0000L));
    }

    @Test
    void nanKeepsItsPayloadOnlyWhereF64TakesPart() {
        assertEquals(0x7fffL, operation("cvt.rn.f16.f32").of(0xffc00001L));
        assertEquals(0x7fffL, operation("cvt.rz.bf16.f32").of(0x7f800001L));
        assertEquals(0x7fffffffL, operation("cvt.f32.f16").of(0xfe01));
        assertEquals(0xffc10000L, operation("cvt.f32.bf16").of(0xffc1));
        assertEquals(0x7fffffffL, operation("cvt.ftz.f32.bf16").of(0xffc1));
        assertEquals(0xffd23456L, operation("cvt.rn.f32.f64").of(0xfffa468ac0000001L));
        assertEquals(0x7fc00000L, operation("cvt.rn.f32.f64").of(0x7ff0000000000001L));
        assertEquals(0xfff8000020000000L, operation("cvt.f64.f32").of(0xff800001L));
        assertEquals(0x7fffffffe0000000L, operation("cvt.ftz.f64.f32").of(0xff800001L));
        assertEquals(0x7ff8040000000000L, operation("cvt.f64.f16").of(0x7c01));
        assertEquals(0xfe01L, operation("cvt.rn.f16.f64").of(0xfff8040000000000L));
        assertEquals(0x7f800001L, operation("cvt.f32.f32").of(0x7f800001L));
        assertEquals(0x7fffffffL, operation("cvt.ftz.f32.f32").of(0x7f800001L));
        assertEquals(0x7ff0000000000001L, operation("cvt.f64.f64").of(0x7ff0000000000001L));
        assertEquals(0x7ff8000000000001L, operation("cvt.rni.f64.f64").of(0x7ff0000000000001L));
        assertEquals(0, operation("cvt.sat.f64.f64").of(0x7ff0000000000001L));
        assertEquals(0x7fff, operation("cvt.f16.f16").of(0xfc01));
    }

    @Test
    void saturationClampsFloatsToZeroAndOne() {
        assertEquals(f32(1), operation("cvt.sat.f32.f32").of(f32(2)));
        assertEquals(0, operation("cvt.sat.f32.f32").of(f32(-0f)));
        assertEquals(f32(0.25f), operation("cvt.rn.sat.f32.f64").of(f64(0.25)));
        assertEquals(0x3c00, operation("cvt.rn.sat.f16.s32").of(77));
        assertEquals(0, operation("cvt.rn.sat.f32.s32").of(0xffff_ffffL));
    }

    @Test
    void ftzTouchesOnlyTheSingleSide() {
        assertEquals(0x80000000L, operation("cvt.ftz.f32.f32").of(0x80000001L));
        assertEquals(f64(-0.0), operation("cvt.ftz.f64.f32").of(0x80000001L));
        assertEquals(0, operation("cvt.rpi.ftz.s32.f32").of(1));
        assertEquals(1, operation("cvt.rpi.s32.f32").of(1));
        assertEquals(0x0001, operation("cvt.rn.ftz.f16.f32").of(f32(0x1p-24f)));
        assertEquals(0x00000000L, operation("cvt.ftz.f32.bf16").of(0x0001));
        assertEquals(0x00010000L, operation("cvt.f32.bf16").of(0x0001));
    }

    /** The thresholds that ptxas compares with when it writes cvt.ftz.f32.f64 out. */
    @ParameterizedTest
    @CsvSource({"rn,380ffffff0000000", "rz,3810000000000000", "rm,3810000000000000", "rp,380fffffe0000001"})
    void conversionFromDoubleFlushesWhatIsTinyAfterRounding(String rounding, String threshold) {
        Operation operation = operation("cvt." + rounding + ".ftz.f32.f64");
        long least = Long.parseLong(threshold, 16);
        assertEquals(0x00800000L, operation.of(least));
        assertEquals(0, operation.of(least - 1));
    }

    @Test
    void tf32KeepsTenFractionBits() {
        assertEquals(0x3f802000L, operation("cvt.rna.tf32.f32").of(0x3f801000L));
        assertEquals(0x3f800000L, operation("cvt.rn.tf32.f32").of(0x3f801000L));
        assertEquals(0x3f804000L, operation("cvt.rn.tf32.f32").of(0x3f803000L));
        assertEquals(0xbf800000L, operation("cvt.rz.tf32.f32").of(0xbf801fffL));
        assertEquals(0x7f800000L, operation("cvt.rna.tf32.f32").of(0x7f7fffffL));
        assertEquals(0x7f7fe000L, operation("cvt.rna.satfinite.tf32.f32").of(0x7f7fffffL));
        assertEquals(0xff7fe000L, operation("cvt.rn.satfinite.tf32.f32").of(0xff800000L));
        assertEquals(0, operation("cvt.rn.relu.tf32.f32").of(0xbf800000L));
        assertEquals(0x7fffe000L, operation("cvt.rz.relu.satfinite.tf32.f32").of(0xffc00001L));
        assertEquals(0xffc00000L, operation("cvt.rna.tf32.f32").of(0xffc01fffL));
        assertEquals(0x7fbfe000L, operation("cvt.rna.satfinite.tf32.f32").of(0x7fc00000L));
        assertEquals(0x00002000L, operation("cvt.rn.tf32.f32").of(0x00001001L));
    }

    @Test
    void packPutsAAboveBAndShiftsCUp() {
        assertEquals(0xffff0000L, operation("cvt.pack.sat.u16.s32").of(70_000, 0xffff_fffdL));
        assertEquals(0x7fff8000L, operation("cvt.pack.sat.s16.s32").of(40_000, 0xffff_63c0L));
        assertEquals(0xcdefff00L, operation("cvt.pack.sat.u8.s32.b32").of(300, 0xffff_ffffL, 0x89abcdefL));
        assertEquals(0x45677f80L, operation("cvt.pack.sat.s8.s32.b32").of(200, 0xffff_ff38L, 0x01234567L));
        assertEquals(0xadbeeff0L, operation("cvt.pack.sat.u4.s32.b32").of(17, 0xffff_ffffL, 0xdeadbeefL));
        assertEquals(0x12345676L, operation("cvt.pack.sat.s2.s32.b32").of(2, 0xffff_fffdL, 0x01234567L));
    }
}
