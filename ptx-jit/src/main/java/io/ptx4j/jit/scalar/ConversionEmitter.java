package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.scalar.FloatingPointEmitter.rounding;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.support.Conversions;
import io.ptx4j.jit.support.FloatOps;
import io.ptx4j.jit.support.FlushF32;
import io.ptx4j.jit.support.RoundingF32;
import io.ptx4j.jit.support.RoundingF64;

/** Conversions (manual: "cvt"). */
final class ConversionEmitter {
    private ConversionEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        ScalarType to = i.type();
        ScalarType from = i.spelling().lastType();
        if (i.opcode() != Opcode.CVT || i.operands().size() != 2 || to.packed() || isSmall(to) || isSmall(from)) {
            throw new NoCode("not supported by the JIT");
        }
        if (to.isInteger()) {
            if (from.isInteger()) {
                IntegerResize.emit(c, i);
            } else {
                toInteger(c, i, to, from);
            }
        } else if (from.isInteger()) {
            fromInteger(c, i, to, from);
        } else if (to == ScalarType.F32) {
            toSingle(c, i, from);
        } else {
            toDouble(c, i, from);
        }
    }

    private static boolean isSmall(ScalarType type) {
        return type.isFloat() && type != ScalarType.F32 && type != ScalarType.F64;
    }

    /** Rounds the {@code double} on the stack to an integral value; {@code .rzi} is left to the conversion that follows. */
    private static void roundToIntegral(Code code, Modifier rounding, boolean cuts) {
        switch (rounding) {
            case RNI -> code.call(Math.class, "rint");
            case RMI -> code.call(Math.class, "floor");
            case RPI -> code.call(Math.class, "ceil");
            case RZI -> {
                if (cuts) {
                    code.call(FloatOps.class, "trunc");
                }
            }
            default -> throw new NoCode("rounding " + rounding + " is not supported");
        }
    }

    private static void toInteger(ThreadCode c, Instruction i, ScalarType to, ScalarType from) {
        Code code = c.code();
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        boolean single = from == ScalarType.F32;
        c.push(i.operand(1));
        if (single && i.spelling().has(Modifier.FTZ) && (rounding == Modifier.RMI || rounding == Modifier.RPI)) {
            code.call(FlushF32.class, "ftz");
        }
        if (single && rounding == Modifier.RZI && (to.bits() < 32 || to == ScalarType.S32)) {
            code.op(Op.F2I);
            clamp(code, to);
            c.pop(i.operand(0), JvmType.INT);
            return;
        }
        if (single) {
            code.op(Op.F2D);
        }
        roundToIntegral(code, rounding, false);
        if (to.bits() == 64) {
            code.call(Conversions.class, to.signed() ? "toS64" : "toU64");
            c.pop(i.operand(0), JvmType.LONG);
            return;
        }
        if (to == ScalarType.U32) {
            code.call(Conversions.class, "toU32");
        } else {
            code.op(Op.D2I);
            clamp(code, to);
        }
        if (!single) {
            c.pushDouble(i.operand(1));
            code.push(to == ScalarType.S8 || to == ScalarType.S16 ? -1 << to.bits() - 1 : 1 << to.bits() - 1);
            code.call(Conversions.class, "orHighestBit");
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    /** Clamps the {@code int} on the stack to a type of 8 or 16 bits. */
    private static void clamp(Code code, ScalarType to) {
        if (to.bits() < 32) {
            int least = to.signed() ? -1 << to.bits() - 1 : 0;
            code.push(least).call(Math.class, "max", int.class, int.class);
            code.push(least + (1 << to.bits()) - 1).call(Math.class, "min", int.class, int.class);
        }
    }

    private static void fromInteger(ThreadCode c, Instruction i, ScalarType to, ScalarType from) {
        Code code = c.code();
        boolean single = to == ScalarType.F32;
        String rounding = rounding(i);
        boolean nearest = rounding.equals("Rn");
        if (from.bits() == 64) {
            long64(c, i, single, rounding, from.signed());
        } else {
            boolean wide = from == ScalarType.U32;
            if (wide) {
                c.pushUnsigned(i.operand(1));
            } else {
                c.pushInt(i.operand(1));
            }
            if (single && (nearest || from.bits() < 32)) {
                code.op(wide ? Op.L2F : Op.I2F);
            } else {
                code.op(wide ? Op.L2D : Op.I2D);
                if (single) {
                    code.call(RoundingF32.class, "round" + rounding + "F32");
                }
            }
        }
        if (i.spelling().has(Modifier.SAT)) {
            code.call(FloatOps.class, "sat", single ? float.class : double.class);
        }
        c.pop(i.operand(0), single ? JvmType.FLOAT : JvmType.DOUBLE);
    }

    /** Rounded in one direction, the two words' values are added in f64; rounding that again in the same direction gives f32. */
    private static void long64(ThreadCode c, Instruction i, boolean single, String rounding, boolean signed) {
        Code code = c.code();
        c.pushLong(i.operand(1));
        if (rounding.equals("Rn")) {
            if (signed) {
                code.op(single ? Op.L2F : Op.L2D);
            } else {
                code.call(Conversions.class, single ? "fromU64RnF32" : "fromU64RnF64");
            }
            return;
        }
        code.push(32).op(signed ? Op.LSHR : Op.LUSHR).op(Op.L2D).push(0x1p32).op(Op.DMUL);
        c.pushLong(i.operand(1));
        code.push(0xffff_ffffL).op(Op.LAND).op(Op.L2D).call(RoundingF64.class, "add" + rounding + "F64");
        if (single) {
            code.call(RoundingF32.class, "round" + rounding + "F32");
        }
    }

    private static void toSingle(ThreadCode c, Instruction i, ScalarType from) {
        Code code = c.code();
        boolean sat = i.spelling().has(Modifier.SAT);
        boolean flushes = i.spelling().has(Modifier.FTZ);
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        if (from == ScalarType.F64) {
            c.pushDoubleBits(i.operand(1));
            if (isIntegral(rounding)) {
                roundToIntegral(code, rounding, true);
                if (!sat) {
                    c.pushDoubleBits(i.operand(1));
                    code.call(Canonical.class, "canonical", double.class, double.class);
                }
                rounding = Modifier.RN;
                flushes = false;
            }
            if (flushes) {
                code.call(Conversions.class, "flush" + rounding(rounding));
            }
            code.call(Conversions.class, "narrow" + rounding(rounding));
        } else if (i.spelling().modifiers().isEmpty()) {
            c.copy(i.operand(0), i.operand(1));
            return;
        } else {
            c.pushFloat(i.operand(1));
            if (flushes) {
                code.call(FlushF32.class, "ftz");
            }
            if (isIntegral(rounding)) {
                code.op(Op.F2D);
                roundToIntegral(code, rounding, true);
                code.op(Op.D2F);
            }
        }
        if (sat) {
            code.call(FloatOps.class, "sat", float.class);
        }
        if (sat || from == ScalarType.F64) {
            c.pop(i.operand(0), JvmType.FLOAT);
        } else {
            c.popArithmetic(i.operand(0));
        }
    }

    private static boolean isIntegral(Modifier rounding) {
        return rounding == Modifier.RNI || rounding == Modifier.RZI || rounding == Modifier.RMI || rounding == Modifier.RPI;
    }

    private static void toDouble(ThreadCode c, Instruction i, ScalarType from) {
        Code code = c.code();
        boolean sat = i.spelling().has(Modifier.SAT);
        boolean flushes = i.spelling().has(Modifier.FTZ);
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        if (from == ScalarType.F32) {
            c.pushFloatBits(i.operand(1));
            if (flushes) {
                code.call(FlushF32.class, "ftz");
                SinglePrecision.canonical(code);
            }
            code.call(Conversions.class, "widen");
        } else if (i.spelling().modifiers().isEmpty()) {
            c.copy(i.operand(0), i.operand(1));
            return;
        } else {
            c.pushDoubleBits(i.operand(1));
        }
        if (isIntegral(rounding)) {
            roundToIntegral(code, rounding, true);
            if (!sat && from == ScalarType.F64) {
                c.pushDoubleBits(i.operand(1));
                code.call(Canonical.class, "canonical", double.class, double.class);
            }
        }
        if (sat) {
            code.call(FloatOps.class, "sat", double.class);
        }
        c.pop(i.operand(0), JvmType.DOUBLE);
    }
}
