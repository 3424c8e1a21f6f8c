package io.ptx4j.syntax;

import io.ptx4j.syntax.Constant.Real;
import io.ptx4j.syntax.Constant.Single;
import io.ptx4j.syntax.Constant.Whole;
import io.ptx4j.syntax.grammar.PtxParser;
import io.ptx4j.syntax.grammar.PtxParser.ExpressionContext;
import io.ptx4j.syntax.grammar.PtxParser.IntegerContext;
import io.ptx4j.syntax.grammar.PtxParser.LiteralContext;
import io.ptx4j.syntax.grammar.PtxParser.ParenthesesContext;
import io.ptx4j.syntax.grammar.PtxParser.TermContext;
import io.ptx4j.syntax.grammar.PtxParser.UnaryContext;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * Computes constant expressions by the rules of the manual's "Constant Expressions": 64-bit integers, signed unless a part is
 * unsigned, and doubles. Every method returns null where it reported a problem.
 */
final class ConstantExpressions {
    /** ptxas takes a few digits more than 64 bits hold and drops the upper ones. */
    private static final int LONGEST_LITERAL_BITS = 68;
    private static final BigInteger LARGEST_DECIMAL = new BigInteger("18446744073709551619");
    private static final long WARP_SIZE = 32;

    private final Diagnostics diagnostics;

    ConstantExpressions(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    Constant evaluate(ExpressionContext expression) {
        Constant value = binary(expression.unaries, expression.operators);
        if (value == null || expression.then == null) {
            return value;
        }
        Constant then = evaluate(expression.then);
        Constant otherwise = evaluate(expression.otherwise);
        if (then == null || otherwise == null) {
            return null;
        }
        if (value instanceof Whole condition && then instanceof Whole a && otherwise instanceof Whole b) {
            return new Whole(condition.isTrue() ? a.value() : b.value(), a.unsigned() || b.unsigned());
        }
        return problem(expression, "the operands of '?:' must be integers");
    }

    /** Operators and the operands around them; chains of any length. */
    Constant binary(List<UnaryContext> unaries, List<Token> operators) {
        Deque<Constant> values = new ArrayDeque<>();
        Deque<Token> waiting = new ArrayDeque<>();
        for (int i = 0; i < unaries.size(); i++) {
            Constant value = unary(unaries.get(i));
            if (value == null) {
                return null;
            }
            values.push(value);
            boolean last = i == operators.size();
            int next = last ? 0 : precedence(operators.get(i));
            while (!waiting.isEmpty() && precedence(waiting.peek()) >= next) {
                Constant right = values.pop();
                Constant result = apply(waiting.pop(), values.pop(), right);
                if (result == null) {
                    return null;
                }
                values.push(result);
            }
            if (!last) {
                waiting.push(operators.get(i));
            }
        }
        return values.pop();
    }

    private static int precedence(Token operator) {
        return switch (operator.getText()) {
            case "*", "/", "%" -> 10;
            case "+", "-" -> 9;
            case "<<", ">>" -> 8;
            case "<", ">", "<=", ">=" -> 7;
            case "==", "!=" -> 6;
            case "&" -> 5;
            case "^" -> 4;
            case "|" -> 3;
            case "&&" -> 2;
            default -> 1;
        };
    }

    private Constant apply(Token operator, Constant left, Constant right) {
        if (left instanceof Whole a && right instanceof Whole b) {
            return whole(operator, a, b);
        }
        if (left instanceof Real a && right instanceof Real b) {
            return real(operator, a.value(), b.value());
        }
        return problem(operator, "'" + operator.getText() + "' stands between an integer and a floating constant"
                + (left instanceof Single || right instanceof Single ? "; a 0f constant takes no part in arithmetic" : ""));
    }

    private Constant whole(Token operator, Whole left, Whole right) {
        long a = left.value();
        long b = right.value();
        boolean unsigned = left.unsigned() || right.unsigned();
        return switch (operator.getText()) {
            case "*" -> new Whole(a * b, unsigned);
            case "+" -> new Whole(a + b, unsigned);
            case "-" -> new Whole(a - b, unsigned);
            case "/" -> b == 0 ? problem(operator, "division by zero")
                    : new Whole(unsigned ? Long.divideUnsigned(a, b) : a / b, unsigned);
            case "%" -> b == 0 ? problem(operator, "division by zero") : new Whole(Long.remainderUnsigned(a, b), true);
            case "<<" -> new Whole(Long.compareUnsigned(b, Long.SIZE) < 0 ? a << b : 0, left.unsigned());
            case ">>" -> new Whole(shiftRight(a, b, left.unsigned()), left.unsigned());
            case "&" -> new Whole(a & b, unsigned);
            case "^" -> new Whole(a ^ b, unsigned);
            case "|" -> new Whole(a | b, unsigned);
            case "&&" -> truth(a != 0 && b != 0);
            case "||" -> truth(a != 0 || b != 0);
            case "==" -> truth(a == b);
            case "!=" -> truth(a != b);
            default -> truth(holds(operator, unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b)));
        };
    }

    private static long shiftRight(long a, long b, boolean unsigned) {
        boolean all = Long.compareUnsigned(b, Long.SIZE) >= 0;
        return unsigned ? all ? 0 : a >>> b : a >> (all ? Long.SIZE - 1 : b);
    }

    private static boolean holds(Token operator, int comparison) {
        return switch (operator.getText()) {
            case "<" -> comparison < 0;
            case ">" -> comparison > 0;
            case "<=" -> comparison <= 0;
            default -> comparison >= 0;
        };
    }

