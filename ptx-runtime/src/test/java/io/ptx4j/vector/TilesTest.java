package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Warp operations of tiles of a warp, whose threads come with the tile's member mask, as {@code cooperative_groups::tiled_partition} makes them. */
@Timeout(60)
@Tag("thorough")
final class TilesTest {
    private static final int BLOCKS = 2;

    /**
     * @param mask instructions that leave a thread's member mask in {@code %r8}; {@code %r7} is its lane
     * @param operation reads {@code %r9}, {@code %p1} and leaves its result in {@code %r10}
     */
    private static String kernel(String mask, String operation) {
        return Shapes.head(".param .u64 x, .param .u64 y") + """
                  ld.param.u64 %d1, [x];
                  ld.param.u64 %d2, [y];
                  mul.wide.u32 %d3, %r4, 4;
                  add.s64 %d1, %d1, %d3;
                  add.s64 %d2, %d2, %d3;
                  ld.global.u32 %r9, [%d1];
                  and.b32 %r11, %r9, 3;
                  setp.eq.u32 %p1, %r11, 1;
                  mov.u32 %r7, %laneid;
                """ + mask + operation + """
                  st.global.u32 [%d2], %r10;
                  ret;
                }
                """;
    }

    private static String ofTiles(int size) {
        return """
                and.b32 %%r8, %%r7, %d;
                mov.u32 %%r12, %d;
                shl.b32 %%r8, %%r12, %%r8;
                """.formatted(32 - size, (1L << size) - 1);
    }

