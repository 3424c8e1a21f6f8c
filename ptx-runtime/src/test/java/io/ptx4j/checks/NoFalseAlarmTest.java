package io.ptx4j.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseRunner;
import io.ptx4j.engine.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The case files that are about something else, in checked mode: they run clean. */
@Tag("thorough")
final class NoFalseAlarmTest {
    private static final List<Path> FOLDERS = List.of(Path.of("../examples"), Path.of("src/test/resources/cases"));

    /** Cases with a finding that is none of their business, and the check that finds it. */
    private static final Map<String, Set<Check>> TRUE_FINDINGS = Map.of(
            // Exchanges what nobody has written; sends eight bytes that nobody has written.
            "b128.ptx", EnumSet.of(Check.INITIALIZATION), "cluster_async.ptx", EnumSet.of(Check.INITIALIZATION),
            // All threads write the same to one place and read it back.
            "b128_ordered.ptx", EnumSet.of(Check.RACES),
            // Where t | m and the like are one number for several threads these write different values to one word, of which engines keep the last.
            "shared_bits.ptx", EnumSet.of(Check.RACES),
            // All threads store the same in the middle of words that all of them load, and load it.
            "one_base_words_for_all.ptx", EnumSet.of(Check.RACES), "one_base_tuples_for_all.ptx", EnumSet.of(Check.RACES));

    /** The engines take turns, so that each file runs once. */
    @TestFactory
    List<DynamicTest> noCaseFileIsFoundWrongThatIsRight() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".ptx")).sorted().toList()) {
                    CaseFile read = CaseReader.read(file);
                    if (!read.isWrong() && read.fault() == null && read.checks().isEmpty()) {
                        CaseEngine engine = tests.size() % 4 == 0 ? CaseEngine.INTERPRETER : CaseEngine.JIT_SCALAR;
                        Set<Check> checks = EnumSet.allOf(Check.class);
                        checks.removeAll(TRUE_FINDINGS.getOrDefault(file.getFileName().toString(), Set.of()));
                        tests.add(DynamicTest.dynamicTest(file.getFileName() + " on " + engine,
                                () -> assertEquals(List.of(), CaseRunner.failures(read, engine.create(), checks))));
                    }
                }
            }
        }
        assertTrue(tests.size() > 50, tests.size() + " cases");
        return tests;
    }
}
