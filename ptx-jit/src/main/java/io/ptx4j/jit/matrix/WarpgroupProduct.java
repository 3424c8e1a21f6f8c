package io.ptx4j.jit.matrix;

import io.ptx4j.engine.MatrixSums;
import io.ptx4j.engine.WarpgroupBarriers;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.WarpAction;
import io.ptx4j.jit.support.WarpWords;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * What a warp does of {@code wgmma.mma_async}: D = A B + D for sixteen of the 64 rows (manual: "wgmma.mma_async"). Operands are A (four registers, or a descriptor in two), the descriptor
 * of B, metadata of a sparse A, whether D counts, then D.
 *
 * @param ofA what reads A from shared memory; null where registers hold it
 * @param stored elements of a row of A
 * @param sparse null for a dense A
 * @param hopper how an H100 adds up; null for integers
 * @param tiles how vectors do it; null where they do not
 */
record WarpgroupProduct(
        int n, int k, int stored, Elements a, Fragments inA, SharedMatrix ofA, Elements b, SharedMatrix ofB, int slotB, SparseColumns sparse, int slotMetadata, int slotCounts, int slotD,
        Elements d, Fragments inD, boolean negatesA, boolean negatesB, HopperSums hopper, TileProduct tiles, boolean finite, int operands) implements WarpAction {
    private static final int ROWS = 16;
    private static final int LANES = Fragments.LANES;
    /** Registers of A, and words that a row or column has in shared memory. */
    private static final int REGISTERS = 4;
    private static final int ACROSS = 8;
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ThreadLocal<int[]> WORDS = ThreadLocal.withInitial(() -> new int[0]);

    static WarpAction of(Instruction i) {
        Spelling s = i.spelling();
        MatrixShape shape = MatrixShape.ofWarp(s);
        List<ScalarType> types = s.types();
        boolean isSparse = s.has(Modifier.SP);
        boolean registers = MatrixActions.length(i.operand(1)) == 4;
        Elements a = Elements.of(s, types.get(1));
        Elements b = Elements.of(s, types.get(2));
        Elements d = Elements.of(s, types.getFirst());
        int counts = isSparse ? 5 : 3;
        boolean isFloat = a.type().isFloat();
        boolean turns = a.type() == ScalarType.F16 || a.type() == ScalarType.BF16;
        int turn = counts + 3;
        int slotB = registers ? 4 : 2;
        int slotCounts = slotB + (isSparse ? 3 : 2);
        // Of single bits a word is one element.
        int k = a.type() == ScalarType.B1 ? shape.k() / 32 : shape.k();
        int stored = isSparse ? k / 2 : k;
        return new WarpgroupProduct(shape.n(), k, stored, a, registers ? Fragments.a(ROWS, stored, a.each()) : null,
                registers ? null : new SharedMatrix(a.width(), stored, turns && constant(i, turn) != 0),
                b, new SharedMatrix(b.width(), k, turns && constant(i, registers ? turn : turn + 1) != 0), slotB,
                isSparse ? new SparseColumns(a, k, constant(i, 4)) : null, slotB + 2, slotCounts, slotCounts + 1,
                d, Fragments.c(ROWS, shape.n(), d.each()), isFloat && constant(i, counts + 1) < 0, isFloat && constant(i, counts + 2) < 0,
                isFloat ? HopperSums.ofWarpgroup(a.type(), b.type(), d.type(), stored) : null,
                !isSparse && a.type() != ScalarType.B1 ? TileProduct.of(ROWS, shape.n(), k, a.each()) : null, s.has(Modifier.SATFINITE), slotCounts + 1 + MatrixActions.length(i.operand(0)));
    }

    private static int constant(Instruction i, int operand) {
        return (int) ((Operand.Immediate) i.operand(operand)).bits();
    }

    @Override
    public int results() {
        return inD.registers();
    }

    @Override
    public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
        byte[] bytesA = null;
        byte[] bytesB;
        try {
            int first = low % WarpgroupBarriers.THREADS / 32 * ROWS;
            bytesA = ofA == null ? null : ofA.read(worker, words.wide(0, 0), first, ROWS, low, point.line());
            bytesB = ofB.read(worker, words.wide(slotB, 0), 0, n, low, point.line());
        } catch (RuntimeException failure) {
            throw Faults.locateAt(point.line(), failure, worker, frame, low);
        }
        boolean counts = words.operands[words.at(slotCounts)] != 0;
        boolean asOnHopper = hopper != null && worker.grid.matrixSums() == MatrixSums.HOPPER;
        if (tiles != null && words.vectors && !asOnHopper) {
            inTiles(words, bytesA, bytesB, counts);
        } else if (a.type().isFloat()) {
            floats(asOnHopper, words, bytesA, bytesB, counts);
        } else {
            integers(words, bytesA, bytesB, counts);
        }
    }

    /** As the registers of a warp would hold A and B. */
    private void inTiles(WarpWords words, byte[] bytesA, byte[] bytesB, boolean counts) {
        int ofB = n / 8 * (k / (4 * b.each()));
        int registers = inD.registers();
        int slots = REGISTERS + ofB + registers;
        int[] held = WORDS.get();
        if (held.length < slots * LANES) {
            held = new int[slots * LANES];
            WORDS.set(held);
        }
        int signs = a.width() == 32 ? 0x8000_0000 : a.width() == 16 ? 0x8000_8000 : 0x8080_8080;
        for (int r = 0; r < REGISTERS; r++) {
            if (bytesA == null) {
                System.arraycopy(words.operands, words.at(r), held, r * LANES, LANES);
            } else {
                fill(bytesA, r % 2 * 8, r / 2, held, r * LANES);
            }
        }
        for (int r = 0; r < ofB; r++) {
            fill(bytesB, r / 2 * 8, r % 2, held, (REGISTERS + r) * LANES);
        }
        if (negatesA != negatesB) {
            for (int i = 0; i < REGISTERS * LANES; i++) {
                held[i] ^= signs;
            }
        }
        int from = (REGISTERS + ofB) * LANES;
        for (int r = 0; r < registers; r++, from += LANES) {
            if (counts) {
                System.arraycopy(words.operands, words.at(slotD + r), held, from, LANES);
            } else {
                Arrays.fill(held, from, from + LANES, 0);
            }
        }
        int[] resultAt = new int[registers];
        Arrays.setAll(resultAt, words::resultAt);
        int[] operandAt = new int[slots];
        Arrays.setAll(operandAt, slot -> slot * LANES);
        WarpWords tile = new WarpWords(held, operandAt, words.results, resultAt, true);
        if (a.type().isFloat()) {
            tiles.execute(a, b, REGISTERS, REGISTERS + ofB, d, d, tile);
        } else {
            tiles.executeIntegers(a, b, REGISTERS, REGISTERS + ofB, tile, finite);
        }
    }

    /** A register: of eight rows or columns the words of a half. */
    private static void fill(byte[] bytes, int first, int half, int[] held, int to) {
        for (int lane = 0; lane < LANES; lane++) {
            held[to + lane] = (int) INTS.get(bytes, ((first + lane / 4) * ACROSS + half * 4 + lane % 4) * Integer.BYTES);
        }
    }

    private void floats(boolean asOnHopper, WarpWords words, byte[] bytesA, byte[] bytesB, boolean counts) {
        float[] as = new float[ROWS * stored];
        float[] bs = new float[n * k];
        float[] sums = new float[ROWS * n];
        if (bytesA != null) {
            a.read(bytesA, as);
        } else {
            a.gather(inA, words, 0, as);
        }
        b.read(bytesB, bs);
        if (negatesA) {
            negate(as);
        }
        if (negatesB) {
            negate(bs);
        }
        if (counts) {
            d.gather(inD, words, slotD, sums);
        }
        int[] columns = sparse == null ? null : sparse.columns(words, slotMetadata);
        if (asOnHopper) {
            asOnHopper(as, bs, sums, columns);
        } else {
            inOrder(as, bs, sums, columns);
        }
        d.scatter(inD, sums, words, false);
    }

    private static void negate(float[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = -numbers[i];
        }
    }

    /** A chain of fused sums in the order of k, for all columns side by side. */
    private void inOrder(float[] as, float[] bs, float[] sums, int[] columns) {
        float[] byRow = new float[bs.length];
        for (int column = 0; column < n; column++) {
            for (int p = 0; p < k; p++) {
                byRow[p * n + column] = bs[column * k + p];
            }
        }
        float[] of = new float[n];
        for (int row = 0; row < ROWS; row++) {
            System.arraycopy(sums, row * n, of, 0, n);
            for (int p = 0; p < stored; p++) {
                add(as[row * stored + p], byRow, (columns == null ? p : columns[row * stored + p]) * n, of);
            }
            System.arraycopy(of, 0, sums, row * n, n);
        }
    }

    private static void add(float x, float[] ys, int from, float[] sums) {
        for (int j = 0; j < sums.length; j++) {
            sums[j] = Math.fma(x, ys[from + j], sums[j]);
        }
    }

    private void asOnHopper(float[] as, float[] bs, float[] sums, int[] columns) {
        int[] exponentsA = hopper.ofA(as);
        int[] exponentsB = hopper.ofB(bs);
        double[] terms = new double[stored];
        int[] exponents = new int[stored];
        for (int row = 0; row < ROWS; row++) {
            for (int j = 0; j < n; j++) {
                for (int p = 0; p < stored; p++) {
                    int atA = row * stored + p;
                    int atB = j * k + (columns == null ? p : columns[atA]);
                    terms[p] = (double) as[atA] * bs[atB];
                    exponents[p] = exponentsA[atA] + exponentsB[atB];
                }
                sums[row * n + j] = hopper.sum(terms, exponents, sums[row * n + j]);
            }
        }
    }

    private void integers(WarpWords words, byte[] bytesA, byte[] bytesB, boolean counts) {
        int[] as = new int[ROWS * stored];
        int[] bs = new int[n * k];
        int[] sums = new int[ROWS * n];
        if (bytesA != null) {
            a.read(bytesA, as);
        } else {
            a.gather(inA, words, 0, as);
        }
        b.read(bytesB, bs);
        if (counts) {
            d.gather(inD, words, slotD, sums);
        }
        int[] columns = sparse == null ? null : sparse.columns(words, slotMetadata);
        boolean single = a.type() == ScalarType.B1;
        for (int row = 0; row < ROWS; row++) {
            for (int j = 0; j < n; j++) {
                int sum = 0;
                for (int p = 0; p < stored; p++) {
                    int atA = row * stored + p;
                    int y = bs[j * k + (columns == null ? p : columns[atA])];
                    sum += single ? Integer.bitCount(as[atA] & y) : as[atA] * y;
                }
                long all = (long) sums[row * n + j] + sum;
                sums[row * n + j] = finite ? Math.clamp(all, Integer.MIN_VALUE, Integer.MAX_VALUE) : (int) all;
            }
        }
        int[] places = inD.places();
        int next = 0;
        for (int r = 0; r < inD.registers(); r++) {
            int to = words.resultAt(r);
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                words.results[to + lane] = sums[places[next++]];
            }
        }
    }
}
