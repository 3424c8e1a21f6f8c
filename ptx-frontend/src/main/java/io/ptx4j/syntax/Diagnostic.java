package io.ptx4j.syntax;

/**
 * One problem with its place.
 *
 * @param message what is wrong; what was found; what would be right
 * @param hint what to do, or empty
 */
public record Diagnostic(DiagnosticCode code, SourceFile source, Span span, String message, String hint) {
    private static final int LINE_WIDTH = 160;
    private static final String CUT = "...";

    public Severity severity() {
        return code.severity();
    }

    public Position position() {
        return source.position(span.start());
    }

    /** {@code file:line:column: severity: message [code]}, the source line, a caret, and the hint. */
    public String render() {
        StringBuilder out = new StringBuilder();
        out.append(source.name()).append(':').append(position()).append(": ").append(severity()).append(": ");
        out.append(message).append(" [").append(code).append(']');
        excerpt(out);
        if (!hint.isEmpty()) {
            out.append("\n  hint: ").append(hint);
        }
        return out.toString();
    }

    /** The line with a caret under the span; of a very long line only the part around it. */
    private void excerpt(StringBuilder out) {
        int line = source.line(span.start());
        int start = source.lineStart(line);
        int end = source.lineEnd(line);
        int from = start;
        if (end - start > LINE_WIDTH && span.start() - start > LINE_WIDTH / 2) {
            from = span.start() - LINE_WIDTH / 2;
        }
        int to = Math.min(end, from + LINE_WIDTH);
        out.append("\n  ").append(from > start ? CUT : "");
        out.append(plain(source.text().substring(from, to))).append(to < end ? CUT : "");
        out.append("\n  ").append(" ".repeat(span.start() - from + (from > start ? CUT.length() : 0)));
        out.append('^').append("~".repeat(Math.max(0, Math.min(span.end(), to) - span.start() - 1)));
    }

    private static String plain(String text) {
        StringBuilder plain = new StringBuilder(text);
        for (int i = 0; i < plain.length(); i++) {
            if (Character.isISOControl(plain.charAt(i))) {
                plain.setCharAt(i, ' ');
            }
        }
        return plain.toString();
    }

    @Override
    public String toString() {
        return render();
    }
}
