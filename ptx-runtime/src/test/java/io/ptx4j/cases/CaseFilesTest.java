package io.ptx4j.cases;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import io.ptx4j.engine.Engine;
import io.ptx4j.vector.RunsOfBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every case file of the project on every engine and code shape: in the long run with 1, 2 and 8 workers each, else with another number of workers
 * on each engine. The JIT, which runs neighbouring blocks in one call, also has three at a time.
 */
final class CaseFilesTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final List<Integer> WORKERS = List.of(1, 2, 8);
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
                        int turn = tests.size() % WORKERS.size();
                        for (int workers : LONG ? WORKERS : WORKERS.subList(turn, turn + 1)) {
                            tests.add(DynamicTest.dynamicTest(file.getFileName() + " on " + engine + " with " + workers + " workers",
                                    () -> passes(file, engine.create(), workers)));
                            if (engine != CaseEngine.INTERPRETER) {
                                tests.add(DynamicTest.dynamicTest(file.getFileName() + " on " + engine + " in runs of 3 blocks with " + workers + " workers",
                                        () -> passes(file, new RunsOfBlocks(engine.create(), 3), workers)));
                            }
                        }
                    }
                }
            }
        }
        return tests;
    }

    private static void passes(Path file, Engine engine, int workers) throws IOException {
        List<String> failures = CaseRunner.failures(CaseReader.read(file), engine, workers);
        if (!failures.isEmpty()) {
            fail(String.join("\n", failures));
        }
    }
}
