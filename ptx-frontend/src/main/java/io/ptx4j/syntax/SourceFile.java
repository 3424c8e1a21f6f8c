package io.ptx4j.syntax;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The text of one PTX file and where its lines begin. Offsets count UTF-16 units from 0, lines and columns from 1. */
public final class SourceFile {
    private final String name;
    private final String text;
    private int[] lineStarts;

    /** @param name what diagnostics call the file */
    public SourceFile(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /** Reads a file as UTF-8, or byte by byte where it is not UTF-8: the language itself is ASCII. */
    public static SourceFile read(Path path) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notUtf8) {
            text = new String(bytes, StandardCharsets.ISO_8859_1);
        }
        return new SourceFile(path.toString(), text);
    }

    public String name() {
        return name;
    }

    public String text() {
        return text;
    }

    public String text(Span span) {
        return text.substring(span.start(), span.end());
    }

    /** The line that holds {@code offset}, from 1. */
    public int line(int offset) {
        int found = Arrays.binarySearch(lineStarts(), offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    public Position position(int offset) {
        int line = line(offset);
        return new Position(line, offset - lineStarts()[line - 1] + 1);
    }

    /** The offset of the first character of a line. */
    public int lineStart(int line) {
        return lineStarts()[line - 1];
    }

    /** The offset behind the last character of a line, before its line break. */
    public int lineEnd(int line) {
        int end = line < lineCount() ? lineStarts()[line] - 1 : text.length();
        return end > lineStart(line) && text.charAt(end - 1) == '\r' ? end - 1 : end;
    }

    /** The text of a line without its line break. */
    public String lineText(int line) {
        return text.substring(lineStart(line), lineEnd(line));
    }

    public int lineCount() {
        return lineStarts().length;
    }

    private synchronized int[] lineStarts() {
        if (lineStarts == null) {
            int[] starts = new int[64];
            int count = 1;
            for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
                if (count == starts.length) {
                    starts = Arrays.copyOf(starts, count * 2);
                }
                starts[count++] = at + 1;
            }
            lineStarts = Arrays.copyOf(starts, count);
        }
        return lineStarts;
    }

    @Override
    public String toString() {
        return name;
    }
}
