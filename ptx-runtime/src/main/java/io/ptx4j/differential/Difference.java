package io.ptx4j.differential;

/**
 * How an engine differs from the reference, the interpreter.
 *
 * @param engine the engine, with the shape of its code
 * @param kind what differs
 * @param cause class and place of an exception that is none of ptx4j's; empty otherwise
 * @param text for people: which bytes, or which messages
 */
public record Difference(String engine, Kind kind, String cause, String text) {
    /** What differs. */
    public enum Kind {
        /** Memory after the launches. */
        MEMORY,
        /** What a launch failed with, or whether it did. */
        FAILURE,
        /** One of the engines says that it does not support the kernel: no mistake, but nothing was compared. */
        UNSUPPORTED,
        /** An exception that is none of ptx4j's: a mistake in an engine. */
        INTERNAL,
        /** The checker rejects the program; no engine ran it. */
        REJECTED
    }

    /** Whether it is of the same kind, so that a smaller kernel still shows the same mistake. */
    boolean like(Difference other) {
        return other != null && engine.equals(other.engine) && kind == other.kind && cause.equals(other.cause);
    }

    @Override
    public String toString() {
        return engine + ": " + text;
    }
}
