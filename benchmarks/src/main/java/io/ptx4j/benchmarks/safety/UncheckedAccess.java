package io.ptx4j.benchmarks.safety;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Accesses that reach all memory of the process, as those of a C program do: through one segment that begins at address 0 and never ends, with
 * layouts of alignment 1. What remains of the checks is a comparison with a constant.
 */
public final class UncheckedAccess {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private UncheckedAccess() {
    }

    public static byte get(MemorySegment segment, ValueLayout.OfByte layout, long offset) {
        return ALL.get(BYTE, segment.address() + offset);
    }

    public static void set(MemorySegment segment, ValueLayout.OfByte layout, long offset, byte value) {
        ALL.set(BYTE, segment.address() + offset, value);
    }

    public static ByteVector fromByteVector(VectorSpecies<Byte> species, MemorySegment segment, long offset, ByteOrder order) {
        return ByteVector.fromMemorySegment(species, ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(ByteVector vector, MemorySegment segment, long offset, ByteOrder order) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(ByteVector vector, MemorySegment segment, long offset, ByteOrder order, VectorMask<Byte> mask) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order, mask);
    }

    public static ByteVector fromByteVector(
            VectorSpecies<Byte> species, MemorySegment segment, long offset, ByteOrder order, VectorMask<Byte> mask) {
        return ByteVector.fromMemorySegment(species, ALL, segment.address() + offset, order, mask);
    }

    public static short get(MemorySegment segment, ValueLayout.OfShort layout, long offset) {
        return ALL.get(SHORT, segment.address() + offset);
    }

    public static void set(MemorySegment segment, ValueLayout.OfShort layout, long offset, short value) {
        ALL.set(SHORT, segment.address() + offset, value);
    }

    public static ShortVector fromShortVector(VectorSpecies<Short> species, MemorySegment segment, long offset, ByteOrder order) {
        return ShortVector.fromMemorySegment(species, ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(ShortVector vector, MemorySegment segment, long offset, ByteOrder order) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(ShortVector vector, MemorySegment segment, long offset, ByteOrder order, VectorMask<Short> mask) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order, mask);
    }

    public static ShortVector fromShortVector(
            VectorSpecies<Short> species, MemorySegment segment, long offset, ByteOrder order, VectorMask<Short> mask) {
        return ShortVector.fromMemorySegment(species, ALL, segment.address() + offset, order, mask);
    }

    public static int get(MemorySegment segment, ValueLayout.OfInt layout, long offset) {
        return ALL.get(INT, segment.address() + offset);
    }

    public static void set(MemorySegment segment, ValueLayout.OfInt layout, long offset, int value) {
        ALL.set(INT, segment.address() + offset, value);
    }

    public static IntVector fromIntVector(VectorSpecies<Integer> species, MemorySegment segment, long offset, ByteOrder order) {
        return IntVector.fromMemorySegment(species, ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(IntVector vector, MemorySegment segment, long offset, ByteOrder order) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(IntVector vector, MemorySegment segment, long offset, ByteOrder order, VectorMask<Integer> mask) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order, mask);
    }

    public static IntVector fromIntVector(
            VectorSpecies<Integer> species, MemorySegment segment, long offset, ByteOrder order, VectorMask<Integer> mask) {
        return IntVector.fromMemorySegment(species, ALL, segment.address() + offset, order, mask);
    }

    public static long get(MemorySegment segment, ValueLayout.OfLong layout, long offset) {
        return ALL.get(LONG, segment.address() + offset);
    }

    public static void set(MemorySegment segment, ValueLayout.OfLong layout, long offset, long value) {
        ALL.set(LONG, segment.address() + offset, value);
    }

    public static LongVector fromLongVector(VectorSpecies<Long> species, MemorySegment segment, long offset, ByteOrder order) {
        return LongVector.fromMemorySegment(species, ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(LongVector vector, MemorySegment segment, long offset, ByteOrder order) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(LongVector vector, MemorySegment segment, long offset, ByteOrder order, VectorMask<Long> mask) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order, mask);
    }

    public static LongVector fromLongVector(
            VectorSpecies<Long> species, MemorySegment segment, long offset, ByteOrder order, VectorMask<Long> mask) {
        return LongVector.fromMemorySegment(species, ALL, segment.address() + offset, order, mask);
    }

    public static float get(MemorySegment segment, ValueLayout.OfFloat layout, long offset) {
        return ALL.get(FLOAT, segment.address() + offset);
    }

    public static void set(MemorySegment segment, ValueLayout.OfFloat layout, long offset, float value) {
        ALL.set(FLOAT, segment.address() + offset, value);
    }

    public static FloatVector fromFloatVector(VectorSpecies<Float> species, MemorySegment segment, long offset, ByteOrder order) {
        return FloatVector.fromMemorySegment(species, ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(FloatVector vector, MemorySegment segment, long offset, ByteOrder order) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(FloatVector vector, MemorySegment segment, long offset, ByteOrder order, VectorMask<Float> mask) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order, mask);
    }

    public static FloatVector fromFloatVector(
            VectorSpecies<Float> species, MemorySegment segment, long offset, ByteOrder order, VectorMask<Float> mask) {
        return FloatVector.fromMemorySegment(species, ALL, segment.address() + offset, order, mask);
    }

    public static double get(MemorySegment segment, ValueLayout.OfDouble layout, long offset) {
        return ALL.get(DOUBLE, segment.address() + offset);
    }

    public static void set(MemorySegment segment, ValueLayout.OfDouble layout, long offset, double value) {
        ALL.set(DOUBLE, segment.address() + offset, value);
    }

    public static DoubleVector fromDoubleVector(VectorSpecies<Double> species, MemorySegment segment, long offset, ByteOrder order) {
        return DoubleVector.fromMemorySegment(species, ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(DoubleVector vector, MemorySegment segment, long offset, ByteOrder order) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order);
    }

    public static void intoMemorySegment(DoubleVector vector, MemorySegment segment, long offset, ByteOrder order, VectorMask<Double> mask) {
        vector.intoMemorySegment(ALL, segment.address() + offset, order, mask);
    }

    public static DoubleVector fromDoubleVector(
            VectorSpecies<Double> species, MemorySegment segment, long offset, ByteOrder order, VectorMask<Double> mask) {
        return DoubleVector.fromMemorySegment(species, ALL, segment.address() + offset, order, mask);
    }
}
