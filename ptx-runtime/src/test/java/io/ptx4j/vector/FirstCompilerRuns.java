package io.ptx4j.vector;

import io.ptx4j.cases.CaseException;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseSession;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.PtxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs case files in the vector shape until HotSpot has compiled what they do; started by {@link FirstCompilerTest}. */
final class FirstCompilerRuns {
    private FirstCompilerRuns() {
    }

    /** @param arguments how many times, then files */
    public static void main(String[] arguments) throws IOException {
        for (int k = 1; k < arguments.length; k++) {
            System.out.println(System.lineSeparator() + FirstCompilerTest.FILE + arguments[k]);
            run(Path.of(arguments[k]), Integer.parseInt(arguments[0]));
        }
        System.out.println(FirstCompilerTest.FILE);
    }

    private static void run(Path path, int times) throws IOException {
        CaseFile file = CaseReader.read(path);
        if (!file.isCase() || file.isWrong() || !file.checks().isEmpty() || file.fault() != null) {
            return;
        }
        try (Device device = Device.builder().engine(new Jit(Jit.Shape.VECTOR)).workers(1).open(); CaseSession session = new CaseSession(file, device)) {
            List<CaseSession.Prepared> launches = new ArrayList<>();
            for (CaseFile.Launch launch : file.launches()) {
                launches.add(session.prepare(launch));
            }
            long end = System.nanoTime() + 20_000_000_000L;
            for (int round = 0; round < times && System.nanoTime() < end; round++) {
                session.reset();
                launches.forEach(CaseSession.Prepared::run);
            }
        } catch (PtxException | CaseException | IllegalStateException failed) {
            // CaseFilesTest says whether cases pass.
            System.out.println("not run: " + failed.getMessage());
        }
    }
}
