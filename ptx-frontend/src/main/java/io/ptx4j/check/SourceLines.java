package io.ptx4j.check;

import io.ptx4j.syntax.Statement;
import java.util.HashMap;
import java.util.Map;

/** What {@code .loc} says: the CUDA source line of each PTX line with an instruction. */
final class SourceLines {
    /** A place by the number of its file, whose name may come at the end of the module. */
    private record Place(int file, int line) {
    }

    private final Map<Integer, String> files = new HashMap<>();
    private final Map<Integer, Place> byLine = new HashMap<>();
    private Place current;

    /** Whether the number is new. */
    boolean file(Statement.FileName file) {
        return files.putIfAbsent(file.index(), file.name()) == null;
    }

    void at(Statement.Location location) {
        current = new Place(location.file(), location.line());
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
        Map<Integer, String> named = new HashMap<>();
        byLine.forEach((line, place) -> named.put(line, files.getOrDefault(place.file, "file" + place.file) + ":" + place.line));
        return Map.copyOf(named);
    }
}
