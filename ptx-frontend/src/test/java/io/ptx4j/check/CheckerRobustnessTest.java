package io.ptx4j.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.SourceFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever the text is, checking it ends soon, with diagnostics and without an exception. */
class CheckerRobustnessTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n";
    private static final int MANY = 20_000;

    private static List<Diagnostic> check(String text) {
        return assertTimeoutPreemptively(SOON, () -> Checker.check(new SourceFile("test.ptx", text)).diagnostics());
    }

    private static List<DiagnosticCode> codes(String text) {
        return check(text).stream().map(Diagnostic::code).distinct().toList();
    }

    private static String many(int count, IntFunction<String> one) {
        return IntStream.range(0, count).mapToObj(one).collect(Collectors.joining("\n"));
    }

    private static String body(String statements) {
        return HEAD + ".visible .entry k() {\n" + statements + "\nret;\n}\n";
    }

    private static String everything() throws Exception {
        try (var in = CheckerRobustnessTest.class.getResourceAsStream("/syntax/everything.ptx")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void everyTruncationEndsInAResult() throws Exception {
        String text = everything();
        for (int end = 0; end < text.length(); end += 7) {
            check(text.substring(0, end));
        }
    }

    @Test
    void textsWithExchangedPiecesEndInAResult() throws Exception {
        String text = everything();
        Random random = new Random(5);
        for (int i = 0; i < 400; i++) {
            StringBuilder changed = new StringBuilder(text);
            for (int change = 0; change < 3; change++) {
                int from = random.nextInt(changed.length());
                int to = Math.min(changed.length(), from + random.nextInt(30));
                int other = random.nextInt(text.length());
                changed.replace(from, to, text.substring(other, Math.min(text.length(), other + random.nextInt(30))));
            }
            check(changed.toString());
        }
    }

    @Test
    void randomBytesBehindAHeadEndInDiagnostics() {
        Random random = new Random(3);
        for (int i = 0; i < 20; i++) {
            byte[] bytes = new byte[20_000];
            random.nextBytes(bytes);
            assertFalse(check(HEAD + new String(bytes, StandardCharsets.ISO_8859_1)).isEmpty());
        }
    }

    @Test
    void onlySoManyProblemsAreKept() {
        List<Diagnostic> found = check(body(many(MANY, i -> "L: mov.u32 %r" + i + ", " + i + ";")));
        assertEquals(Diagnostics.LIMIT + 1, found.size());
        assertEquals(List.of(DiagnosticCode.DUPLICATE_NAME, DiagnosticCode.TOO_MANY), codes(body(many(MANY, i -> "L:"))));
    }

    @Test
    void manyNamesOfEveryKindAreFast() {
        assertEquals(List.of(), codes(body(many(MANY, i -> ".reg .b32 %a" + i + "x<" + i + ">;"))));
        assertEquals(List.of(), codes(body(".reg .b32 %r<2000000000>;\n" + many(MANY, i -> "mov.u32 %r" + i * 90_000L + ", 1;"))));
        assertEquals(List.of(), codes(body(many(MANY, i -> "L" + i + ": bra L" + (i * 31L % MANY) + ";"))));
        assertEquals(List.of(), codes(HEAD + many(MANY, i -> ".func f" + i + "() { " + (i == 0 ? "" : "call f" + (i - 1) + "; ") + "ret; }")));
        assertEquals(List.of(), codes(HEAD + many(MANY, i -> ".global .u64 v" + i + (i == 0 ? ";" : " = v" + (i - 1) + ";"))));
        assertEquals(List.of(), codes(body("T: .branchtargets A<3>;\n.reg .b32 %r;\nbrx.idx %r, T;\nA0: A1: A2:")));
        assertEquals(List.of(DiagnosticCode.UNKNOWN_LABEL, DiagnosticCode.TOO_MANY), codes(body("T: .branchtargets A<4000000000>;\n.reg .b32 %r;\nbrx.idx %r, T;")));
    }

    @Test
    void longChainsAndCirclesOfAliasesEnd() {
        String functions = HEAD + ".func f0() { ret; }\n" + many(MANY, i -> ".func a" + i + "();");
        assertEquals(List.of(), codes(functions + many(MANY, i -> ".alias a" + i + ", " + (i == 0 ? "f0" : "a" + (i - 1)) + ";")));
        assertEquals(List.of(), codes(functions + many(MANY, i -> ".alias a" + i + ", " + (i == MANY - 1 ? "f0" : "a" + (i + 1)) + ";")));
        assertEquals(List.of(DiagnosticCode.BAD_DECLARATION, DiagnosticCode.TOO_MANY),
                codes(functions + many(MANY, i -> ".alias a" + i + ", a" + (i + 1) % MANY + ";")));
    }

    @Test
    void variablesOfEverySizeAreRefusedOrPlaced() {
        for (String size : List.of("0", "1", "0x7fffffff", "0x80000000", "0xffffffffffffffff", "99999999999999999999")) {
            check(HEAD + ".global .b8 a[" + size + "];");
            check(HEAD + ".global .b8 a[" + size + "][" + size + "][" + size + "] = {{{1}}};");
            check(HEAD + ".const .b64 a[" + size + "] = {1};");
            check(HEAD + ".visible .entry k(.param .b8 p[" + size + "]) { .local .b8 l[" + size + "]; .shared .b8 s[" + size + "]; ret; }");
            check(HEAD + ".global .u32 a<" + size + ">;");
            check(body(".reg .b32 %r<" + size + ">; mov.u32 %r0, 1;"));
        }
    }

    @Test
    void aLineOfAMegabyteIsCheckedAndItsProblemShownInPart() {
        List<Diagnostic> found = check(body(".reg .u32 a; " + "mov.u32 a, 1; ".repeat(80_000) + "mov.u32 b, 1;"));
        assertEquals(1, found.size());
        assertTrue(found.getFirst().render().length() < 1000);
    }
}
