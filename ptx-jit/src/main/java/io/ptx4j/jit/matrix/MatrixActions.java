package io.ptx4j.jit.matrix;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.support.WarpAction;

import java.util.List;

/** What the warp does at each matrix instruction (manual: "Warp Level Matrix Multiply-Accumulate Instructions"). */
public final class MatrixActions {
    private MatrixActions() {
    }

    /** The action of a matrix instruction; its operands lie in the frame in the instruction's order, without constants. */
    public static WarpAction of(Instruction i) {
        Spelling spelling = i.spelling();
        return switch (i.opcode()) {
            case MMA -> product(i);
            case WGMMA -> WarpgroupProduct.of(i);
            case TCGEN05 -> TensorTransfer.of(i);
            case WMMA -> spelling.has(Modifier.MMA) ? product(i) : transfer(i);
            case LDMATRIX -> rows(i, false, 0, 1);
            case STMATRIX -> rows(i, true, 1, 0);
            case MOVMATRIX -> new RowTransfer.Transpose();
            default -> throw new IllegalArgumentException(spelling + " is no matrix instruction");
        };
    }

    /** @throws io.ptx4j.jit.scalar.NoCode if the instruction is not supported */
    public static void check(Instruction i) {
        if (i.opcode() == Opcode.TCGEN05) {
            TensorTransfer.check(i);
        }
    }

    static int length(Operand operand) {
        return operand instanceof Operand.Vector vector ? vector.elements().size() : 1;
    }

    private static WarpAction rows(Instruction i, boolean store, int registers, int address) {
        Spelling s = i.spelling();
        RowTransfer.Pattern pattern = s.has(Modifier.M16N16) ? RowTransfer.Pattern.SIXTEEN_ROWS
                : s.has(Modifier.M16N8) ? RowTransfer.Pattern.SIXTEEN_COLUMNS
                : s.has(Modifier.TRANS) ? RowTransfer.Pattern.TRANSPOSED : RowTransfer.Pattern.PLAIN;
        int bits = s.has(Modifier.B6X16_P32) ? 6 : s.has(Modifier.B4X16_P64) ? 4 : 8;
        return new RowTransfer(store, Window.of((Operand.Address) i.operand(address)), length(i.operand(registers)), pattern, bits);
    }

    private static WarpAction transfer(Instruction i) {
        Spelling s = i.spelling();
        MatrixShape shape = MatrixShape.of(s);
        ScalarType type = s.type();
        boolean store = s.has(Modifier.STORE);
        boolean isA = s.has(Modifier.A);
        boolean isB = s.has(Modifier.B);
        // Elements smaller than a byte are counted by the word, along k.
        int inUnit = type.bits() < 8 ? 32 / type.bits() : 1;
        int each = Math.max(1, inUnit > 1 ? 1 : 32 / type.bits());
        int m = shape.m();
        int n = shape.n();
        int k = shape.k() / inUnit;
        Fragments fragments = isA ? Fragments.a(m, k, each) : isB ? Fragments.b(k, n, each) : Fragments.c(m, n, each);
        boolean byRow = shape.layouts().getFirst() == Modifier.ROW;
        int width = isA ? k : n;
        int leading = byRow ? isA ? shape.k() : n : isB ? shape.k() : m;
        return new Transfer(store, Window.of((Operand.Address) i.operand(store ? 0 : 1)), !(i.operand(2) instanceof Operand.Absent),
                byRow, width, leading, type.bits() < 8 ? 4 : type.bits() / 8, inUnit, fragments,
                length(i.operand(store ? 1 : 0)), type == ScalarType.F64 ? 2 : 1);
    }

    private static WarpAction product(Instruction i) {
        Spelling s = i.spelling();
        MatrixShape shape = MatrixShape.of(s);
        List<ScalarType> types = s.types();
        boolean halves = types.size() == 2;
        ScalarType typeA = halves ? ScalarType.F16 : types.get(1);
        ScalarType typeB = halves ? ScalarType.F16 : types.get(2);
        ScalarType typeC = types.get(halves ? 1 : 3);
        int m = shape.m();
        int n = shape.n();
        if (typeA == ScalarType.F64) {
            return new DoubleProduct(m, n, shape.k(), Fragments.a(m, shape.k(), 1), Fragments.b(shape.k(), n, 1), Fragments.c(m, n, 1),
                    s.one(Modifier.Category.ROUNDING));
        }
        boolean isSparse = s.has(Modifier.SP) || s.has(Modifier.SP_ORDERED);
        int slotB = length(i.operand(1));
        int slotC = slotB + length(i.operand(2));
        int behind = slotC + length(i.operand(3));
        Elements a = Elements.of(s, typeA);
        SparseColumns sparse = isSparse
                ? new SparseColumns(a, shape.k(), (int) ((Operand.Immediate) i.operand(5)).bits()) : null;
        int slotScale = behind + (isSparse ? 1 : 0);
        ScaleFactors scale = s.has(Modifier.BLOCK_SCALE) ? ScaleFactors.of(s, slotScale) : null;
        int operands = slotScale + (scale == null ? 0 : 6);
        boolean finite = s.has(Modifier.SATFINITE);
        Elements b = Elements.of(s, typeB);
        int k = typeA == ScalarType.B1 ? shape.k() / 32 : shape.k();
        int columns = isSparse ? k / 2 : k;
        if (!typeA.isFloat()) {
            Modifier bits = typeA != ScalarType.B1 ? null : s.has(Modifier.XOR) ? Modifier.XOR : Modifier.AND;
            return new IntegerProduct(m, n, k, a, Fragments.a(m, columns, a.each()), slotB, b, Fragments.b(k, n, b.each()), slotC,
                    Fragments.c(m, n, 1), behind, sparse, bits, sparse == null && bits == null && a.each() == b.each() ? TileProduct.of(m, n, k, a.each()) : null, finite, operands);
        }
        boolean quads = m == 8 && k == 4;
        Elements c = Elements.of(s, typeC);
        Elements d = Elements.of(s, types.getFirst());
        // wmma of tf32 is two instructions of the machine.
        HopperSums hopper = scale != null || typeA.bits() < Byte.SIZE || typeB.bits() < Byte.SIZE ? null
                : HopperSums.of(typeA, typeB, types.getFirst(), columns, typeA == ScalarType.TF32 && n == 16 ? 4 : columns, quads);
        boolean plain = sparse == null && scale == null && !quads && !finite && a.each() == b.each();
        TileProduct tiles = plain ? TileProduct.of(m, n, k, a.each()) : null;
        return new FloatProduct(m, n, k, quads ? 4 : 1,
                a, quads ? Fragments.Quads.a(shape) : Fragments.a(m, columns, a.each()),
                slotB, b, quads ? Fragments.Quads.b(shape) : Fragments.b(k, n, b.each()),
                slotC, c, quads ? Fragments.Quads.c(c.each()) : Fragments.c(m, n, c.each()),
                d, quads ? Fragments.Quads.c(d.each()) : Fragments.c(m, n, d.each()), behind, sparse, scale, hopper, tiles, finite, operands);
    }
}
