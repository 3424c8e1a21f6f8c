package io.ptx4j.recorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseException;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseRunner;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

    @Test
    void aLibraryThatIsNoDriverIsSaid() {
        var other = assertThrows(Gpu.GpuException.class, () -> new CudaGpu("libother.so", arena -> name -> Optional.empty()));
        assertEquals("libother.so is no CUDA driver: it has no function cuInit", other.getMessage());
    }

    @Test
    void aDriverThatFindsNoGpuIsSaid() {
        assertEquals("the CUDA driver libcuda.so.1 finds no GPU (cuInit: no CUDA-capable device is detected)", refusal(100));
        assertEquals("cuInit failed: system has unsupported display driver", refusal(803));
    }

    /** What is said where {@code cuInit} gives {@code status}. */
    private static String refusal(int status) {
        return assertThrows(Gpu.GpuException.class, () -> new CudaGpu("libcuda.so.1", arena -> new StubDriver(arena, status))).getMessage();
    }

    /** A driver that does not start. */
    @SuppressWarnings("restricted")
    private record StubDriver(Arena arena, int status) implements SymbolLookup {
        @Override
        public Optional<MemorySegment> find(String name) {
            try {
                return switch (name) {
                    case "cuInit" -> Optional.of(function("start", int.class));
                    case "cuGetErrorString" -> Optional.of(function("text", int.class, MemorySegment.class));
                    default -> Optional.empty();
                };
            } catch (ReflectiveOperationException wrong) {
                throw new AssertionError(wrong);
            }
        }

        int start(int flags) {
            return status;
        }

        int text(int status, MemorySegment pointer) {
            String text = status == 100 ? "no CUDA-capable device is detected" : "system has unsupported display driver";
            pointer.reinterpret(ValueLayout.ADDRESS.byteSize()).set(ValueLayout.ADDRESS, 0, arena.allocateFrom(text));
            return 0;
        }

        private MemorySegment function(String name, Class<?>... parameters) throws ReflectiveOperationException {
            MethodHandle method = MethodHandles.lookup().findVirtual(StubDriver.class, name, MethodType.methodType(int.class, parameters)).bindTo(this);
            MemoryLayout[] layouts = Arrays.stream(parameters).map(type -> type == int.class ? ValueLayout.JAVA_INT : ValueLayout.ADDRESS).toArray(MemoryLayout[]::new);
            return Linker.nativeLinker().upcallStub(method, FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts), arena);
        }
    }

    @Test
    void nothingIsWrittenOver() throws IOException {
        Path file = write(CASE.formatted(2));
        Files.createDirectories(folder.resolve("new"));
        try (Gpu gpu = new FakeGpu()) {
            var same = assertThrows(CaseException.class, () -> new Recorder(gpu, folder).record(CaseReader.read(file)));
            assertTrue(same.getMessage().endsWith("add.ptx is there already and is not written over"), same::getMessage);
            Files.writeString(folder.resolve("new/add.large.bin"), "other");
            var other = assertThrows(CaseException.class, () -> new Recorder(gpu, folder.resolve("new")).record(CaseReader.read(file)));
            assertTrue(other.getMessage().endsWith("add.large.bin is there already with other contents and is not written over"), other::getMessage);
        }
        assertEquals(CASE.formatted(2), Files.readString(file));
        assertEquals(List.of("add.large.bin"), names(folder.resolve("new")), "nothing of the case stays where one file cannot be written");
    }

    @Test
    void aFileThatCannotBeWrittenLeavesNothing() throws IOException {
        Path file = write(CASE.formatted(2));
        Files.createDirectories(folder.resolve("new/add.large.bin.part"));
        Files.write(folder.resolve("new/add.large.bin.part/full"), new byte[1]);
        try (Gpu gpu = new FakeGpu()) {
            assertThrows(IOException.class, () -> new Recorder(gpu, folder.resolve("new")).record(CaseReader.read(file)));
        }
        assertEquals(List.of("add.large.bin.part"), names(folder.resolve("new")));
    }

    @Test
    void halfWrittenFilesAreNamed() throws IOException {
        Path file = write(CASE.formatted(2));
        Files.write(folder.resolve("data.bin"), new byte[399]);
        assertTrue(refused(file).contains("data.bin has 399 bytes"));
        Files.delete(folder.resolve("data.bin"));
        assertTrue(refused(file).contains("data.bin"));
        String whole = CASE.formatted(2);
        write(whole.substring(0, whole.indexOf("red.global")));
        assertTrue(refused(file).contains("add.ptx"));
        assertTrue(Files.notExists(folder.resolve("new")));
    }

    private String refused(Path file) {
        try (Gpu gpu = new FakeGpu()) {
            return assertThrows(RuntimeException.class, () -> new Recorder(gpu, folder.resolve("new")).record(CaseReader.read(file))).getMessage();
        }
    }

    @Test
    void whatMustFailIsNotRun() throws IOException {
        String text = CASE.formatted(2).replaceFirst("// expect:.*", "// fault: out-of-bounds 31");
        assertTrue(refused(write(text)).contains("launches that must fail are not recorded"));
    }

    @Test
    void afterAFaultTheGpuIsUsedNoMore() throws IOException {
        Path file = write(CASE.formatted(2).replaceFirst("block=2", "block=1024"));
        try (Gpu gpu = new FakeGpu()) {
            var lost = assertThrows(Gpu.LostException.class, () -> new Recorder(gpu, folder.resolve("new")).record(CaseReader.read(file)));
            assertTrue(lost.getMessage().endsWith("an illegal memory access was encountered; the GPU runs nothing any more, so recording ends here"), lost::getMessage);
        }
        assertTrue(Files.notExists(folder.resolve("new")));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
