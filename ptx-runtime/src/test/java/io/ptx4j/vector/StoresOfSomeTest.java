package io.ptx4j.vector;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores to shared memory of some lanes only, wherever their words lie; two lanes may have one word, which then the last one's value is left in. */
@Tag("widths")
final class StoresOfSomeTest {
    private static final int THREADS = 128;

    /** {@code %r10} is the number of a word. */
    private static String kernel(String place, int lanes) {
        return Shapes.head(".param .u64 out, .param .u32 first") + """
                  .shared .align 16 .b8 tile[4096];
                  ld.param.u64 %%d0, [out];
                  ld.param.u32 %%r20, [first];
                  mov.u32 %%r30, tile;
                  mad.lo.u32 %%r11, %%r1, 13, %%r20;
                  and.b32 %%r11, %%r11, 15;
                  setp.lt.u32 %%p1, %%r11, %d;
                %s
                  and.b32 %%r10, %%r10, 1023;
                  mad.lo.u32 %%r12, %%r10, 4, %%r30;
                  mad.lo.u32 %%r13, %%r1, 77, 1;
                  ld.shared.u32 %%r14, [%%r12];
                  add.u32 %%r13, %%r13, %%r14;
                  bar.sync 0;
                  @!%%p1 bra BEHIND;
                  st.shared.u32 [%%r12], %%r13;
                BEHIND:
                  bar.sync 0;
                  add.u32 %%r13, %%r13, 5;
                  setp.ne.u32 %%p2, %%r11, 3;
                  @!%%p2 bra END;
                  st.shared.u32 [%%r12 + 8], %%r13;
                END:
                  bar.sync 0;
                  mov.u32 %%r15, 0;
                  mov.u32 %%r16, 0;
                SUM:
                  mad.lo.u32 %%r17, %%r16, 4, %%r30;
                  ld.shared.u32 %%r18, [%%r17];
                  mad.lo.u32 %%r15, %%r15, 31, %%r18;
                  add.u32 %%r16, %%r16, 1;
                  setp.lt.u32 %%p3, %%r16, 1024;
                  @%%p3 bra SUM;
                  mad.lo.u32 %%r17, %%r1, 32, %%r30;
                  ld.shared.u32 %%r18, [%%r17];
                  add.u32 %%r15, %%r15, %%r18;
                  mul.wide.u32 %%d2, %%r4, 4;
                  add.s64 %%d3, %%d0, %%d2;
                  st.global.u32 [%%d3], %%r15;
                  ret;
                }
                """.formatted(lanes, place);
    }

    private static int[] run(Engine engine, String text, int first) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(THREADS);
            device.load("k.ptx", text).kernel("k").grid(1).block(THREADS).launch(out, first);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "shl.b32 %r10, %r1, 1;",
        "xor.b32 %r10, %r1, 5;",
        "shl.b32 %r10, %r1, 1; and.b32 %r9, %r1, 3; sub.u32 %r10, %r10, %r9;",
        "shl.b32 %r10, %r1, 1; and.b32 %r9, %r1, 15; sub.u32 %r10, %r10, %r9; add.u32 %r10, %r10, 700;",
        "shr.u32 %r10, %r1, 1; xor.b32 %r10, %r10, 3;",
        "and.b32 %r9, %r1, 7; mul.lo.u32 %r10, %r9, 3;",
        "sub.u32 %r10, 900, %r1; xor.b32 %r10, %r10, %r20;",
        "mul.lo.u32 %r10, %r1, %r1;",
        "mul.lo.u32 %r10, %r1, 7; xor.b32 %r10, %r10, %r20;",
        "xor.b32 %r10, %r1, 893;"})
    void othersStayAsTheyWere(String place) {
        for (int lanes : new int[] {16, 15, 8, 3, 1}) {
            for (int first : new int[] {0, 9}) {
                String text = kernel(place, lanes);
                Shapes.assertAgree(engine -> run(engine, text, first), place + " of " + lanes + " in 16", Jit.Shape.VECTOR);
            }
        }
    }
}
