package io.ptx4j.interpreter;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.engine.UnsupportedKernelException;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;

import java.util.List;

/** The reference engine: runs each thread by itself, from one plain definition for each section of the manual. */
public final class Interpreter implements Engine {
    private record Key(String kernel) {
    }

    /** Keeps nothing: what it decodes belongs to the {@link Program}. */
    public Interpreter() {
    }

    @Override
    public String name() {
        return "interpreter";
    }

    @Override
    public List<Unsupported> unsupported(Module module, Kernel kernel) {
        Program unplaced = new Program(module, new long[module.variableCount()], 0);
        return List.copyOf(new KernelCode(unplaced, kernel).unsupported());
    }

    @Override
    public Executable prepare(Program program, Kernel kernel, BlockShape shape) {
        InterpretedKernel interpreted =
                program.cached(new Key(kernel.name()), () -> new InterpretedKernel(new KernelCode(program, kernel)));
        if (!interpreted.code().unsupported().isEmpty()) {
            throw new UnsupportedKernelException(kernel.name(), interpreted.code().unsupported());
        }
        return interpreted;
    }
}
