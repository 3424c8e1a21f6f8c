package io.ptx4j.interpreter;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.MatrixSums;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.List;
import java.util.stream.IntStream;

/**
 * D = A B + C (manual: "mma", "mma.sp", "wmma.mma", "wgmma.mma_async"). Each element of D is made of the products in the order of k, as
 * docs/matrix.md, "Arithmetic", says.
 */
final class MatrixProduct {
    private final Spelling spelling;
    private final MatrixShape shape;
    private final int products;
    private final MatrixOperand<Destination> d;
    private final MatrixOperand<Source> a;
    private final MatrixOperand<Source> b;
    private final MatrixOperand<Source> c;
    private final SparseMetadata sparse;
    private final Source metadata;
    private final BlockScale scaleA;
    private final BlockScale scaleB;
    /** How a warpgroup's product differs; null for that of a warp. */
    private final Warpgroup warpgroup;

    /**
     * @param a what describes A in shared memory; null where registers hold it
     * @param counts whether C does
     */
    private record Warpgroup(SharedMatrix a, SharedMatrix b, Source counts, boolean negatesA, boolean negatesB) {
    }

    private MatrixProduct(Instruction instruction, Operands operands) {
        this.spelling = instruction.spelling();
        this.shape = MatrixShape.of(spelling);
        List<ScalarType> types = spelling.types();
        boolean halves = types.size() == 2;
        ScalarType typeA = halves ? ScalarType.F16 : types.get(1);
        ScalarType typeB = halves ? ScalarType.F16 : types.get(2);
        MatrixElement elementA = MatrixElement.of(spelling, typeA);
        MatrixElement elementB = MatrixElement.of(spelling, typeB);
        List<Source> registersA = operands.elements(1);
        List<Source> registersB = operands.elements(2);
        boolean quads = shape.m() == 8 && shape.k() == 4 && typeA == ScalarType.F16;
        boolean isSparse = spelling.has(Modifier.SP) || spelling.has(Modifier.SP_ORDERED);
        this.products = quads ? 4 : 1;
        this.sparse = isSparse
                ? new SparseMetadata(shape, elementA, (int) ((Operand.Immediate) instruction.operand(5)).bits()) : null;
        this.metadata = isSparse ? operands.source(4) : null;
        int columns = isSparse ? shape.k() / 2 : shape.k();
        this.a = new MatrixOperand<>(
                quads ? Fragment.Quads.a(shape) : Fragment.a(shape, columns, registersA.size(), elementA.each()), elementA, registersA);
        this.b = new MatrixOperand<>(
                quads ? Fragment.Quads.b(shape) : Fragment.b(shape, registersB.size(), elementB.each()), elementB, registersB);
        this.c = new MatrixOperand<>(accumulator(types.get(halves ? 1 : 3), quads),
                MatrixElement.of(spelling, types.get(halves ? 1 : 3)), operands.elements(3));
        this.d = new MatrixOperand<>(accumulator(types.get(0), quads), MatrixElement.of(spelling, types.get(0)), operands.destinations(0));
        boolean scaled = spelling.has(Modifier.BLOCK_SCALE);
        int first = isSparse ? 6 : 4;
        this.scaleA = scaled ? BlockScale.of(spelling, true, operands.source(first), operands.elements(first + 1)) : null;
        this.scaleB = scaled ? BlockScale.of(spelling, false, operands.source(first + 2), operands.elements(first + 3)) : null;
        this.warpgroup = null;
    }

