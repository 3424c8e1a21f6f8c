package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.HalfOps;

import java.util.function.IntConsumer;

/** f16 and bf16, one or two in a register (manual: "Half Precision Floating-Point Instructions"). */
final class HalfPrecisionEmitter {
    private final Code code;
    private final Spelling spelling;
    private final IntConsumer source;
    private final String suffix;
    private final boolean flushes;

    private HalfPrecisionEmitter(Code code, Spelling spelling, IntConsumer source) {
        this.code = code;
        this.spelling = spelling;
        this.source = source;
        this.suffix = spelling.type().element() == ScalarType.F16 ? "F16" : "Bf16";
        this.flushes = spelling.has(Modifier.FTZ);
    }

    static void emit(ThreadCode c, Instruction i) {
        if (HopperEmitter.emit(c, i)) {
            return;
        }
        if (i.opcode() == Opcode.SET || i.opcode() == Opcode.SETP) {
            ComparisonEmitter.emit(c, i);
            return;
        }
        Code code = c.code();
        HalfLane lower = new HalfLane(i.type(), false);
        new HalfPrecisionEmitter(code, i.spelling(), k -> lower.pushBits(c, i.operand(k))).push();
        if (i.type().packed()) {
            HalfLane upper = new HalfLane(i.type(), true);
            new HalfPrecisionEmitter(code, i.spelling(), k -> upper.pushBits(c, i.operand(k))).push();
            code.push(16).op(Op.ISHL).op(Op.IOR);
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    private void push() {
        switch (spelling.opcode()) {
            case ADD, SUB -> {
                arithmetic("", 2);
                if (flushes) {
                    call("ftz");
                }
            }
            case MUL -> arithmetic(flushes ? "Ftz" : "", 2);
            case FMA -> fused();
            case MIN, MAX -> extreme();
            case ABS, NEG -> arithmetic("", 1);
            // The flushing of bf16 belongs to the function.
            case EX2, TANH -> {
                source.accept(1);
                call(spelling.opcode().spelling());
            }
            default -> throw new NoCode("not supported by the JIT");
        }
        if (spelling.has(Modifier.SAT)) {
            call("sat");
        }
        if (spelling.has(Modifier.RELU)) {
            code.call(HalfOps.class, "relu");
        }
    }

    private void call(String method) {
        code.call(HalfOps.class, method + suffix);
    }

    private void pushSource(int k) {
        source.accept(k);
        if (flushes) {
            call("ftz");
        }
    }

    private void arithmetic(String variant, int sources) {
        for (int k = 1; k <= sources; k++) {
            pushSource(k);
        }
        call(spelling.opcode().spelling() + variant);
    }

    private void fused() {
        Modifier rounding = spelling.one(Modifier.Category.ROUNDING);
        arithmetic(flushes ? "Ftz" : rounding == Modifier.RN ? "" : FloatingPointEmitter.rounding(rounding), 3);
        if (spelling.has(Modifier.OOB)) {
            source.accept(1);
            source.accept(2);
            code.call(HalfOps.class, "oob");
        }
    }

    private void extreme() {
        for (int k = 1; k <= 2; k++) {
            pushSource(k);
            if (spelling.has(Modifier.ABS)) {
                code.push(0x7fff).op(Op.IAND);
            }
        }
        call(spelling.opcode().spelling() + (spelling.has(Modifier.NAN) ? "Nan" : ""));
        if (spelling.has(Modifier.XORSIGN)) {
            source.accept(1);
            source.accept(2);
            code.call(HalfOps.class, "xorsign");
        }
    }
}
