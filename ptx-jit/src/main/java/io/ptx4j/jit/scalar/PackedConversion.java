package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.scalar.FloatingPointEmitter.capital;
import static io.ptx4j.jit.scalar.FloatingPointEmitter.rounding;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.SmallFloats;

import java.util.List;

/**
 * Conversions to packed types (manual: "cvt"). The lanes come from one packed source, or from as many {@code .f32} sources, the
 * first for the highest lane.
 */
final class PackedConversion {
    private final ThreadCode c;
    private final Code code;
    private final Instruction i;
    private final Spelling spelling;
    private final ScalarType to;
    private final ScalarType from;

    private PackedConversion(ThreadCode c, Instruction i) {
        this.c = c;
        this.code = c.code();
        this.i = i;
        this.spelling = i.spelling();
        this.to = i.type();
        this.from = spelling.lastType();
    }

    static void emit(ThreadCode c, Instruction i) {
        new PackedConversion(c, i).emit();
    }

    private void emit() {
        int width = to.bits() / to.lanes();
        for (int lane = to.lanes() - 1; lane >= 0; lane--) {
            pushLane(lane);
            convert(lane);
            if (lane < to.lanes() - 1) {
                code.op(Op.IOR);
            }
            if (lane > 0) {
                code.push(width).op(Op.ISHL);
            }
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    /** Pushes the source of a lane: a {@code float}, or the bits of a type of at most 8 bits. */
    private void pushLane(int lane) {
        if (!from.packed()) {
            List<Operand> sources = i.operand(1) instanceof Operand.Vector vector ? vector.elements() : i.operands().subList(1, 3);
            c.pushFloat(sources.get(to.lanes() - 1 - lane));
            return;
        }
        int width = from.bits() / 2;
        c.pushInt(i.operand(1));
        if (from == ScalarType.BF16X2) {
            code.push(lane == 0 ? 16 : -1 << 16).op(lane == 0 ? Op.ISHL : Op.IAND).call(Float.class, "intBitsToFloat");
            return;
        }
        if (lane > 0) {
            code.push(width).op(Op.IUSHR);
        } else if (width < 16) {
            code.push((1 << width) - 1).op(Op.IAND);
        }
        if (from == ScalarType.F16X2) {
            code.call(SmallFloats.class, "fromF16");
        }
    }

    /** Turns the source of a lane into the lane's bits. */
    private void convert(int lane) {
        switch (from) {
            case UE8M0X2 -> code.call(SmallFloats.class, "ue8m0ToBf16");
            case E4M3X2, E5M2X2, E2M1X2, E2M3X2, E3M2X2 -> {
                code.call(SmallFloats.class, from.element().spelling() + (to == ScalarType.BF16X2 ? "ToBf16" : "ToF16"));
                if (spelling.has(Modifier.SCALED_N2_UE8M0)) {
                    pushScale(lane);
                    code.call(SmallFloats.class, "bf16Scaled");
                }
                finite();
                if (spelling.has(Modifier.RELU)) {
                    code.call(SmallFloats.class, "reluHalf");
                }
            }
            case S2F6X2 -> fromFixedPoint(lane);
            default -> {
                if (to == ScalarType.UE8M0X2) {
                    toScaleFactor();
                } else if (to == ScalarType.S2F6X2) {
                    toFixedPoint(lane);
                } else if (spelling.has(Modifier.RS)) {
                    stochastic(lane);
                } else {
                    toNearest();
                }
            }
        }
    }

    private void toNearest() {
        String name = to.element().spelling() + rounding(i);
        if (to.element().bits() == 16) {
            SmallFloatConversion.finishSingle(code, spelling, to.element(), name, null);
            return;
        }
        code.op(Op.F2D);
        SmallFloatConversion.clamp(code, spelling, to);
        code.call(SmallFloats.class, name, double.class);
    }

    private void fromFixedPoint(int lane) {
        pushScale(lane);
        code.call(SmallFloats.class, "s2f6ToBf16");
        finite();
        if (spelling.has(Modifier.RELU)) {
            code.call(SmallFloats.class, "reluHalf");
        }
    }

    private void finite() {
        if (spelling.has(Modifier.SATFINITE)) {
            code.call(SmallFloats.class, "bf16Finite");
        }
    }

    private void toFixedPoint(int lane) {
        code.op(Op.F2D);
        if (spelling.has(Modifier.RELU)) {
            code.call(SmallFloats.class, "relu");
        }
        pushScale(lane);
        code.call(SmallFloats.class, "s2f6Rn");
    }

    /** Pushes the lane's scale factor, the code of 1 where none is given. */
    private void pushScale(int lane) {
        if (!spelling.has(Modifier.SCALED_N2_UE8M0)) {
            code.push(0x7f);
            return;
        }
        c.pushInt(i.operands().getLast());
        shift(8 * lane);
        code.push(0xff).op(Op.IAND);
    }

    private void toScaleFactor() {
        String name = "ue8m0" + capital(spelling.one(Modifier.Category.ROUNDING).spelling());
        if (!spelling.has(Modifier.SATFINITE)) {
            code.call(SmallFloats.class, name);
            return;
        }
        Local source = c.scratch(JvmType.FLOAT, 0);
        code.store(source).load(source).call(SmallFloats.class, name).load(source).call(SmallFloats.class, "ue8m0Finite");
    }

    /** Which of the random bits a lane uses says {@code docs/numerics.md}, "Stochastic rounding". */
    private void stochastic(int lane) {
        code.op(Op.F2D);
        SmallFloatConversion.clamp(code, spelling, to);
        c.pushInt(i.operands().getLast());
        switch (to) {
            case F16X2 -> {
                shift(16 * lane);
                code.push(0x1fff).op(Op.IAND);
            }
            case BF16X2 -> {
                shift(16 * lane);
                code.op(Op.I2C);
            }
            default -> {
                boolean reversed = lane % 2 != 0;
                if (to == ScalarType.E2M1X4) {
                    code.call(SmallFloats.class, lane < 2 ? "lowBytes" : "highBytes");
                } else {
                    shift(16 * (lane / 2));
                    code.op(Op.I2C);
                }
                if (reversed) {
                    code.call(Integer.class, "reverse").push(16).op(Op.IUSHR);
                }
            }
        }
        code.call(SmallFloats.class, to.element().spelling() + "Rs");
    }

    private void shift(int amount) {
        if (amount > 0) {
            code.push(amount).op(Op.IUSHR);
        }
    }
}
