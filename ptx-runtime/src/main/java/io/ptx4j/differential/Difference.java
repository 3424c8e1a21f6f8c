package io.ptx4j.differential;

/**
 * How an engine differs from the reference.
 *
 * @param engine the engine, with the shape of its code
 * @param kind what differs: results, a failure's message, or the class of an exception that is none of ptx4j's
 * @param text for people
 */
public record Difference(String engine, String kind, String text) {
    /** Whether it is of the same kind, so that a smaller kernel still shows the same mistake. */
    boolean like(Difference other) {
        return other != null && engine.equals(other.engine) && kind.equals(other.kind);
    }

    @Override
    public String toString() {
        return engine + ": " + text;
    }
}
