package io.ptx4j.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the text is, reading it ends soon, with diagnostics and without an exception. */
final class RobustnessTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void scopesTenThousandDeepAreOneProblem() {
        assertEquals(List.of(DiagnosticCode.NESTING), codes(body("{".repeat(10_000) + "ret;" + "}".repeat(10_000))));
    }

    @Test
    void parenthesesTenThousandDeepAreOneProblem() {
        assertEquals(List.of(DiagnosticCode.NESTING),
                codes(body("mov.u32 a, " + "(".repeat(10_000) + "1" + ")".repeat(10_000) + ";")));
        assertEquals(List.of(DiagnosticCode.NESTING), codes(body("mov.u32 a, " + "1?2:".repeat(10_000) + "1;")));
    }

    @Test
    void initialisersTenThousandDeepAreOneProblem() {
        assertEquals(List.of(DiagnosticCode.NESTING),
                codes(".global .u32 a[2] = " + "{".repeat(10_000) + "1" + "}".repeat(10_000) + ";"));
    }

    @Test
    void longChainsOfOperatorsHaveAValue() {
        assertEquals(List.of(), codes(body("mov.u32 a, " + "1+".repeat(200_000) + "1;")));
        assertEquals(List.of(), codes(body("mov.u32 a, " + "-".repeat(200_000) + "1;")));
    }

    @Test
    void lineOfAMegabyteIsReadAndShownInPart() {
        List<Diagnostic> found = read(body("mov.u32 a, 1; ".repeat(80_000) + "mov.u32 a 1;"));
        assertEquals(1, found.size());
        assertTrue(found.getFirst().render().length() < 1000);
    }

    @Test
    void largeTablesAreRead() {
        assertEquals(List.of(), codes(".global .u32 a[] = {" + "1,".repeat(500_000) + "1};"));
    }

    @Test
    void randomBytesEndInDiagnostics() {
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[20_000];
            random.nextBytes(bytes);
            assertFalse(read(new String(bytes, StandardCharsets.ISO_8859_1)).isEmpty());
        }
    }

    @Test
    void everyTruncationEndsInAResult() throws Exception {
        String text;
        try (var in = RobustnessTest.class.getResourceAsStream("/syntax/everything.ptx")) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (int end = 0; end < text.length(); end++) {
            read(text.substring(0, end));
        }
        Random random = new Random(11);
        for (int i = 0; i < 500; i++) {
            int from = random.nextInt(text.length());
            int to = Math.min(text.length(), from + random.nextInt(40));
            read(text.substring(0, from) + text.substring(to));
        }
    }

    private static String body(String statements) {
        return ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {\n" + statements + "\nret;\n}\n";
    }

    private static List<DiagnosticCode> codes(String text) {
        return read(text).stream().map(Diagnostic::code).toList();
    }

    private static List<Diagnostic> read(String text) {
        return assertTimeoutPreemptively(SOON, () -> {
            Diagnostics diagnostics = new Diagnostics(new SourceFile("test.ptx", text));
            ModuleReader.read(diagnostics);
            diagnostics.all().forEach(Diagnostic::render);
            return diagnostics.all();
        });
    }
}
