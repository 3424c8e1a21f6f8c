package io.ptx4j.syntax;

import io.ptx4j.syntax.Statement.Block;
import io.ptx4j.syntax.Statement.Function;
import io.ptx4j.syntax.Statement.Label;
import io.ptx4j.syntax.Statement.Word;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Nests the statements of a file as their braces say, without recursion, and reports what stands outside its place. */
final class ModuleTree {
    /** A body or scope that is still open. */
    private record Open(int start, Function function, boolean stray, List<Statement> statements) {
    }

    private final Diagnostics diagnostics;
    private final List<Statement> module = new ArrayList<>();
    private final Deque<Open> open = new ArrayDeque<>();
    private int tooDeep;
    private boolean strayBody;

    ModuleTree(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    void add(Statement statement) {
        boolean belongs = switch (statement) {
            case Statement.Instruction _, Label _, Statement.CallPrototype _, Statement.BranchTargets _, Statement.CallTargets _ ->
                    inside(statement);
            case Function _, Statement.Version _, Statement.AddressSize _, Statement.FileName _, Statement.Section _,
                    Statement.Alias _ -> outside(statement);
            case Block _, Statement.Variables _, Statement.Pragma _, Statement.Location _, Statement.DwarfLine _,
                    Statement.Target _ -> true;
        };
        if (belongs) {
            current().add(statement);
        }
    }

    private List<Statement> current() {
        return open.isEmpty() ? module : open.peek().statements();
    }

    private boolean inside(Statement statement) {
        if (open.isEmpty()) {
            misplaced(statement.span(), "'" + firstWord(statement.span()) + "' stands outside of any function");
        }
        return !open.isEmpty();
    }

    private boolean outside(Statement statement) {
        if (!open.isEmpty()) {
            misplaced(statement.span(), "'" + firstWord(statement.span()) + "' stands inside a function; it belongs to the module");
        }
        return open.isEmpty();
    }

    private void misplaced(Span span, String message) {
        int end = Math.min(span.end(), span.start() + firstWord(span).length());
        diagnostics.report(DiagnosticCode.MISPLACED, new Span(span.start(), end), message);
    }

    private String firstWord(Span span) {
        String text = diagnostics.source().text();
        int end = span.start();
        while (end < span.end() && !Character.isWhitespace(text.charAt(end)) && text.charAt(end) != ';') {
            end++;
        }
        return text.substring(span.start(), end);
    }

    /** A function's body begins. */
    void openBody(Function function, int brace) {
        if (!open.isEmpty()) {
            diagnostics.report(DiagnosticCode.MISPLACED, function.name().span(),
                    "function '" + function.name().text() + "' begins inside another one",
                    "is the '}' of the function before it missing?");
            tooDeep = 0;
            while (!open.isEmpty()) {
                close(function.start(), function.start());
            }
        }
        open.push(new Open(brace, function, false, new ArrayList<>()));
    }

    /** The head of the next body did not parse: its body is read all the same, for the problems in it. */
    void expectStray(boolean body) {
        strayBody = body && open.isEmpty();
    }

    void open(int start) {
        if (open.isEmpty() && !strayBody) {
            misplaced(new Span(start, start + 1), "a scope stands outside of any function");
        }
        if (open.size() == ModuleReader.DEPTH_LIMIT) {
            if (tooDeep++ == 0) {
                diagnostics.report(DiagnosticCode.NESTING, new Span(start, start + 1),
                        "scopes nest deeper than " + ModuleReader.DEPTH_LIMIT);
            }
            return;
        }
        open.push(new Open(start, null, open.isEmpty(), new ArrayList<>()));
        strayBody = false;
    }

    void close(int start, int end) {
        if (tooDeep > 0) {
            tooDeep--;
        } else if (open.isEmpty()) {
            misplaced(new Span(start, end), "'}' closes nothing");
        } else {
            Open done = open.pop();
            Block block = new Block(done.start(), end, List.copyOf(done.statements()));
            if (done.function() != null) {
                module.add(withBody(done.function(), block));
            } else if (!done.stray()) {
                current().add(block);
            }
        }
    }

    private static Function withBody(Function head, Block body) {
        return new Function(head.start(), body.end(), head.linkage(), head.kernel(), head.attributes(), head.results(),
                head.name(), head.parameters(), head.traits(), body);
    }

    /** The label directly before a prototype or a list of targets names it. */
    Word labelBefore(int start) {
        List<Statement> list = current();
        if (!list.isEmpty() && list.getLast() instanceof Label label) {
            list.removeLast();
            return new Word(label.start(), label.start() + label.name().length(), label.name());
        }
        misplaced(new Span(start, diagnostics.source().text().length()), "'" + firstWord(
                new Span(start, diagnostics.source().text().length())) + "' needs a label before it");
        return new Word(start, start, "");
    }

    List<Statement> finish(int end) {
        if (!open.isEmpty() && !diagnostics.full()) {
            Open inner = open.peek();
            diagnostics.report(DiagnosticCode.UNCLOSED, new Span(inner.start(), inner.start() + 1), "this '{' is never closed");
        }
        tooDeep = 0;
        while (!open.isEmpty()) {
            close(end, end);
        }
        return List.copyOf(module);
    }
}
