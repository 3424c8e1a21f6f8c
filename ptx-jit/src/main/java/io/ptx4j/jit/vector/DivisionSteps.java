package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Writes;

import java.util.ArrayList;
import java.util.List;

/**
 * What compilers and libraries make of a division of 32-bit numbers by one that is known before: a product with a reciprocal, of which the high bits are taken. None of these steps gives less for a
 * larger number, as long as that is in their range, so what they give the first and the last thread of a group they give all between.
 *
 * @param number what is divided
 * @param steps in order, the last of which gives the quotient
 * @param signed whether the range is up to 2^31 - 1 instead of 2^32 - 1
 */
record DivisionSteps(Operand.Reg number, List<Instruction> steps, boolean signed) {
    private static final int WORD = 32;

    /** Finds them in the instructions of a graph. */
    static final class Finder {
        private final Forms forms;
        private final Writes writes;

        Finder(Graph graph, Forms forms) {
            this.forms = forms;
            this.writes = graph.writes();
        }

        boolean isWrittenOnce(Operand operand) {
            return !(operand instanceof Operand.Reg r) || writes.isAtMostOnce(r.register());
        }

        /** The steps of which {@code last} is the last, or null. */
        DivisionSteps of(Instruction last) {
            DivisionSteps found = switch (last.opcode()) {
                case CVT -> ofWideProduct(last);
                case SHR -> ofUnsigned(last);
                case ADD -> ofSigned(last);
                default -> null;
            };
            return found != null && isWrittenOnce(found.number) ? found : null;
        }

        /** What writes the register, if that is one instruction without guard. */
        private Instruction definition(Operand operand) {
            Instruction only = operand instanceof Operand.Reg r && !r.negated() ? writes.only(r.register()) : null;
            return only == null || only.guard() != null ? null : only;
        }

        /** {@code cvt.u32.u64 (n * m >> 32 + s)}. */
        private DivisionSteps ofWideProduct(Instruction last) {
            boolean narrows = last.type() == ScalarType.U32 && last.spelling().lastType() == ScalarType.U64 && last.spelling().modifiers().isEmpty();
            Instruction shift = narrows ? definition(last.operand(1)) : null;
            if (shift == null || shift.opcode() != Opcode.SHR || shift.type().bits() != 2 * WORD || shift.type().signed() || !(shift.operand(2) instanceof Operand.Immediate n)
                    || (n.bits() & 0xFFFF_FFFFL) < WORD) {
                return null;
            }
            Instruction product = definition(shift.operand(1));
            Operand.Reg number = product == null || !product.spelling().has(Modifier.WIDE) ? null : factor(product, ScalarType.U32);
            return number == null ? null : new DivisionSteps(number, List.of(product, shift, last), false);
        }

        /** {@code mul.hi(n, m) >> s}, or {@code mul.hi(n, m) + n >> s} of numbers below 2^31. */
        private DivisionSteps ofUnsigned(Instruction last) {
            Instruction made = last.type().bits() == WORD && !last.type().signed() && isUniform(last.operand(2)) ? definition(last.operand(1)) : null;
            Operand.Reg number = highFactor(made, ScalarType.U32);
            if (number != null) {
                return new DivisionSteps(number, List.of(made, last), false);
            }
            Instruction product = summand(made, ScalarType.U32);
            return product == null ? null : new DivisionSteps(factor(product, ScalarType.U32), List.of(product, made, last), true);
        }

        /** {@code (t >> s) + (t >>> 31)} of {@code t = mul.hi(n, m)}, or of {@code mul.hi(n, m) + n} where {@code m} is negative. */
        private DivisionSteps ofSigned(Instruction last) {
            if (!isSum(last)) {
                return null;
            }
            for (int sign = 1; sign <= 2; sign++) {
                Instruction bit = definition(last.operand(sign));
                Operand rest = last.operand(3 - sign);
                if (bit == null || bit.opcode() != Opcode.SHR || bit.type().bits() != WORD || bit.type().signed() || !(bit.operand(2) instanceof Operand.Immediate n) || n.bits() != WORD - 1) {
                    continue;
                }
                Instruction shift = definition(rest);
                boolean shifted = shift != null && shift.opcode() == Opcode.SHR && shift.type() == ScalarType.S32 && shift.operand(2) instanceof Operand.Immediate
                        && isSame(shift.operand(1), bit.operand(1));
                if (!shifted && !isSame(rest, bit.operand(1))) {
                    continue;
                }
                Instruction whole = definition(bit.operand(1));
                Instruction product = highFactor(whole, ScalarType.S32) != null ? whole : summand(whole, ScalarType.S32);
                if (product == null || constant(product) > 0 != (product == whole)) {
                    continue;
                }
                List<Instruction> steps = new ArrayList<>(List.of(product));
                if (product != whole) {
                    steps.add(whole);
                }
                steps.add(bit);
                if (shifted) {
                    steps.add(shift);
                }
                steps.add(last);
                return new DivisionSteps(factor(product, ScalarType.S32), steps, true);
            }
            return null;
        }

        private static boolean isSum(Instruction i) {
            return i.opcode() == Opcode.ADD && i.type().bits() == WORD && !i.type().packed() && i.type().isInteger() && !i.spelling().has(Modifier.SAT);
        }

        /** What the constant of a signed product is; 0 if there is none. */
        private static int constant(Instruction product) {
            return product.operand(1) instanceof Operand.Immediate a ? (int) a.bits() : product.operand(2) instanceof Operand.Immediate b ? (int) b.bits() : 0;
        }

        /** The product in {@code mul.hi(n, m) + n}, or null. */
        private Instruction summand(Instruction sum, ScalarType type) {
            if (sum == null || !isSum(sum)) {
                return null;
            }
            for (int at = 1; at <= 2; at++) {
                Instruction product = definition(sum.operand(at));
                Operand.Reg number = highFactor(product, type);
                if (number != null && isSame(number, sum.operand(3 - at))) {
                    return product;
                }
            }
            return null;
        }

        private Operand.Reg highFactor(Instruction product, ScalarType type) {
            return product != null && product.opcode() == Opcode.MUL && product.spelling().has(Modifier.HI) ? factor(product, type) : null;
        }

        /** The number in a product with one that is the same for all lanes, or null. */
        private Operand.Reg factor(Instruction product, ScalarType type) {
            if (product.opcode() != Opcode.MUL || product.type() != type) {
                return null;
            }
            return isUniform(product.operand(2)) && product.operand(1) instanceof Operand.Reg a ? a : isUniform(product.operand(1)) && product.operand(2) instanceof Operand.Reg b ? b : null;
        }

        private boolean isUniform(Operand operand) {
            return operand instanceof Operand.Immediate || operand instanceof Operand.Reg r && forms.of(r.register()) instanceof Form.Uniform && isWrittenOnce(r);
        }

        private static boolean isSame(Operand a, Operand b) {
            return a instanceof Operand.Reg x && b instanceof Operand.Reg y && x.register() == y.register() && !x.negated() && !y.negated();
        }
    }

    /** The register of the quotient. */
    Register quotient() {
        return ((Operand.Reg) steps.getLast().operand(0)).register();
    }
}
