package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.syntax.SourceFile;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks whose rows are padded in the vector shape: 18 by 6 threads, in two blocks. */
final class PaddedRowsTest {
    private static final BlockShape BLOCK = new BlockShape(18, 6, 1);

    /** A stencil over a tile in shared memory of as many columns as the block; {@code middle} stands before its barrier, with the element's address in %d1 and the tile's in %r5. */
    private static String tile(String before, String middle, String behind) {
        return """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                  .reg .pred %%p<9>;
                  .reg .b32 %%r<40>;
                  .reg .b64 %%d<9>;
                  .shared .align 4 .b8 tile[1024];
                  ld.param.u64 %%d0, [out];
                  mov.u32 %%r1, %%tid.x;
                  mov.u32 %%r2, %%tid.y;
                  mov.u32 %%r3, %%ntid.x;
                  mov.u32 %%r6, %%ctaid.x;
                  mad.lo.u32 %%r4, %%r2, %%r3, %%r1;
                  %s
                  mad.lo.u32 %%r7, %%r6, 108, %%r4;
                  mul.wide.u32 %%d2, %%r7, 4;
                  add.s64 %%d1, %%d0, %%d2;
                  mov.u32 %%r5, tile;
                  shl.b32 %%r8, %%r4, 2;
                  add.u32 %%r5, %%r5, %%r8;
                  ld.global.u32 %%r9, [%%d1];
                  st.shared.u32 [%%r5], %%r9;
                  %s
                  bar.sync 0;
                  ld.shared.u32 %%r10, [%%r5];
                  ld.shared.u32 %%r11, [%%r5+4];
                  ld.shared.u32 %%r12, [%%r5+72];
                  mad.lo.u32 %%r10, %%r10, 31, %%r11;
                  mad.lo.u32 %%r10, %%r10, 31, %%r12;
                  mad.lo.u32 %%r10, %%r10, 31, %%r3;
                  %s
                  st.global.u32 [%%d1], %%r10;
                END:
                  ret;
                }
                """.formatted(before, middle, behind);
    }

    private static int[] run(Engine engine, String text) {
        try (Device device = Shapes.device(engine)) {
            int[] values = new int[400];
            for (int i = 0; i < values.length; i++) {
                values[i] = i * 0x9E37_79B1;
            }
            DeviceBuffer out = device.copyOf(values);
            device.load("k.ptx", text).kernel("k").grid(2).block(18, 6).launch(out);
            return out.toInts();
        }
    }

    private static boolean padded(String text) {
        Module module = Checker.check(new SourceFile("k.ptx", text)).module();
        byte[] bytes = new Jit(Jit.Shape.VECTOR).classOf(new Program(module, new long[module.variableCount()], 0), module.kernels().get("k"), BLOCK).bytes();
        return new String(bytes, StandardCharsets.ISO_8859_1).contains("present");
    }

    @Test
    void aTileOfAsManyColumnsAsTheBlockLeavesTheSame() {
        String text = tile("", "", "");
        assertTrue(padded(text));
        Shapes.assertAgree(engine -> run(engine, text), text, Jit.Shape.VECTOR, Jit.Shape.AUTO);
    }

    /** Some threads have ended, or wait at another barrier: who they are is then known of each. */
    @ParameterizedTest
    @ValueSource(strings = {"setp.gt.u32 %p1, %r4, 60; @%p1 bra END;", "setp.eq.u32 %p1, %r2, 3; @%p1 bra END;", "setp.gt.u32 %p1, %r1, 15; @%p1 bra END;", "setp.eq.u32 %p1, %r6, 1; @%p1 bra END;"})
    void threadsThatEndBeforeTheBarrierAreNotWaitedFor(String exit) {
        String text = tile("", exit, "");
        assertTrue(padded(text));
        Shapes.assertAgree(engine -> run(engine, text), text, Jit.Shape.VECTOR);
    }

    @Test
    void placesWithoutThreadsAreNotCountedWhereThreadsWaitForEver() {
        String text = tile("", "setp.gt.u32 %p1, %r2, 3; @%p1 bar.sync 1;", "");
        assertTrue(padded(text));
        String failure = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text), text);
        assertTrue(failure.contains("72") && failure.contains("36"), failure);
    }

    /** Atomics give back what the order of threads makes of them. */
    @Test
    void threadsComeInTheirOrder() {
        String text = tile("", "", "atom.global.add.u32 %r13, [%d0+1500], %r1;\nmad.lo.u32 %r10, %r10, 31, %r13;");
        assertTrue(padded(text));
        Shapes.assertAgree(engine -> run(engine, text), text, Jit.Shape.VECTOR);
    }

    @Test
    void aFaultNamesTheThread() {
        String text = tile("", "setp.eq.u32 %p1, %r4, 75;\n@%p1 ld.global.u32 %r9, [%d1+0x10000000];", "");
        assertTrue(padded(text));
        String failure = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text), text);
        assertTrue(failure.contains("thread (3,4,0)"), failure);
    }

    /** What hangs on a thread's number in its block keeps the block as it is. */
    @ParameterizedTest
    @ValueSource(strings = {"mov.u32 %r13, %laneid;", "mov.u32 %r13, %warpid;", "bar.red.popc.u32 %r13, 0, %p1;", "activemask.b32 %r13;", "shfl.sync.idx.b32 %r13, %r10, 3, 31, -1;"})
    void numbersOfThreadsKeepTheBlockAsItIs(String instruction) {
        String text = tile("", "", "setp.gt.u32 %p1, %r1, 7;\n" + instruction + "\nmad.lo.u32 %r10, %r10, 31, %r13;");
        assertFalse(padded(text), text);
        Shapes.assertAgree(engine -> run(engine, text), text, Jit.Shape.VECTOR);
    }

    /** Where one of several waiting threads fails, they are told apart by their numbers. */
    @Test
    void threadsThatWaitForOthersKeepTheBlockAsItIs() {
        String text = tile("", "", "atom.global.add.u32 %r14, [%d0+1504], 1;\nWAIT: ld.volatile.global.u32 %r13, [%d0+1500];\nsetp.eq.u32 %p1, %r13, 7;\n@%p1 bra WAIT;");
        assertFalse(padded(text), text);
        Shapes.assertAgree(engine -> run(engine, text), text, Jit.Shape.VECTOR);
    }

    @Test
    void theLaunchSaysHowManyThreadsARowHas() {
        int[] left = run(new Jit(Jit.Shape.VECTOR), tile("", "", "mov.u32 %r10, %ntid.x;"));
        assertEquals(18, left[0]);
        assertEquals(18, left[2 * 108 - 1]);
    }
}
