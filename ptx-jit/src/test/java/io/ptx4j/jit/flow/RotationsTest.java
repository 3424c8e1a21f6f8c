package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.check.Checker;
import io.ptx4j.ir.Module;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RotationsTest {
    private static List<String> code(String text) {
        Module module = Checker.check(new SourceFile("k.ptx", """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 p)
                {
                  .reg .b32 %r<9>;
                  .reg .b64 %d<9>;
                  ld.param.u64 %d0, [p];
                  ld.global.u64 %d1, [%d0];
                  ld.global.u32 %r1, [%d0];
                  X
                  st.global.u64 [%d0], %d4;
                  st.global.u32 [%d0], %r4;
                  ret;
                }
                """.replace("X", text))).module();
        return Normalizer.normalize(module, module.kernels().get("k")).blocks().stream().flatMap(b -> b.instructions().stream())
                .map(Object::toString).filter(i -> !i.startsWith("ld.") && !i.startsWith("st.")).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "shl.b64 %d2, %d1, 13; shr.b64 %d3, %d1, 51; add.u64 %d4, %d2, %d3; | 13",
        "shr.u64 %d2, %d1, 63; shl.b64 %d3, %d1, 1; xor.b64 %d4, %d3, %d2; | 1",
        "mov.b64 {%r2, %r3}, %d1; shf.l.wrap.b32 %r5, %r2, %r3, 9; shf.l.wrap.b32 %r6, %r3, %r2, 9; mov.b64 %d4, {%r6, %r5}; | 9",
        "mov.b64 {%r2, %r3}, %d1; shf.l.wrap.b32 %r5, %r2, %r3, 9; shf.l.wrap.b32 %r6, %r3, %r2, 9; mov.b64 %d4, {%r5, %r6}; | 41",
        "mov.b64 {%r2, %r3}, %d1; shf.r.wrap.b32 %r5, %r2, %r3, 9; shf.r.wrap.b32 %r6, %r3, %r2, 9; mov.b64 %d4, {%r5, %r6}; | 55",
        "mov.b64 {%r2, %r3}, %d1; shf.r.wrap.b32 %r5, %r2, %r3, 9; shf.r.wrap.b32 %r6, %r3, %r2, 9; mov.b64 %d4, {%r6, %r5}; | 23",
        "mov.b64 {%r2, %r3}, %d1; mov.b64 %d4, {%r3, %r2}; | 32",
    })
    void rotationsOfSixtyFourBitsAreOneInstruction(String text, int amount) {
        List<String> code = code(text);
        assertEquals(1, code.size(), code.toString());
        assertEquals("shf.l.wrap.b64 %d4, %d1, %d1, " + amount, code.getFirst().replace(";", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "shl.b64 %d2, %d1, 13; shr.s64 %d3, %d1, 51; add.u64 %d4, %d2, %d3;",
        "shl.b64 %d2, %d1, 13; shr.b64 %d3, %d1, 50; add.u64 %d4, %d2, %d3;",
        "shl.b64 %d2, %d1, 13; shr.b64 %d3, %d0, 51; add.u64 %d4, %d2, %d3;",
        "shl.b64 %d2, %d1, 13; ld.global.u64 %d1, [%d0]; shr.b64 %d3, %d1, 51; or.b64 %d4, %d2, %d3;",
        "shl.b64 %d2, %d1, 13; shr.b64 %d3, %d1, 51; and.b64 %d4, %d2, %d3;",
        "mov.b64 {%r2, %r3}, %d1; shf.l.clamp.b32 %r5, %r2, %r3, 9; shf.l.wrap.b32 %r6, %r3, %r2, 9; mov.b64 %d4, {%r6, %r5};",
        "mov.b64 {%r2, %r3}, %d1; shf.l.wrap.b32 %r5, %r2, %r3, 9; shf.l.wrap.b32 %r6, %r3, %r2, 8; mov.b64 %d4, {%r6, %r5};",
        "mov.b64 {%r2, %r3}, %d1; shf.l.wrap.b32 %r5, %r2, %r3, 9; shf.l.wrap.b32 %r6, %r3, %r3, 9; mov.b64 %d4, {%r6, %r5};",
    })
    void whatIsNoRotationStays(String text) {
        assertEquals(text.split(";").length - (text.contains("ld.") ? 1 : 0), code(text).size(), code(text).toString());
    }
}
