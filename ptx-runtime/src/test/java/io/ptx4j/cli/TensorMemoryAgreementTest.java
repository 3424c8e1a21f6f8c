package io.ptx4j.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What Triton makes of a kernel for sm_100, with products in tensor memory, and for sm_90, with {@code mma} or {@code wgmma}: with sums in the order of k both leave the same bits, on every
 * engine. That holds layouts of matrices and scale factors to those of another compiler.
 */
@Tag("thorough")
final class TensorMemoryAgreementTest {
    @TempDir
    private static Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        for (String archive : List.of("/recorded/h100-triton.zip", "/programs/triton.sm_100.zip")) {
            try (InputStream bytes = TensorMemoryAgreementTest.class.getResourceAsStream(archive); ZipInputStream entries = new ZipInputStream(bytes)) {
                for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                    Files.copy(entries, folder.resolve(Path.of(entry.getName()).getFileName().toString()));
                }
            }
        }
    }

    private static CaseFile file(String name, int target) throws IOException {
        Path path = folder.resolve("triton-" + name + ".sm_" + target + ".ptx");
        Files.writeString(path, Files.readString(path).replace("// matrix: hopper\n", ""));
        return CaseReader.read(path);
    }

    @ParameterizedTest
    @CsvSource({"matmul_f16, c", "matmul_f16_w8, c", "matmul_tf32, c", "matmul_s8, c", "matmul_e4m3, c", "scaled, c", "attention, o"})
    void leavesWhatHopperLeaves(String name, String result) throws IOException {
        byte[] expected = EngineTrace.of(file(name, 90), CaseEngine.JIT_SCALAR).states().getLast().get(result).bytes();
        CaseFile file = file(name, 100);
        EngineTrace scalar = EngineTrace.of(file, CaseEngine.JIT_SCALAR);
        assertNull(scalar.failure());
        assertArrayEquals(expected, scalar.states().getLast().get(result).bytes());
        assertNull(scalar.differenceTo(EngineTrace.of(file, CaseEngine.INTERPRETER)));
    }
}
