package io.ptx4j.check;

import io.ptx4j.syntax.Statement;
import java.util.HashMap;
import java.util.Map;

/** What {@code .loc} says: the CUDA source line of each PTX line with an instruction. */
final class SourceLines {
    private final Map<Integer, String> files = new HashMap<>();
    private final Map<Integer, String> byLine = new HashMap<>();
    private String current;

    void file(Statement.FileName file) {
        files.put(file.index(), file.name());
    }

    void at(Statement.Location location) {
        current = files.getOrDefault(location.file(), "file" + location.file()) + ":" + location.line();
    }

    void used(int line) {
        if (current != null) {
            byLine.put(line, current);
        }
    }

    /** Another function begins: nothing is said about it yet. */
    void forget() {
        current = null;
    }

    Map<Integer, String> byLine() {
        return Map.copyOf(byLine);
    }
}