    /** What a warp does of a warpgroup's product: the sixteen rows of its own. */
    private MatrixProduct(Instruction instruction, Operands operands, boolean registersA) {
        this.spelling = instruction.spelling();
        this.shape = MatrixShape.ofWarp(spelling);
        this.products = 1;
        List<ScalarType> types = spelling.types();
        MatrixElement elementA = MatrixElement.of(spelling, types.get(1));
        MatrixElement elementB = MatrixElement.of(spelling, types.get(2));
        MatrixElement elementD = MatrixElement.of(spelling, types.get(0));
        boolean isSparse = spelling.has(Modifier.SP);
        int next = isSparse ? 5 : 3;
        this.sparse = isSparse ? new SparseMetadata(shape, elementA, (int) constant(instruction, 4)) : null;
        this.metadata = isSparse ? operands.source(3) : null;
        int columns = isSparse ? shape.k() / 2 : shape.k();
        this.a = new MatrixOperand<>(registersA ? Fragment.a(shape, columns, 4, elementA.each()) : null, elementA, registersA ? operands.elements(1) : null);
        this.b = new MatrixOperand<>(null, elementB, null);
        this.c = new MatrixOperand<>(Fragment.c(shape), elementD, operands.elements(instruction.operands().size() - 1));
        this.d = new MatrixOperand<>(Fragment.c(shape), elementD, operands.destinations(0));
        this.scaleA = null;
        this.scaleB = null;
        boolean signed = elementA.type().isFloat();
        boolean turns = elementA.type() == ScalarType.F16 || elementA.type() == ScalarType.BF16;
        int last = next + 3;
        this.warpgroup = new Warpgroup(
                registersA ? null : new SharedMatrix(operands.source(1), elementA.stride(), columns, turns && constant(instruction, last) != 0, spelling.text()),
                new SharedMatrix(operands.source(2), elementB.stride(), shape.k(), turns && constant(instruction, registersA ? last : last + 1) != 0, spelling.text()),
                operands.source(next), signed && constant(instruction, next + 1) < 0, signed && constant(instruction, next + 2) < 0);
    }

    private static long constant(Instruction instruction, int operand) {
        return (int) ((Operand.Immediate) instruction.operand(operand)).bits();
    }

    static Step ofWarpgroup(Instruction instruction, Operands operands) {
        boolean registersA = instruction.operand(1) instanceof Operand.Vector;
        return WarpStep.ofWholeWarp(instruction, new MatrixProduct(instruction, operands, registersA)::execute);
    }

    static Step step(Instruction instruction, Operands operands) {
        return WarpStep.ofWholeWarp(instruction, new MatrixProduct(instruction, operands)::execute);
    }

    private Fragment accumulator(ScalarType type, boolean quads) {
        if (!quads) {
            return Fragment.c(shape);
        }
        return type == ScalarType.F16 ? Fragment.Quads.halves() : Fragment.Quads.singles();
    }

    private void execute(Warp warp, int standing) {
        int stored = sparse != null ? sparse.stored() : shape.k();
        long[][][] as = warpgroup != null && warpgroup.a != null ? new long[][][] {warpgroup.a.rows(warp, rank(warp) * shape.m(), shape.m())}
                : MatrixOperand.gather(a, warp, products, shape.m(), stored);
        long[][][] bs = warpgroup != null ? new long[][][] {warpgroup.b.columns(warp, shape.n())}
                : MatrixOperand.gather(b, warp, products, shape.k(), shape.n());
        long[][][] cs = warpgroup != null && warpgroup.counts.bits(warp.threads.getFirst()) == 0 ? new long[1][shape.m()][shape.n()]
                : MatrixOperand.gather(c, warp, products, shape.m(), shape.n());
        int[][] columns = columns(warp, stored);
        long[][][] ds = new long[products][][];
        for (int q = 0; q < products; q++) {
            ds[q] = a.element().type().isFloat() ? floats(warp, as[q], bs[q], cs[q], columns) : integers(as[q], bs[q], cs[q], columns);
        }
        MatrixOperand.scatter(d, warp, ds);
    }

    /** Which of the four warps of its warpgroup it is. */
    private static int rank(Warp warp) {
        return warp.threads.getFirst().index / BlockShape.WARP % 4;
    }

    /** Column of A, by row and place, that an element of A belongs to. */
    private int[][] columns(Warp warp, int stored) {
        long[] words = new long[32];
        if (sparse != null) {
            warp.threads.forEach(thread -> words[thread.lane] = metadata.bits(thread));
        }
        int[][] columns = new int[shape.m()][stored];
        for (int row = 0; row < shape.m(); row++) {
            for (int place = 0; place < stored; place++) {
                columns[row][place] = sparse != null ? sparse.column(words, row, place) : place;
            }
        }
        return columns;
    }

    private long[][] integers(long[][] as, long[][] bs, long[][] cs, int[][] columns) {
        long[][] ds = new long[shape.m()][shape.n()];
        for (int i = 0; i < shape.m(); i++) {
            for (int j = 0; j < shape.n(); j++) {
                long sum = Bits.signed(cs[i][j], 32);
                for (int p = 0; p < as[i].length; p++) {
                    sum += product(as[i][p], bs[columns[i][p]][j]);
                }
                ds[i][j] = spelling.has(Modifier.SATFINITE) ? Bits.saturated(sum, 32) : Bits.cut(sum, 32);
            }
        }
        return ds;
    }

