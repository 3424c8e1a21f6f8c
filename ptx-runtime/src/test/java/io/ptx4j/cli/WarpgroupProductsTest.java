package io.ptx4j.cli;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The products of {@code wgmma} that an H100 recorded, added up in the order of k as they are by default: the scalar shape, the vector shape, which makes them in tiles, and the interpreter
 * leave the same bits. {@code RecordedTest} has them add up as an H100 does.
 */
@Tag("thorough")
final class WarpgroupProductsTest {
    @TempDir
    private static Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        try (InputStream bytes = WarpgroupProductsTest.class.getResourceAsStream("/recorded/h100-warpgroup.zip"); ZipInputStream entries = new ZipInputStream(bytes)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                Files.copy(entries, folder.resolve(Path.of(entry.getName()).getFileName().toString()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"f32_f16", "f16_f16", "f32_f16_wild", "f32_bf16_wild", "f32_tf32", "f32_e4m3_e5m2", "f16_e4m3_e5m2_wild", "s32_u8_s8", "s32_sat", "b1", "sp_f16", "sp_s8"})
    void areTheSameOnAllEngines(String name) throws IOException {
        Path path = folder.resolve("wgmma-" + name + ".ptx");
        Files.writeString(path, Files.readString(path).replace("// matrix: hopper\n", ""));
        CaseFile file = CaseReader.read(path);
        EngineTrace interpreted = EngineTrace.of(file, CaseEngine.INTERPRETER);
        assertNull(interpreted.differenceTo(EngineTrace.of(file, CaseEngine.JIT_SCALAR)));
        assertNull(interpreted.differenceTo(EngineTrace.of(file, CaseEngine.JIT_VECTOR)));
    }
}
