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
        halves("add16x2", U16, PackedIntegerOps::add16x2, BigInteger::add);
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

    /** All pairs of bytes, those of the lanes beside them changing with them. */
    private static void bytes(String name, IntegerReference type, IntBinaryOperator actual, BinaryOperator<BigInteger> expected) {
        int[] results = new int[1 << 16];
        for (int pair = 0; pair < results.length; pair++) {
            results[pair] = (int) type.bits(expected.apply(type.number(pair), type.number(pair >> 8)));
        }
        for (int pair = 0; pair < results.length; pair++) {
            int a = 0;
            int b = 0;
            int wanted = 0;
            for (int lane = 0; lane < 4; lane++) {
                int here = pair * (2 * lane + 1) + 0x4d37 * lane & 0xffff;
                a |= (here & 0xff) << 8 * lane;
                b |= (here >> 8) << 8 * lane;
                wanted |= results[here] << 8 * lane;
            }
            assertEquals(wanted, actual.applyAsInt(a, b), () -> name + " of all pairs of bytes");
        }
    }

    @Test
    void bytesAreAddedAndSubtractedWithoutACarryBetweenThem() {
        bytes("add8x4", U8, PackedIntegerOps::add8x4, BigInteger::add);
        bytes("sub8x4", U8, PackedIntegerOps::sub8x4, BigInteger::subtract);
        bytes("neg8x4", S8, (a, b) -> PackedIntegerOps.neg8x4(a), (a, b) -> a.negate());
    }

    @Test
    void eachLaneIsClampedToItsType() {
        halves("addSatU16x2", U16, PackedIntegerOps::addSatU16x2, (a, b) -> U16.clamp(a.add(b)));
        halves("addSatS16x2", S16, PackedIntegerOps::addSatS16x2, (a, b) -> S16.clamp(a.add(b)));
        bytes("addSatU8x4", U8, PackedIntegerOps::addSatU8x4, (a, b) -> U8.clamp(a.add(b)));
        bytes("addSatS8x4", S8, PackedIntegerOps::addSatS8x4, (a, b) -> S8.clamp(a.add(b)));
        bytes("subSatU8x4", U8, PackedIntegerOps::subSatU8x4, (a, b) -> U8.clamp(a.subtract(b)));
        bytes("subSatS8x4", S8, PackedIntegerOps::subSatS8x4, (a, b) -> S8.clamp(a.subtract(b)));
    }

    @Test
    void bytesAreComparedByTheirType() {
        bytes("minU8x4", U8, PackedIntegerOps::minU8x4, BigInteger::min);
        bytes("maxU8x4", U8, PackedIntegerOps::maxU8x4, BigInteger::max);
        bytes("minS8x4", S8, PackedIntegerOps::minS8x4, BigInteger::min);
        bytes("maxS8x4", S8, PackedIntegerOps::maxS8x4, BigInteger::max);
        bytes("minReluS8x4", S8, PackedIntegerOps::minReluS8x4, (a, b) -> a.min(b).max(BigInteger.ZERO));
        bytes("maxReluS8x4", S8, PackedIntegerOps::maxReluS8x4, (a, b) -> a.max(b).max(BigInteger.ZERO));
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
