package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words and pairs of words in shared memory, wherever lanes have them, and stores of some lanes only; two lanes may have one word, which then the last one's value is left in. */
@Tag("widths")
@Tag("thorough")
final class SharedPlacesTest {
    private static final int THREADS = 128;

    private static final String WORDS = """
            and.b32 %r10, %r10, 1023;
            mad.lo.u32 %r12, %r10, 4, %r30;
            mad.lo.u32 %r13, %r1, 77, 1;
            ld.shared.u32 %r14, [%r12];
            add.u32 %r13, %r13, %r14;
            bar.sync 0;
            @!%p1 bra BEHIND;
            st.shared.u32 [%r12], %r13;
            BEHIND:
            bar.sync 0;
            add.u32 %r13, %r13, 5;
            @!%p2 bra END;
            st.shared.u32 [%r12 + 8], %r13;
            END:
            """;
    private static final String PAIRS = """
            and.b32 %r10, %r10, 509;
            mad.lo.u32 %r12, %r10, 8, %r30;
            mad.lo.u32 %r13, %r1, 77, 1;
            ld.shared.v2.u32 {%r14, %r19}, [%r12];
            add.u32 %r13, %r13, %r14;
            mad.lo.u32 %r19, %r19, 3, %r1;
            bar.sync 0;
            @!%p1 bra BEHIND;
            st.shared.v2.u32 [%r12], {%r13, %r19};
            BEHIND:
            bar.sync 0;
            ld.shared.v2.u32 {_, %r14}, [%r12];
            ld.shared.v2.f32 {%f1, %f2}, [%r12 + 8];
            bar.sync 0;
            add.u32 %r13, %r13, %r14;
            @!%p2 bra END;
            st.shared.v2.f32 [%r12 + 8], {%f2, %f1};
            END:
            bar.sync 0;
            st.shared.v2.b32 [%r12], {%r13, 7};
            """;

    /** {@code %r10} is the number of a word. */
    private static String kernel(String place, String accesses, int lanes) {
        return Shapes.head(".param .u64 out, .param .u32 first") + """
                  .shared .align 16 .b8 tile[4096];
                  ld.param.u64 %%d0, [out];
                  ld.param.u32 %%r20, [first];
                  mov.u32 %%r30, tile;
                  mad.lo.u32 %%r11, %%r1, 13, %%r20;
                  and.b32 %%r11, %%r11, 15;
                  setp.lt.u32 %%p1, %%r11, %d;
                %s
                  setp.ne.u32 %%p2, %%r11, 3;
                %s
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
                """.formatted(lanes, place, accesses);
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
        for (int lanes : new int[] {16, 8, 2}) {
            for (String accesses : new String[] {WORDS, PAIRS}) {
                String text = kernel(place, accesses, lanes);
                Shapes.assertAgree(engine -> run(engine, text, 9), place + " of " + lanes + " in 16", Jit.Shape.VECTOR);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"4", "8192", "8188", "0x80000000"})
    void pairsThatAreNotThere(String away) {
        String wrong = "xor.b32 %r10, %r1, 5; setp.eq.u32 %p5, %r1, 37; selp.b32 %r9, " + away + ", 0, %p5; add.u32 %r30, %r30, %r9;";
        for (String accesses : new String[] {PAIRS, PAIRS.replace("ld.shared.v2.u32 {%r14, %r19}, [%r12];", "st.shared.v2.u32 [%r12], {%r13, %r1};")}) {
            String text = kernel(wrong, accesses.replace("and.b32 %r10, %r10, 509;", "and.b32 %r10, %r10, 127;"), 16);
            assertTrue(Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 0), away).contains("thread (37,0,0)"));
        }
    }
}
