package io.ptx4j.syntax;

import io.ptx4j.syntax.Constant.Whole;
import io.ptx4j.syntax.grammar.PtxLexer;
import io.ptx4j.syntax.grammar.PtxParser.AddressContext;
import io.ptx4j.syntax.grammar.PtxParser.DiscardContext;
import io.ptx4j.syntax.grammar.PtxParser.ExpressionContext;
import io.ptx4j.syntax.grammar.PtxParser.NameContext;
import io.ptx4j.syntax.grammar.PtxParser.ParenthesesContext;
import io.ptx4j.syntax.grammar.PtxParser.TermContext;
import io.ptx4j.syntax.grammar.PtxParser.UnaryContext;
import io.ptx4j.syntax.grammar.PtxParser.VectorContext;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** Builds operands: the grammar reads them all as expressions, here it shows which shape they have. Null where a problem was reported. */
final class Operands {
    private final Diagnostics diagnostics;
    private final NamePool names;
    private final ConstantExpressions constants;

    Operands(Diagnostics diagnostics, NamePool names, ConstantExpressions constants) {
        this.diagnostics = diagnostics;
        this.names = names;
        this.constants = constants;
    }

    OperandSyntax operand(ExpressionContext expression) {
        UnaryContext first = expression.unaries.getFirst();
        if (expression.operators.isEmpty() && expression.then == null) {
            return first.prefixes.isEmpty() ? plain(first.value, expression) : prefixed(first, expression);
        }
        TermContext term = first.value;
        Token operator = expression.operators.isEmpty() ? null : expression.operators.getFirst();
        if (operator != null && first.prefixes.isEmpty() && expression.then == null) {
            if (operator.getType() == PtxLexer.BAR && expression.operators.size() == 1
                    && (term instanceof NameContext || term instanceof DiscardContext || term instanceof VectorContext)) {
                return pair(expression);
            }
            if (operator.getType() == PtxLexer.PLUS && term instanceof NameContext name && name.argument == null) {
                return offset(expression, name);
            }
        }
        return constant(expression);
    }

    private OperandSyntax plain(TermContext term, ExpressionContext expression) {
        return switch (term) {
            case NameContext name -> name(name);
            case DiscardContext discard -> new OperandSyntax.Discard(start(discard), end(discard));
            case VectorContext vector -> vector(vector);
            case AddressContext address -> address(address);
            case ParenthesesContext list when list.type == null -> arguments(list);
            default -> constant(expression);
        };
    }

    private OperandSyntax.Name name(NameContext term) {
        if (term.argument != null) {
            diagnostics.report(DiagnosticCode.BAD_OPERAND, ConstantExpressions.span(term),
                    "'" + term.name.getText() + "(...)' stands only in initialisers",
                    "a call is written: call (results), function, (arguments);");
            return null;
        }
        Token token = term.name;
        int start = token.getStartIndex();
        int nameEnd = token.getStopIndex() + 1;
        int dot = token.getType() == PtxLexer.DOTTED ? diagnostics.source().text().indexOf('.', start) : nameEnd;
        String selector = dot == nameEnd ? "" : names.of(dot + 1, nameEnd);
        for (Token word : term.selectors) {
            selector = selector + (selector.isEmpty() ? "" : ".") + names.of(word).substring(1);
        }
        return new OperandSyntax.Name(start, end(term), names.of(start, dot), selector);
    }

    private OperandSyntax prefixed(UnaryContext unary, ExpressionContext expression) {
        if (unary.prefixes.size() == 1 && unary.value instanceof NameContext term) {
            int prefix = unary.prefixes.getFirst().getType();
            OperandSyntax.Name name = prefix == PtxLexer.NOT || prefix == PtxLexer.MINUS ? name(term) : null;
            if (name != null) {
                return prefix == PtxLexer.NOT ? new OperandSyntax.Not(start(expression), end(expression), name)
                        : new OperandSyntax.Negated(start(expression), end(expression), name);
            }
        }
        return constant(expression);
    }

    private OperandSyntax constant(ExpressionContext expression) {
        Constant value = constants.evaluate(expression);
        return value == null ? null : new OperandSyntax.Immediate(start(expression), end(expression), value);
    }

