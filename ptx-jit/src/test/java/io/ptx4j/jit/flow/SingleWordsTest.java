package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SingleWordsTest {
    private static Graph graph(String code) {
        CheckedModule checked = Checker.check(new SourceFile("k.ptx", """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 p)
                {
                  .reg .pred %p1;
                  .reg .b32 %r<9>;
                  .reg .b64 %d<9>;
                  ld.param.u64 %d0, [p];
                  ld.global.u64 %d8, [%d0+16];
                  ld.global.u32 %r0, [%d0];
                  ld.global.u32 %r1, [%d0+4];
                  setp.eq.u32 %p1, %r0, 0;
                  X
                  st.global.v2.u32 [%d0], {%r4, %r5};
                  ret;
                }
                """.replace("X", code)));
        assertEquals("[]", checked.diagnostics().toString());
        return Normalizer.normalize(checked.module(), checked.module().kernels().get("k"));
    }

    private static String code(Graph graph) {
        List<String> code = graph.blocks().stream().flatMap(b -> b.instructions().stream()).map(i -> i.toString().replace(";", "")).toList();
        return String.join("; ", code.subList(code.indexOf("setp.eq.u32 %p1, %r0, 0") + 1, code.size() - 1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mul.wide.u32 %d1, %r0, %r1; shr.u64 %d2, %d1, 32; cvt.u32.u64 %r4, %d2; | mul.hi.u32 %d1.high, %r0, %r1; mov.b32 %d2.low, %d1.high; mov.b32 %r4, %d2.low",
        "mul.wide.u32 %d1, %r0, 5; shr.u64 %d2, %d1, 34; cvt.u32.u64 %r4, %d2; | mul.hi.u32 %d1.high, %r0, 5; shr.u32 %d2.low, %d1.high, 2; mov.b32 %r4, %d2.low",
        "mul.wide.s32 %d1, %r0, -5; mov.b64 {%r4, %r5}, %d1; | mul.lo.u32 %d1.low, %r0, 4294967291; mul.hi.s32 %d1.high, %r0, 4294967291; mov.b32 %r4, %d1.low; mov.b32 %r5, %d1.high",
        "mul.wide.u32 %d1, %r0, %r1; cvt.u32.u64 %r4, %d1; | mul.lo.u32 %d1.low, %r0, %r1; mov.b32 %r4, %d1.low",
        "mul.wide.u32 %d1, %r0, %r1; @%p1 cvt.u32.u64 %r4, %d1; | mul.lo.u32 %d1.low, %r0, %r1; @%p1 mov.b32 %r4, %d1.low",
        "mul.wide.u32 %d1, %r0, %r1; st.global.u32 [%d0], %d1; | mul.lo.u32 %d1.low, %r0, %r1; st.global.u32 [%d0], %d1.low",
        "cvt.u64.u32 %d1, %r0; xor.b64 %d2, %d1, 7; mul.lo.s64 %d3, %d2, 3449720151; shr.u64 %d4, %d3, 32; cvt.u32.u64 %r4, %d4; "
            + "| mov.b32 %d1.low, %r0; xor.b32 %d2.low, %d1.low, 7; mul.hi.u32 %d3.high, %d2.low, 3449720151; mov.b32 %d4.low, %d3.high; mov.b32 %r4, %d4.low",
        // A mask leaves a word of a product, which has two of them.
        "mul.wide.u32 %d1, %r0, %r1; and.b64 %d2, %d1, 255; mul.lo.u64 %d3, %d2, %d2; mov.b64 {%r4, %r5}, %d3; "
            + "| mul.lo.u32 %d1.low, %r0, %r1; and.b32 %d2.low, %d1.low, 255; mul.lo.u32 %d3.low, %d2.low, %d2.low; mul.hi.u32 %d3.high, %d2.low, %d2.low; mov.b32 %r4, %d3.low; mov.b32 %r5, %d3.high",
        "mul.wide.u32 %d1, %r0, %r1; cvt.u64.u32 %d2, %r1; or.b64 %d3, %d1, %d2; mov.b64 {%r4, %r5}, %d3; | mul.lo.u32 %d1.low, %r0, %r1; mul.hi.u32 %d1.high, %r0, %r1; mov.b32 %d2.low, %r1; "
            + "or.b32 %d3.low, %d1.low, %d2.low; or.b32 %d3.high, %d1.high, 0; mov.b32 %r4, %d3.low; mov.b32 %r5, %d3.high",
        // Nobody wants either word.
        "mul.wide.u32 %d1, %r0, %r1; shr.u64 %d2, %d1, 32; | ''",
    })
    void wordsAreComputedOfWhichOnlyOneIsWanted(String code, String words) {
        assertEquals(words, code(SingleWords.rewrite(graph(code))));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "mul.wide.u32 %d1, %r0, %r1; st.global.u64 [%d0], %d1;",
        "mul.wide.u32 %d1, %r0, %r1; add.u64 %d2, %d1, %d0; ld.global.u32 %r4, [%d2];",
        "mul.wide.u32 %d1, %r0, %r1; st.global.u32 [%d1], %r1;",
        "mul.wide.u32 %d1, %r0, %r1; st.global.u32 [%d1], %d1;",
        "mul.wide.u32 %d1, %r0, %r1; st.global.L2::cache_hint.u32 [%d0], %d1, %d8;",
        "mul.wide.u32 %d1, %r0, %r1; shr.u64 %d2, %d1, 31; cvt.u32.u64 %r4, %d2;",
        "mul.wide.u32 %d1, %r0, %r1; shr.s64 %d2, %d1, 32; cvt.u32.u64 %r4, %d2;",
        "mul.wide.u32 %d1, %r0, %r1; shr.u64 %d2, %d1, %r1; cvt.u32.u64 %r4, %d2;",
        "mul.wide.u32 %d1, %r0, %r1; shr.u64 %d2, %d1, 32; mul.lo.u64 %d3, %d2, 4294967296; cvt.u32.u64 %r4, %d3;",
        "mul.wide.u32 %d1, %r0, %r1; and.b64 %d2, %d1, -2; mul.lo.u64 %d3, %d2, 3; cvt.u32.u64 %r4, %d3;",
        "mul.wide.u32 %d1, %r0, %r1; xor.b64 %d2, %d1, %d8; cvt.u32.u64 %r4, %d2;",
        "mul.lo.u64 %d1, %d8, 3; cvt.u32.u64 %r4, %d1;",
        "@%p1 mul.wide.u32 %d1, %r0, %r1; cvt.u32.u64 %r4, %d1;",
        "mul.wide.u32 %d1, %r0, %r1; @%p1 bra ON; mul.wide.u32 %d1, %r0, %r0; ON: cvt.u32.u64 %r4, %d1;",
        "cvt.u64.u32 %d1, %r0; cvt.u32.u64 %r4, %d1;",
        "cvt.s64.s32 %d1, %r0; mul.lo.s64 %d2, %d1, 3; cvt.u32.u64 %r4, %d2;",
        "mul.wide.u32 %d1, %r0, %r1; cvt.rn.f32.u64 %r4, %d1;",
        "mul.wide.u32 %d1, %r0, %r1; cvt.u64.u32 %d2, %r0; add.cc.u32 %r4, %r0, %r1; addc.u32 %r5, %r4, 0; cvt.u32.u64 %r5, %d1;",
        // What of the row is wanted whole makes all that hangs on it whole.
        "mul.wide.u32 %d1, %r0, %r1; shr.u64 %d2, %d1, 32; xor.b64 %d3, %d2, 1; cvt.u32.u64 %r4, %d2; st.global.u64 [%d0], %d3;",
    })
    void whatIsWantedWholeStaysWhole(String code) {
        Graph graph = graph(code);
        assertSame(graph, SingleWords.rewrite(graph));
    }
}
