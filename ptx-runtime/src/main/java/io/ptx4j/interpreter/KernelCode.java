package io.ptx4j.interpreter;

import io.ptx4j.engine.Program;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A kernel and the functions it reaches, decoded. */
final class KernelCode {
    private final Program program;
    private final Kernel kernel;
    private final Code entry;
    private final Map<String, Code> functions = new HashMap<>();
    private final List<Unsupported> unsupported = new ArrayList<>();

    KernelCode(Program program, Kernel kernel) {
        this.program = program;
        this.kernel = kernel;
        this.entry = new Decoder(this, kernel.body(), unsupported).decode(kernel.name());
        for (String name : kernel.functions()) {
            Body body = program.module().functions().get(name).body();
            if (body != null) {
                functions.put(name, new Decoder(this, body, unsupported).decode(name));
            }
        }
    }

    Program program() {
        return program;
    }

    Kernel kernel() {
        return kernel;
    }

    Code entry() {
        return entry;
    }

    Function function(String name) {
        return program.module().functions().get(name);
    }

    /** The code of function {@code name}; null when it has none or no call was known to reach it. */
    Code code(String name) {
        return functions.get(name);
    }

    List<Unsupported> unsupported() {
        return unsupported;
    }

    /** The deepest chain of frames, and more where its depth is not known. */
    long localBytesPerThread() {
        long alignment = kernel.functions().stream().map(name -> function(name).body()).filter(Objects::nonNull).mapToLong(Body::frameAlignment)
                .reduce(kernel.body().frameAlignment(), Math::max);
        return frames(kernel.body(), new ArrayList<>()) + alignment - 1 & -alignment;
    }

    private long frames(Body body, List<Body> callers) {
        if (callers.contains(body)) {
            return program.stackBytes();
        }
        callers.add(body);
        long below = 0;
        for (BasicBlock block : body.blocks()) {
            for (Instruction instruction : block.instructions()) {
                below = Math.max(below, below(instruction, callers));
            }
        }
        callers.removeLast();
        // A frame may begin behind one of smaller alignment.
        return body.frameBytes() + (callers.isEmpty() ? 0 : body.frameAlignment()) + below;
    }

    private long below(Instruction instruction, List<Body> callers) {
        if (instruction.opcode() == Opcode.ALLOCA) {
            return program.stackBytes();
        }
        if (instruction.opcode() != Opcode.CALL) {
            return 0;
        }
        Operand.Call call = (Operand.Call) instruction.operand(0);
        if (call.function() == null) {
            return program.stackBytes();
        }
        Body callee = function(call.function()).body();
        return callee == null ? 0 : frames(callee, callers);
    }
}
