package io.ptx4j.engine;

import java.util.List;

/** A kernel uses something that the engine cannot run; other kernels of the module are not affected. */
public final class UnsupportedKernelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Unsupported> unsupported;

    public UnsupportedKernelException(String kernel, List<Unsupported> unsupported) {
        super("kernel " + kernel + " cannot be compiled: " + unsupported.getFirst().location() + ": "
                + unsupported.getFirst().construct() + ": " + unsupported.getFirst().reason()
                + (unsupported.size() > 1 ? " (and " + (unsupported.size() - 1) + " more)" : ""));
        this.unsupported = List.copyOf(unsupported);
    }

    /** All of them, in text order. */
    public List<Unsupported> unsupported() {
        return unsupported;
    }
}
