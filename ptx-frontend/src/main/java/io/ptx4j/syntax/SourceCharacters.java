package io.ptx4j.syntax;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.IntStream;
import org.antlr.v4.runtime.misc.Interval;

/** The lexer's view of a source text: no copy, and offsets that are those of the text. */
final class SourceCharacters implements CharStream {
    private final SourceFile source;
    private final String text;
    private int at;

    SourceCharacters(SourceFile source) {
        this.source = source;
        this.text = source.text();
    }

    @Override
    public int LA(int distance) {
        int wanted = distance > 0 ? at + distance - 1 : at + distance;
        return wanted < 0 || wanted >= text.length() ? IntStream.EOF : text.charAt(wanted);
    }

    @Override
    public void consume() {
        at++;
    }

    @Override
    public void seek(int index) {
        at = index;
    }

    @Override
    public int index() {
        return at;
    }

    @Override
    public int size() {
        return text.length();
    }

    @Override
    public int mark() {
        return -1;
    }

    @Override
    public void release(int marker) {
        // the whole text stays
    }

    @Override
    public String getText(Interval interval) {
        return text.substring(interval.a, Math.min(text.length(), interval.b + 1));
    }

    @Override
    public String getSourceName() {
        return source.name();
    }
}
