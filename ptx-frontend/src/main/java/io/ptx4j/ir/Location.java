package io.ptx4j.ir;

/** A place in the PTX text: 1-based line and column. */
public record Location(int line, int column) {
    @Override
    public String toString() {
        return line + ":" + column;
    }
}
