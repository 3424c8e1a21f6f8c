package io.ptx4j.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseSession;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.KernelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Races between blocks that several threads of the host run at once: found each time, and only where there are any. */
final class RacesOfWorkersTest {
    private static final Path CASES = Path.of("src/test/resources/cases/checks");
    private static final int WORKERS = 4;
    private static final int TIMES = 10;

    @ParameterizedTest
    @ValueSource(strings = {"blocks", "scope", "flag_without_fence", "flag_without_acquire", "flag_without_release", "fence_of_block",
        "last_block_without_fence", "grid_barrier_of_one", "cluster"})
    void everyRunFindsTheRace(String name) throws IOException {
        CaseFile file = CaseReader.read(CASES.resolve("wrong/race_" + name + ".ptx"));
        for (int time = 0; time < TIMES; time++) {
            try (Device device = device(file); CaseSession session = new CaseSession(file, device)) {
                CaseSession.Prepared launch = session.prepare(file.launches().getFirst());
                KernelException failed = assertThrows(KernelException.class, launch::run);
                assertEquals(KernelException.Kind.RACE, failed.kind(), failed.getMessage());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"flags", "lock", "last_block", "counters", "same_value", "bytes", "grid_barrier", "cluster"})
    void noRunFindsARaceThatIsNone(String name) throws IOException {
        CaseFile file = CaseReader.read(CASES.resolve("right/" + name + ".ptx"));
        try (Device device = device(file); CaseSession session = new CaseSession(file, device)) {
            List<CaseSession.Prepared> launches = file.launches().stream().map(session::prepare).toList();
            for (int time = 0; time < TIMES; time++) {
                session.reset();
                launches.forEach(CaseSession.Prepared::run);
                assertEquals(List.of(), session.mismatches());
            }
        }
    }

    private static Device device(CaseFile file) {
        return Device.builder().workers(WORKERS).memory(1 << 20).checks(file.checks()).open();
    }
}
