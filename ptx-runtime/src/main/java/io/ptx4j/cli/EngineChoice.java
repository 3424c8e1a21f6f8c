package io.ptx4j.cli;

import io.ptx4j.runtime.EngineKind;
import java.util.List;

/** Values of {@code --engine} where all may be meant. */
enum EngineChoice {
    ALL, JIT, INTERPRETER;

    List<EngineKind> kinds() {
        return switch (this) {
            case ALL -> List.of(EngineKind.values());
            case JIT -> List.of(EngineKind.JIT);
            case INTERPRETER -> List.of(EngineKind.INTERPRETER);
        };
    }
}
