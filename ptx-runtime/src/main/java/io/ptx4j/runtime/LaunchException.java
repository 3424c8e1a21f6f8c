package io.ptx4j.runtime;

/** A launch that cannot start: wrong arguments, a grid or block out of limits, too much shared memory. Nothing has run. */
public final class LaunchException extends PtxException {
    private static final long serialVersionUID = 1L;

    private final String kernel;

    LaunchException(String kernel, String problem) {
        super("kernel " + kernel + " cannot be launched: " + problem, null);
        this.kernel = kernel;
    }

    public String kernel() {
        return kernel;
    }
}
