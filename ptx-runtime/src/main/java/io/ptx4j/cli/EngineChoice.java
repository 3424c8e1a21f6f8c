package io.ptx4j.cli;

import io.ptx4j.cases.CaseEngine;
import java.util.List;

/** Values of {@code --engine} where all may be meant. */
enum EngineChoice {
    ALL, JIT, INTERPRETER;

    List<CaseEngine> engines() {
        return switch (this) {
            case ALL -> List.of(CaseEngine.values());
            case JIT -> List.of(CaseEngine.JIT_SCALAR, CaseEngine.JIT_VECTOR);
            case INTERPRETER -> List.of(CaseEngine.INTERPRETER);
        };
    }
}