    private Constant real(Token operator, double a, double b) {
        return switch (operator.getText()) {
            case "*" -> new Real(a * b);
            case "/" -> b == 0 ? problem(operator, "division by zero") : new Real(a / b);
            case "+" -> new Real(a + b);
            case "-" -> new Real(a - b);
            case "<" -> truth(a < b);
            case ">" -> truth(a > b);
            case "<=" -> truth(a <= b);
            case ">=" -> truth(a >= b);
            case "==" -> truth(a == b);
            case "!=" -> truth(a != b);
            default -> problem(operator, "'" + operator.getText() + "' takes integers; found floating constants");
        };
    }

    private static Whole truth(boolean value) {
        return new Whole(value ? 1 : 0, false);
    }

    private Constant unary(UnaryContext unary) {
        Constant value = term(unary.value);
        for (int i = unary.prefixes.size() - 1; i >= 0 && value != null; i--) {
            value = prefix(unary.prefixes.get(i), value);
        }
        return value;
    }

    private Constant prefix(Token operator, Constant value) {
        return switch (value) {
            case Whole(long a, boolean unsigned) -> switch (operator.getText()) {
                case "+" -> value;
                case "-" -> new Whole(-a, unsigned);
                case "~" -> new Whole(~a, true);
                default -> truth(a == 0);
            };
            case Real(double a) -> switch (operator.getText()) {
                case "+" -> value;
                case "-" -> new Real(-a);
                default -> problem(operator, "'" + operator.getText() + "' takes an integer; found a floating constant");
            };
            case Single _ -> problem(operator, "a 0f constant takes no part in arithmetic; write its bits with the sign");
        };
    }

    private Constant term(TermContext term) {
        return switch (term) {
            case IntegerContext integer when integer.argument == null -> integer(integer.value);
            case LiteralContext literal -> literal(literal.value);
            case ParenthesesContext cast when cast.type != null -> cast(cast);
            case ParenthesesContext parentheses when parentheses.elements.size() == 1 ->
                    evaluate(parentheses.elements.getFirst());
            default -> notConstant(term);
        };
    }

    private Constant notConstant(TermContext term) {
        diagnostics.report(DiagnosticCode.BAD_OPERAND, span(term),
                "'" + diagnostics.source().text(span(term)) + "' cannot stand in a constant expression",
                "an address may be a name plus a constant: name+8, name+-8");
        return null;
    }

    private Constant cast(ParenthesesContext cast) {
        boolean unsigned = cast.type.getText().equals(".u64");
        if (!unsigned && !cast.type.getText().equals(".s64")) {
            return problem(cast.type, "constants are cast to .s64 or .u64; found " + cast.type.getText());
        }
        return switch (unary(cast.value)) {
            case null -> null;
            case Whole(long value, boolean _) -> new Whole(value, unsigned);
            case Real _, Single _ -> problem(cast.type, "a floating constant cannot be cast");
        };
    }

    /** A literal or {@code WARP_SZ}, where no expression can stand. */
    Whole size(Token token) {
        return token.getType() == PtxParser.INTEGER ? integer(token) : new Whole(WARP_SIZE, false);
    }

    /** An integer literal; null, and reported, when no 64 bits hold it. */
    Whole integer(Token token) {
        String text = token.getText();
        boolean marked = text.endsWith("U");
        String digits = marked ? text.substring(0, text.length() - 1) : text;
        int radix = digits.length() < 2 || digits.charAt(0) != '0' ? 10
                : switch (digits.charAt(1)) {
                    case 'x', 'X' -> 16;
                    case 'b', 'B' -> 2;
                    default -> 8;
                };
        digits = radix == 16 || radix == 2 ? digits.substring(2) : digits;
        if (digits.length() < 16) {
            return new Whole(Long.parseLong(digits, radix), marked);
        }
        BigInteger value = digits.length() > 2 * Long.SIZE ? BigInteger.TWO.pow(Long.SIZE * 2) : new BigInteger(digits, radix);
        if (value.bitLength() > (radix == 2 ? Long.SIZE : LONGEST_LITERAL_BITS) || radix == 10 && value.compareTo(LARGEST_DECIMAL) > 0) {
            problem(token, "the constant does not fit 64 bits");
            return null;
        }
        return new Whole(value.longValue(), marked || value.bitLength() >= Long.SIZE);
    }

    private Constant literal(Token token) {
        String text = token.getText();
        return switch (token.getType()) {
            case PtxParser.SINGLE -> new Single((int) Long.parseLong(text, 2, text.length(), 16));
            case PtxParser.DOUBLE -> new Real(Double.longBitsToDouble(Long.parseUnsignedLong(text, 2, text.length(), 16)));
            case PtxParser.FLOAT -> decimal(token, text);
            default -> new Whole(WARP_SIZE, false);
        };
    }

    private Constant decimal(Token token, String text) {
        double value = Double.parseDouble(text);
        boolean vanished = value == 0 && text.chars().takeWhile(c -> c != 'e' && c != 'E').anyMatch(c -> c >= '1' && c <= '9');
        if (Double.isInfinite(value) || vanished) {
            return problem(token, "the constant does not fit a double");
        }
        return new Real(value);
    }

    private Constant problem(Token token, String message) {
        diagnostics.report(DiagnosticCode.BAD_CONSTANT, span(token), message);
        return null;
    }

    private Constant problem(ParserRuleContext context, String message) {
        diagnostics.report(DiagnosticCode.BAD_CONSTANT, span(context), message);
        return null;
    }

    static Span span(Token token) {
        return new Span(token.getStartIndex(), token.getStopIndex() + 1);
    }

    static Span span(ParserRuleContext context) {
        int start = context.start.getStartIndex();
        return new Span(start, Math.max(start, context.stop == null ? start : context.stop.getStopIndex() + 1));
    }
}
