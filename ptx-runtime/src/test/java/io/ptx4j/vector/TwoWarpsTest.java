package io.ptx4j.vector;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Warp operations in groups that may hold two warps, which part and end by themselves: the vector shape must leave what the interpreter leaves. */
@Tag("thorough")
final class TwoWarpsTest {
    private static final String HEAD = Shapes.head(".param .u32 n, .param .u64 out") + """
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [out];
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d2, %d0, %d1;
              mul.lo.u32 %r5, %r4, 0x9E3779B1;
              shr.u32 %r6, %r5, 27;
              shr.u32 %r7, %r1, 5;
              mov.u32 %r10, 0;
            """;
    private static final String END = "END: st.global.u32 [%d2], %r10;\nret;\n}\n";
    private static final String MIX = "mad.lo.u32 %r10, %r10, 31, %r11;\n";
    private static final String MIX_PREDICATE = "selp.u32 %r11, 3, 5, %p1;\n" + MIX;

    /** Each gives {@code %r11} or {@code %p1}. */
    private static final List<String> OPERATIONS = List.of(
            "shfl.sync.down.b32 %r11|%p1, %r5, 16, 31, -1;\n" + MIX + MIX_PREDICATE,
            "shfl.sync.down.b32 %r11|%p1, %r5, 3, 31, -1;\n" + MIX + MIX_PREDICATE,
            "shfl.sync.up.b32 %r11|%p1, %r5, 5, 0, -1;\n" + MIX + MIX_PREDICATE,
            "shfl.sync.bfly.b32 %r11|%p1, %r5, 8, 31, -1;\n" + MIX + MIX_PREDICATE,
            "shfl.sync.bfly.b32 %r11, %r5, 17, 31, -1;\n" + MIX,
            "shfl.sync.idx.b32 %r11|%p1, %r5, 19, 31, -1;\n" + MIX + MIX_PREDICATE,
            "shfl.sync.idx.b32 %r11, %r5, 6, 0x181f, -1;\n" + MIX,
            "shfl.sync.idx.b32 %r11|%p1, %r5, %r6, 31, -1;\n" + MIX + MIX_PREDICATE,
            "shfl.sync.down.b32 %r11|%p1, %r5, %r7, 31, -1;\n" + MIX + MIX_PREDICATE,
            "setp.gt.u32 %p2, %r6, 9;\nvote.sync.ballot.b32 %r11, %p2, -1;\n" + MIX,
            "setp.ne.u32 %p2, %r4, 70;\nvote.sync.all.pred %p1, %p2, -1;\n" + MIX_PREDICATE,
            "setp.eq.u32 %p2, %r4, 33;\nvote.sync.any.pred %p1, %p2, -1;\n" + MIX_PREDICATE,
            "setp.lt.u32 %p2, %r4, 64;\nvote.sync.uni.pred %p1, %p2, -1;\n" + MIX_PREDICATE,
            "redux.sync.add.s32 %r11, %r5, -1;\n" + MIX,
            "redux.sync.min.u32 %r11, %r5, -1;\n" + MIX,
            "redux.sync.max.s32 %r11, %r5, -1;\n" + MIX,
            "redux.sync.xor.b32 %r5, %r5, -1;\nmov.u32 %r11, %r5;\n" + MIX,
            "match.any.sync.b32 %r11, %r6, -1;\n" + MIX,
            "cvt.u64.u32 %d5, %r6;\nmatch.any.sync.b64 %r11, %d5, -1;\n" + MIX,
            "shr.u32 %r12, %r4, 6;\nmatch.all.sync.b32 %r11|%p1, %r12, -1;\n" + MIX + MIX_PREDICATE,
            "match.all.sync.b32 %r11|%p1, %r6, -1;\n" + MIX + MIX_PREDICATE,
            "activemask.b32 %r11;\n" + MIX,
            "mov.u32 %r11, 0;\nelect.sync %r11|%p1, -1;\n" + MIX + MIX_PREDICATE,
            "bar.warp.sync -1;\nmov.u32 %r11, %laneid;\n" + MIX + "mov.u32 %r11, %warpid;\n" + MIX);

    /** What leads to an operation: all, whole warps, warps by a word in memory, or what is left when others have ended. */
    private static final List<String> WAYS = List.of(
            "%s",
            "setp.lt.u32 %%p5, %%r1, 32;\n@%%p5 bra OVER;\n%sOVER:\n",
            "setp.ge.u32 %%p5, %%r1, 32;\n@%%p5 bra OVER;\n%sOVER:\n",
            "and.b32 %%r20, %%r7, 1;\nsetp.eq.u32 %%p5, %%r20, 0;\n@%%p5 bra OVER;\n%sadd.u32 %%r10, %%r10, 7;\nOVER:\n",
            "setp.eq.u32 %%p5, %%r7, 1;\n@%%p5 bra END;\n%s",
            "setp.eq.u32 %%p5, %%r6, 4;\n@%%p5 bra END;\n%s",
            "mov.u32 %%r21, 0;\nAGAIN:\n%sadd.u32 %%r5, %%r5, %%r10;\nadd.u32 %%r21, %%r21, 1;\nsetp.lt.u32 %%p6, %%r21, 3;\n@%%p6 bra AGAIN;\n",
            "mov.u32 %%r21, 0;\nAGAIN:\n%sadd.u32 %%r21, %%r21, 1;\nsetp.le.u32 %%p6, %%r21, %%r7;\n@%%p6 bra AGAIN;\n",
            "and.b32 %%r20, %%r1, 1;\nsetp.eq.u32 %%p5, %%r20, 0;\n@%%p5 bra OVER;\nadd.u32 %%r5, %%r5, 9;\nOVER:\n%s");

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 33, 64, 80, 96, 128, 200})
    void warpsDoTheirOperationsEachForItself(int threads) {
        for (String way : WAYS) {
            for (String operation : OPERATIONS) {
                String text = HEAD + way.formatted(operation) + END;
                Shapes.assertAgree(engine -> run(engine, text, threads), text, Jit.Shape.VECTOR);
            }
        }
    }

    @Test
    void soTheyDoInPieces() {
        Shapes.inPieces(300, () -> warpsDoTheirOperationsEachForItself(128));
    }

    /** Of the second warp a thread fails before the operation, of the first one behind it: warps run one after the other. */
    @Test
    void theThreadThatFailsFirstIsNamed() {
        for (int[] lanes : new int[][] {{40, 3}, {40, 100}, {3, 40}, {33, 31}, {100, 33}, {100, 120}}) {
            String text = HEAD + """
                      setp.ne.u32 %%p5, %%r1, %d;
                      @%%p5 bra FIRST;
                      ld.global.u32 %%r5, [%%d2+4611686018427387904];
                    FIRST:
                      shfl.sync.bfly.b32 %%r11, %%r5, 1, 31, -1;
                      setp.ne.u32 %%p5, %%r1, %d;
                      @%%p5 bra SECOND;
                      ld.global.u32 %%r5, [%%d2+4611686018427387904];
                    SECOND:
                      add.u32 %%r10, %%r11, %%r5;
                    """.formatted(lanes[0], lanes[1]) + END;
            Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 128), text);
        }
    }

    private static int[] run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(2L * threads + 100);
            device.load("k.ptx", text).kernel("k").grid(2).block(threads).launch(0, out);
            return out.toInts();
        }
    }
}
