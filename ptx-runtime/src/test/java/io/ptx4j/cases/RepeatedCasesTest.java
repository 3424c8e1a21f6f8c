package io.ptx4j.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Case files whose threads have to do with each other, again and again: in the long run a hundred times with 1, 2 and 8 workers on every
 * engine; otherwise once with 8, on engines in turn.
 */
final class RepeatedCasesTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int REPETITIONS = LONG ? 100 : 1;
    private static final List<Integer> WORKERS = LONG ? List.of(1, 2, 8) : List.of(8);
    private static final Path FOLDER = Path.of("src/test/resources/cases");
    private static final Set<Family> TOGETHER = EnumSet.of(Family.BARRIER, Family.ATOMIC, Family.WARP, Family.MBARRIER, Family.ASYNC_COPY, Family.MATRIX);
    /** Much longer than any case takes, even where a hundred processes share two processors. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @TestFactory
    List<DynamicTest> passEachTimeWithAnyNumberOfWorkers() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        int turn = 0;
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path path : files.filter(file -> file.toString().endsWith(".ptx")).sorted().toList()) {
                CaseFile file = CaseReader.read(path);
                // Checked cases run in one shape, and those about races with one worker.
                if (file.isWrong() || !file.checks().isEmpty() || !isConcurrent(file.check().module())) {
                    continue;
                }
                CaseEngine next = CaseEngine.values()[turn++ % CaseEngine.values().length];
                for (CaseEngine engine : LONG ? List.of(CaseEngine.values()) : List.of(next)) {
                    tests.add(dynamicTest(path.getFileName() + " on " + engine, () -> Assertions.assertTimeoutPreemptively(LIMIT, () -> repeat(file, engine))));
                }
            }
        }
        assertTrue(turn > 20, "few concurrent case files: " + turn);
        return tests;
    }

    private static void repeat(CaseFile file, CaseEngine engine) {
        for (int workers : WORKERS) {
            for (int i = 0; i < REPETITIONS; i++) {
                assertEquals(List.of(), CaseRunner.failures(file, engine.create(), workers), workers + " workers, repetition " + i);
            }
        }
    }

    private static boolean isConcurrent(Module module) {
        return Stream.concat(module.kernels().values().stream().map(kernel -> kernel.body()),
                        module.functions().values().stream().map(function -> function.body())).filter(Objects::nonNull)
                .flatMap((Body body) -> body.blocks().stream()).flatMap(block -> block.instructions().stream())
                .anyMatch(instruction -> TOGETHER.contains(instruction.family()));
    }
}
