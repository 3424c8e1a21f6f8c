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

    /** Of each operand at so many places of the frame a thread keeps the numbers: the next product often has one of the factors. */
    private static final int KEPT_BITS = 5;
    private static final int KEPT = 1 << KEPT_BITS;

    /** The numbers of A or B, as steps want them, and the words that they come from. */
    private static final class Kept {
        private Elements elements;
        private int registers;
        private int pieces;
        private int[] words = new int[0];
        private float[] steps = new float[0];

        private boolean has(Elements wanted, int count, int ofPieces, WarpWords from, int slot) {
            if (count != registers || ofPieces != pieces || elements.type() != wanted.type() || elements.width() != wanted.width() || elements.shift() != wanted.shift()) {
                return false;
            }
            IntVector different = IntVector.zero(VectorLanes.INT);
            for (int r = 0; r < count; r++) {
                int at = from.at(slot + r);
                for (int lane = 0; lane < LANES; lane += LENGTH) {
                    IntVector mine = IntVector.fromArray(VectorLanes.INT, words, r * LANES + lane);
                    different = different.lanewise(VectorOperators.OR, mine.lanewise(VectorOperators.XOR, IntVector.fromArray(VectorLanes.INT, from.operands, at + lane)));
                }
            }
            return !different.compare(VectorOperators.NE, 0).anyTrue();
        }

        private void take(Elements its, int count, int ofPieces, WarpWords from, int slot) {
            elements = its;
            registers = count;
            pieces = ofPieces;
            if (words.length < count * LANES) {
                words = new int[count * LANES];
            }
            for (int r = 0; r < count; r++) {
                System.arraycopy(from.operands, from.at(slot + r), words, r * LANES, LANES);
            }
        }

        private void reserve(int count) {
            if (steps.length < count) {
                steps = new float[count];
            }
        }
    }

    /** What a thread has that makes one product after the other. */
    private static final class Scratch {
        private final Kept[] ofA = new Kept[KEPT];
        private final Kept[] ofB = new Kept[KEPT];
        private float[] numbers = new float[0];
        private float[] sums = new float[0];

        private Scratch() {
            Arrays.setAll(ofA, n -> new Kept());
            Arrays.setAll(ofB, n -> new Kept());
        }

        private float[] numbers(int count) {
            numbers = numbers.length < count ? new float[count] : numbers;
            return numbers;
        }

        private float[] sums(int count) {
            sums = sums.length < count ? new float[count] : sums;
            return sums;
        }
    }

    /** For products of {@code m} by {@code n} with {@code k} whose elements are {@code each} to a register; null if it is none of such tiles. */
    static TileProduct of(int m, int n, int k, int each) {
        return m % 16 == 0 && n % 8 == 0 && k % (QUAD * each) == 0 && LENGTH >= QUAD && LENGTH <= LANES / 2 ? new TileProduct(m / 16, n / 8, k / (QUAD * each), each) : null;
    }

    /** Computes D from A, B and C in the operands: A is first, C and D are f32 or f16. */
    void execute(Elements a, Elements b, int slotB, int slotC, Elements c, Elements d, WarpWords words) {
        Scratch scratch = SCRATCH.get();
        float[] sums = scratch.sums(registers() * LANES);
        c.read(words, slotC, registers() / c.each(), sums);
        add(a, b, slotB, words, scratch);
        if (d.type() == ScalarType.F32) {
            write(sums, words, registers());
        } else {
            writeHalves(sums, words, registers() / 2);
        }
    }

    /**
     * The same of integers of up to 8 bits, whose sums single precision has room for.
     *
     * @param finite whether what is added to C is bounded
     */
    void executeIntegers(Elements a, Elements b, int slotB, int slotC, WarpWords words, boolean finite) {
        Scratch scratch = SCRATCH.get();
        float[] sums = scratch.sums(registers() * LANES);
        Arrays.fill(sums, 0, registers() * LANES, 0);
        add(a, b, slotB, words, scratch);
        finish(words, slotC, registers(), finite, sums);
    }

    private int registers() {
        return rows * columns * SUMS;
    }

    private int steps() {
        return pieces * QUAD * each;
    }

    /** Adds the products of A and B to the sums. */
    private void add(Elements a, Elements b, int slotB, WarpWords words, Scratch scratch) {
        float[] left = ofA(a, words, scratch);
        float[] right = ofB(b, slotB, words, scratch);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                int to = (row * columns + column) * SUMS * LANES;
                for (int lane = 0; lane < LANES; lane += 2 * LENGTH) {
                    add(left, row * steps() * 2 * LANES + lane, right, column * steps() * 2 * LENGTH, scratch.sums, to + lane);
                }
            }
        }
    }

    /** The elements of A, by tile, step and half of the rows: for each lane the one of its row. */
    private float[] ofA(Elements a, WarpWords words, Scratch scratch) {
        int count = rows * 2 * pieces;
        Kept kept = scratch.ofA[place(words.at(0))];
        if (kept.has(a, count, pieces, words, 0)) {
            return kept.steps;
        }
        kept.take(a, count, pieces, words, 0);
        kept.reserve(rows * steps() * 2 * LANES);
        float[] numbers = scratch.numbers(count * each * LANES);
        a.read(words, 0, count, numbers);
        for (int piece = 0; piece < rows * pieces; piece++) {
            for (int e = 0; e < each; e++) {
                int to = (piece * QUAD * each + e) * 2 * LANES;
                spread(numbers, (2 * piece * each + e) * LANES, kept.steps, to, each * 2 * LANES);
                spread(numbers, ((2 * piece + 1) * each + e) * LANES, kept.steps, to + LANES, each * 2 * LANES);
            }
        }
        return kept.steps;
    }

    /** Where the numbers of an operand are that lies there in the frame. */
    private static int place(int at) {
        return at * 0x9E37_79B1 >>> Integer.SIZE - KEPT_BITS;
    }

    /** Gives all lanes of each four what one of them has, of each in turn, {@code apart} from one to the next. */
    private static void spread(float[] numbers, int from, float[] steps, int to, int apart) {
        for (int lane = 0; lane < LANES; lane += LENGTH) {
            IntVector number = FloatVector.fromArray(VectorLanes.FLOAT, numbers, from + lane).reinterpretAsInts();
            for (int t = 0; t < QUAD; t++) {
                IntVector.fromArray(VectorLanes.INT, OF_FOUR, t * LENGTH).selectFrom(number).reinterpretAsFloats().intoArray(steps, to + lane + t * apart);
            }
        }
    }

    /** The elements of B, by tile, step and parity of the column: for each lane the one of its column. */
    private float[] ofB(Elements b, int slotB, WarpWords words, Scratch scratch) {
        int count = columns * pieces;
        Kept kept = scratch.ofB[place(words.at(slotB))];
        if (kept.has(b, count, pieces, words, slotB)) {
            return kept.steps;
        }
        kept.take(b, count, pieces, words, slotB);
        kept.reserve(columns * steps() * 2 * LENGTH);
        float[] numbers = scratch.numbers(count * each * LANES);
        b.read(words, slotB, count, numbers);
        for (int piece = 0; piece < count; piece++) {
            for (int e = 0; e < each; e++) {
                choose(numbers, (piece * each + e) * LANES, kept.steps, (piece * QUAD * each + e) * 2 * LENGTH, each * 2 * LENGTH);
            }
        }
        return kept.steps;
    }

    /** Gives the lanes of each four what those of their columns have, the even ones, then the odd ones, of each lane of a four in turn, {@code apart} from one to the next. */
    private static void choose(float[] b, int at, float[] steps, int to, int apart) {
        if (LENGTH != LANES / 2) {
            for (int t = 0; t < 2 * QUAD; t++) {
                for (int i = 0; i < LENGTH; i++) {
                    steps[to + t / 2 * apart + t % 2 * LENGTH + i] = b[at + OF_COLUMNS[t * LENGTH + i]];
                }
            }
            return;
        }
        IntVector low = FloatVector.fromArray(VectorLanes.FLOAT, b, at).reinterpretAsInts();
        IntVector high = FloatVector.fromArray(VectorLanes.FLOAT, b, at + LENGTH).reinterpretAsInts();
        for (int t = 0; t < QUAD; t++) {
            IntVector even = IntVector.fromArray(VectorLanes.INT, OF_COLUMNS, 2 * t * LENGTH);
            IntVector odd = IntVector.fromArray(VectorLanes.INT, OF_COLUMNS, (2 * t + 1) * LENGTH);
            even.selectFrom(low, high).reinterpretAsFloats().intoArray(steps, to + t * apart);
            odd.selectFrom(low, high).reinterpretAsFloats().intoArray(steps, to + t * apart + LENGTH);
        }
    }

    /** Two vectors of lanes, whose sums are eight vectors. */
    private void add(float[] a, int fromA, float[] b, int fromB, float[] sums, int to) {
        FloatVector s00 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to);
        FloatVector s01 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + LENGTH);
        FloatVector s10 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + LANES);
        FloatVector s11 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + LANES + LENGTH);
        FloatVector s20 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + 2 * LANES);
        FloatVector s21 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + 2 * LANES + LENGTH);
        FloatVector s30 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + 3 * LANES);
        FloatVector s31 = FloatVector.fromArray(VectorLanes.FLOAT, sums, to + 3 * LANES + LENGTH);
        int at = fromA;
        int next = fromB;
        for (int step = steps(); step > 0; step--) {
            FloatVector even = FloatVector.fromArray(VectorLanes.FLOAT, b, next);
            FloatVector odd = FloatVector.fromArray(VectorLanes.FLOAT, b, next + LENGTH);
            FloatVector x = FloatVector.fromArray(VectorLanes.FLOAT, a, at);
            s00 = x.fma(even, s00);
            s10 = x.fma(odd, s10);
            FloatVector y = FloatVector.fromArray(VectorLanes.FLOAT, a, at + LENGTH);
            s01 = y.fma(even, s01);
            s11 = y.fma(odd, s11);
            FloatVector z = FloatVector.fromArray(VectorLanes.FLOAT, a, at + LANES);
            s20 = z.fma(even, s20);
            s30 = z.fma(odd, s30);
            FloatVector w = FloatVector.fromArray(VectorLanes.FLOAT, a, at + LANES + LENGTH);
            s21 = w.fma(even, s21);
            s31 = w.fma(odd, s31);
            at += 2 * LANES;
            next += 2 * LENGTH;
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
    private static void write(float[] numbers, WarpWords words, int registers) {
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
