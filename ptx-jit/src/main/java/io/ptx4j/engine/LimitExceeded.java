package io.ptx4j.engine;

/** A kernel is too large, or takes too long, to be compiled under the program's {@link ProgramLimits}. */
public final class LimitExceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long codeBytes;

    /** @param codeBytes that the kernel would have needed */
    public LimitExceeded(long codeBytes) {
        super("a class file of " + codeBytes + " bytes", null, false, false);
        this.codeBytes = codeBytes;
    }

    public long codeBytes() {
        return codeBytes;
    }
}
