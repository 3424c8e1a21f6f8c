package io.ptx4j.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The report format that JUnit's Ant task began and build servers read. */
final class JUnitXml {
    private JUnitXml() {
    }

    static void write(Path file, List<TestResult> results) throws IOException {
        long failed = results.stream().filter(result -> !result.failures().isEmpty()).count();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
            out.write("<testsuite name=\"ptx test\" tests=\"" + results.size() + "\" failures=\"" + failed
                    + "\" errors=\"0\" skipped=\"0\" time=\"" + seconds(results.stream().mapToLong(TestResult::nanos).sum()) + "\">\n");
            for (TestResult result : results) {
                out.write("  <testcase classname=\"" + escaped(result.engine()) + "\" name=\"" + escaped(result.file().toString())
                        + "\" time=\"" + seconds(result.nanos()) + "\"");
                if (result.failures().isEmpty()) {
                    out.write("/>\n");
                } else {
                    out.write(">\n    <failure message=\"" + escaped(result.failures().getFirst().lines().findFirst().orElse("")) + "\">"
                            + escaped(String.join("\n", result.failures())) + "</failure>\n  </testcase>\n");
                }
            }
            out.write("</testsuite>\n");
        }
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos * 1e-9);
    }

    /** Characters that XML does not allow at all become question marks. */
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\n' -> out.append("&#10;");
                case '\t' -> out.append("&#9;");
                default -> out.appendCodePoint(c < ' ' || c >= 0xD800 && c < 0xE000 || c == 0xFFFE || c == 0xFFFF ? '?' : c);
            }
        });
        return out.toString();
    }
}
