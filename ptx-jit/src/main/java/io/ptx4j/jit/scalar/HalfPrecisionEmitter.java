package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;

/** Not written yet: each instruction of these families is reported as unsupported. */
final class HalfPrecisionEmitter {
    private HalfPrecisionEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        throw new NoCode("not supported by the JIT");
    }
}
