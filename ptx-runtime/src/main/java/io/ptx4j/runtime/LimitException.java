package io.ptx4j.runtime;

/** A module or kernel is larger, or takes longer to compile, than the device's {@link Limits} allow. Nothing of it has run. */
public final class LimitException extends PtxException {
    private static final long serialVersionUID = 1L;

    /** Which limit. */
    public enum Kind {
        /** {@link Limits#textCharacters()}. */
        TEXT,
        /** {@link Limits#moduleInstructions()}. */
        MODULE,
        /** {@link Limits#codeBytes()}. */
        CODE,
        /** {@link Limits#compiling()}. */
        COMPILE_TIME
    }

    private final Kind kind;

    LimitException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