    private static int[] run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer y = device.allocateInts(BLOCKS * threads);
            DeviceBuffer x = device.copyOf(new Random(threads).ints(BLOCKS * threads, 0, 1 << 20).map(i -> i % 3 == 0 ? i & 7 : i * 2049).toArray());
            device.load("k.ptx", text).kernel("k").grid(BLOCKS).block(threads).launch(x, y);
            return y.toInts();
        }
    }

    private static final String RESULT_AND_PREDICATE = "selp.b32 %r13, 1, 0, %p2; mad.lo.u32 %r10, %r10, 2, %r13;";

    @ParameterizedTest
    @ValueSource(strings = {
        "shfl.sync.bfly.b32 %r10|%p2, %r9, 1, 0x1f, %r8;" + RESULT_AND_PREDICATE,
        "shfl.sync.bfly.b32 %r10|%p2, %r9, 4, 0x181f, %r8;" + RESULT_AND_PREDICATE,
        "shfl.sync.down.b32 %r10|%p2, %r9, 3, 0x1c1f, %r8;" + RESULT_AND_PREDICATE,
        "shfl.sync.up.b32 %r10, %r9, 2, 0x1800, %r8;",
        "shfl.sync.idx.b32 %r10|%p2, %r9, %r7, 0x181f, %r8;" + RESULT_AND_PREDICATE,
        "and.b32 %r14, %r9, 31; shfl.sync.idx.b32 %r10, %r9, %r14, 0x1f, %r8;",
        "vote.sync.ballot.b32 %r10, %p1, %r8;",
        "vote.sync.any.pred %p2, %p1, %r8; selp.b32 %r10, 1, 0, %p2;",
        "vote.sync.all.pred %p2, !%p1, %r8; selp.b32 %r10, 1, 0, %p2;",
        "vote.sync.uni.pred %p2, %p1, %r8; selp.b32 %r10, 1, 0, %p2;",
        "redux.sync.add.s32 %r10, %r9, %r8;", "redux.sync.min.s32 %r10, %r9, %r8;", "redux.sync.max.u32 %r10, %r9, %r8;", "redux.sync.xor.b32 %r10, %r9, %r8;",
        "bar.warp.sync %r8; add.u32 %r10, %r9, 1;",
    })
    void tilesAreApart(String operation) {
        for (int size : new int[] {1, 2, 4, 8, 16, 32}) {
            for (int threads : new int[] {20, 32, 96, 100}) {
                String text = kernel(ofTiles(size), operation);
                assertEquals(Optional.empty(), Shapes.notVectorizable(text, threads), text);
                Shapes.assertAgree(engine -> run(engine, text, threads), text + threads, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
            }
        }
    }

    /** Every third lane of a tile has ended. */
    @ParameterizedTest
    @ValueSource(strings = {"shfl.sync.bfly.b32 %r10, %r9, 1, 0x1f, %r8;", "vote.sync.ballot.b32 %r10, %p1, %r8;", "redux.sync.add.u32 %r10, %r9, %r8;"})
    void lanesThatHaveEndedTakeNoPart(String operation) {
        String text = kernel(ofTiles(8) + "rem.u32 %r15, %r7, 3; setp.eq.u32 %p3, %r15, 1; @%p3 exit;", operation);
        Shapes.assertAgree(engine -> run(engine, text, 96), text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    /** Masks of any form, of lanes that need not be neighbours. */
    @ParameterizedTest
    @CsvSource({"'and.b32 %r15, %r7, 1; mov.u32 %r12, 0x55555555; shl.b32 %r8, %r12, %r15;'", "'setp.gt.u32 %p4, %r7, 9; selp.b32 %r8, 0xfffffc00, 0x3ff, %p4;'",
        "'shr.u32 %r15, %r9, 18; match.any.sync.b32 %r8, %r15, -1;'"})
    void anyLanesMayBeATile(String mask) {
        for (String operation : new String[] {"shfl.sync.bfly.b32 %r10, %r9, 2, 0x1f, %r8;", "vote.sync.ballot.b32 %r10, %p1, %r8;", "redux.sync.add.u32 %r10, %r9, %r8;"}) {
            String text = kernel(mask, operation);
            Shapes.assertAgree(engine -> run(engine, text, 64), text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
        }
    }

    /** Lanes 0 to 14 name lane 15, which comes with others and ends before these go on. */
    @ParameterizedTest
    @ValueSource(strings = {"shfl.sync.bfly.b32 %r10, %r9, 1, 0x1f, %r8;", "vote.sync.ballot.b32 %r10, %p1, %r8;", "redux.sync.add.u32 %r10, %r9, %r8;"})
    void whoHasEndedIsWaitedForNoLonger(String operation) {
        String text = kernel("setp.gt.u32 %p4, %r7, 14; selp.b32 %r8, 0xffff8000, 0xffff, %p4;", operation);
        Shapes.assertAgree(engine -> run(engine, text, 64), text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    /** Of every three lanes each waits for the next, but for the last three. */
    @Test
    void lanesThatWaitForEachOtherFail() {
        String text = kernel("add.u32 %r15, %r7, 1; rem.u32 %r15, %r15, 3; mov.u32 %r8, 3; shl.b32 %r8, %r8, %r7; setp.eq.u32 %p4, %r15, 0; add.u32 %r14, %r7, -2; mov.u32 %r12, 5;"
                + "@%p4 shl.b32 %r8, %r12, %r14;", "bar.warp.sync %r8; mov.u32 %r10, 1;");
        String message = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, 30), text);
        assertTrue(message.contains("thread 0 at line 25: bar.warp.sync with member mask 0x00000003; thread 1 at line 25: bar.warp.sync with member mask 0x00000006"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shfl.sync.bfly.b32 %r10, %r9, 1, 0x1f, %r8;", "vote.sync.any.pred %p2, %p1, %r8; selp.b32 %r10, 1, 0, %p2;", "bar.warp.sync %r8; mov.u32 %r10, 1;"})
    void aThreadMustBeOfItsTile(String operation) {
        String text = kernel(ofTiles(8) + "setp.eq.u32 %p4, %r7, 13; @%p4 mov.u32 %r8, 0xf0f;", operation);
        String message = Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64), text);
        assertTrue(message.contains("lacks the thread's own lane 13"), message);
    }
}
