package io.ptx4j.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.DiagnosticCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class DiagnosticCatalogueTest {
    @ParameterizedTest
    @EnumSource
    void theWrongExampleHasThatProblemAndTheRightOneNone(DiagnosticCode code) {
        if (code.wrong().isEmpty()) {
            assertEquals("", code.right(), "two examples or none");
            return;
        }
        List<Diagnostic> found = DiagnosticExample.check(code.wrong());
        assertEquals(List.of(code), found.stream().map(Diagnostic::code).distinct().toList(), found::toString);
        assertEquals(List.of(), DiagnosticExample.check(code.right()));
    }

    @Test
    void everyCodeHasACaseFile() throws IOException {
        Set<DiagnosticCode> without = EnumSet.allOf(DiagnosticCode.class);
        try (Stream<Path> files = Files.walk(Path.of("src/test/resources/cases"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".ptx")).toList()) {
                CaseReader.read(file).reported().stream().map(CaseFile.Reported::code).forEach(without::remove);
            }
        }
        assertTrue(without.isEmpty(), () -> "no case file under src/test/resources/cases has a line '// diagnostic: CODE LINE' for " + without);
    }
}
