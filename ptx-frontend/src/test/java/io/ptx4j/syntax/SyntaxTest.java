package io.ptx4j.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.syntax.Constant.Real;
import io.ptx4j.syntax.Constant.Single;
import io.ptx4j.syntax.Constant.Whole;
import io.ptx4j.syntax.Statement.Function;
import io.ptx4j.syntax.Statement.Instruction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.atn.ATNConfigSet;
import org.antlr.v4.runtime.dfa.DFA;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SyntaxTest {
    private static final String HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n";

    @Test
    void everyConstructParses() throws IOException {
        Diagnostics diagnostics = new Diagnostics(everything());
        ParsedModule module = ModuleReader.read(diagnostics);
        assertEquals(List.of(), diagnostics.all());
        assertTrue(module.statements().stream().anyMatch(s -> s instanceof Function f && f.kernel() && f.body() != null
                && f.traits().size() == 5 && f.parameters().size() == 3));
    }

    @Test
    void whatNvccWritesParsesWithoutAmbiguity() throws Exception {
        List<String> ambiguities = new ArrayList<>();
        List<Diagnostic> problems = new ArrayList<>();
        List<SourceFile> files = corpus();
        assertTrue(files.size() > 20, "the corpus is missing");
        files.add(everything());
        for (SourceFile file : files) {
            Diagnostics diagnostics = new Diagnostics(file);
            ModuleReader.readExactly(diagnostics, listener(ambiguities));
            problems.addAll(diagnostics.all());
        }
        assertEquals(List.of(), problems);
        assertEquals(List.of(), ambiguities);
    }

    private static List<SourceFile> corpus() throws Exception {
        List<SourceFile> files = new ArrayList<>();
        Path folder = Path.of(SyntaxTest.class.getResource("/corpus").toURI());
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.filter(p -> p.toString().endsWith(".ptx")).sorted().toList()) {
                files.add(SourceFile.read(path));
            }
        }
        return files;
    }

    private static BaseErrorListener listener(List<String> ambiguities) {
        return new BaseErrorListener() {
            @Override
            public void reportAmbiguity(
                    Parser parser, DFA dfa, int start, int stop, boolean exact, BitSet alternatives, ATNConfigSet configs) {
                ambiguities.add(parser.getRuleNames()[dfa.atnStartState.ruleIndex] + " at "
                        + parser.getInputStream().getText() + ": " + alternatives);
            }
        };
    }

    @Test
    void constantsFollowTheManualsSignRules() {
        assertEquals(new Whole(7, false), constant("1 + 2 * 3"));
        assertEquals(new Whole(-1, false), constant("(.s64) -1 >> 60"));
        assertEquals(new Whole(15, true), constant("(.u64) -1 >> 60"));
        assertEquals(new Whole(-1L >>> 1, true), constant("-1U / 2"));
        assertEquals(new Whole(0, false), constant("-1 / 2"));
        assertEquals(new Whole(3, true), constant("-1 % 4"));
        assertEquals(new Whole(0, false), constant("1 << 64"));
        assertEquals(new Whole(-1, false), constant("-1 >> 64"));
        assertEquals(new Whole(0x8000000000000000L, true), constant("0x8000000000000000"));
        assertEquals(new Whole(0, true), constant("0x10000000000000000"));
        assertEquals(new Whole(-2, true), constant("~1"));
        assertEquals(new Whole(1, false), constant("-1 < 0"));
        assertEquals(new Whole(0, false), constant("-1 < 0U"));
        assertEquals(new Whole(3, false), constant("0 ? 2 : 3"));
        assertEquals(new Whole(5, false), constant("0 ? 2 : 1 ? 5 : 6"));
        assertEquals(new Whole(32, false), constant("WARP_SZ"));
        assertEquals(new Whole(8, false), constant("010"));
        assertEquals(new Whole(-6, false), constant("10 - 8 - 8"));
        assertEquals(new Real(-0.5), constant("1.0 - 3.0 / 2.0"));
        assertEquals(new Real(0x1.8p0), constant("0d3FF8000000000000"));
        assertEquals(new Single(0x3F800000), constant("0F3f800000"));
        assertEquals(new Whole(1, false), constant("1.0 == 1.0"));
    }

    @Test
    void constantsWithoutAValueAreReported() {
        assertEquals("4:5: error: division by zero [bad-constant]", problem("x 1 / 0;"));
        assertEquals("4:7: error: '+' stands between an integer and a floating constant [bad-constant]", problem("x 1.0 + 1;"));
        assertEquals("4:6: error: '~' takes an integer; found a floating constant [bad-constant]", problem("x 1, ~1.0;"));
        assertEquals("4:3: error: the constant does not fit 64 bits [bad-constant]", problem("x 99999999999999999999999;"));
        assertEquals("4:3: error: the constant does not fit a double [bad-constant]", problem("x 1e400;"));
        assertEquals("4:3: error: '1.0f' is no number [bad-constant]", problem("x 1.0f;"));
        assertEquals("4:4: error: constants are cast to .s64 or .u64; found .u32 [bad-constant]", problem("x (.u32) 1;"));
    }

    @Test
    void operandsShowTheirShape() {
        Instruction call = instruction("call (%r0), f, (5, (1 + 2), x), p;");
        assertEquals("call", call.spelling());
        OperandSyntax.Arguments arguments = assertInstanceOf(OperandSyntax.Arguments.class, call.operands().get(2));
        assertEquals(3, arguments.list().size());
        Instruction load = instruction("@!p ld .global.v2 .u32 {%r0, _}, [a + 4 + 4];");
        assertEquals("ld.global.v2.u32", load.spelling());
        assertTrue(load.guard().negated());
        OperandSyntax.Address address = assertInstanceOf(OperandSyntax.Address.class, load.operands().get(1));
        assertEquals(8, assertInstanceOf(OperandSyntax.Offset.class, address.base()).offset());
        Instruction video = instruction("vmad %r0.b1, -%r2.h0, !%p, {%r1, %r2}|%q, %tid.x;");
        assertEquals("b1", assertInstanceOf(OperandSyntax.Name.class, video.operands().get(0)).selector());
        assertEquals("h0", assertInstanceOf(OperandSyntax.Negated.class, video.operands().get(1)).name().selector());
        assertInstanceOf(OperandSyntax.Not.class, video.operands().get(2));
        assertInstanceOf(OperandSyntax.Vector.class, assertInstanceOf(OperandSyntax.Pair.class, video.operands().get(3)).first());
        assertEquals("%tid", assertInstanceOf(OperandSyntax.Name.class, video.operands().get(4)).name());
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {
        "# 5 \"a.cu\", true", "'  #line 7 \"a.cu\" 1 3', true", "#line 3, true", "# 3, true", "ret; # 5 \"a.cu\", true",
        "ret; # 5, false", "ret; #line 5, false", "# 5 \"a.cu\" ret;, false", "# 5 ret;, false", "#define X, false", "ret; # words, false"})
    void lineMarkersHideNoCode(String line, boolean marker) {
        Diagnostics diagnostics = new Diagnostics(new SourceFile("marked.ptx", HEAD + ".func f()\n{\n" + line.replace("'", "") + "\nret;\n}\n"));
        ModuleReader.read(diagnostics);
        assertEquals(!marker, diagnostics.hasErrors(), () -> diagnostics.all().toString());
    }

    @Test
    void oneMistakeCostsOneStatement() {
        String text = HEAD + """
                .visible .entry k(.param .u64 p, param .u32 q)
                {
                    add.u32 %r1, %r2 %r3;
                    add.u32 %r1, %r2, %r3
                    mov.u32 %r1, 5;
                    @%p1 @%p2 ret;
                    mov.u32 %r1, é;
                    .branchtargets a;
                    ret;
                }
                mov.u32 %r1, %r2;
                .func f() { ret; }
                """;
        Diagnostics diagnostics = new Diagnostics(new SourceFile("bad.ptx", text));
        ParsedModule module = ModuleReader.read(diagnostics);
        assertEquals(List.of(
                "4:34: expected '.align', '.attribute' or a word with a dot; found 'param'",
                "6:22: expected ';'; found '%r3'",
                "7:26: expected ';'; found 'mov.u32'",
                "9:10: expected a name or an instruction; found '@'",
                "10:18: character U+00E9 has no meaning in PTX",
                "11:5: '.branchtargets' needs a label before it",
                "14:1: 'mov.u32' stands outside of any function"),
                diagnostics.all().stream().map(d -> d.position() + ": " + d.message()).toList());
        assertEquals("f", assertInstanceOf(Function.class, module.statements().getLast()).name().text());
    }

    @Test
    void aDiagnosticShowsItsLine() {
        Diagnostics diagnostics = new Diagnostics(new SourceFile("bad.ptx", HEAD + ".func f()\n{\n\tadd.u32 %r1, %r2 %r33;\n}\n"));
        ModuleReader.read(diagnostics);
        assertEquals("""
                bad.ptx:6:19: error: expected ';'; found '%r33' [syntax]
                   add.u32 %r1, %r2 %r33;
                                    ^~~~""", diagnostics.all().getFirst().render());
    }

    @Test
    void whatIsNeverClosedIsReported() {
        assertEquals(List.of("4:11: this '{' is never closed", "5:6: the file ends in the middle of a statement"),
                messages(".entry k(){\n  ret"));
        assertEquals(List.of("4:1: the comment is never closed"), messages("/* .entry k(){ ret; }"));
        assertEquals(List.of("4:9: the string is never closed"), messages(".pragma \"x;\n"));
        assertEquals(List.of("4:3: '}' closes nothing"), messages("  }\n"));
    }

    private static SourceFile everything() throws IOException {
        try (InputStream in = SyntaxTest.class.getResourceAsStream("/syntax/everything.ptx")) {
            assertNotNull(in);
            return new SourceFile("everything.ptx", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static List<String> messages(String text) {
        Diagnostics diagnostics = new Diagnostics(new SourceFile("test.ptx", HEAD + text));
        ModuleReader.read(diagnostics);
        return diagnostics.all().stream().map(d -> d.position() + ": " + d.message()).toList();
    }

    private static Instruction instruction(String text) {
        Diagnostics diagnostics = new Diagnostics(new SourceFile("test.ptx", ".func f() {\n" + text + "\n}"));
        ParsedModule module = ModuleReader.read(diagnostics);
        assertEquals(List.of(), diagnostics.all());
        Function function = assertInstanceOf(Function.class, module.statements().getFirst());
        return assertInstanceOf(Instruction.class, function.body().statements().getFirst());
    }

    private static Constant constant(String text) {
        return assertInstanceOf(OperandSyntax.Immediate.class, instruction("x " + text + ";").operands().getFirst()).value();
    }

    private static String problem(String text) {
        Diagnostics diagnostics = new Diagnostics(new SourceFile("test.ptx", "\n\n.func f() {\n" + text + "\n}"));
        ModuleReader.read(diagnostics);
        return diagnostics.all().getFirst().render().lines().findFirst().orElseThrow().substring("test.ptx:".length());
    }
}
