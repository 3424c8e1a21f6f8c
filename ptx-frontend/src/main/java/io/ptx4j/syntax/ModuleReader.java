package io.ptx4j.syntax;

import static io.ptx4j.syntax.Operands.end;
import static io.ptx4j.syntax.Operands.start;

import io.ptx4j.syntax.Statement.Function;
import io.ptx4j.syntax.Statement.Inlined;
import io.ptx4j.syntax.Statement.Word;
import io.ptx4j.syntax.grammar.PtxLexer;
import io.ptx4j.syntax.grammar.PtxParser;
import io.ptx4j.syntax.grammar.PtxParser.*;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.antlr.v4.runtime.ANTLRErrorListener;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/**
 * Reads a file piece by piece into records. A piece that does not parse is reported and skipped; reading goes on behind its
 * semicolon, before a closing brace, or at the start of a line that looks like a statement.
 */
public final class ModuleReader {
    /** Scopes within scopes, and initialisers within initialisers. */
    static final int DEPTH_LIMIT = 250;

    private final Diagnostics diagnostics;
    private final String text;
    private final PieceTokens tokens;
    private final PtxParser parser;
    private final SyntaxErrors errors;
    private final Operands operands;
    private final Declarations declarations;
    private final NamePool names;
    private final ModuleTree tree;
    private final PredictionMode quick;

    /** A piece that cannot be read, reported already. */
    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1L;
        /** Braces of the piece that are open where it failed. */
        private final int openBraces;

