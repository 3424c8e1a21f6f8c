package io.ptx4j.syntax;

/** A stretch of a source text: offsets from {@code start} up to, not including, {@code end}. */
public record Span(int start, int end) {
    public Span {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("no span from " + start + " to " + end);
        }
    }
}
