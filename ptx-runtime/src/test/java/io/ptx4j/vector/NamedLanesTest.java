package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Warp operations of some lanes of a warp, and shuffles of which each lane says from where. */
final class NamedLanesTest {
    /** {@code %r20} is 5; {@code %r9} is the lane, {@code %r10} the result. */
    private static String kernel(String body) {
        return Shapes.head(".param .u64 out, .param .u32 five") + """
                  ld.param.u64 %%d0, [out];
                  ld.param.u32 %%r20, [five];
                  and.b32 %%r9, %%r1, 31;
                  mad.lo.u32 %%r10, %%r4, 1000, 7;
                %s
                  mul.wide.u32 %%d2, %%r4, 4;
                  add.s64 %%d3, %%d0, %%d2;
                  st.global.u32 [%%d3], %%r10;
                  ret;
                }
                """.formatted(body);
    }

    private static int[] run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(2 * threads);
            device.load("k.ptx", text).kernel("k").grid(2).block(threads).launch(out, 5);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "setp.gt.u32 %p1, %r1, 7; @%p1 bra J;                                        | 0xff",
        "setp.lt.u32 %p1, %r1, 8; @!%p1 bra J;                                       | 0xff",
        "setp.lt.s32 %p1, %r9, 16; @!%p1 bra J;                                      | 0xffff",
        "setp.lt.u32 %p1, %r9, 24; @%p1 bra J;                                       | 0xff000000",
        "setp.ne.s32 %p1, %r9, 3; @%p1 bra J;                                        | 8",
        "setp.eq.s32 %p1, %r9, 3; @%p1 bra J;                                        | 0xfffffff7",
        "setp.le.u32 %p1, %r1, 30; @!%p1 bra J;                                      | 0x7fffffff",
        "setp.gt.u32 %p1, %r1, 7; @%p1 bra J; setp.gt.u32 %p2, %r20, 9; @%p2 bra J;  | 0xff",
        "setp.gt.u32 %p2, %r20, 9; @%p2 bra J; setp.gt.u32 %p1, %r1, 7; @%p1 bra J;  | 0xff",
        "setp.gt.u32 %p1, %r1, 7; @%p1 bra J; bra K; K:                              | 0xff"})
    void lanesOfTheMaskGoOn(String way, String mask) {
        for (String operation : new String[] {"shfl.sync.up.b32 %r11, %r10, 1, 0, MASK;", "shfl.sync.bfly.b32 %r11|%p3, %r10, 1, 31, MASK; selp.u32 %r10, 3, 5, %p3;", "redux.sync.add.u32 %r11, %r10, MASK;",
                "vote.sync.ballot.b32 %r11, %p0, MASK;", "match.any.sync.b32 %r11, %r20, MASK;", "shfl.sync.idx.b32 %r11, %r10, %r1, 31, MASK;"}) {
            String text = kernel("setp.ne.u32 %p0, %r20, %r9; mov.u32 %r11, 3; " + way + operation.replace("MASK", mask) + " mul.lo.u32 %r10, %r10, 3; J: add.u32 %r10, %r10, %r11;");
            assertEquals(Optional.empty(), Shapes.notVectorizable(text, 64), operation);
            assertTrue(!operation.startsWith("shfl") || Shapes.listing(text, 64).contains("WarpLanes.shuffle"), operation);
            assertFalse(Shapes.listing(text, 64).contains("VectorLanes.meet"), operation);
            Shapes.assertAgree(engine -> run(engine, text, 64), operation, Jit.Shape.VECTOR);
        }
    }

    /** Where others may come too, or some of the named ones may not, threads stop and wait for each other. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "setp.gt.u32 %p1, %r1, 7; @%p1 bra J;                                   | 0x7f",
        "setp.gt.u32 %p1, %r1, 6; @%p1 bra J;                                   | 0xff",
        "setp.lt.u32 %p1, %r1, 8; @%p1 bra J;                                   | 0xffffff00",
        "setp.gt.u32 %p1, %r1, %r20; @%p1 bra J;                                | 0x3f",
        "setp.gt.u32 %p2, %r10, 99999; @%p2 bra J; setp.gt.u32 %p1, %r1, 7; @%p1 bra J; | 0xff",
        "add.u32 %r8, %r1, 1; setp.gt.u32 %p1, %r8, 8; @%p1 bra J;              | 0xff"})
    void othersStay(String way, String mask) {
        String text = kernel("mov.u32 %r11, 3; " + way + "shfl.sync.up.b32 %r11, %r10, 1, 0, " + mask + "; J: add.u32 %r10, %r10, %r11;");
        String listing = Shapes.listing(text, 256);
        assertEquals(listing.contains("WarpLanes.shuffle"), listing.contains("VectorLanes.meet"), listing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"31", "0x181f", "0x1c1f", "0x1007", "0x1e03", "%r20", "%r12"})
    void eachLaneNamesItsSource(String control) {
        for (String kind : new String[] {"idx", "up", "down", "bfly"}) {
            for (String source : new String[] {"%r20", "%r12", "%r13", "%r14"}) {
                String text = kernel("mul.lo.u32 %r12, %r1, 7; and.b32 %r12, %r12, 0x1f1f; sub.u32 %r13, 40, %r1; ld.const.u32 %r14, [table]; mad.lo.u32 %r14, %r14, %r1, 3; shfl.sync." + kind + ".b32 %r11|%p1, %r10, "
                        + source + ", " + control + ", -1; selp.u32 %r12, 1, 0, %p1; mad.lo.u32 %r10, %r12, 100000, %r11;").replace(".visible .entry", ".const .u32 table = 11;\n.visible .entry");
                for (int threads : new int[] {64, 20}) {
                    Shapes.assertAgree(engine -> run(engine, text, threads), kind + " by " + source + " in blocks of " + threads, Jit.Shape.VECTOR);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "5", "16", "4", "7"})
    void lanesThatMatch(String divisor) {
        for (String form : new String[] {"match.any.sync.b32 %r11, %r12, -1;", "cvt.u64.u32 %d5, %r12; match.any.sync.b64 %r11, %d5, -1;", "match.all.sync.b32 %r11|%p1, %r12, -1; selp.u32 %r10, 1, 2, %p1;"}) {
            String text = kernel("mul.lo.u32 %r12, %r4, 0x9E3779B9; shr.u32 %r12, %r12, 9; rem.u32 %r12, %r12, " + divisor + "; " + form + " add.u32 %r10, %r10, %r11;");
            for (int threads : new int[] {64, 20}) {
                Shapes.assertAgree(engine -> run(engine, text, threads), form + " in blocks of " + threads, Jit.Shape.VECTOR);
            }
        }
    }
}
