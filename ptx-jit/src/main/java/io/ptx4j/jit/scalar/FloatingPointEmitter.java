package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.FloatOps;

import java.util.function.IntConsumer;

/** Single and double precision (manual: "Floating-Point Instructions"). */
final class FloatingPointEmitter {
    private FloatingPointEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        if (HopperEmitter.emit(c, i)) {
            return;
        }
        switch (i.opcode()) {
            case TESTP -> testp(c, i);
            case COPYSIGN -> copysign(c, i);
            default -> {
                switch (i.type()) {
                    case F32 -> {
                        // The sign of a NaN shows only here.
                        IntConsumer source = i.spelling().has(Modifier.XORSIGN) ? k -> c.pushFloatBits(i.operand(k + 1))
                                : k -> c.pushFloat(i.operand(k + 1));
                        boolean canonical = SinglePrecision.push(c.code(), i.spelling(), source);
                        if (canonical) {
                            c.pop(i.operand(0), JvmType.FLOAT);
                        } else {
                            c.popArithmetic(i.operand(0));
                        }
                    }
                    case F64 -> DoublePrecision.emit(c, i);
                    case F32X2 -> pair(c, i);
                    default -> throw new NoCode("not supported by the JIT");
                }
            }
        }
    }

    /** Both lanes of {@code .f32x2} as an {@code .f32} instruction does one. */
    private static void pair(ThreadCode c, Instruction i) {
        Code code = c.code();
        for (String lane : new String[] {"lowF32x2", "highF32x2"}) {
            boolean canonical = SinglePrecision.push(code, i.spelling(), k -> {
                c.pushLong(i.operand(k + 1));
                code.call(FloatOps.class, lane);
            });
            if (!canonical) {
                SinglePrecision.canonical(code);
            }
        }
        code.call(FloatOps.class, "packF32x2");
        c.pop(i.operand(0), JvmType.LONG);
    }

    private static void testp(ThreadCode c, Instruction i) {
        c.push(i.operand(1));
        String property = i.spelling().one(Modifier.Category.MODE).spelling();
        c.code().call(FloatOps.class, "testp" + capital(property) + capital(i.type().spelling()));
        c.pop(i.operand(0), JvmType.INT);
    }

    /** Moves bits, also those of a NaN. */
    private static void copysign(ThreadCode c, Instruction i) {
        boolean single = i.type() == ScalarType.F32;
        for (int k = 1; k <= 2; k++) {
            if (single) {
                c.pushFloatBits(i.operand(k));
            } else {
                c.pushDoubleBits(i.operand(k));
            }
        }
        c.code().call(FloatOps.class, single ? "copysignF32" : "copysignF64");
        c.pop(i.operand(0), single ? JvmType.FLOAT : JvmType.DOUBLE);
    }

    /** The JVM's instruction for a rounding to nearest. */
    static Op nearest(Opcode opcode, boolean single) {
        return switch (opcode) {
            case ADD -> single ? Op.FADD : Op.DADD;
            case SUB -> single ? Op.FSUB : Op.DSUB;
            case MUL -> single ? Op.FMUL : Op.DMUL;
            case DIV, RCP -> single ? Op.FDIV : Op.DDIV;
            default -> throw new NoCode("not supported by the JIT");
        };
    }

    /** {@code rn}, {@code rz}, {@code rm} or {@code rp} as the support methods' names spell it; {@code Rn} when none is spelled. */
    static String rounding(Instruction i) {
        return rounding(i.spelling().one(Modifier.Category.ROUNDING));
    }

    static String rounding(Modifier rounding) {
        return rounding == null ? "Rn" : capital(rounding.spelling());
    }

    static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
