package io.ptx4j.syntax;

import io.ptx4j.syntax.grammar.PtxLexer;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.Vocabulary;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Words what the parser could not read. */
final class SyntaxErrors {
    private static final int MANY = 6;

    private final Diagnostics diagnostics;

    SyntaxErrors(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    void tooDeep(Token token) {
        diagnostics.report(DiagnosticCode.NESTING, ConstantExpressions.span(token),
                "parentheses nest deeper than " + PieceTokens.NESTING_LIMIT + " in one statement");
    }

    /** @param previous the token before the offending one, or null */
    void report(RecognitionException failure, Token previous) {
        Token found = failure.getOffendingToken();
        if (brokenToken(found)) {
            return;
        }
        if (found.getType() == Token.EOF && previous != null) {
            diagnostics.report(DiagnosticCode.UNCLOSED, behind(previous), "the file ends in the middle of a statement",
                    "it ends behind " + describe(previous));
            return;
        }
        IntervalSet expected = failure.getExpectedTokens();
        if (expected == null || expected.size() > MANY) {
            diagnostics.report(DiagnosticCode.SYNTAX, span(found), describe(found) + " cannot stand here",
                    found.getType() == PtxLexer.EQUALS ? "PTX has no assignments: mov, ld and the arithmetic instructions write registers"
                            : previous == null ? "" : "it follows " + describe(previous));
            return;
        }
        List<String> names = new ArrayList<>();
        for (int type : expected.toList()) {
            names.add(name(type));
        }
        String wanted = String.join(", ", names.subList(0, names.size() - 1));
        wanted = (wanted.isEmpty() ? "" : wanted + " or ") + names.getLast();
        boolean missing = expected.contains(PtxLexer.SEMICOLON) && previous != null && onLaterLine(previous, found);
        Span place = missing ? behind(previous) : span(found);
        diagnostics.report(DiagnosticCode.SYNTAX, place, "expected " + wanted + "; found " + describe(found));
    }

    private boolean onLaterLine(Token previous, Token found) {
        SourceFile source = diagnostics.source();
        return found.getType() == Token.EOF
                || source.text().substring(previous.getStopIndex() + 1, found.getStartIndex()).indexOf('\n') >= 0;
    }

    /** Tokens that only mistakes make. */
    private boolean brokenToken(Token found) {
        Span span = span(found);
        String text = diagnostics.source().text(span);
        switch (found.getType()) {
            case PtxLexer.MALFORMED_NUMBER -> diagnostics.report(DiagnosticCode.BAD_CONSTANT, span,
                    "'" + text + "' is no number",
                    "numbers look like 42, 42U, 0x2A, 052, 0b101010, 1.5, 1e-3, 0f3F800000 and 0d3FF0000000000000");
            case PtxLexer.OPEN_STRING -> diagnostics.report(DiagnosticCode.UNCLOSED, span, "the string is never closed");
            case PtxLexer.OPEN_COMMENT -> diagnostics.report(DiagnosticCode.UNCLOSED, span, "the comment is never closed");
            case PtxLexer.UNKNOWN -> diagnostics.report(DiagnosticCode.SYNTAX, span,
                    "character " + character(text) + " has no meaning in PTX");
            default -> {
                return false;
            }
        }
        return true;
    }

    private static String character(String text) {
        int code = text.isEmpty() ? 0 : text.codePointAt(0);
        return (code > ' ' && code < 0x7F ? "'" + text + "' " : "") + "U+%04X".formatted(code);
    }

    private String describe(Token token) {
        if (token.getType() == Token.EOF) {
            return "the end of the file";
        }
        String text = diagnostics.source().text(span(token));
        return "'" + (text.length() > 40 ? text.substring(0, 40) + "..." : text) + "'";
    }

    private static String name(int type) {
        return switch (type) {
            case Token.EOF -> "the end of the file";
            case PtxLexer.NAME -> "a name";
            case PtxLexer.DOTTED -> "an instruction";
            case PtxLexer.WORD -> "a word with a dot";
            case PtxLexer.INTEGER -> "an integer";
            case PtxLexer.FLOAT -> "a decimal number";
            case PtxLexer.STRING -> "a string";
            default -> {
                Vocabulary vocabulary = PtxLexer.VOCABULARY;
                yield vocabulary.getLiteralName(type) == null ? vocabulary.getDisplayName(type) : vocabulary.getLiteralName(type);
            }
        };
    }

    /** The place of a token; of the end of the file its last character. */
    private Span span(Token token) {
        int length = diagnostics.source().text().length();
        int start = Math.min(token.getStartIndex(), length);
        return new Span(start, Math.clamp(token.getStopIndex() + 1L, start, Math.max(start, length)));
    }

    private static Span behind(Token previous) {
        return new Span(previous.getStopIndex() + 1, previous.getStopIndex() + 1);
    }
}
