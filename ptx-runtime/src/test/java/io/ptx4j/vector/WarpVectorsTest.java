package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.syntax.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Warp operations in the vector shape, where no thread stops for them, against the interpreter. */
final class WarpVectorsTest {
    private static final int RESULTS = 48;

    /** Ends threads from {@code n} on. */
    private static String kernel(String body) {
        return """
                .version 8.6
                .target sm_100a
                .address_size 64
                .visible .entry k(.param .u32 n, .param .u64 out)
                {
                  .reg .pred %%p<9>;
                  .reg .b32 %%r<40>;
                  .reg .f32 %%f<4>;
                  .reg .b64 %%d<9>;
                  ld.param.u32 %%r0, [n];
                  ld.param.u64 %%d0, [out];
                  cvta.to.global.u64 %%d0, %%d0;
                  mov.u32 %%r1, %%tid.x;
                  mov.u32 %%r3, %%ntid.x;
                  mad.lo.u32 %%r4, %%r1, 0x9E3779B1, 12345;
                  and.b32 %%r5, %%r4, 7;
                  mov.b32 %%f1, %%r4;
                  setp.ge.u32 %%p0, %%r1, %%r0;
                  @%%p0 ret;
                  setp.gt.s32 %%p1, %%r4, 0;
                  activemask.b32 %%r6;
                  mul.wide.u32 %%d1, %%r1, 4;
                  add.s64 %%d1, %%d0, %%d1;
                  mul.wide.u32 %%d2, %%r3, 4;
                %s
                  ret;
                }
                """.formatted(body);
    }

    private static String put(String register) {
        return "  st.global.u32 [%d1], " + register + ";\n  add.s64 %d1, %d1, %d2;\n";
    }

    private static final String PREDICATE = "  selp.b32 %r11, 1, 0, %p2;\n" + put("%r11");

    private static List<String> shuffles() {
        List<String> kernels = new ArrayList<>();
        for (String mode : new String[] {"up", "down", "bfly", "idx"}) {
            StringBuilder text = new StringBuilder();
            for (int b : new int[] {0, 1, 5, 8, 16, 31}) {
                for (String c : mode.equals("up") ? new String[] {"0", "0x1800"} : new String[] {"31", "0x1807"}) {
                    text.append("  shfl.sync.%s.b32 %%r10|%%p2, %%r4, %d, %s, -1;\n".formatted(mode, b, c)).append(put("%r10")).append(PREDICATE);
                }
            }
            String c = mode.equals("up") ? "0" : "31";
            text.append("  shr.u32 %r12, %r3, 5;\n");
            text.append("  shfl.sync.%s.b32 %%r10|%%p2, %%r4, %%r12, %s, %%r6;\n".formatted(mode, c)).append(put("%r10")).append(PREDICATE);
            text.append("  shfl.sync.%s.b32 %%r10|%%p2, %%f1, %%r5, %s, %%r6;\n".formatted(mode, c)).append(put("%r10")).append(PREDICATE);
            text.append("  shfl.sync.%s.b32 %%r10|%%p2, %%r4, %%r5, %%r5, -1;\n".formatted(mode)).append(put("%r10")).append(PREDICATE);
            kernels.add(kernel(text.toString()));
        }
        return kernels;
    }

    private static String others() {
        StringBuilder text = new StringBuilder();
        for (String vote : new String[] {"all", "any", "uni"}) {
            text.append("  vote.sync.%s.pred %%p2, %%p1, %%r6;\n".formatted(vote)).append(PREDICATE);
            text.append("  vote.sync.%s.pred %%p2, !%%p0, -1;\n".formatted(vote)).append(PREDICATE);
        }
        text.append("  vote.sync.ballot.b32 %r10, %p1, -1;\n").append(put("%r10")).append(put("%r6"));
        for (String form : new String[] {"add.u32", "min.s32", "max.s32", "min.u32", "max.u32", "and.b32", "or.b32", "xor.b32"}) {
            text.append("  redux.sync.%s %%r10, %%r4, %%r6;\n".formatted(form)).append(put("%r10"));
        }
        for (String form : new String[] {"min", "max.abs", "min.NaN", "max.abs.NaN"}) {
            text.append("  redux.sync.%s.f32 %%f2, %%f1, %%r6;\n  mov.b32 %%r10, %%f2;\n".formatted(form)).append(put("%r10"));
        }
        text.append("  match.any.sync.b32 %r10, %r5, %r6;\n").append(put("%r10"));
        text.append("  mov.b64 %d3, {%r5, %r5};\n  match.any.sync.b64 %r10, %d3, -1;\n").append(put("%r10"));
        text.append("  match.all.sync.b32 %r10|%p2, %r5, -1;\n").append(put("%r10")).append(PREDICATE);
        text.append("  match.all.sync.b32 %r10|%p2, %r3, %r6;\n").append(put("%r10")).append(PREDICATE);
        text.append("  elect.sync %r10|%p2, %r6;\n").append(put("%r10")).append(PREDICATE);
        text.append("  bar.warp.sync %r6;\n");
        return kernel(text.toString());
    }

