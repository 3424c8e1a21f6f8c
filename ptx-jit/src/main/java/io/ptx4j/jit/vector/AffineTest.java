package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.WarpLanes;

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
                && vc.c.held(reg.register()) == Held.INT && vc.forms.of(reg.register()) instanceof Form.Affine affine
                && affine.plain() && affine.stride() > 0 && affine.stride() <= Integer.MAX_VALUE / Group.MOST
                && vc.forms.of(i.operand(b)) instanceof Form.Uniform && !(i.operand(b) instanceof Operand.Special);
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
        vc.c.pushInt(i.operand(a));
        vc.code.push((int) ((Form.Affine) vc.forms.of(i.operand(a))).stride());
        vc.c.pushInt(i.operand(b));
        vc.code.push(vc.group.lanes()).call(WarpLanes.class, test);
        if (negated) {
            vc.code.push(-1L).op(Op.LXOR);
        }
    }
}
