package io.ptx4j.cases;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import io.ptx4j.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case file of the project on every engine and code shape. */
final class CaseFilesTest {
    private static final List<Path> FOLDERS = List.of(Path.of("../examples"), Path.of("src/test/resources/cases"));

    @TestFactory
    List<DynamicTest> everyCaseFilePassesOnEveryEngineAndShape() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(folder)) {
                List<Path> cases = files.filter(file -> file.toString().endsWith(".ptx")).sorted().toList();
                assertFalse(cases.isEmpty(), "no case file in " + folder.toAbsolutePath());
                for (Path file : cases) {
                    CaseFile read = CaseReader.read(file);
                    // No engine runs a text that must not compile, and checked kernels have no vector shape.
                    CaseEngine[] engines = read.isWrong() ? new CaseEngine[] {CaseEngine.INTERPRETER} : read.checks().isEmpty() ? CaseEngine.values()
                            : new CaseEngine[] {CaseEngine.JIT_SCALAR, CaseEngine.INTERPRETER};
                    for (CaseEngine engine : engines) {
                        tests.add(DynamicTest.dynamicTest(file.getFileName() + " on " + engine, () -> passes(file, engine.create())));
                    }
                }
            }
        }
        return tests;
    }

    private static void passes(Path file, Engine engine) throws IOException {
        List<String> failures = CaseRunner.failures(CaseReader.read(file), engine);
        if (!failures.isEmpty()) {
            fail(String.join("\n", failures));
        }
    }
}
