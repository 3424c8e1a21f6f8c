package io.ptx4j.syntax;

import io.ptx4j.syntax.grammar.PtxLexer;
import java.util.Arrays;
import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.WritableToken;
import org.antlr.v4.runtime.misc.Interval;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/** Tokens of the piece being read; what lies before it is forgotten, so that memory does not grow with the file. */
final class PieceTokens implements TokenStream {
    /** Parentheses and ternaries in one piece: each may cost stack. */
    static final int NESTING_LIMIT = 250;

    /** Thrown where a piece nests deeper than {@link #NESTING_LIMIT}. */
    static final class TooDeep extends ParseCancellationException {
        private static final long serialVersionUID = 1L;
    }

    private final PtxLexer lexer;
    private Token[] window = new Token[256];
    private int base;
    private int count;
    private int at;
    private int nesting;

    PieceTokens(PtxLexer lexer) {
        this.lexer = lexer;
    }

    /** Forgets what was read, except for the last token. */
    void startPiece() {
        nesting = 0;
        int drop = at - base - 1;
        if (drop > 0) {
            System.arraycopy(window, drop, window, 0, count - drop);
            Arrays.fill(window, count - drop, count, null);
            base += drop;
            count -= drop;
        }
    }

    Token next() {
        return LT(1);
    }

    Token previous() {
        return LT(-1);
    }

    @Override
    public Token LT(int distance) {
        int wanted = (distance > 0 ? at + distance - 1 : at + distance) - base;
        while (wanted >= count) {
            if (count > 0 && window[count - 1].getType() == Token.EOF) {
                return window[count - 1];
            }
            if (count == window.length) {
                window = Arrays.copyOf(window, count * 2);
            }
            Token token = lexer.nextToken();
            ((WritableToken) token).setTokenIndex(base + count);
            window[count++] = token;
        }
        return wanted < 0 ? null : window[wanted];
    }

    @Override
    public int LA(int distance) {
        return LT(distance).getType();
    }

    @Override
    public void consume() {
        nesting += switch (LA(1)) {
            case PtxLexer.LEFT, PtxLexer.QUESTION, PtxLexer.LEFT_BRACKET, PtxLexer.LEFT_BRACE -> 1;
            case PtxLexer.RIGHT_BRACKET, PtxLexer.RIGHT_BRACE -> -1;
            default -> 0;
        };
        if (nesting > NESTING_LIMIT) {
            throw new TooDeep();
        }
        if (LA(1) != Token.EOF) {
            at++;
        }
    }

    @Override
    public void seek(int index) {
        at = Math.max(index, base);
        nesting = 0;
    }

    @Override
    public int index() {
        return at;
    }

    @Override
    public int size() {
        return base + count;
    }

    @Override
    public Token get(int index) {
        return window[index - base];
    }

    @Override
    public int mark() {
        return 0;
    }

    @Override
    public void release(int marker) {
        // a piece stays until the next one starts
    }

    @Override
    public TokenSource getTokenSource() {
        return lexer;
    }

    @Override
    public String getSourceName() {
        return lexer.getSourceName();
    }

    @Override
    public String getText(Interval interval) {
        StringBuilder text = new StringBuilder();
        for (int i = Math.max(base, interval.a); i <= interval.b && i < base + count; i++) {
            text.append(get(i).getText());
        }
        return text.toString();
    }

    @Override
    public String getText() {
        return getText(Interval.of(base, base + count - 1));
    }

    @Override
    public String getText(RuleContext context) {
        return getText(context.getSourceInterval());
    }

    @Override
    public String getText(Token start, Token stop) {
        return getText(Interval.of(start.getTokenIndex(), stop.getTokenIndex()));
    }
}
