package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Stream;

class ExtendedPrecisionTest {
    @TestFactory
    Stream<DynamicTest> everyExtendedPrecisionInstructionAgreesWithNumbersOfAnySize() {
        return Spellings.of(Family.EXTENDED_PRECISION).stream().map(spelling -> dynamicTest(spelling.text(), () -> {
            Samples.forEach(spelling, x -> compare(spelling, x, false));
            Samples.forEach(spelling, x -> compare(spelling, x, true));
        }));
    }

    private static void compare(Spelling spelling, long[] x, boolean carry) {
        ExtendedPrecision.Sum found = ExtendedPrecision.sum(spelling, x, carry);
        ExtendedPrecision.Sum expected = model(spelling, x, carry);
        boolean same = found.bits() == expected.bits() && (!spelling.has(Modifier.CC) || found.carry() == expected.carry());
        if (!same) {
            assertEquals(expected, found, () -> spelling + " of " + Arrays.toString(x) + " with CC.CF " + carry);
        }
    }

    private static ExtendedPrecision.Sum model(Spelling spelling, long[] x, boolean carry) {
        int n = spelling.type().bits();
        boolean saturates = spelling.has(Modifier.SAT) && spelling.opcode() != Opcode.MADC;
        BigInteger one = BigInteger.ONE;
        BigInteger modulus = one.shiftLeft(n);
        BigInteger in = carry ? one : BigInteger.ZERO;
        BigInteger a = IntegerModel.number(x[0], n, saturates);
        BigInteger b = IntegerModel.number(x[1], n, saturates);
        BigInteger exact = switch (spelling.opcode()) {
            case ADD -> a.add(b);
            case ADDC -> a.add(b).add(in);
            case SUB -> a.subtract(b);
            case SUBC -> a.subtract(b).subtract(one.subtract(in));
            case MAD -> half(spelling, x, n).add(IntegerModel.number(x[2], n, saturates));
            case MADC -> half(spelling, x, n).add(IntegerModel.number(x[2], n, saturates)).add(in);
            default -> throw new AssertionError("no model of " + spelling);
        };
        boolean subtraction = spelling.text().startsWith("sub");
        boolean out = subtraction ? exact.signum() >= 0 : exact.compareTo(modulus) >= 0;
        BigInteger limit = one.shiftLeft(n - 1);
        BigInteger result = saturates ? exact.max(limit.negate()).min(limit.subtract(one)) : exact;
        return new ExtendedPrecision.Sum(result.mod(modulus).longValue(), out);
    }

    private static BigInteger half(Spelling spelling, long[] x, int n) {
        boolean signed = spelling.type().signed();
        BigInteger product = IntegerModel.number(x[0], n, signed).multiply(IntegerModel.number(x[1], n, signed));
        BigInteger half = (spelling.has(Modifier.HI) ? product.shiftRight(Math.max(n, 32)) : product).mod(BigInteger.ONE.shiftLeft(n));
        return IntegerModel.number(half.longValue(), n, false);
    }

    @Test
    void aBorrowIsKeptAsNoCarry() {
        assertArrayEquals(new int[] {1, 0}, Script.of("""
                sub.cc.u32 %r10, 5, 3;
                addc.u32 %r11, 0, 0;
                sub.cc.u32 %r10, 3, 5;
                addc.u32 %r12, 0, 0;
                st.global.u32 [%rd0], %r11;
                st.global.u32 [%rd0+4], %r12;
                """).ints(2));
    }

    @Test
    void readersWithoutCcLeaveTheCarryAsItWas() {
        assertArrayEquals(new int[] {1, 1, 11}, Script.of("""
                add.cc.u32 %r10, 0xffffffff, 1;
                addc.u32 %r11, 0, 0;
                addc.u32 %r12, 0, 0;
                madc.lo.u32 %r13, 2, 5, 0;
                st.global.u32 [%rd0], %r11;
                st.global.u32 [%rd0+4], %r12;
                st.global.u32 [%rd0+8], %r13;
                """).ints(3));
    }

    @Test
    void aPredicatedWriterThatDoesNotExecuteKeepsTheCarry() {
        assertArrayEquals(new int[] {1}, Script.of("""
                setp.eq.u32 %p1, %r1, 77;
                add.cc.u32 %r10, 0xffffffff, 1;
                @%p1 add.cc.u32 %r10, 0, 0;
                addc.u32 %r11, 0, 0;
                st.global.u32 [%rd0], %r11;
                """).ints(1));
    }

    @Test
    void theCarryBelongsToAThreadAcrossAShuffle() {
        int[] carries = Script.of("""
                setp.lt.u32 %p1, %r1, 16;
                selp.u32 %r9, 0xffffffff, 0, %p1;
                add.cc.u32 %r10, %r9, 1;
                shfl.sync.bfly.b32 %r12, %r10, 16, 31, -1;
                addc.u32 %r11, 0, 0;
                st.global.u32 [%rd1], %r11;
                """).threads(32).ints(64);
        assertEquals(1, carries[0]);
        assertEquals(1, carries[2 * 15]);
        assertEquals(0, carries[2 * 16]);
    }

    @Test
    void aCallStartsAndReturnsWithoutCarry() {
        assertArrayEquals(new int[] {0, 0}, Script.of("""
                add.cc.u32 %r10, 0xffffffff, 1;
                call (%r11), f;
                addc.u32 %r12, 0, 0;
                st.global.u32 [%rd0], %r11;
                st.global.u32 [%rd0+4], %r12;
                """).declaring("""
                .func (.reg .u32 r) f {
                .reg .u32 t;
                addc.u32 r, 0, 0;
                add.cc.u32 t, 0xffffffff, 1;
                ret;
                }
                """).ints(2));
    }
}
