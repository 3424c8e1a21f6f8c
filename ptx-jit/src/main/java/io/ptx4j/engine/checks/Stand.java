package io.ptx4j.engine.checks;

/**
 * An instruction at which a thread waits for others.
 *
 * @param line PTX line
 * @param column place in that line
 * @param text how it is written
 * @param count threads that a barrier is for; 0 for all of the block
 */
public record Stand(int line, int column, String text, int count) {
    /** Whether all threads of a warp must execute it together. */
    boolean aligned() {
        return text.startsWith("bar.") || text.contains(".aligned");
    }

    boolean sameInstruction(Stand other) {
        return line == other.line && column == other.column;
    }
}
