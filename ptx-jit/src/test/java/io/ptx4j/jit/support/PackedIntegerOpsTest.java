package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.function.BinaryOperator;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;

final class PackedIntegerOpsTest {
    private static final IntegerReference U8 = new IntegerReference(8, false);
    private static final IntegerReference S8 = new IntegerReference(8, true);
    private static final IntegerReference U16 = IntegerReference.U16;
    private static final IntegerReference S16 = IntegerReference.S16;

    private static void halves(String name, IntegerReference type, IntBinaryOperator actual, BinaryOperator<BigInteger> expected) {
        IntegerReference.U32.check(name, actual, (a, b) -> {
            long low = type.bits(expected.apply(type.number(a.longValue()), type.number(b.longValue())));
            long high = type.bits(expected.apply(type.number(a.longValue() >> 16), type.number(b.longValue() >> 16)));
            return BigInteger.valueOf(high << 16 | low);
        });
    }

    @Test
    void halvesAreAddedWithoutACarryBetweenThem() {
        halves("addX2", U16, PackedIntegerOps::addX2, BigInteger::add);
    }

    @Test
    void halvesAreComparedByTheirType() {
        halves("minU16x2", U16, PackedIntegerOps::minU16x2, BigInteger::min);
        halves("maxU16x2", U16, PackedIntegerOps::maxU16x2, BigInteger::max);
        halves("minS16x2", S16, PackedIntegerOps::minS16x2, BigInteger::min);
        halves("maxS16x2", S16, PackedIntegerOps::maxS16x2, BigInteger::max);
        halves("minReluS16x2", S16, PackedIntegerOps::minReluS16x2, (a, b) -> a.min(b).max(BigInteger.ZERO));
        halves("maxReluS16x2", S16, PackedIntegerOps::maxReluS16x2, (a, b) -> a.max(b).max(BigInteger.ZERO));
    }

    /** The products of {@code count} fields of a with the bytes of b, and c. */
    private static BinaryOperator<BigInteger> dot(int count, IntegerReference left, IntegerReference right, int c) {
        return (a, b) -> {
            BigInteger sum = BigInteger.valueOf(c);
            for (int i = 0; i < count; i++) {
                sum = sum.add(left.number(a.longValue() >> i * left.width()).multiply(right.number(b.longValue() >> i * 8)));
            }
            return sum;
        };
    }

    @Test
    void dotProductsAreExactUpToTheFinalWrap() {
        for (int c : new int[] {0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            var word = IntegerReference.U32;
            word.check("dp4a.u32.u32", (a, b) -> PackedIntegerOps.dp4aU32U32(a, b, c), dot(4, U8, U8, c));
            word.check("dp4a.u32.s32", (a, b) -> PackedIntegerOps.dp4aU32S32(a, b, c), dot(4, U8, S8, c));
            word.check("dp4a.s32.u32", (a, b) -> PackedIntegerOps.dp4aS32U32(a, b, c), dot(4, S8, U8, c));
            word.check("dp4a.s32.s32", (a, b) -> PackedIntegerOps.dp4aS32S32(a, b, c), dot(4, S8, S8, c));
            word.check("dp2a.u32.u32", (a, b) -> PackedIntegerOps.dp2aU32U32(a, b, c), dot(2, U16, U8, c));
            word.check("dp2a.u32.s32", (a, b) -> PackedIntegerOps.dp2aU32S32(a, b, c), dot(2, U16, S8, c));
            word.check("dp2a.s32.u32", (a, b) -> PackedIntegerOps.dp2aS32U32(a, b, c), dot(2, S16, U8, c));
            word.check("dp2a.s32.s32", (a, b) -> PackedIntegerOps.dp2aS32S32(a, b, c), dot(2, S16, S8, c));
        }
        assertEquals(1 * 5 + 2 * 6, PackedIntegerOps.dp2aU32U32(0x00020001, 0x08070605, 0));
    }
}
