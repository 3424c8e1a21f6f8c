package io.ptx4j.jit.vector;

/** Why a kernel stays in the scalar shape: one sentence without a full stop. */
public final class NotVectorizable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param reason as {@code ptx info} shows it */
    public NotVectorizable(String reason) {
        super(reason, null, false, false);
    }
}
