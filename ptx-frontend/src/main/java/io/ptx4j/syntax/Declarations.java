package io.ptx4j.syntax;

import io.ptx4j.syntax.Constant.Whole;
import io.ptx4j.syntax.Statement.Alignment;
import io.ptx4j.syntax.Statement.Attribute;
import io.ptx4j.syntax.Statement.Attributes;
import io.ptx4j.syntax.Statement.Declarator;
import io.ptx4j.syntax.Statement.Function;
import io.ptx4j.syntax.Statement.Parameter;
import io.ptx4j.syntax.Statement.Plain;
import io.ptx4j.syntax.Statement.Specifier;
import io.ptx4j.syntax.Statement.Trait;
import io.ptx4j.syntax.Statement.TraitArgument;
import io.ptx4j.syntax.Statement.Word;
import io.ptx4j.syntax.grammar.PtxLexer;
import io.ptx4j.syntax.grammar.PtxParser.AttributesContext;
import io.ptx4j.syntax.grammar.PtxParser.BranchTargetContext;
import io.ptx4j.syntax.grammar.PtxParser.DeclaratorContext;
import io.ptx4j.syntax.grammar.PtxParser.DimensionContext;
import io.ptx4j.syntax.grammar.PtxParser.ExpressionContext;
import io.ptx4j.syntax.grammar.PtxParser.FunctionContext;
import io.ptx4j.syntax.grammar.PtxParser.InitialValueContext;
import io.ptx4j.syntax.grammar.PtxParser.IntegerContext;
import io.ptx4j.syntax.grammar.PtxParser.NameContext;
import io.ptx4j.syntax.grammar.PtxParser.ParametersContext;
import io.ptx4j.syntax.grammar.PtxParser.SpecifierContext;
import io.ptx4j.syntax.grammar.PtxParser.TermContext;
import io.ptx4j.syntax.grammar.PtxParser.TraitContext;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Token;

/** Builds declarations and initial values. */
final class Declarations {
    private static final int MOST_TARGETS = 1 << 16;

    private final Diagnostics diagnostics;
    private final NamePool names;
    private final ConstantExpressions constants;

    Declarations(Diagnostics diagnostics, NamePool names, ConstantExpressions constants) {
        this.diagnostics = diagnostics;
        this.names = names;
        this.constants = constants;
    }

    Word word(Token token) {
        return new Word(token.getStartIndex(), token.getStopIndex() + 1, names.of(token));
    }

    List<Word> words(List<Token> tokens) {
        return tokens.stream().map(this::word).toList();
    }

    /** The labels of a list, in which {@code A<3>} stands for {@code A0}, {@code A1}, {@code A2}. */
    List<Word> branchTargets(List<BranchTargetContext> targets) {
        List<Word> labels = new ArrayList<>();
        for (BranchTargetContext target : targets) {
            Word name = word(target.name);
            long count = target.count == null ? -1 : Math.min(size(target.count), MOST_TARGETS);
            if (count < 0) {
                labels.add(name);
            }
            for (long i = 0; i < count; i++) {
                labels.add(new Word(name.start(), name.end(), name.text() + i));
            }
        }
        return List.copyOf(labels);
    }

    /** A number of a directive; 0, and reported, when it does not fit. */
    long number(Token token) {
        Whole value = constants.size(token);
        return value == null ? 0 : value.value();
    }

    int smallNumber(Token token) {
        return Math.clamp(number(token), 0, Integer.MAX_VALUE);
    }

    String string(Token token) {
        return diagnostics.source().text().substring(token.getStartIndex() + 1, token.getStopIndex());
    }

    List<String> strings(List<Token> tokens) {
        return tokens.stream().map(this::string).toList();
    }

    Specifier specifier(SpecifierContext specifier) {
        if (specifier.word != null) {
            return new Plain(word(specifier.word), specifier.bank == null ? -1 : number(specifier.bank));
        }
        return specifier.align != null ? new Alignment(ConstantExpressions.span(specifier), number(specifier.size))
                : new Attributes(ConstantExpressions.span(specifier), attributes(specifier.marks));
    }

    List<Specifier> specifiers(List<SpecifierContext> specifiers) {
        return specifiers.stream().map(this::specifier).toList();
    }

    private List<Attribute> attributes(AttributesContext attributes) {
        return attributes == null ? List.of() : attributes.list.stream()
                .map(one -> new Attribute(word(one.word), one.values.stream().map(this::number).toList())).toList();
    }

