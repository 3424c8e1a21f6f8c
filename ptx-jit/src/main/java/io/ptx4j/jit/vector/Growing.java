package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadCode.Part;

/**
 * A number that grows by the same amount from turn to turn, and the bounds within which a turn needs no test.
 *
 * @param at the number is pushed just before that instruction
 * @param place whether it is the place of that access
 * @param narrow whether it grows modulo 2^32
 * @param push pushes it as {@code long}
 * @param bound pushes the lowest and the highest value that are good
 */
record Growing(Instruction at, boolean place, boolean narrow, Runnable push, Runnable bound) {
    private static final long WORDS = 1L << 32;

    /** The place of an access, all lanes' elements of which are to be there. */
    static Growing place(VectorCode vc, Instruction i) {
        return place(vc, i, 0, (long) vc.group.lanes() * MemoryVectors.bytes(i));
    }

    /**
     * The place of an access.
     *
     * @param before bytes before it that are to be there
     * @param bytes those from it on
     */
    static Growing place(VectorCode vc, Instruction i, long before, long bytes) {
        Operand.Address address = SteadyLoop.address(i);
        Part part = Addresses.part(vc.c, address);
        boolean narrow = address.register().type().bits() <= 32;
        // Of a narrow address the number in the register must not wrap around either.
        long low = Math.max(before, narrow ? address.offset() : 0);
        return new Growing(i, true, narrow, () -> Addresses.pushOffset(vc.c, address, 0), () -> {
            vc.code.push(low);
            vc.windows.pushSize(part);
            vc.code.push(bytes).op(Op.LSUB);
        });
    }

    /** A 32-bit number of which no lane's may wrap around. */
    static Growing number(VectorCode vc, Instruction at, boolean signed, int stride, Runnable pushInt) {
        long span = (long) stride * (vc.group.lanes() - 1);
        long low = (signed ? Integer.MIN_VALUE : 0) - Math.min(0, span);
        long high = (signed ? Integer.MAX_VALUE : WORDS - 1) - Math.max(0, span);
        return new Growing(at, false, true, () -> {
            pushInt.run();
            widen(vc, signed);
        }, () -> vc.code.push(low).push(high));
    }

    /** The 32-bit number that an instruction extends to 64 bits. */
    static Growing extended(VectorCode vc, Instruction i, Operand source, int stride) {
        boolean signed = i.opcode() == Opcode.CVT ? i.spelling().lastType().signed() : i.type().signed();
        return number(vc, i, signed, stride, () -> vc.c.pushInt(bits((Operand.Reg) source)));
    }

    /**
     * What is compared with a number that stays: as long as it is within bounds, the comparison {@code holds} for every lane.
     *
     * @param numberFirst whether the growing number is the first source
     * @param holds LT, LE, GT or GE of the growing number
     */
    static Growing compared(VectorCode vc, Instruction i, boolean numberFirst, Modifier holds) {
        Code code = vc.code;
        Operand.Reg number = (Operand.Reg) i.operand(numberFirst ? 2 : 3);
        Operand other = i.operand(numberFirst ? 3 : 2);
        boolean signed = isSigned(i);
        long span = ((Form.Affine) vc.forms.of(number.register())).stride() * (vc.group.lanes() - 1);
        long least = signed ? Integer.MIN_VALUE : 0;
        long most = (signed ? Integer.MAX_VALUE : WORDS - 1) - span;
        return new Growing(i, false, true, () -> {
            vc.c.pushInt(number);
            widen(vc, signed);
        }, () -> {
            boolean below = holds == Modifier.LT || holds == Modifier.LE;
            if (below) {
                code.push(least);
            }
            vc.c.pushInt(other);
            widen(vc, signed);
            long extra = switch (holds) {
                case LT -> -1 - span;
                case LE -> -span;
                case GT -> 1;
                default -> 0;
            };
            code.push(extra).op(Op.LADD);
            if (!below) {
                code.push(most);
            }
        });
    }

    /** Whether an instruction compares signed numbers. */
    static boolean isSigned(Instruction i) {
        return ThreadCode.typeOf(i.operand(2)).signed() && switch (i.spelling().comparison()) {
            case LO, LS, HI, HS -> false;
            default -> true;
        };
    }

    /**
     * The comparison of the growing number with the other that must hold: LT, LE, GT or GE; null if it is another one.
     *
     * @param ifTrue whether what is written must hold, or else its opposite
     */
    static Modifier comparison(Instruction i, boolean ifTrue, boolean numberFirst) {
        Modifier written = switch (i.spelling().comparison()) {
            case LT, LO -> Modifier.LT;
            case LE, LS -> Modifier.LE;
            case GT, HI -> Modifier.GT;
            case GE, HS -> Modifier.GE;
            case null, default -> null;
        };
        if (written == null) {
            return null;
        }
        Modifier holds = ifTrue ? written : switch (written) {
            case LT -> Modifier.GE;
            case LE -> Modifier.GT;
            case GT -> Modifier.LE;
            default -> Modifier.LT;
        };
        return numberFirst ? holds : switch (holds) {
            case LT -> Modifier.GT;
            case LE -> Modifier.GE;
            case GT -> Modifier.LT;
            default -> Modifier.LE;
        };
    }

    static Operand.Reg bits(Operand.Reg reg) {
        return new Operand.Reg(reg.register(), reg.register().type(), false);
    }

    /** The number on the stack becomes one of 64 bits. */
    static void widen(VectorCode vc, boolean signed) {
        if (signed) {
            vc.code.op(Op.I2L);
        } else {
            vc.code.call(Integer.class, "toUnsignedLong");
        }
    }
}
