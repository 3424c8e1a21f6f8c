package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.support.HalfOps;

/** f32 sums with factors in half precision, which f32 holds exactly (manual: "Mixed Precision Floating-Point Instructions"). */
final class MixedPrecisionEmitter {
    private MixedPrecisionEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        int halves = i.opcode() == Opcode.FMA ? 2 : 1;
        String widen = i.spelling().lastType() == ScalarType.F16 ? "fromF16" : "fromBf16";
        boolean canonical = SinglePrecision.push(c.code(), i.spelling(), k -> {
            if (k < halves) {
                c.pushInt(i.operand(k + 1));
                c.code().call(HalfOps.class, widen);
            } else {
                c.pushFloat(i.operand(k + 1));
            }
        });
        if (canonical) {
            c.pop(i.operand(0), JvmType.FLOAT);
        } else {
            c.popArithmetic(i.operand(0));
        }
    }
}
