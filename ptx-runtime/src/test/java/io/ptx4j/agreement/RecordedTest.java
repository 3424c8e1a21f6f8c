package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseRunner;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Replays on every engine what GPUs gave: each archive in {@code src/test/resources/recorded}, as {@code tools/record/record.sh} makes it. */
final class RecordedTest {
    private static final Path ARCHIVES = Path.of("src/test/resources/recorded");

    @TempDir
    private static Path folder;

    @TestFactory
    List<DynamicTest> everyEngineGivesWhatGpusGave() throws IOException {
        try (Stream<Path> found = Files.list(ARCHIVES)) {
            return found.filter(path -> path.toString().endsWith(".zip")).sorted()
                    .flatMap(archive -> Stream.of(CaseEngine.values()).map(engine -> DynamicTest.dynamicTest(
                            archive.getFileName() + " on " + engine, () -> replay(unpacked(archive), engine)))).toList();
        }
    }

    /** The set itself runs, so that only the GPU is missing where it is recorded. */
    @Test
    void theRecordSetRuns() throws IOException {
        Path set = folder.resolve("set");
        RecordSet.main(new String[] {set.toString()});
        try (Stream<Path> files = Files.list(set)) {
            List<Path> cases = files.filter(path -> path.toString().endsWith(".ptx")).sorted().toList();
            assertTrue(cases.size() > 400, () -> cases.size() + " cases");
            for (int i = 0; i < cases.size(); i += 40) {
                CaseFile file = CaseReader.read(cases.get(i));
                assertTrue(file.isCase(), file.source().name());
                passes(file, CaseEngine.JIT_SCALAR);
            }
        }
    }

    private static Path unpacked(Path archive) throws IOException {
        Path target = folder.resolve(archive.getFileName().toString());
        if (Files.exists(target)) {
            return target;
        }
        Files.createDirectories(target);
        try (InputStream bytes = Files.newInputStream(archive); ZipInputStream entries = new ZipInputStream(bytes)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                if (!entry.isDirectory()) {
                    Files.copy(entries, target.resolve(Path.of(entry.getName()).getFileName().toString()));
                }
            }
        }
        return target;
    }

    private static void replay(Path cases, CaseEngine engine) throws IOException {
        int ran = 0;
        try (Stream<Path> files = Files.list(cases)) {
            for (Path path : files.filter(file -> file.toString().endsWith(".ptx")).sorted().toList()) {
                CaseFile file = CaseReader.read(path);
                assertFalse(file.expectations().isEmpty(), () -> path + " expects nothing");
                passes(file, engine);
                ran++;
            }
        }
        assertTrue(ran > 0, cases + " holds no case");
    }

    private static void passes(CaseFile file, CaseEngine engine) {
        List<String> failures = CaseRunner.failures(file, engine.create());
        if (!failures.isEmpty()) {
            fail(String.join("\n", failures));
        }
    }
}
