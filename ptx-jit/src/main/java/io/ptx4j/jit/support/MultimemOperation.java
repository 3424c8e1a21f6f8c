package io.ptx4j.jit.support;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** What a {@code multimem} instruction does to the replicas, packed into a constant of generated code. */
public record MultimemOperation(int bits) {
    /** How values are put together, in bits 0 to 2; stores do nothing. */
    enum Reduction { NONE, ADD, MIN, MAX, AND, OR, XOR }

    /** The order of each access, in bits 3 and 4. */
    enum Order { WEAK, RELAXED, ACQUIRE, RELEASE }

    /** What sums are rounded to on the way, in bits 5 and 6: the type itself or another one. */
    enum Accumulate { SAME, F32, F16 }

    /** How one lane of a value is reduced: sources are widened, combined one after the other, and narrowed at the end. */
    record Lane(LongUnaryOperator widen, LongBinaryOperator combine, LongUnaryOperator narrow) {
        Lane(LongBinaryOperator combine) {
            this(LongUnaryOperator.identity(), combine, LongUnaryOperator.identity());
        }
    }

    private static final int MOST_ELEMENTS_SHIFT = 7;
    private static final int TYPE_SHIFT = 11;
    private static final long WORD = 0xFFFF_FFFFL;

    public static MultimemOperation of(Spelling spelling) {
        Modifier operation = spelling.operation();
        Reduction reduction = operation == null ? Reduction.NONE : Reduction.valueOf(operation.name());
        Modifier order = spelling.one(Modifier.Category.ORDER);
        Accumulate accumulate = spelling.has(Modifier.ACC_F32) ? Accumulate.F32 : spelling.has(Modifier.ACC_F16) ? Accumulate.F16 : Accumulate.SAME;
        return new MultimemOperation(reduction.ordinal() | (order == null ? Order.WEAK : Order.valueOf(order.name())).ordinal() << 3
                | accumulate.ordinal() << 5 | spelling.vectorLength() << MOST_ELEMENTS_SHIFT | spelling.type().ordinal() << TYPE_SHIFT);
    }

    Order order() {
        return Order.values()[bits >>> 3 & 3];
    }

    int elements() {
        return bits >>> MOST_ELEMENTS_SHIFT & 15;
    }

    ScalarType type() {
        return ScalarType.values()[bits >>> TYPE_SHIFT];
    }

    Lane lane() {
        Reduction reduction = Reduction.values()[bits & 7];
        ScalarType element = type().element();
        return switch (Accumulate.values()[bits >>> 5 & 3]) {
            case SAME -> new Lane(combine(reduction, element));
            case F32 -> element == ScalarType.F16
                    ? new Lane(a -> raw(HalfOps.fromF16((int) a)), combine(reduction, ScalarType.F32), a -> HalfOps.roundF16(number(a)))
                    : new Lane(a -> raw(HalfOps.fromBf16((int) a)), combine(reduction, ScalarType.F32), a -> HalfOps.roundBf16(number(a)));
            case F16 -> element == ScalarType.E4M3
                    ? new Lane(a -> SmallFloats.e4m3ToF16((int) a), combine(reduction, ScalarType.F16), a -> SmallFloats.e4m3Rn(half(a)))
                    : new Lane(a -> SmallFloats.e5m2ToF16((int) a), combine(reduction, ScalarType.F16), a -> SmallFloats.e5m2Rn(half(a)));
        };
    }

    private static long raw(float a) {
        return Float.floatToRawIntBits(a) & WORD;
    }

    private static float number(long bits) {
        return Float.intBitsToFloat((int) bits);
    }

    private static double half(long bits) {
        return HalfOps.fromF16((int) bits);
    }

    private static LongBinaryOperator combine(Reduction reduction, ScalarType type) {
        return switch (reduction) {
            case NONE -> (a, b) -> b;
            case AND -> (a, b) -> a & b;
            case OR -> (a, b) -> a | b;
            case XOR -> (a, b) -> a ^ b;
            case ADD -> sum(type);
            case MIN -> extreme(type, false);
            case MAX -> extreme(type, true);
        };
    }

    /** Nothing is flushed, unlike by {@code red.add.f32}. */
    private static LongBinaryOperator sum(ScalarType type) {
        return switch (type) {
            case U32, S32 -> (a, b) -> a + b & WORD;
            case U64 -> Long::sum;
            case F32 -> (a, b) -> AtomicUpdates.addF32((int) a, (int) b) & WORD;
            case F64 -> AtomicUpdates::addQuietF64;
            case F16 -> (a, b) -> HalfOps.addF16((int) a, (int) b);
            case BF16 -> (a, b) -> HalfOps.addBf16((int) a, (int) b);
            case E4M3 -> (a, b) -> SmallFloats.e4m3Rn(half(SmallFloats.e4m3ToF16((int) a)) + half(SmallFloats.e4m3ToF16((int) b)));
            case E5M2 -> (a, b) -> SmallFloats.e5m2Rn(half(SmallFloats.e5m2ToF16((int) a)) + half(SmallFloats.e5m2ToF16((int) b)));
            default -> throw new IllegalArgumentException("no sums of " + type);
        };
    }

    private static LongBinaryOperator extreme(ScalarType type, boolean greatest) {
        return switch (type) {
            case U32, U64 -> (a, b) -> Long.compareUnsigned(a, b) > 0 == greatest ? a : b;
            case S32 -> (a, b) -> (int) a > (int) b == greatest ? a : b;
            case S64 -> (a, b) -> a > b == greatest ? a : b;
            case F16 -> (a, b) -> greatest ? HalfOps.maxF16((int) a, (int) b) : HalfOps.minF16((int) a, (int) b);
            case BF16 -> (a, b) -> greatest ? HalfOps.maxBf16((int) a, (int) b) : HalfOps.minBf16((int) a, (int) b);
            case E4M3 -> (a, b) -> chosen(a, b, SmallFloats.e4m3ToF16((int) a), SmallFloats.e4m3ToF16((int) b), greatest);
            case E5M2 -> (a, b) -> chosen(a, b, SmallFloats.e5m2ToF16((int) a), SmallFloats.e5m2ToF16((int) b), greatest);
            default -> throw new IllegalArgumentException("no least or greatest of " + type);
        };
    }

    /** One of two eight-bit reals, by what it is as f16: exact, and in the same order. */
    private static long chosen(long a, long b, int x, int y, boolean greatest) {
        int result = greatest ? HalfOps.maxF16(x, y) : HalfOps.minF16(x, y);
        return result == Canonical.HALF ? 0x7F : result == x ? a : b;
    }
}
