package io.ptx4j.cases;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;

/** Every engine in every code shape: all that a case runs on. */
public enum CaseEngine {
    JIT_SCALAR("jit scalar"), JIT_VECTOR("jit vector"), INTERPRETER("interpreter");

    private final String label;

    CaseEngine(String label) {
        this.label = label;
    }

    public Engine create() {
        return switch (this) {
            case JIT_SCALAR -> new Jit(Jit.Shape.SCALAR);
            case JIT_VECTOR -> new Jit(Jit.Shape.VECTOR);
            case INTERPRETER -> new Interpreter();
        };
    }

    @Override
    public String toString() {
        return label;
    }
}
