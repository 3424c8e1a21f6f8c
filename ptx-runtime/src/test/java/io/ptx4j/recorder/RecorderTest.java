package io.ptx4j.recorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseException;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseRunner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecorderTest {
    private static final String CASE = """
            // Adds a number to each element and counts threads.
            // launch: add grid=1 block=4
            // arg: n: f32 = 0.5
            // arg: in: buffer f32[6] = 1, 2, nan, 4, 5, 6
            // arg: in + 8
            // arg: out: buffer f32[4] = zero
            // launch: add grid=1 block=%d
            // arg: n: f32 = 1
            // arg: in
            // arg: in
            // arg: large: buffer f32[100] = @data.bin
            // expect: out = 9, 9, 9, 9
            .version 8.0
            .target sm_80
            .address_size 64
            .global .u32 count;
            .visible .entry add(.param .f32 n, .param .u64 in, .param .u64 again, .param .u64 out)
            {
                .reg .b32 %%t;
                .reg .b64 %%a, %%b, %%d;
                .reg .f32 %%f, %%g;
                ld.param.u64 %%a, [in];
                ld.param.u64 %%b, [out];
                ld.param.f32 %%g, [n];
                mov.u32 %%t, %%tid.x;
                mul.wide.u32 %%d, %%t, 4;
                add.u64 %%a, %%a, %%d;
                add.u64 %%b, %%b, %%d;
                ld.global.f32 %%f, [%%a];
                add.f32 %%f, %%f, %%g;
                st.global.f32 [%%b], %%f;
                red.global.add.u32 [count], 1;
                exit;
            }
            """;

    @TempDir
    private Path folder;

    private Path write(String text) throws IOException {
        Files.write(folder.resolve("data.bin"), new byte[400]);
        return Files.writeString(folder.resolve("add.ptx"), text);
    }

    @Test
    void aRecordedCaseExpectsWhatTheGpuGave() throws IOException {
        Path file = write(CASE.formatted(2));
        Path recorded;
        try (Gpu gpu = new FakeGpu()) {
            recorded = new Recorder(gpu, folder.resolve("new")).record(CaseReader.read(file));
        }
        List<String> lines = Files.readAllLines(recorded);
        assertEquals(List.of("// Recorded on Fake GPU (compute capability 9.9), driver 0.0.",
                "// expect: out = 0x3fc00000, 0x40200000, 0x7fffffff, 0x40900000",
                "// expect: large = @add.large.bin",
                "// expect: count = 0x00000006"), lines.subList(11, 15));
        assertEquals(".version 8.0", lines.get(15));
        assertTrue(Files.exists(recorded.resolveSibling("data.bin")), "the case's own data lies beside it");
        for (CaseEngine engine : CaseEngine.values()) {
            assertEquals(List.of(), CaseRunner.failures(CaseReader.read(recorded), engine.create()));
        }
    }

    @Test
    void aDifferenceFromTheRecordedBitsFails() throws IOException {
        Path file = write(CASE.formatted(2));
        try (Gpu gpu = new FakeGpu()) {
            Path recorded = new Recorder(gpu, folder.resolve("new")).record(CaseReader.read(file));
            Files.writeString(recorded, Files.readString(recorded).replace("0x40200000", "0x40200001"));
            List<String> failures = CaseRunner.failures(CaseReader.read(recorded), CaseEngine.JIT_SCALAR.create());
            assertTrue(failures.getFirst().contains("out[1] is 2.5 (0x40200000)"), failures::toString);
        }
    }

    @Test
    void whatTheGpuRefusesIsNamed() throws IOException {
        Path file = write("// nothing to run\n" + CASE.substring(CASE.indexOf(".version")).formatted());
        try (Gpu gpu = new FakeGpu()) {
            assertThrows(CaseException.class, () -> new Recorder(gpu, folder).record(CaseReader.read(file)));
        }
    }

    @Test
    void aMissingDriverIsSaid() {
        var missing = assertThrows(Gpu.GpuException.class, () -> new CudaGpu("libno-such-driver.so"));
        assertEquals("there is no CUDA driver: libno-such-driver.so cannot be loaded; recording needs an NVIDIA GPU and its driver", missing.getMessage());
    }
}
