package io.ptx4j.engine;

import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;

import java.util.List;

/** Runs kernels. Engines are thread-safe and keep nothing but caches. */
public interface Engine {
    /** {@code "jit"} or {@code "interpreter"}. */
    String name();

    /** Everything in {@code kernel}, its functions included, that this engine cannot run; empty when it can run it. */
    List<Unsupported> unsupported(Module module, Kernel kernel);

    /**
     * Makes {@code kernel} ready to run in blocks of {@code shape}; quick when it was prepared before.
     *
     * @throws UnsupportedKernelException if {@link #unsupported} is not empty
     */
    Executable prepare(Program program, Kernel kernel, BlockShape shape);
}