    Declarator declarator(DeclaratorContext declarator, InitializerSyntax initializer) {
        return new Declarator(Operands.start(declarator), Operands.end(declarator), names.of(declarator.name),
                declarator.count == null ? -1 : size(declarator.count), dimensions(declarator.dimensions), initializer);
    }

    private List<Long> dimensions(List<DimensionContext> dimensions) {
        return dimensions.stream().map(one -> one.size == null ? Declarator.OPEN : size(one.size)).toList();
    }

    /** A count that no sign can make small. */
    private long size(Token token) {
        long number = number(token);
        return number < 0 ? Long.MAX_VALUE : number;
    }

    List<Parameter> parameters(ParametersContext parameters) {
        return parameters == null ? List.of() : parameters.list.stream()
                .map(one -> new Parameter(Operands.start(one), Operands.end(one), specifiers(one.specifiers), word(one.name),
                        dimensions(one.dimensions)))
                .toList();
    }

    List<Trait> traits(List<TraitContext> traits) {
        return traits.stream().map(one -> new Trait(word(one.word == null ? one.pragma : one.word),
                one.arguments.stream().map(argument -> new TraitArgument(
                        argument.target == null ? null : names.of(argument.target), number(argument.value))).toList(),
                strings(one.strings))).toList();
    }

    Function function(List<Token> linkage, FunctionContext head) {
        return new Function(linkage.isEmpty() ? Operands.start(head) : linkage.getFirst().getStartIndex(), Operands.end(head),
                words(linkage), head.kind.getType() == PtxLexer.ENTRY, attributes(head.marks), parameters(head.results),
                word(head.name), parameters(head.formals), traits(head.traits), null);
    }

    /** One element of an initialiser; null, and reported, when it has no value. */
    InitializerSyntax initialValue(InitialValueContext element) {
        Span span = ConstantExpressions.span(element);
        TermContext term = element.value.unaries.getFirst().value;
        boolean bare = element.value.operators.isEmpty() && element.value.then == null
                && element.value.unaries.getFirst().prefixes.isEmpty();
        if (element.property != null) {
            return property(span, element);
        }
        if (bare && term instanceof IntegerContext mask && mask.argument != null) {
            InitializerSyntax.Symbol symbol = symbol(span, mask.argument, constants.integer(mask.value));
            return symbol == null ? notInitial(span) : symbol;
        }
        InitializerSyntax.Symbol symbol = symbol(span, element.value, new Whole(-1, false));
        if (symbol != null) {
            return symbol;
        }
        Constant value = constants.evaluate(element.value);
        return value == null ? null : new InitializerSyntax.Value(span, value);
    }

    /** {@code name}, {@code name + 4}, {@code generic(name) + 4}; null for anything else. */
    private InitializerSyntax.Symbol symbol(Span span, ExpressionContext expression, Whole mask) {
        if (expression.then != null || !expression.unaries.getFirst().prefixes.isEmpty() || mask == null
                || !(expression.unaries.getFirst().value instanceof NameContext term)) {
            return null;
        }
        long offset = 0;
        if (!expression.operators.isEmpty()) {
            if (expression.operators.getFirst().getType() != PtxLexer.PLUS
                    || !(constants.binary(Operands.tail(expression.unaries), Operands.tail(expression.operators))
                            instanceof Whole behind)) {
                return null;
            }
            offset = behind.value();
        }
        if (term.argument == null) {
            return new InitializerSyntax.Symbol(span, names.of(term.name), offset, false, mask.value());
        }
        InitializerSyntax.Symbol inner = term.name.getText().equals("generic") ? symbol(span, term.argument, mask) : null;
        return inner == null || inner.generic() || inner.offset() != 0 ? null : new InitializerSyntax.Symbol(span, inner.name(), inner.offset() + offset, true, mask.value());
    }

    private InitializerSyntax property(Span span, InitialValueContext element) {
        String name = diagnostics.source().text(ConstantExpressions.span(element.value));
        ExpressionContext right = element.property;
        if (right.operators.isEmpty() && right.unaries.getFirst().value instanceof NameContext word && word.argument == null) {
            return new InitializerSyntax.Property(span, name, names.of(word.name), null);
        }
        Constant value = constants.evaluate(right);
        return value == null ? null : new InitializerSyntax.Property(span, name, null, value);
    }

    private InitializerSyntax notInitial(Span span) {
        diagnostics.report(DiagnosticCode.BAD_OPERAND, span,
                "'" + diagnostics.source().text(span) + "' is no initial value; a mask stands before a name: 0xff00(name)");
        return null;
    }
}
