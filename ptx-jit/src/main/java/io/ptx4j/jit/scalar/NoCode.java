package io.ptx4j.jit.scalar;

/** Thrown by an emitter that has no code for an instruction: the instruction is unsupported. */
public final class NoCode extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NoCode(String reason) {
        super(reason, null, false, false);
    }
}
