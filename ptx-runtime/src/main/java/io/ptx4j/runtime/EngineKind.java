package io.ptx4j.runtime;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import java.util.Locale;

/** The engines that ptx4j has. */
public enum EngineKind {
    /** Compiles kernels to JVM bytecode. */
    JIT,
    /** The reference: thread by thread, instruction by instruction, slow and exact. */
    INTERPRETER;

    /** A new engine, with caches of its own. */
    public Engine create() {
        return switch (this) {
            case JIT -> new Jit();
            case INTERPRETER -> new Interpreter();
        };
    }

    /** The name that {@link Engine#name()} gives. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
