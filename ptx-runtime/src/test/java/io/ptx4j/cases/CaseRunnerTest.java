package io.ptx4j.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.runtime.EngineKind;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CaseRunnerTest {
    /** Copies element i of the second buffer to the first; one thread more than elements. */
    private static final String COPY = """
            .version 7.0
            .target sm_70
            .address_size 64
            .visible .entry copy(.param .u64 to, .param .u64 from)
            {
                .reg .u32 %r<3>;
                .reg .u64 %rd<5>;
                ld.param.u64 %rd1, [to];
                ld.param.u64 %rd2, [from];
                mov.u32 %r1, %tid.x;
                mul.wide.u32 %rd3, %r1, 4;
                add.u64 %rd1, %rd1, %rd3;
                add.u64 %rd2, %rd2, %rd3;
                ld.global.u32 %r2, [%rd2];
                st.global.u32 [%rd1], %r2;
                ret;
            }
            """;

    private static List<String> failures(Path folder, String... lines) {
        var source = new SourceFile("copy.ptx", String.join("\n", lines) + "\n" + COPY);
        return CaseRunner.failures(CaseReader.read(source, folder), EngineKind.INTERPRETER.create());
    }

    private static List<String> copied(String type, String contents, String expectation) {
        return failures(null, "// launch: copy grid=1 block=4", "// arg: to: buffer " + type + "[4] = zero",
                "// arg: from: buffer " + type + "[4] = " + contents, "// expect: to" + expectation);
    }

    @Test
    void aFaultMustComeAsTheCaseSays() {
        String[] lines = {"// launch: copy grid=1 block=5", "// arg: to: buffer u32[4] = zero", "// arg: from: buffer u32[4] = iota"};
        assertEquals(List.of(), failures(null, lines[0], lines[1], lines[2], "// fault: out-of-bounds 18 block=0 thread=4"));
        assertEquals(List.of(), failures(null, lines[0], lines[1], lines[2], "// fault: out-of-bounds 18"));
        String wrong = failures(null, lines[0], lines[1], lines[2], "// fault: misaligned 18 thread=3").getFirst();
        assertTrue(wrong.startsWith("copy.ptx:4:11: expected misaligned in line 18, thread (3,0,0), found out-of-bounds: copy.ptx:18: kernel copy"), wrong);
        assertEquals(List.of("copy.ptx:4:11: the launch did not fail; expected trap in line 9"),
                failures(null, lines[0].replace('5', '4'), lines[1], lines[2], "// fault: trap 9"));
    }

    @Test
    void expectationsAreCheckedBehindAFault() {
        String[] lines = {"// launch: copy grid=1 block=5", "// arg: to: buffer u32[8] = zero", "// arg: from: buffer u32[4] = iota", "// fault: out-of-bounds 19 thread=4"};
        assertEquals(List.of(), failures(null, lines[0], lines[1], lines[2], lines[3], "// expect: to[0..4] = 0, 1, 2, 3, 0"));
        assertEquals(List.of("copy.ptx:5:12: to[2] is 2 (0x00000002), expected 7 (0x00000007)"),
                failures(null, lines[0], lines[1], lines[2], lines[3], "// expect: to[0..3] = 0, 1, 7, 3"));
    }

    @Test
    void whatDiffersIsNamedWithBothValues() {
        assertEquals(List.of(), copied("u32", "iota", "[0..3] = 0, 1, 2, 3"));
        assertEquals(List.of("copy.ptx:4:12: to[1] is 1 (0x00000001), expected 7 (0x00000007)"), copied("u32", "iota", "[0..3] = 0, 7, 2, 3"));
        assertEquals(List.of("copy.ptx:4:12: to[0] is 5.0 (0x40a00000), expected 0.0 (0x00000000); to[1] is 5.0 (0x40a00000),"
                + " expected 0.0 (0x00000000); to[2] is 5.0 (0x40a00000), expected 0.0 (0x00000000); 1 more of 4"),
                copied("f32", "fill 5", " = zero"));
    }

    @Test
    void floatsMayBeOffOnlyAsFarAsAllowed() {
        assertEquals(List.of(), copied("f32", "fill 1.0000001", "[0] = 1.0 +- 1ulp"));
        assertEquals(1, copied("f32", "fill 1.0000002", "[0] = 1.0 ± 1ulp").size());
        assertEquals(List.of(), copied("f32", "fill -0.0", "[0] = 0.0 +- 0ulp"));
        assertEquals(1, copied("f32", "fill -0.0", "[0] = 0.0").size());
        assertEquals(List.of(), copied("f32", "fill 1.25", "[0..3] = fill 1 +- 0.25"));
        assertEquals(1, copied("f32", "fill 1.25", "[0] = 1 +- 0.2499").size());
        assertEquals(1, copied("f32", "fill nan", "[0] = 1 +- 1e30").size());
        assertEquals(1, copied("f32", "fill nan", "[0] = 1 +- 1000000000000ulp").size());
        assertEquals(List.of(), copied("f32", "fill 0xffc00001", "[0] = nan"));
        assertEquals(1, copied("f32", "fill 0", "[0] = nan").size());
    }

    @Test
    void randomContentsAreTheSameForEver() {
        assertEquals(List.of(), copied("b32", "random 7", " = 0x15665d82, 0x6726241f, 0x8b938622, 0xbe93d36b"));
    }

    @Test
    void contentsComeFromFilesNextToTheCase(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve("data.bin"), ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(9).putInt(8).putInt(7).putInt(6).array());
        String[] lines = {"// launch: copy grid=1 block=4", "// arg: to: buffer u32[4] = zero", "// arg: from: buffer u32[4] = @data.bin",
            "// expect: to = 9, 8, 7, 6", "// expect: from = @data.bin"};
        assertEquals(List.of(), failures(folder, lines));
        lines[2] = "// arg: from: buffer u32[5] = @data.bin";
        assertTrue(failures(folder, lines).getFirst().endsWith("data.bin has 16 bytes; 5 elements of u32 have 20"));
        lines[2] = "// arg: from: buffer u32[4] = @none.bin";
        assertTrue(failures(folder, lines).getFirst().startsWith("copy.ptx:3:31: there is no file "), failures(folder, lines).getFirst());
    }

    @Test
    void wrongLaunchesAndFaultsAreFailuresWithTheirPlace() {
        assertEquals(List.of("copy.ptx:1:12: kernel copy cannot be launched: 1 argument for 2 parameters: to (.u64), from (.u64)"),
                failures(null, "// launch: copy grid=1 block=4", "// arg: to: buffer u32[4] = zero"));
        assertEquals(List.of("copy.ptx:1:12: copy.ptx has no kernel 'coppy'; it has 'copy'"),
                failures(null, "// launch: coppy grid=1 block=4"));
        assertEquals(List.of("copy.ptx:2:9: there is no buffer, scalar or module variable x; define it as in 'x: buffer f32[100] = zero'"),
                failures(null, "// launch: copy grid=1 block=4", "// arg: x", "// arg: x"));
    }

    @ParameterizedTest
    @EnumSource
    void anOverrunOfTheLastBufferIsAFaultOnEveryEngine(EngineKind kind) {
        var source = new SourceFile("copy.ptx", "// launch: copy grid=1 block=5\n// arg: to: buffer u32[8] = zero\n"
                + "// arg: from: buffer u32[4] = zero\n" + COPY);
        List<String> overrun = CaseRunner.failures(CaseReader.read(source, null), kind.create());
        assertTrue(overrun.getFirst().startsWith("copy.ptx:1:12: copy.ptx:17: kernel copy, block (0,0,0), thread (4,0,0): ld.global.u32 of 4"
                + " bytes at 0x7f"), overrun.getFirst());
        assertTrue(overrun.getFirst().contains("is out of bounds; 0 bytes past the end of from (16 bytes at 0x7f"), overrun.getFirst());
    }

    @Test
    void aTextThatSaysNothingIsAFailure() {
        assertEquals(List.of("copy.ptx: no launch:, problem: or diagnostic: line, so there is nothing to test"), failures(null, "// words"));
    }

    @Test
    void problemsMustBeReportedExactly() {
        assertEquals(List.of("copy.ptx:1:13: was not reported: 3:1 something"), failures(null, "// problem: 3:1 something"));
    }

    @Test
    void theCodesThatALineNamesMustBeReportedThereAndNoOthers() {
        String wrong = ".version 7.0\n.target sm_70\n.global .u32 a = 1.5;\n";
        assertEquals(List.of(), wrong("// diagnostic: bad-initializer 4", wrong));
        assertEquals(List.of(), wrong("// diagnostic: bad-initializer 4 .u32", wrong));
        assertEquals(List.of("a.ptx:1:16: was not reported: bad-initializer in line 4: no such words"),
                wrong("// diagnostic: bad-initializer 4 no such words", wrong));
        List<String> elsewhere = wrong("// diagnostic: bad-initializer 3", wrong);
        assertEquals("a.ptx:1:16: was not reported: bad-initializer in line 3", elsewhere.get(0));
        assertTrue(elsewhere.get(1).startsWith("not expected: a.ptx:4:18: error: "), elsewhere.get(1));
    }

    private static List<String> wrong(String line, String text) {
        return CaseRunner.failures(CaseReader.read(new SourceFile("a.ptx", line + "\n" + text), null), EngineKind.INTERPRETER.create());
    }
}
