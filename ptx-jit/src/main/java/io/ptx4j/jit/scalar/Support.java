package io.ptx4j.jit.scalar;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Normalizer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds out what the JIT cannot compile by trying: each instruction is emitted into a method that nobody loads. */
public final class Support {
    private Support() {
    }

    /** Everything in the kernel that has no code, in text order, each spelling once a line. */
    public static List<Unsupported> unsupported(Module module, Kernel kernel) {
        return unsupported(new Program(module, new long[module.variableCount()], 0), kernel);
    }

    /** As {@link #unsupported(Module, Kernel)}, with the functions that the program's device supplies. */
    public static List<Unsupported> unsupported(Program program, Kernel kernel) {
        Graph graph;
        try {
            graph = Normalizer.normalize(program.module(), kernel);
        } catch (Normalizer.Refusal refusal) {
            return List.of(new Unsupported(refusal.location(), "call", refusal.getMessage()));
        }
        Context context = new Context(program, kernel, new BlockShape(32, 1, 1), graph, LocalLayout.PLAIN);
        List<Unsupported> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction instruction : block.instructions()) {
                String reason = reason(context, instruction);
                if (reason != null && seen.add(instruction.location().line() + instruction.spelling().text())) {
                    found.add(new Unsupported(instruction.location(), instruction.spelling().text(), reason));
                }
            }
        }
        return found;
    }

    private static String reason(Context context, Instruction instruction) {
        try {
            if (MeetingPoint.kindOf(instruction) != null) {
                MeetingPoints.check(instruction);
                return null;
            }
            Code code = ClassCode.probe().staticMethod("probe",
                    "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/Frame;I)V");
            InstructionEmitter.emit(new ThreadCode(context, code, code.parameter(0, JvmType.REFERENCE),
                    code.parameter(1, JvmType.REFERENCE), code.parameter(2, JvmType.INT)), instruction);
            return null;
        } catch (NoCode e) {
            return e.getMessage();
        }
    }
}
