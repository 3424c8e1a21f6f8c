package io.ptx4j.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Opcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Walks docs/instructions.md, which {@link GeneratedDocsTest} holds to what the engines answer: no form of the arithmetic has a gap. */
final class ArithmeticCoverageTest {
    private static final Path PAGE = Path.of("../docs/instructions.md");

    @ParameterizedTest
    @EnumSource(names = {"INTEGER", "EXTENDED_PRECISION", "FLOATING_POINT", "HALF_PRECISION", "MIXED_PRECISION", "COMPARISON", "LOGIC", "DATA_MOVEMENT",
        "CONVERSION", "VIDEO", "SIMD_VIDEO"})
    void everyArithmeticFormRunsOnTheInterpreterAndOnBothShapes(Family family) throws IOException {
        String chapter = chapter(family);
        List<String> gaps = new ArrayList<>();
        int forms = 0;
        for (String group : chapter.split("(?=\n```\n\\S)")) {
            int end = group.indexOf("\n```\n\n");
            if (!group.startsWith("\n```\n") || end < 0) {
                continue;
            }
            String facts = group.substring(end + 6).lines().findFirst().orElse("");
            forms += (int) group.substring(5, end).lines().count();
            if (!facts.contains("runs everywhere") && !facts.contains("runs: interpreter, scalar, vector") || facts.contains("not ")) {
                gaps.add(group.strip());
            }
        }
        assertEquals(List.of(), gaps);
        assertEquals(forms(family).size(), forms, "forms in the chapter");
        forms(family).forEach(form -> assertTrue(chapter.contains("\n" + form.readable() + "\n"), form::readable));
    }

    private static String chapter(Family family) throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf("\n## " + family.chapter() + "\n");
        assertTrue(from >= 0, family::chapter);
        int to = page.indexOf("\n## ", from + 1);
        return page.substring(from, to < 0 ? page.length() : to);
    }

    private static List<Form> forms(Family family) {
        return List.of(Opcode.values()).stream().flatMap(opcode -> opcode.forms().stream()).filter(form -> form.family() == family).toList();
    }
}
