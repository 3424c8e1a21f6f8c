package io.ptx4j.syntax;

/** A place as people count it: lines and columns from 1; a column is a character, a tab counts one. */
public record Position(int line, int column) {
    @Override
    public String toString() {
        return line + ":" + column;
    }
}
