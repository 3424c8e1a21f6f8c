package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.WarpLanes;

import java.util.ArrayList;
import java.util.List;

/**
 * Comparisons of a 32-bit number that grows from lane to lane with one that is the same for all, such as guards of the form
 * {@code i < n}: the lanes for which they hold are the first ones or the last, as long as the number does not wrap around.
 */
final class AffineTest {
    private AffineTest() {
    }

    /** Whether operand {@code a} grows from lane to lane and {@code b} is the same for all. */
    static boolean fits(VectorCode vc, Instruction i, int a, int b) {
        ScalarType type = ThreadCode.typeOf(i.operand(a));
        return type.bits() == 32 && type.isInteger() && !type.packed() && i.spelling().comparison() != null
                && i.operand(a) instanceof Operand.Reg reg && reg.register().type().bits() == 32
                && vc.c.held(reg.register()) == Held.INT && grows(vc.forms.of(reg.register()), vc.forms.of(i.operand(b)))
                && vc.forms.of(i.operand(b)).row() instanceof Form.Uniform && !(i.operand(b) instanceof Operand.Special);
    }

    private static boolean grows(Form form, Form other) {
        return form.row() instanceof Form.Affine affine ? affine.plain() && affine.stride() > 0 && affine.stride() <= Integer.MAX_VALUE / Group.MOST
                : form.row() instanceof Form.Uniform && (form.byRow() || other.byRow());
    }

    /** Pushes the bits of the lanes for which the comparison holds. */
    static void push(VectorCode vc, Instruction i, int a, int b) {
        boolean unsigned = !ThreadCode.typeOf(i.operand(a)).signed();
        Modifier comparison = i.spelling().comparison();
        String test = switch (comparison) {
            case EQ, NE -> "equal";
            case LT, GE -> unsigned ? "belowUnsigned" : "below";
            case LE, GT -> unsigned ? "upToUnsigned" : "upTo";
            case LO, HS -> "belowUnsigned";
            case LS, HI -> "upToUnsigned";
            default -> throw new NoCode("not a comparison: " + comparison);
        };
        boolean negated = switch (comparison) {
            case NE, GE, GT, HS, HI -> true;
            default -> false;
        };
        int stride = vc.forms.of(i.operand(a)).row() instanceof Form.Affine affine ? (int) affine.stride() : 0;
        boolean byRow = vc.forms.of(i.operand(a)).byRow() || vc.forms.of(i.operand(b)).byRow();
        List<Register> named = new ArrayList<>();
        Operands.uses(i, named::add);
        for (int row = 0; row < (byRow ? vc.group.rows() : 1); row++) {
            vc.locals.inRow(row, named, () -> {
                vc.c.pushInt(i.operand(a));
                vc.code.push(stride);
                vc.c.pushInt(i.operand(b));
            });
            vc.code.push(vc.group.width()).call(WarpLanes.class, test);
            if (row > 0) {
                vc.code.push(row * vc.group.width()).op(Op.LSHL).op(Op.LOR);
            }
        }
        for (int row = 1; row < vc.group.rows() && !byRow; row *= 2) {
            Local lanes = vc.c.scratch(JvmType.LONG, 6);
            vc.code.store(lanes).load(lanes).load(lanes).push(row * vc.group.width()).op(Op.LSHL).op(Op.LOR);
        }
        if (negated) {
            vc.code.push(-1L).op(Op.LXOR);
        }
    }
}
