package io.ptx4j.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.waiting.Part;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Case files whose threads have to do with each other, again and again: in the long run a hundred times with 1, 2 and 8 workers on every
 * engine; otherwise once with 8, on engines in turn. The long run can be had in parts ({@link Part}).
 */
@Tag("thorough")
final class RepeatedCasesTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int REPETITIONS = LONG ? Integer.getInteger("ptx4j.repetitions", 100) : 1;
    private static final List<Integer> WORKERS = LONG ? List.of(1, 2, 8) : List.of(8);
    private static final Path FOLDER = Path.of("src/test/resources/cases");
    private static final Set<Family> TOGETHER = EnumSet.of(Family.BARRIER, Family.ATOMIC, Family.WARP, Family.MBARRIER, Family.ASYNC_COPY, Family.MATRIX);
    /** Much longer than any case takes, even where a hundred processes share two processors. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @TestFactory
    List<DynamicTest> passEachTimeWithAnyNumberOfWorkers() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        int turn = 0;
        int number = 0;
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path path : files.filter(file -> file.toString().endsWith(".ptx")).sorted().toList()) {
                CaseFile file = CaseReader.read(path);
                // Checked cases run in one shape, and those about races with one worker.
                if (file.isWrong() || !file.checks().isEmpty() || !isConcurrent(file.check().module())) {
                    continue;
                }
                CaseEngine next = CaseEngine.values()[turn++ % CaseEngine.values().length];
                for (CaseEngine engine : LONG ? List.of(CaseEngine.values()) : List.of(next)) {
                    for (int workers : WORKERS) {
                        if (Part.has(number++)) {
                            tests.add(dynamicTest(path.getFileName() + " on " + engine + " with " + workers + " workers",
                                    () -> Assertions.assertTimeoutPreemptively(LIMIT, () -> repeat(file, engine, workers))));
                        }
                    }
                }
            }
        }
        assertTrue(turn > 20, "few concurrent case files: " + turn);
        return tests;
    }

    /** Compiles a case once, and runs its launches again and again over the same buffers as they were at first. */
    private static void repeat(CaseFile file, CaseEngine engine, int workers) {
        try (Device device = Device.builder().engine(engine.create()).workers(workers).open(); CaseSession session = new CaseSession(file, device)) {
            List<CaseSession.Prepared> launches = file.launches().stream().map(session::prepare).toList();
            for (int i = 0; i < REPETITIONS; i++) {
                if (i > 0) {
                    session.reset();
                }
                assertEquals(List.of(), failures(file, session, launches), "repetition " + i);
            }
        }
    }

    private static List<String> failures(CaseFile file, CaseSession session, List<CaseSession.Prepared> launches) {
        try {
            launches.forEach(CaseSession.Prepared::run);
        } catch (KernelException failed) {
            String wrong = file.fault() == null ? failed.getMessage() : file.fault().mismatch(failed);
            return wrong == null ? List.of() : List.of(wrong);
        }
        return file.fault() == null ? session.mismatches() : List.of(file.fault().mismatch(null));
    }

    private static boolean isConcurrent(Module module) {
        return Stream.concat(module.kernels().values().stream().map(kernel -> kernel.body()),
                        module.functions().values().stream().map(function -> function.body())).filter(Objects::nonNull)
                .flatMap((Body body) -> body.blocks().stream()).flatMap(block -> block.instructions().stream())
                .anyMatch(instruction -> TOGETHER.contains(instruction.family()));
    }
}
