package io.ptx4j.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Holds the checker to what ptxas accepts and refuses, module by module. Where the two differ on purpose,
 * {@code isa/differences.txt} says why.
 */
class ModulesTest {
    /** @param module a pattern of the module's text, blanks made single */
    private record Difference(Pattern module, String reason) {
    }

    private static final List<Difference> DIFFERENCES = new ArrayList<>();
    private static final Set<Difference> USED = new LinkedHashSet<>();
    private static final List<String> UNEXPLAINED = new ArrayList<>();

    @BeforeAll
    static void checkAllModules() throws IOException {
        try (var in = ModulesTest.class.getResourceAsStream("/isa/differences.txt")) {
            String reason = "";
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                if (line.startsWith("# ")) {
                    reason = line.substring(2);
                } else if (!line.isBlank()) {
                    DIFFERENCES.add(new Difference(Pattern.compile(line), reason));
                }
            }
        }
        for (String resource : List.of("modules.jsonl.gz", "declarations.jsonl.gz")) {
            for (Map<String, String> module : Verdicts.read(resource)) {
                judge(module);
            }
        }
    }

    private static void judge(Map<String, String> module) {
        boolean here = Checker.check(new SourceFile("judged", module.get("text"))).ok();
        if (here == module.get("verdict").equals("ok")) {
            return;
        }
        String text = module.get("text").replaceAll("\\s+", " ").strip();
        DIFFERENCES.stream().filter(difference -> difference.module.matcher(text).find()).findFirst()
                .ifPresentOrElse(USED::add, () -> UNEXPLAINED.add(
                        "ptxas says " + module.get("verdict") + " " + module.get("message") + " to: " + text));
    }

    @Test
    void everyModuleIsJudgedAsPtxasDoesOrTheReasonIsListed() {
        assertEquals(List.of(), UNEXPLAINED);
    }

    @Test
    void everyListedDifferenceExists() {
        assertEquals(List.of(), DIFFERENCES.stream().filter(difference -> !USED.contains(difference)).toList());
    }
}
