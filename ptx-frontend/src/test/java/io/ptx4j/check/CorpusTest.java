package io.ptx4j.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All PTX that nvcc made for the corpus passes the checker: both dialects, debug information, relocatable code. */
class CorpusTest {
    @TestFactory
    List<DynamicTest> everyFileOfTheCorpusIsAccepted() throws IOException, URISyntaxException {
        Path corpus = Path.of(CorpusTest.class.getResource("/corpus").toURI());
        try (Stream<Path> files = Files.list(corpus)) {
            List<DynamicTest> tests = files.filter(f -> f.toString().endsWith(".ptx") || f.toString().endsWith(".ptx.gz")).sorted()
                    .map(f -> DynamicTest.dynamicTest(f.getFileName().toString(), () -> {
                        CheckedModule checked = Checker.check(read(f));
                        assertEquals("", checked.ok() ? "" : checked.diagnostics().getFirst().render());
                    })).toList();
            assertTrue(tests.size() >= 120, "only " + tests.size() + " files");
            return tests;
        }
    }

    private static SourceFile read(Path file) throws IOException {
        if (!file.toString().endsWith(".gz")) {
            return SourceFile.read(file);
        }
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
            return new SourceFile(file.getFileName().toString(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