    /** Blocks whose last warp is not full, and warps of which some threads have ended. */
    @ParameterizedTest
    @CsvSource({"64, 64", "64, 50", "64, 3", "40, 40", "40, 33", "96, 1", "16, 16", "7, 5", "1, 1", "256, 255"})
    void wholeAndPartialWarpsGetWhatTheInterpreterGivesThem(int threads, int n) {
        List<String> kernels = new ArrayList<>(shuffles());
        kernels.add(others());
        for (String text : kernels) {
            assertArrayEquals(run(new Interpreter(), text, threads, n), run(new Jit(Jit.Shape.VECTOR), text, threads, n), text);
        }
    }

    /** A shuffle in a loop that all threads of a warp leave together, and a vote that decides when. */
    @Test
    void warpOperationsInUniformLoopsGiveTheSame() {
        String text = kernel("""
                  mov.u32 %r12, 16;
                LOOP:
                  shfl.sync.bfly.b32 %r10, %r4, %r12, 31, -1;
                  add.u32 %r4, %r4, %r10;
                  shr.u32 %r12, %r12, 1;
                  setp.ne.u32 %p3, %r12, 0;
                  @%p3 bra LOOP;
                AGAIN:
                  shfl.sync.down.b32 %r10, %r4, 1, 31, -1;
                  mad.lo.u32 %r4, %r10, 5, %r1;
                  setp.lt.u32 %p4, %r4, 0xE0000000;
                  vote.sync.all.pred %p3, %p4, -1;
                  @%p3 bra AGAIN;
                """ + put("%r4"));
        assertArrayEquals(run(new Interpreter(), text, 96, 96), run(new Jit(Jit.Shape.VECTOR), text, 96, 96));
    }

    @Test
    void noThreadStopsForThem() {
        List<String> kernels = new ArrayList<>(shuffles());
        kernels.add(others());
        for (String text : kernels) {
            Module module = Checker.check(new SourceFile("k.ptx", text)).module();
            Program program = new Program(module, new long[module.variableCount()], 0);
            assertEquals(Optional.of(List.of()), new Jit().laneByLane(program, module.kernels().get("k"), new BlockShape(64, 1, 1))
                    .map(all -> all.stream().filter(i -> !i.spelling().text().startsWith("st.")).toList()), text);
        }
    }

    @Test
    void aMemberMaskWithoutTheOwnLaneFailsAsInTheScalarShape() {
        String text = kernel("  shfl.sync.down.b32 %r10, %r4, 1, 31, 0x7FFF;\n" + put("%r10"));
        KernelException expected = assertThrows(KernelException.class, () -> run(new Jit(Jit.Shape.SCALAR), text, 64, 64));
        KernelException found = assertThrows(KernelException.class, () -> run(new Jit(Jit.Shape.VECTOR), text, 64, 64));
        assertEquals(expected.getMessage(), found.getMessage());
        assertTrue(found.getMessage().contains("thread (15,"), found.getMessage());
    }

    private static int[] run(Engine engine, String text, int threads, int n) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(16 << 20).open()) {
            DeviceBuffer out = device.allocateInts((long) RESULTS * threads);
            device.load(Checker.check(new SourceFile("k.ptx", text)).module()).kernel("k").grid(1).block(threads).launch(n, out);
            return out.toInts();
        }
    }
}