    /** Of single bits the manual takes an exclusive or, or an and, for their product. */
    private long product(long x, long y) {
        if (a.element().type() == ScalarType.B1) {
            return spelling.has(Modifier.XOR) ? x ^ y : x & y;
        }
        return Bits.value(x, a.element().type()) * Bits.value(y, b.element().type());
    }

    private long[][] floats(Warp warp, long[][] as, long[][] bs, long[][] cs, int[][] columns) {
        Exact[][] factorsA = scaleA == null ? null : scaleA.factors(warp);
        Exact[][] factorsB = scaleB == null ? null : scaleB.factors(warp);
        Exact[][] xs = new Exact[shape.m()][columns[0].length];
        for (int i = 0; i < shape.m(); i++) {
            for (int p = 0; p < xs[i].length; p++) {
                Exact x = number(a, as[i][p], warpgroup != null && warpgroup.negatesA);
                xs[i][p] = factorsA == null ? x : ExactArithmetic.multiply(x, factorsA[i][part(columns[i][p], scaleA)]);
            }
        }
        Exact[][] ys = new Exact[shape.k()][shape.n()];
        for (int k = 0; k < shape.k(); k++) {
            for (int j = 0; j < shape.n(); j++) {
                Exact y = number(b, bs[k][j], warpgroup != null && warpgroup.negatesB);
                ys[k][j] = factorsB == null ? y : ExactArithmetic.multiply(y, factorsB[j][part(k, scaleB)]);
            }
        }
        boolean asOnHopper = warp.threads.getFirst().block.grid.matrixSums() == MatrixSums.HOPPER && isOfHopper();
        HopperSums hopper = asOnHopper ? new HopperSums(a.element().type(), b.element().type(), d.element().type(), shape, products > 1, warpgroup != null) : null;
        long[][] ds = new long[shape.m()][shape.n()];
        for (int i = 0; i < shape.m(); i++) {
            for (int j = 0; j < shape.n(); j++) {
                Exact addend = c.element().decode(cs[i][j]);
                ds[i][j] = hopper != null ? finished(hopper.sum(addend, xs[i], met(ys, columns[i], j))) : sum(addend, xs[i], ys, columns[i], j);
            }
        }
        return ds;
    }

    private static Exact number(MatrixOperand<Source> matrix, long bits, boolean negated) {
        Exact number = matrix.element().decode(bits);
        return negated ? number.negate() : number;
    }

    private int part(int k, BlockScale scale) {
        return k * scale.parts() / shape.k();
    }

    /** Fused multiply-adds in the order of k, in double precision for {@code .f64}, else in single; at last D's own rounding. */
    private long sum(Exact c, Exact[] xs, Exact[][] ys, int[] columns, int j) {
        boolean isDouble = d.element().type() == ScalarType.F64;
        Rounding rounding = isDouble ? Rounding.of(spelling) : Rounding.Fixed.NEAREST_EVEN;
        FloatResult step = new FloatResult(isDouble ? Format.F64 : Format.F32, rounding, false, false, false, false);
        Exact sum = c;
        for (int p = 0; p < xs.length; p++) {
            sum = step.read(step.bits(ExactArithmetic.multiplyAdd(xs[p], ys[columns[p]][j], sum, rounding)));
        }
        return finished(sum);
    }

    /** Whether an H100 has such a product, and of numbers that leave its sum open. */
    private boolean isOfHopper() {
        return scaleA == null && a.element().type() != ScalarType.F64 && a.element().type().bits() >= Byte.SIZE && b.element().type().bits() >= Byte.SIZE;
    }

    /** The elements of column {@code j} of B that meet those of a row of A. */
    private static Exact[] met(Exact[][] ys, int[] columns, int j) {
        return IntStream.of(columns).mapToObj(column -> ys[column][j]).toArray(Exact[]::new);
    }

    private long finished(Exact sum) {
        Format format = Format.of(d.element().type());
        Rounding rounding = format == Format.F64 ? Rounding.of(spelling) : Rounding.Fixed.NEAREST_EVEN;
        return new FloatResult(format, rounding, false, false, false, spelling.has(Modifier.SATFINITE)).bits(sum);
    }
}
