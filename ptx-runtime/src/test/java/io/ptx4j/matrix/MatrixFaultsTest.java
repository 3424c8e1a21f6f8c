package io.ptx4j.matrix;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.runtime.UnsupportedPtxException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong at a matrix instruction is named with its place, and nothing hangs. */
final class MatrixFaultsTest {
    private static final String HEAD = """
            .version 9.0
            .target sm_120a
            .address_size 64
            .shared .align 16 .b8 area[2048];
            .visible .entry k()
            {
            .reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p; .reg .f32 %f<8>; .reg .b16 %h<2>;
            mov.u32 %r0, %tid.x; mov.u64 %rd0, area; mov.u32 %r1, area;
            """;
    private static final String MMA = "mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%r2, %r3}, {%r4}, {%r5}, {%r6, %r7};\n";

    private static String message(CaseEngine engine, int threads, String body) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 24).open();
                PtxModule module = device.load("t.ptx", HEAD + body + "exit;\n}\n")) {
            return assertThrows(KernelException.class, () -> module.kernel("k").grid(1).block(threads).timeout(Duration.ofSeconds(20)).launch())
                    .getMessage();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWarpOfFewerThreadsIsNamed(CaseEngine engine) {
        String message = message(engine, 33, MMA);
        assertTrue(message.startsWith("t.ptx:9: kernel k, block (0,0,0), thread (32,0,0): 'mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32' needs all "
                + "32 threads of a warp; lanes 0xfffffffe have ended or never were"), message);
    }

    @ParameterizedTest
    @EnumSource
    void lanesThatHaveEndedAreNamed(CaseEngine engine) {
        String message = message(engine, 32, "setp.lt.u32 %p, %r0, 4;\n@%p exit;\n" + MMA);
        assertTrue(message.contains("needs all 32 threads of a warp; lanes 0x0000000f have ended or never were"), message);
    }

    @ParameterizedTest
    @EnumSource
    void halvesOfAWarpAtTwoInstructionsWaitInVain(CaseEngine engine) {
        String message = message(engine, 32,
                "setp.lt.u32 %p, %r0, 16;\n@%p bra L;\n" + MMA + "exit;\nL:\n" + MMA.replace("u8", "s8"));
        assertTrue(message.contains("wait"), message);
    }

    @ParameterizedTest
    @EnumSource
    void aRowBehindSharedMemoryIsNamedWithItsThread(CaseEngine engine) {
        String message = message(engine, 32, "mul.lo.u32 %r2, %r0, 1024; add.u32 %r1, %r1, %r2;\n"
                + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r1];\n");
        assertTrue(message.startsWith("t.ptx:10: kernel k, block (0,0,0), thread (2,0,0): ldmatrix.sync.aligned.m8n8.x1.shared.b16 of 16 bytes at "
                + "offset 2048 of shared memory is out of bounds"), message);
    }

    @ParameterizedTest
    @EnumSource
    void aRowThatIsNotAlignedIsNamed(CaseEngine engine) {
        String message = message(engine, 32, "add.u32 %r1, %r1, 8;\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r3};\n");
        assertTrue(message.contains("thread (0,0,0)") && message.contains("aligned"), message);
    }

    @ParameterizedTest
    @EnumSource
    void aMatrixBehindSharedMemoryIsNamed(CaseEngine engine) {
        String message = message(engine, 32, "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%rd0], 64;\n");
        assertTrue(message.startsWith("t.ptx:9: kernel k, block (0,0,0), thread (0,0,0): wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 of 4 bytes "
                + "at offset 2048 of shared memory is out of bounds"), message);
    }

    @ParameterizedTest
    @EnumSource
    void aStrideThatCutsWordsIsNamed(CaseEngine engine) {
        String message = message(engine, 32, "wmma.load.a.sync.aligned.row.m8n8k32.shared.s4 {%r2}, [%rd0], 36;\n");
        assertTrue(message.contains("stride 36 of 'wmma.load.a.sync.aligned.row.m8n8k32.shared.s4' is not a multiple of 8"), message);
    }

    @ParameterizedTest
    @EnumSource
    void aSelectorThatSelectsNothingIsNamed(CaseEngine engine) {
        String message = message(engine, 32, "mov.u16 %h0, 1; mov.u16 %h1, 0;\n"
                + "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 {%f0, %f1, %f2, %f3}, "
                + "{%r2, %r3, %r4, %r5}, {%r6, %r7}, {%f0, %f1, %f2, %f3}, %r8, {%h0, %h1}, %r9, {%h1, %h1};\n");
        assertTrue(message.contains("byte-id-a 1 of 'mma.sync") && message.contains("is not one of 0 to 2 in steps of 2"), message);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotThereOfTheFifthGenerationIsNamed(CaseEngine engine) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 24).open();
                PtxModule module = device.load("t.ptx", HEAD.replace("sm_120a", "sm_100a") + "tcgen05.shift.cta_group::1.down [%r1];\nexit;\n}\n")) {
            String message = assertThrows(UnsupportedPtxException.class, () -> module.kernel("k").grid(1).block(128).launch()).getMessage();
            assertTrue(message.contains("t.ptx:9") && message.contains("tcgen05.shift"), message);
        }
    }
}
