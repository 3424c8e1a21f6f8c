package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.scalar.FloatingPointEmitter.rounding;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
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
import io.ptx4j.jit.support.SmallFloats;

/** Conversions to integers, {@code .f32} and {@code .f64} (manual: "cvt"); the other ones are handed on. */
final class ConversionEmitter {
    private ConversionEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        if (i.opcode() != Opcode.CVT) {
            throw new NoCode("not supported by the JIT");
        }
        ScalarType to = i.type();
        ScalarType from = i.spelling().lastType();
        if (i.spelling().has(Modifier.PACK)) {
            IntegerResize.pack(c, i);
        } else if (to.packed()) {
            PackedConversion.emit(c, i);
        } else if (to.isInteger()) {
            if (from.isInteger()) {
                IntegerResize.emit(c, i);
            } else {
                toInteger(c, i, to, from);
            }
        } else {
            switch (to) {
                case F32 -> toSingle(c, i, from);
                case F64 -> toDouble(c, i, from);
                default -> SmallFloatConversion.emit(c, i, to, from);
            }
        }
    }

    /** Pushes a floating-point source: a {@code double} for {@code .f64}, else a {@code float}. */
    static void pushSource(ThreadCode c, Operand source, ScalarType type) {
        switch (type) {
            case F64 -> c.pushDouble(source);
            case F32 -> c.pushFloat(source);
            case F16 -> {
                c.pushInt(source);
                c.code().call(SmallFloats.class, "fromF16");
            }
            case BF16 -> {
                c.pushInt(source);
                c.code().push(16).op(Op.ISHL).call(Float.class, "intBitsToFloat");
            }
            default -> throw new NoCode("source type " + type + " is not supported");
        }
    }

    /** The rounding to an integral value that is spelled, or null. */
    static Modifier integral(Instruction i) {
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        return rounding == null ? null : switch (rounding) {
            case RNI, RZI, RMI, RPI -> rounding;
            default -> null;
        };
    }

    /** Rounds the {@code double} on the stack to an integral value. */
    static void roundToIntegral(Code code, Modifier rounding) {
        switch (rounding) {
            case RNI -> code.call(Math.class, "rint");
            case RMI -> code.call(Math.class, "floor");
            case RPI -> code.call(Math.class, "ceil");
            case RZI -> code.call(FloatOps.class, "trunc");
            default -> throw new NoCode("rounding " + rounding + " is not supported");
        }
    }

    private static void toInteger(ThreadCode c, Instruction i, ScalarType to, ScalarType from) {
        Code code = c.code();
        Modifier rounding = integral(i);
        boolean cuts = rounding == Modifier.RZI;
        pushSource(c, i.operand(1), from);
        if (i.spelling().has(Modifier.FTZ) && (rounding == Modifier.RMI || rounding == Modifier.RPI)) {
            code.call(FlushF32.class, "ftz");
        }
        if (from != ScalarType.F64) {
            if (cuts && (to.bits() < 32 || to == ScalarType.S32)) {
                code.op(Op.F2I);
                IntegerResize.clampToNarrow(code, to);
                c.pop(i.operand(0), JvmType.INT);
                return;
            }
            code.op(Op.F2D);
        }
        if (!cuts) {
            roundToIntegral(code, rounding);
        }
        if (to.bits() == 64) {
            code.call(Conversions.class, to.signed() ? "toS64" : "toU64");
            c.pop(i.operand(0), JvmType.LONG);
            return;
        }
        if (to == ScalarType.U32) {
            code.call(Conversions.class, "toU32");
        } else {
            code.op(Op.D2I);
            IntegerResize.clampToNarrow(code, to);
        }
        if (from == ScalarType.F64) {
            c.pushDouble(i.operand(1));
            code.push(to.signed() ? -1 << to.bits() - 1 : 1 << to.bits() - 1).call(Conversions.class, "orHighestBit");
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    private static void toSingle(ThreadCode c, Instruction i, ScalarType from) {
        Code code = c.code();
        boolean sat = i.spelling().has(Modifier.SAT);
        boolean flushes = i.spelling().has(Modifier.FTZ);
        Modifier integral = integral(i);
        if (from.isInteger()) {
            fromInteger(c, i, true, from);
        } else if (from == ScalarType.F32 && !sat && !flushes && integral == null) {
            c.copy(i.operand(0), i.operand(1));
            return;
        } else if (from == ScalarType.F64) {
            pushSource(c, i.operand(1), from);
            if (flushes) {
                code.call(Conversions.class, "flush" + rounding(i));
            }
            code.call(Conversions.class, "narrow" + rounding(i));
        } else {
            pushSource(c, i.operand(1), from);
            if (flushes && from != ScalarType.F16) {
                code.call(FlushF32.class, "ftz");
            }
            if (integral != null) {
                code.op(Op.F2D);
                roundToIntegral(code, integral);
                code.op(Op.D2F);
            }
        }
        if (sat) {
            code.call(FloatOps.class, "sat", float.class);
        }
        if (sat || from.isInteger() || from == ScalarType.F64 || from == ScalarType.BF16 && !flushes) {
            c.pop(i.operand(0), JvmType.FLOAT);
        } else {
            c.popArithmetic(i.operand(0));
        }
    }

    private static void toDouble(ThreadCode c, Instruction i, ScalarType from) {
        Code code = c.code();
        boolean sat = i.spelling().has(Modifier.SAT);
        Modifier integral = integral(i);
        if (from.isInteger()) {
            fromInteger(c, i, false, from);
        } else if (from == ScalarType.F64) {
            if (!sat && integral == null) {
                c.copy(i.operand(0), i.operand(1));
                return;
            }
            pushSource(c, i.operand(1), from);
        } else {
            if (from == ScalarType.F32) {
                c.pushFloatBits(i.operand(1));
            } else {
                pushSource(c, i.operand(1), from);
            }
            if (i.spelling().has(Modifier.FTZ)) {
                code.call(FlushF32.class, "ftz");
                SinglePrecision.canonical(code);
            }
            code.call(Conversions.class, "widen");
        }
        if (integral != null) {
            roundToIntegral(code, integral);
        }
        if (sat) {
            code.call(FloatOps.class, "sat", double.class);
        } else if (integral != null) {
            c.pushDouble(i.operand(1));
            code.call(Canonical.class, "canonical", double.class, double.class);
        }
        c.pop(i.operand(0), JvmType.DOUBLE);
    }

    private static void fromInteger(ThreadCode c, Instruction i, boolean single, ScalarType from) {
        Code code = c.code();
        String rounding = rounding(i);
        if (from.bits() == 64) {
            fromLong(c, i, single, rounding, from.signed());
            return;
        }
        boolean wide = from == ScalarType.U32;
        if (wide) {
            c.pushUnsigned(i.operand(1));
        } else {
            c.pushInt(i.operand(1));
        }
        if (single && (rounding.equals("Rn") || from.bits() < 32)) {
            code.op(wide ? Op.L2F : Op.I2F);
        } else {
            code.op(wide ? Op.L2D : Op.I2D);
            if (single) {
                code.call(RoundingF32.class, "round" + rounding + "F32");
            }
        }
    }

    /** Rounded in one direction, the two words' values are added in f64; rounding that again in the same direction gives f32. */
    private static void fromLong(ThreadCode c, Instruction i, boolean single, String rounding, boolean signed) {
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
}
