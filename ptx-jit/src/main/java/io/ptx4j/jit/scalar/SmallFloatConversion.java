package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.scalar.FloatingPointEmitter.capital;
import static io.ptx4j.jit.scalar.FloatingPointEmitter.rounding;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.FloatOps;
import io.ptx4j.jit.support.FlushF32;
import io.ptx4j.jit.support.SmallFloats;

/** Conversions to {@code .f16}, {@code .bf16} and {@code .tf32} (manual: "cvt"). */
final class SmallFloatConversion {
    private SmallFloatConversion() {
    }

    static void emit(ThreadCode c, Instruction i, ScalarType to, ScalarType from) {
        switch (to) {
            case F16, BF16 -> toHalf(c, i, to, from);
            case TF32 -> toTf32(c, i);
            default -> throw new NoCode("destination type " + to + " is not supported");
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    private static void toHalf(ThreadCode c, Instruction i, ScalarType to, ScalarType from) {
        Code code = c.code();
        Modifier integral = ConversionEmitter.integral(i);
        String name = to.spelling() + (integral == null ? rounding(i) : "Rn");
        if (from.isInteger()) {
            pushExact(c, i, from);
        } else {
            ConversionEmitter.pushSource(c, i.operand(1), from);
            // GPUs read subnormal f32 numbers as they are where an f16 becomes of them (docs/numerics.md, "Subnormal numbers").
            if (i.spelling().has(Modifier.FTZ) && to != ScalarType.F16) {
                code.call(FlushF32.class, "ftz");
            }
            if (from != ScalarType.F64) {
                finishSingle(code, i.spelling(), to, name, integral);
                return;
            }
        }
        clamp(code, i.spelling(), to);
        code.call(SmallFloats.class, name, double.class);
        if (from == ScalarType.F64 && !i.spelling().has(Modifier.SAT)) {
            c.pushDouble(i.operand(1));
            code.call(SmallFloats.class, to.spelling() + "Nan");
        }
    }

    /** Turns the {@code float} on the stack into the bits of an f16 or bf16. */
    static void finishSingle(Code code, Spelling spelling, ScalarType to, String name, Modifier integral) {
        boolean direct = integral == null && !spelling.has(Modifier.SAT) && !spelling.has(Modifier.RELU) && !spelling.has(Modifier.SATFINITE)
                && (name.endsWith("Rn") || name.equals("bf16Rz"));
        if (direct) {
            code.call(SmallFloats.class, name, float.class);
            return;
        }
        code.op(Op.F2D);
        if (integral != null) {
            ConversionEmitter.roundToIntegral(code, integral);
        }
        clamp(code, spelling, to);
        code.call(SmallFloats.class, name, double.class);
    }

    /** What the modifiers do to the {@code double} on the stack, before it is rounded. */
    static void clamp(Code code, Spelling spelling, ScalarType to) {
        if (spelling.has(Modifier.SAT)) {
            code.call(FloatOps.class, "sat", double.class);
        }
        if (spelling.has(Modifier.RELU)) {
            code.call(SmallFloats.class, "relu");
        }
        if (spelling.has(Modifier.SATFINITE)) {
            switch (to.element()) {
                case F16 -> code.push(65504d).call(SmallFloats.class, "clamp");
                case BF16 -> code.push(0x1.fep127).call(SmallFloats.class, "clamp");
                default -> { }
            }
        }
    }

    /** Pushes an integer as a {@code double} that rounds to any small type as the integer does. */
    private static void pushExact(ThreadCode c, Instruction i, ScalarType from) {
        Code code = c.code();
        if (from.bits() == 64) {
            c.pushLong(i.operand(1));
            code.call(SmallFloats.class, from.signed() ? "odd" : "oddUnsigned");
        } else if (from == ScalarType.U32) {
            c.pushUnsigned(i.operand(1));
            code.op(Op.L2D);
        } else {
            c.pushInt(i.operand(1));
            code.op(Op.I2D);
        }
    }

    private static void toTf32(ThreadCode c, Instruction i) {
        Code code = c.code();
        boolean finite = i.spelling().has(Modifier.SATFINITE);
        boolean away = i.spelling().has(Modifier.RNA);
        c.pushFloatBits(i.operand(1));
        if (i.spelling().has(Modifier.RELU)) {
            code.op(Op.F2D).call(SmallFloats.class, "relu").op(Op.D2F);
        }
        code.call(SmallFloats.class, "tf32" + capital(i.spelling().one(Modifier.Category.ROUNDING).spelling()) + (away && finite ? "Finite" : ""));
        if (finite && !away) {
            code.call(SmallFloats.class, "tf32Finite");
        }
    }
}
