package io.ptx4j.reference;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Kernel;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.syntax.SourceFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Asks the engines themselves what they can run: each spelling is compiled in a kernel. */
final class EngineAnswers {
    /** How the vector shape of the JIT runs something. */
    enum Vector { NATIVE, LANE_BY_LANE, NONE }

    /** What the engines say to a spelling. */
    record Answer(boolean interpreter, boolean scalar, Vector vector) {
    }

    private static final BlockShape BLOCK = new BlockShape(128, 1, 1);

    private final Engine interpreter = new Interpreter();
    private final List<String> refused = new ArrayList<>();
    private final Jit jit = new Jit(Jit.Shape.SCALAR);

    /** An answer for each spelling of the probe, in its order. */
    Map<Spelling, Answer> of(FormProbe probe) {
        Map<Spelling, Answer> answers = new LinkedHashMap<>();
        probe.parts().forEach(part -> ask(part, answers));
        return answers;
    }

    private void ask(FormProbe probe, Map<Spelling, Answer> answers) {
        CheckedModule checked = checked(probe);
        if (!checked.ok()) {
            refused.add(probe + ": " + checked.diagnostics());
            return;
        }
        Kernel kernel = checked.module().kernels().get("probe");
        Set<Integer> uninterpreted = unsupported(interpreter, checked, kernel);
        Set<Integer> uncompiled = unsupported(jit, checked, kernel);
        List<Spelling> compiled = new ArrayList<>();
        for (int i = 0; i < probe.spellings().size(); i++) {
            if (!uncompiled.contains(probe.line(i))) {
                compiled.add(probe.spellings().get(i));
            }
        }
        Map<Spelling, Vector> vectors = compiled.isEmpty() ? Map.of() : vectors(probe.only(compiled));
        for (int i = 0; i < probe.spellings().size(); i++) {
            Spelling spelling = probe.spellings().get(i);
            answers.put(spelling, new Answer(!uninterpreted.contains(probe.line(i)), compiled.contains(spelling),
                    vectors.getOrDefault(spelling, Vector.NONE)));
        }
    }

    private static CheckedModule checked(FormProbe probe) {
        return Checker.check(new SourceFile("probe.ptx", probe.text()));
    }

    /** Kernels that the checker refused, so that nobody was asked: the probe does not know how such operands are written. */
    List<String> refused() {
        return refused;
    }

    private static Set<Integer> unsupported(Engine engine, CheckedModule checked, Kernel kernel) {
        return engine.unsupported(checked.module(), kernel).stream().map(one -> one.location().line()).collect(Collectors.toSet());
    }

    private Map<Spelling, Vector> vectors(FormProbe probe) {
        CheckedModule checked = checked(probe);
        Kernel kernel = checked.module().kernels().get("probe");
        Program program = new Program(checked.module(), new long[checked.module().variableCount()], 0);
        var laneByLane = jit.laneByLane(program, kernel, BLOCK);
        if (laneByLane.isEmpty() && probe.spellings().size() > 1) {
            Map<Spelling, Vector> each = new LinkedHashMap<>();
            probe.spellings().forEach(spelling -> each.putAll(vectors(probe.only(List.of(spelling)))));
            return each;
        }
        Set<Integer> byLane = laneByLane.orElse(List.of()).stream().map(one -> one.location().line()).collect(Collectors.toSet());
        Map<Spelling, Vector> vectors = new LinkedHashMap<>();
        for (int i = 0; i < probe.spellings().size(); i++) {
            vectors.put(probe.spellings().get(i), laneByLane.isEmpty() ? Vector.NONE
                    : byLane.contains(probe.line(i)) ? Vector.LANE_BY_LANE : Vector.NATIVE);
        }
        return vectors;
    }
}
