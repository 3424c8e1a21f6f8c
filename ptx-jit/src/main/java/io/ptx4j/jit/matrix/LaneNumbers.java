package io.ptx4j.jit.matrix;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.support.VectorLanes;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** The numbers in a register of all lanes of a warp, on vectors. */
final class LaneNumbers {
    private static final int LANES = Fragments.LANES;
    private static final int LENGTH = VectorLanes.INT.length();
    /** Of an f16 on top of a word that is shifted down by three places, extending the sign. */
    private static final int SIGN_AND_NUMBER = 0x8fff_e000;
    /** What the exponents of f16 and f32 differ by. */
    private static final float REBIASED = 0x1p112f;
    private static final float BEYOND = 0x1p16f;
    private static final int INFINITE = 0x7f80_0000;

    private LaneNumbers() {
    }

    /**
     * Reads f16, bf16, tf32, f32 or integers.
     *
     * @param width bits of an element
     * @param words of 32 lanes from {@code from} on
     * @param numbers takes element {@code e} of all lanes from {@code to + 32 * e} on
     */
    static void read(ScalarType type, int width, int[] words, int from, float[] numbers, int to) {
        switch (type) {
            case F16 -> halves(words, from, numbers, to);
            case BF16 -> upperHalves(words, from, numbers, to);
            case TF32 -> upperBits(words, from, numbers, to);
            case F32 -> whole(words, from, numbers, to);
            default -> integers(words, from, width, type.signed(), numbers, to);
        }
    }

    /**
     * Each half, where a word has its sign on top, is cut to the sign and, three places down, exponent and mantissa; times 2^112 that is its number. Infinities and NaN have come out as numbers from
     * 2^16 on then. In one method, since HotSpot makes objects of vectors that come out of one it does not take in line.
     */
    private static void halves(int[] words, int from, float[] numbers, int to) {
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            IntVector word = IntVector.fromArray(VectorLanes.INT, words, from + lane);
            FloatVector first = word.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 3).lanewise(VectorOperators.AND, SIGN_AND_NUMBER).reinterpretAsFloats().mul(REBIASED);
            FloatVector second = word.lanewise(VectorOperators.ASHR, 3).lanewise(VectorOperators.AND, SIGN_AND_NUMBER).reinterpretAsFloats().mul(REBIASED);
            IntVector firstBits = first.reinterpretAsInts();
            IntVector secondBits = second.reinterpretAsInts();
            VectorMask<Integer> ofFirst = first.lanewise(VectorOperators.ABS).compare(VectorOperators.GE, BEYOND).cast(VectorLanes.INT);
            VectorMask<Integer> ofSecond = second.lanewise(VectorOperators.ABS).compare(VectorOperators.GE, BEYOND).cast(VectorLanes.INT);
            firstBits.blend(firstBits.lanewise(VectorOperators.OR, INFINITE), ofFirst).reinterpretAsFloats().intoArray(numbers, to + lane);
            secondBits.blend(secondBits.lanewise(VectorOperators.OR, INFINITE), ofSecond).reinterpretAsFloats().intoArray(numbers, to + LANES + lane);
        }
    }

    private static void upperHalves(int[] words, int from, float[] numbers, int to) {
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            IntVector word = IntVector.fromArray(VectorLanes.INT, words, from + lane);
            word.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats().intoArray(numbers, to + lane);
            word.lanewise(VectorOperators.AND, 0xffff_0000).reinterpretAsFloats().intoArray(numbers, to + LANES + lane);
        }
    }

    private static void upperBits(int[] words, int from, float[] numbers, int to) {
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            IntVector word = IntVector.fromArray(VectorLanes.INT, words, from + lane);
            word.lanewise(VectorOperators.AND, 0xffff_e000).reinterpretAsFloats().intoArray(numbers, to + lane);
        }
    }

    private static void integers(int[] words, int from, int width, boolean signed, float[] numbers, int to) {
        int next = to;
        for (int bit = Integer.SIZE - width; bit >= 0; bit -= width) {
            for (int lane = 0; lane < LANES; lane += LENGTH) {
                IntVector top = IntVector.fromArray(VectorLanes.INT, words, from + lane).lanewise(VectorOperators.LSHL, bit);
                IntVector number = signed ? top.lanewise(VectorOperators.ASHR, Integer.SIZE - width) : top.lanewise(VectorOperators.LSHR, Integer.SIZE - width);
                number.convert(VectorOperators.I2F, 0).reinterpretAsFloats().intoArray(numbers, next + lane);
            }
            next += LANES;
        }
    }

    private static void whole(int[] words, int from, float[] numbers, int to) {
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            IntVector.fromArray(VectorLanes.INT, words, from + lane).reinterpretAsFloats().intoArray(numbers, to + lane);
        }
    }
}