    private OperandSyntax pair(ExpressionContext expression) {
        OperandSyntax first = plain(expression.unaries.get(0).value, expression);
        UnaryContext behind = expression.unaries.get(1);
        OperandSyntax second = behind.prefixes.isEmpty() ? plain(behind.value, expression) : null;
        if (first == null) {
            return null;
        }
        if (!(second instanceof OperandSyntax.Name) && !(second instanceof OperandSyntax.Discard)) {
            return problem(behind, "behind '|' stands a second destination: a predicate register or '_'");
        }
        return new OperandSyntax.Pair(start(expression), end(expression), first, second);
    }

    private OperandSyntax offset(ExpressionContext expression, NameContext term) {
        OperandSyntax.Name name = name(term);
        Constant offset = constants.binary(
                tail(expression.unaries), tail(expression.operators));
        if (name == null || offset == null) {
            return null;
        }
        if (offset instanceof Whole whole) {
            return new OperandSyntax.Offset(start(expression), end(expression), name, whole.value());
        }
        return problem(expression, "the offset behind a name must be an integer");
    }

    static <T> List<T> tail(List<T> list) {
        return list.subList(1, list.size());
    }

    private OperandSyntax vector(VectorContext term) {
        List<OperandSyntax> elements = list(term.elements);
        if (elements == null) {
            return null;
        }
        for (OperandSyntax element : elements) {
            if (element instanceof OperandSyntax.Vector || element instanceof OperandSyntax.Address || element instanceof OperandSyntax.Arguments
                    || element instanceof OperandSyntax.Pair) {
                return problem(element, "a vector holds registers and constants");
            }
        }
        return new OperandSyntax.Vector(start(term), end(term), elements);
    }

    private OperandSyntax arguments(ParenthesesContext term) {
        List<OperandSyntax> elements = list(term.elements);
        if (elements == null) {
            return null;
        }
        for (OperandSyntax element : elements) {
            if (element instanceof OperandSyntax.Address || element instanceof OperandSyntax.Arguments || element instanceof OperandSyntax.Vector
                    || element instanceof OperandSyntax.Pair) {
                return problem(element, "a list of arguments holds names and constants");
            }
        }
        return new OperandSyntax.Arguments(start(term), end(term), elements);
    }

    private OperandSyntax address(AddressContext term) {
        List<OperandSyntax> parts = list(term.elements);
        if (parts == null) {
            return null;
        }
        OperandSyntax base = parts.getFirst();
        if (!(base instanceof OperandSyntax.Name || base instanceof OperandSyntax.Offset || base instanceof OperandSyntax.Immediate)) {
            return problem(base, "an address is a register, a variable or a constant, plus a constant");
        }
        for (OperandSyntax part : tail(parts)) {
            if (!(part instanceof OperandSyntax.Name || part instanceof OperandSyntax.Vector)) {
                return problem(part, "behind the first comma of an address stand a sampler and coordinates");
            }
        }
        if (term.suffix != null && !term.suffix.getText().equals(".unified")) {
            return problem(term, "behind an address only .unified may stand");
        }
        return new OperandSyntax.Address(
                start(term), end(term), base, parts.size() == 1 ? List.of() : tail(parts), term.suffix != null);
    }

    /** {@code (5)} where no list may stand is 5. */
    private static OperandSyntax unwrapped(OperandSyntax operand) {
        return operand instanceof OperandSyntax.Arguments list && list.list().size() == 1
                && list.list().getFirst() instanceof OperandSyntax.Immediate constant ? constant : operand;
    }

    private List<OperandSyntax> list(List<ExpressionContext> expressions) {
        List<OperandSyntax> list = new ArrayList<>(expressions.size());
        boolean complete = true;
        for (ExpressionContext expression : expressions) {
            OperandSyntax operand = operand(expression);
            complete &= operand != null;
            list.add(unwrapped(operand));
        }
        return complete ? List.copyOf(list) : null;
    }

    private OperandSyntax problem(OperandSyntax operand, String message) {
        diagnostics.report(DiagnosticCode.BAD_OPERAND, operand.span(),
                message + "; found '" + diagnostics.source().text(operand.span()) + "'");
        return null;
    }

    private OperandSyntax problem(ParserRuleContext context, String message) {
        Span span = ConstantExpressions.span(context);
        diagnostics.report(DiagnosticCode.BAD_OPERAND, span, message + "; found '" + diagnostics.source().text(span) + "'");
        return null;
    }

    static int start(ParserRuleContext context) {
        return context.start.getStartIndex();
    }

    static int end(ParserRuleContext context) {
        return context.stop.getStopIndex() + 1;
    }
}
