package io.ptx4j.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Reads what ptxas said of forms and modules: one JSON object of strings a line (resources: isa/README.md). */
final class Verdicts {
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    private Verdicts() {
    }

    static List<Map<String, String>> read(String resource) throws IOException {
        try (var lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Verdicts.class.getResourceAsStream("/isa/" + resource)), StandardCharsets.UTF_8))) {
            return lines.lines().map(Verdicts::fields).toList();
        }
    }

    private static Map<String, String> fields(String line) {
        Map<String, String> fields = new HashMap<>();
        Matcher field = FIELD.matcher(line);
        while (field.find()) {
            fields.put(field.group(1), unescape(field.group(2)));
        }
        return fields;
    }

    private static String unescape(String text) {
        return ESCAPE.matcher(text).replaceAll(escape -> {
            String what = escape.group(1);
            return Matcher.quoteReplacement(switch (what.charAt(0)) {
                case 'n' -> "\n";
                case 't' -> "\t";
                case 'r' -> "\r";
                case 'f' -> "\f";
                case 'b' -> "\b";
                case 'u' -> String.valueOf((char) Integer.parseInt(what.substring(1), 16));
                default -> what;
            });
        });
    }
}
