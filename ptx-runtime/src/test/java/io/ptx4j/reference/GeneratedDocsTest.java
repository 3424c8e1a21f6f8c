package io.ptx4j.reference;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs that are made from tables of the program. With {@code -Dptx4j.docs=write}, which the profile
 * {@code reference} sets, they are written; otherwise they must be what would be written.
 */
final class GeneratedDocsTest {
    static final String COMMAND = "mvn -q -Preference test";

    private static final Path DOCS = Path.of("../docs");
    private static final boolean WRITE = "write".equals(System.getProperty("ptx4j.docs"));

    /** The lines under the title of a generated page. */
    static String notice(String source) {
        return "<!-- Made from " + source + " by: " + COMMAND + " -->\n\n";
    }

    @Test
    void thePagesOfDiagnosticsAreUpToDate() throws IOException {
        upToDate(DiagnosticPages.all());
    }

    @Test
    void theReferenceOfInstructionsIsUpToDate() throws IOException {
        upToDate(Map.of("instructions.md", InstructionReference.text()));
    }

    private static void upToDate(Map<String, String> pages) throws IOException {
        List<String> stale = new ArrayList<>();
        for (var page : pages.entrySet()) {
            Path file = DOCS.resolve(page.getKey());
            if (WRITE) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, page.getValue());
            } else if (!Files.exists(file) || !Files.readString(file).equals(page.getValue())) {
                stale.add("docs/" + page.getKey());
            }
        }
        if (!stale.isEmpty()) {
            fail(String.join(", ", stale) + " out of date; to write what is made from tables again: " + COMMAND);
        }
    }
}
