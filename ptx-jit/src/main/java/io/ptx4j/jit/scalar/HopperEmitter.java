package io.ptx4j.jit.scalar;

import io.ptx4j.engine.Approximations;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.HopperApproximations;

/** Approximate instructions of programs that want what an H100 gives for them. */
public final class HopperEmitter {
    private HopperEmitter() {
    }

    /** Whether the instruction is an approximation and the program wants an H100's. */
    public static boolean applies(Program program, Instruction i) {
        return program.approximations() == Approximations.HOPPER && isApproximate(i.spelling());
    }

    private static boolean isApproximate(Spelling spelling) {
        return switch (spelling.opcode()) {
            case DIV, RCP, SQRT, RSQRT, SIN, COS, LG2, EX2, TANH -> spelling.has(Modifier.APPROX) || spelling.has(Modifier.FULL) || isLegacy(spelling);
            default -> false;
        };
    }

    private static boolean isLegacy(Spelling spelling) {
        return spelling.type() == ScalarType.F32 && SinglePrecision.isOldQuotient(spelling);
    }

    /** The method of {@link HopperApproximations} that computes one result. */
    public static String method(Spelling spelling) {
        Opcode opcode = spelling.opcode();
        ScalarType type = spelling.type().element();
        boolean alike = switch (opcode) {
            case SIN, COS, TANH -> true;
            default -> type.bits() == 16;
        };
        boolean ftz = !alike && (spelling.has(Modifier.FTZ) || isLegacy(spelling));
        return opcode.spelling() + (spelling.has(Modifier.FULL) ? "Full" : "") + (ftz ? "Ftz" : "") + FloatingPointEmitter.capital(type.spelling());
    }

    /** @return whether {@link #applies} holds; else nothing is emitted */
    static boolean emit(ThreadCode c, Instruction i) {
        if (!applies(c.context().program(), i)) {
            return false;
        }
        Code code = c.code();
        String method = method(i.spelling());
        switch (i.type()) {
            case F32 -> {
                for (int k = 1; k < i.operands().size(); k++) {
                    c.pushFloat(i.operand(k));
                }
                code.call(HopperApproximations.class, method);
                c.pop(i.operand(0), JvmType.FLOAT);
            }
            case F64 -> {
                c.pushDouble(i.operand(1));
                code.call(HopperApproximations.class, method);
                c.pop(i.operand(0), JvmType.DOUBLE);
            }
            default -> {
                new HalfLane(i.type(), false).pushBits(c, i.operand(1));
                code.call(HopperApproximations.class, method);
                if (i.type().packed()) {
                    new HalfLane(i.type(), true).pushBits(c, i.operand(1));
                    code.call(HopperApproximations.class, method).push(16).op(Op.ISHL).op(Op.IOR);
                }
                c.pop(i.operand(0), JvmType.INT);
            }
        }
        return true;
    }
}
