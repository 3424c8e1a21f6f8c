package io.ptx4j.check;

import io.ptx4j.ir.Location;
import io.ptx4j.syntax.SourceFile;

/** Lines and columns of offsets; asked in the order of the text, it need not search. */
final class Places {
    private final SourceFile source;
    private final int firstLine;
    private int line = 1;

    /** @param firstLine the number of the file's first line in the program */
    Places(SourceFile source, int firstLine) {
        this.source = source;
        this.firstLine = firstLine;
    }

    /** For hints: where the other declaration of a name stands. */
    String other(int offset) {
        return "it is declared at " + source.name() + ":" + source.position(offset);
    }

    Location at(int offset) {
        if (offset < source.lineStart(line) || line < source.lineCount() && offset >= source.lineStart(line + 1)) {
            boolean next = line + 1 < source.lineCount() && offset >= source.lineStart(line + 1)
                    && offset < source.lineStart(line + 2);
            line = next ? line + 1 : source.line(offset);
        }
        return new Location(line + firstLine - 1, offset - source.lineStart(line) + 1);
    }
}
