package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.IntegerReference.S16;
import static io.ptx4j.jit.support.IntegerReference.S32;
import static io.ptx4j.jit.support.IntegerReference.S64;
import static io.ptx4j.jit.support.IntegerReference.U16;
import static io.ptx4j.jit.support.IntegerReference.U32;
import static io.ptx4j.jit.support.IntegerReference.U64;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

final class IntegerOpsTest {
    private static final BinaryOperator<BigInteger> DIVIDE = (a, b) -> b.signum() == 0 ? BigInteger.ONE.negate() : a.divide(b);
    private static final BinaryOperator<BigInteger> REMAINDER = (a, b) -> b.signum() == 0 ? BigInteger.ONE.negate() : a.remainder(b);

    @Test
    void divisionGivesAllOnesForZeroAndWrapsTheLeastNumber() {
        U16.check("divU16", IntegerOps::divU16, DIVIDE);
        S16.check("divS16", IntegerOps::divS16, DIVIDE);
        U32.check("divU32", IntegerOps::divU32, DIVIDE);
        S32.check("divS32", IntegerOps::divS32, DIVIDE);
        U64.checkLong("divU64", IntegerOps::divU64, DIVIDE);
        S64.checkLong("divS64", IntegerOps::divS64, DIVIDE);
        assertEquals(Integer.MIN_VALUE, IntegerOps.divS32(Integer.MIN_VALUE, -1));
        assertEquals(0xffff, IntegerOps.divS16(5, 0));
    }

    @Test
    void remainderHasTheSignOfTheDividendAndGivesAllOnesForZero() {
        U16.check("remU16", IntegerOps::remU16, REMAINDER);
        S16.check("remS16", IntegerOps::remS16, REMAINDER);
        U32.check("remU32", IntegerOps::remU32, REMAINDER);
        S32.check("remS32", IntegerOps::remS32, REMAINDER);
        U64.checkLong("remU64", IntegerOps::remU64, REMAINDER);
        S64.checkLong("remS64", IntegerOps::remS64, REMAINDER);
    }

    @Test
    void productsOf24BitsIgnoreTheUpperBytes() {
        var u24 = new IntegerReference(24, false);
        var s24 = new IntegerReference(24, true);
        U32.check("mul24LoU32", IntegerOps::mul24LoU32, (a, b) -> product(u24, a, b));
        U32.check("mul24LoS32", IntegerOps::mul24LoS32, (a, b) -> product(s24, a, b));
        U32.check("mul24HiU32", IntegerOps::mul24HiU32, (a, b) -> product(u24, a, b).shiftRight(16));
        U32.check("mul24HiS32", IntegerOps::mul24HiS32, (a, b) -> product(s24, a, b).shiftRight(16));
    }

    private static BigInteger product(IntegerReference type, BigInteger a, BigInteger b) {
        return type.number(a.longValue()).multiply(type.number(b.longValue()));
    }

    @Test
    void saturationClampsTheExactSum() {
        S32.check("addSatS32", IntegerOps::addSatS32, (a, b) -> S32.clamp(a.add(b)));
        U32.check("addSatU32", IntegerOps::addSatU32, (a, b) -> U32.clamp(a.add(b)));
        S32.check("subSatS32", IntegerOps::subSatS32, (a, b) -> S32.clamp(a.subtract(b)));
    }

    @Test
    void sumsOfAbsoluteDifferencesWrapOnlyAtTheEnd() {
        for (int c : new int[] {0, 1, 0x7fff, 0xffff}) {
            BinaryOperator<BigInteger> sad = (a, b) -> a.subtract(b).abs().add(BigInteger.valueOf(c));
            U16.check("sadU16", (a, b) -> IntegerOps.sadU16(a, b, c), sad);
            S16.check("sadS16", (a, b) -> IntegerOps.sadS16(a, b, c), sad);
            U32.check("sadU32", (a, b) -> IntegerOps.sadU32(a, b, c), sad);
            S32.check("sadS32", (a, b) -> IntegerOps.sadS32(a, b, c), sad);
            U64.checkLong("sadU64", (a, b) -> IntegerOps.sadU64(a, b, c), sad);
            S64.checkLong("sadS64", (a, b) -> IntegerOps.sadS64(a, b, c), sad);
        }
    }

    @Test
    void rectifiedMinimaAndMaximaAreNotNegative() {
        S32.check("minReluS32", IntegerOps::minReluS32, (a, b) -> a.min(b).max(BigInteger.ZERO));
        S32.check("maxReluS32", IntegerOps::maxReluS32, (a, b) -> a.max(b).max(BigInteger.ZERO));
    }
}
