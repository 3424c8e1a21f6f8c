package io.ptx4j.cases;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Dim3;

/** Reads one line of a case from left to right. */
final class LineCursor {
    private final String file;
    private final int line;
    private final String text;
    private int at;

    LineCursor(String file, int line, String text, int at) {
        this.file = file;
        this.line = line;
        this.text = text;
        this.at = at;
        skipBlanks();
    }

    String place() {
        return line == 0 ? file : file + ":" + line + ":" + (at + 1);
    }

    int column() {
        return at;
    }

    CaseException wrong(String problem) {
        return new CaseException(place(), problem);
    }

    CaseException expected(String what) {
        return wrong("expected " + what + ", found " + (atEnd() ? "the end of the line" : "'" + rest() + "'"));
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    boolean atEnd() {
        return at >= text.length();
    }

    String rest() {
        return text.substring(at).strip();
    }

    void end() {
        if (!atEnd()) {
            throw expected("the end of the line");
        }
    }

    boolean at(String token) {
        return text.startsWith(token, at);
    }

    /** Whether {@code token} stood here; if so it is behind now. */
    boolean take(String token) {
        if (!at(token)) {
            return false;
        }
        at += token.length();
        skipBlanks();
        return true;
    }

    void require(String token) {
        if (!take(token)) {
            throw expected("'" + token + "'");
        }
    }

    /** A name of PTX; empty when none stands here. */
    String name() {
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || "_$%".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        String name = text.substring(start, at);
        skipBlanks();
        return name;
    }

    String requireName(String what) {
        if (atEnd() || !(Character.isLetter(text.charAt(at)) || "_$%".indexOf(text.charAt(at)) >= 0)) {
            throw expected(what);
        }
        return name();
    }

    /** Everything up to a blank, a comma or the end. */
    String word() {
        int start = at;
        while (at < text.length() && text.charAt(at) != ',' && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        skipBlanks();
        return word;
    }

    /** A count of at least 0: a number or a product of numbers. */
    long count(String what) {
        long count = number(what);
        while (take("*")) {
            long factor = number(what);
            if (Math.multiplyHigh(count, factor) != 0 || count * factor < 0) {
                throw wrong(what + " is too large");
            }
            count *= factor;
        }
        return count;
    }

    private long number(String what) {
        int start = at;
        boolean hexadecimal = at("0x") || at("0X");
        at += hexadecimal ? 2 : 0;
        int digits = at;
        while (at < text.length() && Character.digit(text.charAt(at), hexadecimal ? 16 : 10) >= 0) {
            at++;
        }
        try {
            long number = Long.parseLong(text.substring(digits, at), hexadecimal ? 16 : 10);
            skipBlanks();
            return number;
        } catch (NumberFormatException none) {
            at = start;
            throw expected(what);
        }
    }

    int smallCount(String what) {
        LineCursor start = new LineCursor(file, line, text, at);
        long count = count(what);
        if (count > Integer.MAX_VALUE) {
            throw start.wrong(what + " is " + count + "; at most " + Integer.MAX_VALUE + " is possible");
        }
        return (int) count;
    }

    /** One to three counts between commas. */
    Dim3 extent(String what) {
        int x = smallCount(what);
        int y = take(",") ? smallCount(what) : 1;
        int z = take(",") ? smallCount(what) : 1;
        return new Dim3(x, y, z);
    }

    /** A type that memory can hold. */
    ScalarType type() {
        LineCursor start = new LineCursor(file, line, text, at);
        take(".");
        String name = name();
        ScalarType type = ScalarType.named(name);
        if (type == null || !ElementText.TYPES.contains(type)) {
            throw start.wrong("'" + name + "' is no type for data; there are " + ElementText.typeNames());
        }
        return type;
    }
}
