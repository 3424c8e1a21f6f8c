package io.ptx4j.jit.matrix;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.support.HalfOps;
import io.ptx4j.jit.support.VectorLanes;
import io.ptx4j.jit.support.WarpWords;

import java.util.Arrays;
import java.util.stream.IntStream;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * D = A B + C by tiles of 16 rows and 8 columns, on vectors of the lanes of registers: sums stay where the registers of C have them. A step of a sum takes of A what one lane of each
 * four has, of B what one lane of each four has whose number says the column ({@link Fragments}); that is put side by side for all steps first.
 *
 * @param rows tiles of C below each other
 * @param columns tiles of C beside each other
 * @param pieces registers of A for eight rows of a tile
 * @param each elements of a register of A and B
 */
record TileProduct(int rows, int columns, int pieces, int each) {
    private static final int LANES = Fragments.LANES;
    private static final int LENGTH = VectorLanes.INT.length();
    private static final int QUAD = 4;
    /** Registers of a tile of C: two elements of each half. */
    private static final int SUMS = 4;
    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);
    /** By lane of each four: the same lane of all fours, for all lanes of a vector. */
    private static final int[] OF_FOUR = IntStream.range(0, QUAD * LENGTH).map(i -> i % LENGTH / QUAD * QUAD + i / LENGTH).toArray();
    /** By lane of each four and column of a pair: the lanes that have that column, for a vector. */
    private static final int[] OF_COLUMNS = IntStream.range(0, QUAD * 2 * LENGTH)
            .map(i -> (2 * (i % QUAD) + i / LENGTH % 2) * QUAD + i / LENGTH / 2).toArray();

    /** Numbers on their way, kept by a thread that makes one product after the other. */
    private static final class Scratch {
        private float[] a = new float[0];
        private float[] b = new float[0];
        private float[] steps = new float[0];
        private float[] sums = new float[0];

        private void reserve(int ofA, int ofB, int ofSteps, int ofSums) {
            if (a.length < ofA || b.length < ofB || steps.length < ofSteps || sums.length < ofSums) {
                a = new float[Math.max(a.length, ofA)];
                b = new float[Math.max(b.length, ofB)];
                steps = new float[Math.max(steps.length, ofSteps)];
                sums = new float[Math.max(sums.length, ofSums)];
            }
        }
    }

    /** For products of {@code m} by {@code n} with {@code k} whose elements are {@code each} to a register; null if it is none of such tiles. */
    static TileProduct of(int m, int n, int k, int each) {
        return m % 16 == 0 && n % 8 == 0 && k % (QUAD * each) == 0 && LENGTH >= QUAD && LENGTH <= LANES / 2 ? new TileProduct(m / 16, n / 8, k / (QUAD * each), each) : null;
    }

    /** Computes D from A, B and C in the operands: A is first, C and D are f32 or f16. */
    void execute(Elements a, Elements b, int slotB, int slotC, Elements c, Elements d, WarpWords words) {
        Scratch scratch = SCRATCH.get();
        reserve(scratch);
        c.numbers(words, slotC, registers() / c.each(), scratch.sums);
        add(a, b, slotB, words, scratch);
        if (d.type() == ScalarType.F32) {
            write(scratch.sums, words, registers());
        } else {
            writeHalves(scratch.sums, words, registers() / 2);
        }
    }

    /**
     * The same of integers of up to 8 bits, whose sums single precision has room for.
     *
     * @param finite whether what is added to C is bounded
     */
    void executeIntegers(Elements a, Elements b, int slotB, int slotC, WarpWords words, boolean finite) {
        Scratch scratch = SCRATCH.get();
        reserve(scratch);
        Arrays.fill(scratch.sums, 0, registers() * LANES, 0);
        add(a, b, slotB, words, scratch);
        finish(words, slotC, registers(), finite, scratch.sums);
    }

    private int registers() {
        return rows * columns * SUMS;
    }

    private void reserve(Scratch scratch) {
        scratch.reserve(rows * 2 * pieces * each * LANES, columns * pieces * each * LANES, columns * pieces * QUAD * each * 2 * LENGTH, registers() * LANES);
    }

    /** Adds the products of A and B to the sums. */
    private void add(Elements a, Elements b, int slotB, WarpWords words, Scratch scratch) {
        int ofTile = 2 * pieces * each * LANES;
        int steps = pieces * QUAD * each;
        a.numbers(words, 0, rows * 2 * pieces, scratch.a);
        b.numbers(words, slotB, columns * pieces, scratch.b);
        for (int column = 0; column < columns; column++) {
            putSideBySide(scratch.b, column * pieces * each * LANES, scratch.steps, column * steps * 2 * LENGTH);
        }
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                int to = (row * columns + column) * SUMS * LANES;
                for (int lane = 0; lane < LANES; lane += 2 * LENGTH) {
                    add(scratch.a, row * ofTile + lane, scratch.steps, column * steps * 2 * LENGTH, scratch.sums, to + lane);
                }
            }
        }
    }

    /** Of each step the elements of B of the even and of the odd columns, as the lanes of a vector want them. */
    private void putSideBySide(float[] b, int from, float[] steps, int to) {
        int next = to;
        for (int piece = 0; piece < pieces; piece++) {
            for (int t = 0; t < 2 * QUAD; t += 2) {
                for (int e = 0; e < each; e++) {
                    int at = from + (piece * each + e) * LANES;
                    choose(b, at, t * LENGTH, steps, next);
                    choose(b, at, (t + 1) * LENGTH, steps, next + LENGTH);
                    next += 2 * LENGTH;
                }
            }
        }
    }

    private static void choose(float[] b, int at, int table, float[] steps, int to) {
        if (LENGTH == LANES / 2) {
            IntVector low = FloatVector.fromArray(VectorLanes.FLOAT, b, at).reinterpretAsInts();
            IntVector high = FloatVector.fromArray(VectorLanes.FLOAT, b, at + LENGTH).reinterpretAsInts();
            IntVector.fromArray(VectorLanes.INT, OF_COLUMNS, table).selectFrom(low, high).reinterpretAsFloats().intoArray(steps, to);
            return;
        }
        for (int i = 0; i < LENGTH; i++) {
            steps[to + i] = b[at + OF_COLUMNS[table + i]];
        }
    }

    /** Two vectors of lanes, whose sums are eight vectors. */
    private void add(float[] a, int fromA, float[] steps, int fromSteps, float[] sums, int to) {
        FloatVector s00 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to);
        FloatVector s01 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + LENGTH);
        FloatVector s10 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + LANES);
        FloatVector s11 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + LANES + LENGTH);
        FloatVector s20 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + 2 * LANES);
        FloatVector s21 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + 2 * LANES + LENGTH);
        FloatVector s30 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + 3 * LANES);
        FloatVector s31 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + 3 * LANES + LENGTH);
        int half = each * LANES;
        int shift = Integer.numberOfTrailingZeros(each);
        int at = fromA;
        int next = fromSteps;
        for (int piece = 0; piece < pieces; piece++) {
            for (int i = 0; i < QUAD * each; i++) {
                IntVector ofFour = IntVector.fromArray(VectorLanes.INT, OF_FOUR, (i >> shift) * LENGTH);
                int element = at + (i & each - 1) * LANES;
                FloatVector even = FloatVector.fromArray(VectorLanes.FLOAT, steps, next);
                FloatVector odd = FloatVector.fromArray(VectorLanes.FLOAT, steps, next + LENGTH);
                FloatVector x = of(ofFour, a, element);
                s00 = x.fma(even, s00);
                s10 = x.fma(odd, s10);
                FloatVector y = of(ofFour, a, element + LENGTH);
                s01 = y.fma(even, s01);
                s11 = y.fma(odd, s11);
                FloatVector z = of(ofFour, a, element + half);
                s20 = z.fma(even, s20);
                s30 = z.fma(odd, s30);
                FloatVector w = of(ofFour, a, element + half + LENGTH);
                s21 = w.fma(even, s21);
                s31 = w.fma(odd, s31);
                next += 2 * LENGTH;
            }
            at += 2 * half;
        }
        s00.intoArray(sums, to);
        s01.intoArray(sums, to + LENGTH);
        s10.intoArray(sums, to + LANES);
        s11.intoArray(sums, to + LANES + LENGTH);
        s20.intoArray(sums, to + 2 * LANES);
        s21.intoArray(sums, to + 2 * LANES + LENGTH);
        s30.intoArray(sums, to + 3 * LANES);
        s31.intoArray(sums, to + 3 * LANES + LENGTH);
    }

    private static FloatVector of(IntVector ofFour, float[] a, int at) {
        return ofFour.selectFrom(FloatVector.fromArray(VectorLanes.FLOAT, a, at).reinterpretAsInts()).reinterpretAsFloats();
    }

    // Registers and numbers

    /** Of an f16 on top of a word that is shifted down by three places, extending the sign. */
    private static final int SIGN_AND_NUMBER = 0x8fff_e000;
    /** What the exponents of f16 and f32 differ by. */
    private static final float REBIASED = 0x1p112f;
    private static final float BEYOND = 0x1p16f;
    private static final int INFINITE = 0x7f80_0000;

    /**
     * The numbers of registers of f16, bf16, tf32 or f32.
     *
     * @param numbers of element {@code e} of register {@code r}: from {@code (r * each + e) * 32} on
     */
    static void numbers(ScalarType type, WarpWords words, int slot, int registers, float[] numbers) {
        for (int r = 0; r < registers; r++) {
            int from = words.at(slot + r);
            switch (type) {
                case F16 -> halves(words.operands, from, numbers, r * 2 * LANES);
                case BF16 -> upperHalves(words.operands, from, numbers, r * 2 * LANES);
                case TF32 -> upperBits(words.operands, from, numbers, r * LANES);
                case F32 -> read(words.operands, from, numbers, r * LANES);
                default -> throw new IllegalArgumentException("no vector code for " + type);
            }
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

    /** Integers of so many bits, as floats. */
    static void integers(int[] words, int from, int width, boolean signed, float[] numbers, int to) {
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

    /** Adds sums, which are whole numbers, to the registers of C; these may be results too, in another order. */
    private static void finish(WarpWords words, int slotC, int registers, boolean finite, float[] sums) {
        for (int r = 0; r < registers; r++) {
            int from = words.at(slotC + r);
            for (int lane = 0; lane < LANES; lane += LENGTH) {
                IntVector sum = FloatVector.fromArray(VectorLanes.FLOAT, sums, r * LANES + lane).convert(VectorOperators.F2I, 0).reinterpretAsInts();
                IntVector c = IntVector.fromArray(VectorLanes.INT, words.operands, from + lane);
                IntVector all = finite ? c.lanewise(VectorOperators.SADD, sum) : c.add(sum);
                all.reinterpretAsFloats().intoArray(sums, r * LANES + lane);
            }
        }
        for (int r = 0; r < registers; r++) {
            int to = words.resultAt(r);
            for (int lane = 0; lane < LANES; lane += LENGTH) {
                FloatVector.fromArray(VectorLanes.FLOAT, sums, r * LANES + lane).reinterpretAsInts().intoArray(words.results, to + lane);
            }
        }
    }

    private static void read(int[] words, int from, float[] numbers, int to) {
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            IntVector.fromArray(VectorLanes.INT, words, from + lane).reinterpretAsFloats().intoArray(numbers, to + lane);
        }
    }

    /** Puts f16 into the results, two to a register. */
    private static void writeHalves(float[] numbers, WarpWords words, int registers) {
        for (int r = 0; r < registers; r++) {
            int from = 2 * r * LANES;
            int to = words.resultAt(r);
            for (int lane = 0; lane < LANES; lane++) {
                words.results[to + lane] = HalfOps.roundF16(numbers[from + lane]) | HalfOps.roundF16(numbers[from + LANES + lane]) << 16;
            }
        }
    }

    /** Puts f32 into the results, every NaN as 7fffffff. */
    static void write(float[] numbers, WarpWords words, int registers) {
        for (int r = 0; r < registers; r++) {
            int to = words.resultAt(r);
            for (int lane = 0; lane < LANES; lane += LENGTH) {
                FloatVector number = FloatVector.fromArray(VectorLanes.FLOAT, numbers, r * LANES + lane);
                VectorMask<Integer> none = number.compare(VectorOperators.NE, number).cast(VectorLanes.INT);
                number.reinterpretAsInts().blend(0x7fff_ffff, none).intoArray(words.results, to + lane);
            }
        }
    }
}
