package io.ptx4j.jit.coarse;

/** A kernel stays as it is. */
final class NotCoarse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotCoarse(String reason) {
        super(reason, null, false, false);
    }
}