        Unreadable(int openBraces) {
            super(null, null, false, false);
            this.openBraces = openBraces;
        }
    }

    private ModuleReader(Diagnostics diagnostics, PredictionMode quick, ANTLRErrorListener listener) {
        this.quick = quick;
        this.diagnostics = diagnostics;
        this.text = diagnostics.source().text();
        PtxLexer lexer = new PtxLexer(new SourceCharacters(diagnostics.source()));
        lexer.removeErrorListeners();
        tokens = new PieceTokens(lexer);
        parser = new PtxParser(tokens);
        parser.removeErrorListeners();
        if (listener != null) {
            parser.addErrorListener(listener);
        }
        parser.setErrorHandler(new BailErrorStrategy());
        parser.setBuildParseTree(false);
        names = new NamePool(text);
        errors = new SyntaxErrors(diagnostics);
        ConstantExpressions constants = new ConstantExpressions(diagnostics);
        operands = new Operands(diagnostics, names, constants);
        declarations = new Declarations(diagnostics, names, constants);
        tree = new ModuleTree(diagnostics);
    }

    /** Reads a whole file; what is wrong with it goes to {@code diagnostics}. Never throws for any text. */
    public static ParsedModule read(Diagnostics diagnostics) {
        return new ModuleReader(diagnostics, PredictionMode.SLL, null).module();
    }

    /** Reads slowly and tells {@code listener} of every ambiguity of the grammar that the text meets. */
    static ParsedModule readExactly(Diagnostics diagnostics, ANTLRErrorListener listener) {
        return new ModuleReader(diagnostics, PredictionMode.LL_EXACT_AMBIG_DETECTION, listener).module();
    }

    private ParsedModule module() {
        while (tokens.LA(1) != Token.EOF && !diagnostics.full()) {
            CompileTime.ask();
            tokens.startPiece();
            Token first = tokens.next();
            try {
                add(parse(parser::piece));
            } catch (Unreadable reported) {
                recover(first, reported.openBraces);
            }
        }
        return new ParsedModule(diagnostics.source(), tree.finish(text.length()));
    }

    /** SLL first; LL only where that fails, since its message is the better one. */
    private <T> T parse(Supplier<T> rule) {
        int from = tokens.index();
        parser.getInterpreter().setPredictionMode(quick);
        try {
            return rule.get();
        } catch (PieceTokens.TooDeep deep) {
            errors.tooDeep(tokens.next());
            throw new Unreadable(0);
        } catch (ParseCancellationException simple) {
            tokens.seek(from);
            parser.getInterpreter().setPredictionMode(PredictionMode.LL);
        }
        try {
            return rule.get();
        } catch (ParseCancellationException failure) {
            RecognitionException cause = (RecognitionException) failure.getCause();
            tokens.seek(cause.getOffendingToken().getTokenIndex());
            errors.report(cause, tokens.index() == 0 ? null : tokens.previous());
            throw new Unreadable(0);
        }
    }

    private void add(PieceContext piece) {
        switch (piece) {
            case InstructionContext instruction -> add(instruction);
            case LabelContext label -> tree.add(new Statement.Label(start(label), end(label), names.of(label.name)));
            case OpenContext open -> tree.open(start(open));
            case CloseContext close -> tree.close(start(close), end(close));
            case DeclarationContext declaration -> add(declaration);
            case SectionContext section -> section(section);
            default -> tree.add(directive(piece));
        }
    }

    private void add(InstructionContext instruction) {
        List<OperandSyntax> list = new ArrayList<>(instruction.operands.size());
        boolean complete = true;
        for (ExpressionContext expression : instruction.operands) {
            OperandSyntax operand = operands.operand(expression);
            complete &= operand != null;
            list.add(operand);
        }
        if (complete) {
            tree.add(new Statement.Instruction(start(instruction), end(instruction), guard(instruction.condition),
                    spelling(instruction), instruction.opcode.getStartIndex(), List.copyOf(list)));
        }
    }

    private Statement.Guard guard(GuardContext guard) {
        return guard == null ? null
                : new Statement.Guard(start(guard), end(guard), names.of(guard.name), guard.negated != null);
    }

    private String spelling(InstructionContext instruction) {
        String spelling = names.of(instruction.opcode);
        for (Token modifier : instruction.modifiers) {
            spelling += names.of(modifier);
        }
        return spelling;
    }

    private Statement directive(PieceContext piece) {
        int start = start(piece);
        int end = end(piece);
        return switch (piece) {
            case PragmaContext pragma -> new Statement.Pragma(start, end, declarations.strings(pragma.strings));
            case LocationContext location -> location(location);
            case FileContext file ->
                    new Statement.FileName(start, end, declarations.smallNumber(file.index), declarations.string(file.name),
                            file.time != null);
            case VersionContext version -> new Statement.Version(start, end, version.number.getText());
            case TargetContext target -> new Statement.Target(start, end, declarations.words(target.names));
            case AddressSizeContext size -> new Statement.AddressSize(start, end, declarations.number(size.size));
            case AliasContext alias ->
                    new Statement.Alias(start, end, declarations.word(alias.name), declarations.word(alias.aliasee));
            case CallPrototypeContext prototype -> new Statement.CallPrototype(start, end, tree.labelBefore(start),
                    declarations.parameters(prototype.results), declarations.parameters(prototype.formals),
                    declarations.traits(prototype.traits));
            case BranchTargetsContext targets ->
                    new Statement.BranchTargets(start, end, tree.labelBefore(start), declarations.branchTargets(targets.targets));
            case CallTargetsContext targets ->
                    new Statement.CallTargets(start, end, tree.labelBefore(start), declarations.words(targets.names));
            default -> new Statement.DwarfLine(start, end);
        };
    }

    private Statement location(LocationContext location) {
        Inlined inlined = location.key == null ? null : new Inlined(names.of(location.name),
                location.offset == null ? 0 : declarations.number(location.offset), declarations.smallNumber(location.inFile),
                declarations.smallNumber(location.inLine), declarations.smallNumber(location.inColumn));
        if (inlined != null && !(location.key.getText().equals("function_name") && location.inlined.getText().equals("inlined_at"))) {
            diagnostics.report(DiagnosticCode.SYNTAX, ConstantExpressions.span(location),
                    "behind the column of '.loc' stands ', function_name NAME, inlined_at FILE LINE COLUMN'");
        }
        return new Statement.Location(start(location), end(location), declarations.smallNumber(location.file),
                declarations.smallNumber(location.line), declarations.smallNumber(location.column), inlined);
    }

    private void section(SectionContext section) {
        Word name = declarations.word(section.name);
        int start = start(section);
        while (true) {
            tokens.startPiece();
            if (tokens.LA(1) == Token.EOF) {
                diagnostics.report(DiagnosticCode.UNCLOSED, name.span(), "section '" + name.text() + "' is never closed");
                return;
            }
            try {
                DebugPieceContext piece = parse(parser::debugPiece);
                if (piece instanceof DebugDataContext data) {
                    debugData(data);
                }
                if (piece instanceof DebugEndContext end) {
                    tree.add(new Statement.Section(start, end(end), name.text()));
                    return;
                }
            } catch (Unreadable reported) {
                throw new Unreadable(1);
            }
        }
    }

    private void debugData(DebugDataContext data) {
        int bits = switch (data.word.getText()) {
            case ".b8" -> 8;
            case ".b16" -> 16;
            case ".b32" -> 32;
            case ".b64" -> 64;
            default -> 0;
        };
        if (bits == 0) {
            diagnostics.report(DiagnosticCode.UNKNOWN_DIRECTIVE, ConstantExpressions.span(data.word),
                    "debug data is .b8, .b16, .b32 or .b64; found " + data.word.getText());
            return;
        }
        for (DebugValueContext value : data.values) {
            if (value.number != null && value.negative == null && bits < Integer.SIZE && declarations.number(value.number) >>> bits != 0) {
                diagnostics.report(DiagnosticCode.BAD_CONSTANT, ConstantExpressions.span(value),
                        "the value does not fit " + data.word.getText());
            }
        }
    }

    private void add(DeclarationContext declaration) {
        if (declaration.head == null) {
            variables(declaration);
            return;
        }
        Function function = declarations.function(declaration.linkages, declaration.head);
        if (declaration.head.end.getType() == PtxLexer.LEFT_BRACE) {
            tree.openBody(function, declaration.head.end.getStartIndex());
        } else {
            tree.add(function);
        }
    }

    private void variables(DeclarationContext declaration) {
        VariablesContext data = declaration.data;
        List<Statement.Declarator> list = new ArrayList<>();
        List<DeclaratorContext> next = data.declarators;
        Token end = data.end;
        while (end.getType() == PtxLexer.EQUALS) {
            next.subList(0, Math.max(0, next.size() - 1)).forEach(one -> list.add(declarations.declarator(one, null)));
            InitializerSyntax value = initializer();
            if (!next.isEmpty()) {
                list.add(declarations.declarator(next.getLast(), value));
            }
            tokens.startPiece();
            MoreVariablesContext more = parse(parser::moreVariables);
            next = more.declarators;
            end = more.end;
        }
        next.forEach(one -> list.add(declarations.declarator(one, null)));
        tree.add(new Statement.Variables(start(declaration), end.getStopIndex() + 1, declarations.words(declaration.linkages),
                declarations.specifiers(data.specifiers), List.copyOf(list)));
    }

    private record OpenList(int start, List<InitializerSyntax> elements) {
    }

    /** Element by element, without recursion: tables may be large and nesting deep. */
    private InitializerSyntax initializer() {
        Deque<OpenList> open = new ArrayDeque<>();
        while (true) {
            tokens.startPiece();
            InitializerSyntax done;
            if (tokens.LA(1) == PtxLexer.LEFT_BRACE) {
                open.push(new OpenList(take().getStartIndex(), new ArrayList<>()));
                if (open.size() > DEPTH_LIMIT) {
                    diagnostics.report(DiagnosticCode.NESTING, ConstantExpressions.span(tokens.previous()),
                            "initialisers nest deeper than " + DEPTH_LIMIT);
                    throw new Unreadable(open.size());
                }
                if (tokens.LA(1) != PtxLexer.RIGHT_BRACE) {
                    continue;
                }
                done = closed(open.pop());
            } else {
                done = initialValue(open.size());
            }
            while (!open.isEmpty()) {
                if (done != null) {
                    open.peek().elements().add(done);
                }
                if (tokens.LA(1) != PtxLexer.RIGHT_BRACE) {
                    break;
                }
                done = closed(open.pop());
            }
            if (open.isEmpty()) {
                return done;
            }
            try {
                parse(parser::comma);
            } catch (Unreadable reported) {
                throw new Unreadable(open.size());
            }
        }
    }

    private InitializerSyntax initialValue(int openBraces) {
        try {
            return declarations.initialValue(parse(parser::initialValue));
        } catch (Unreadable reported) {
            throw new Unreadable(openBraces);
        }
    }

    private InitializerSyntax closed(OpenList list) {
        return new InitializerSyntax.Elements(new Span(list.start(), take().getStopIndex() + 1), List.copyOf(list.elements()));
    }

    private Token take() {
        Token token = tokens.next();
        tokens.consume();
        return token;
    }

    /** Goes on behind the piece that began with {@code first} and failed at the current token. */
    private void recover(Token first, int openBraces) {
        boolean function = startsDeclaration(first);
        int depth = openBraces;
        while (tokens.LA(1) != Token.EOF) {
            Token token = tokens.next();
            int type = token.getType();
            boolean moved = token.getTokenIndex() > first.getTokenIndex();
            if (moved && depth == 0 && (type == PtxLexer.RIGHT_BRACE || function && type == PtxLexer.LEFT_BRACE
                    || !function && beginsStatement(token))) {
                tree.expectStray(type == PtxLexer.LEFT_BRACE);
                return;
            }
            tokens.startPiece();
            tokens.consume();
            if (type == PtxLexer.SEMICOLON && depth == 0) {
                return;
            }
            depth += type == PtxLexer.LEFT_BRACE ? 1 : type == PtxLexer.RIGHT_BRACE && depth > 0 ? -1 : 0;
            if (first.getType() == PtxLexer.SECTION && depth == 0) {
                return;
            }
        }
    }

    private static boolean startsDeclaration(Token first) {
        return switch (first.getType()) {
            case PtxLexer.ENTRY, PtxLexer.FUNC, PtxLexer.VISIBLE, PtxLexer.EXTERN, PtxLexer.WEAK, PtxLexer.COMMON -> true;
            default -> false;
        };
    }

    /** The first token of a line, and one that a statement may begin with. */
    private boolean beginsStatement(Token token) {
        int at = token.getStartIndex() - 1;
        while (at >= 0 && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at--;
        }
        if (at >= 0 && text.charAt(at) != '\n') {
            return false;
        }
        return switch (token.getType()) {
            case PtxLexer.DOTTED, PtxLexer.AT, PtxLexer.ENTRY, PtxLexer.FUNC, PtxLexer.VISIBLE, PtxLexer.EXTERN, PtxLexer.WEAK,
                    PtxLexer.COMMON -> true;
            case PtxLexer.NAME -> tokens.LA(2) == PtxLexer.COLON || tokens.LA(2) == PtxLexer.SEMICOLON;
            case PtxLexer.WORD -> token.getText().equals(".reg");
            default -> false;
        };
    }
}
