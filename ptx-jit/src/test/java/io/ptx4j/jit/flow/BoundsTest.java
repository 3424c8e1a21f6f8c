package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.check.Checker;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a register may hold at most, and addresses of constants in 32 bits. */
final class BoundsTest {
    private static Graph graph(String text, String last) {
        Module module = Checker.check(new SourceFile("k.ptx", """
                .version 8.0
                .target sm_80
                .address_size 64
                .const .b8 before[4];
                .const .b8 table[28];
                .visible .entry k(.param .u64 p)
                {
                  .reg .b16 %h<9>;
                  .reg .b32 %r<9>;
                  .reg .b64 %d<9>;
                  .reg .pred %q;
                  ld.param.u64 %d0, [p];
                  ld.global.u32 %r1, [%d0];
                  ld.global.u16 %h1, [%d0];
                  setp.eq.u32 %q, %r1, 0;
                  X
                  Y
                  ret;
                }
                """.replace("X", text).replace("Y", last))).module();
        return Normalizer.normalize(module, module.kernels().get("k"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "and.b32 %r2, %r1, 7; | 7",
        "and.b32 %r2, %r1, 7; add.u32 %r2, %r2, 1; | 4294967295",
        "and.b32 %r3, %r1, 7; add.u32 %r2, %r3, 5; | 12",
        "and.b32 %r3, %r1, 7; add.s32 %r2, %r3, -1; | 4294967295",
        "and.b32 %r3, %r1, 7; mul.lo.u32 %r2, %r3, 3; | 21",
        "mul.lo.u32 %r2, %r1, 3; | 4294967295",
        "shr.u32 %r2, %r1, 30; | 3",
        "shr.s32 %r2, %r1, 30; | 4294967295",
        "and.b32 %r3, %r1, 31; shr.s32 %r2, %r3, 3; | 3",
        "and.b32 %r3, %r1, 7; shl.b32 %r2, %r3, 4; | 112",
        "shl.b32 %r2, %r1, 4; | 4294967295",
        "cvt.u32.u16 %r2, %h1; | 65535",
        "cvt.u32.u8 %r2, %h1; | 255",
        "cvt.s32.s16 %r2, %h1; | 4294967295",
        "mul.wide.u16 %r2, %h1, 3; | 196605",
        "mov.u32 %r2, 3; @%q mov.u32 %r2, 9; | 9",
        "shr.u64 %d2, %d0, 20; cvt.u32.u64 %r2, %d2; | 4294967295",
        "mov.u32 %r2, %tid.x; | 1023",
        "mov.u32 %r2, %ntid.y; | 1024",
        "mov.u32 %r2, %ctaid.x; | 4294967295",
        "mov.u32 %r3, %tid.x; mov.u32 %r4, %tid.y; mad.lo.s32 %r2, %r4, 16, %r3; | 17391",
        "mov.u32 %r3, %tid.x; mad.hi.u32 %r2, %r3, %r3, %r3; | 4294967295",
        "mov.u32 %r3, %tid.x; mad.lo.u32 %r2, %r3, 16, %r1; | 4294967295",
        "ld.global.u8 %r2, [%d0]; | 4294967295",
    })
    void masksShiftsSumsAndProductsBoundARegister(String text, long most) {
        Graph graph = graph(text, "st.global.u32 [%d0], %r2;");
        Operand.Reg stored = (Operand.Reg) graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.toString().startsWith("st."))
                .findFirst().orElseThrow().operand(1);
        assertEquals(most, new Bounds(graph, a -> -1).most(stored.register()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        // As nvcc divides a signed number by 64.
        "mov.u32 %r3, %tid.x; shr.s32 %r4, %r3, 31; shr.u32 %r5, %r4, 26; add.s32 %r6, %r3, %r5; shr.s32 %r2, %r6, 6; | mov.u32 %r3, %tid.x; add.s32 %r6, %r3, 0; shr.s32 %r2, %r6, 6;",
        "shr.s32 %r2, %r1, 31; | shr.s32 %r2, %r1, 31;",
        "mov.u32 %r3, %tid.x; shr.u32 %r2, %r3, 9; | mov.u32 %r3, %tid.x; shr.u32 %r2, %r3, 9;",
        "mov.u32 %r3, %tid.x; mov.u32 %r4, 3; @%q shr.u32 %r4, %r3, 10; add.u32 %r2, %r4, 1; | mov.u32 %r3, %tid.x; mov.u32 %r4, 3; @%q mov.b32 %r4, 0; add.u32 %r2, %r4, 1;",
    })
    void shiftsThatLeaveNothingAreZero(String text, String expected) {
        List<String> code = graph(text, "st.global.u32 [%d0], %r2;").blocks().stream().flatMap(b -> b.instructions().stream()).map(i -> i + ";").toList();
        assertEquals(expected, String.join(" ", code.subList(4, code.size() - 1)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "and.b32 %r2, %r1, 7; mul.wide.u32 %d1, %r2, 3; mov.u64 %d2, table; add.s64 %d3, %d2, %d1; | 32",
        "and.b32 %r2, %r1, 7; cvt.u64.u32 %d1, %r2; shl.b64 %d2, %d1, 1; add.s64 %d3, %d2, 4; | 32",
        "mul.wide.u32 %d1, %r1, 3; mov.u64 %d2, table; add.s64 %d3, %d2, %d1; | 64",
        "and.b32 %r2, %r1, 7; mul.wide.u32 %d1, %r2, 3; mov.u64 %d2, table; add.s64 %d3, %d2, %d1; st.global.u64 [%d0], %d3; | 64",
        "and.b32 %r2, %r1, 7; mul.wide.u32 %d1, %r2, 3; mov.u64 %d2, table; sub.s64 %d3, %d2, %d1; | 64",
        "and.b64 %d3, %d0, 7; | 64",
    })
    void addressesOfConstantsNeedNoMoreThanTheirBits(String text, int bits) {
        Graph graph = graph(text, "ld.const.u8 %r3, [%d3+1]; st.global.u32 [%d0], %r3;");
        Operand.Address address = (Operand.Address) graph.blocks().stream().flatMap(b -> b.instructions().stream())
                .filter(i -> i.toString().startsWith("ld.const")).findFirst().orElseThrow().operand(1);
        assertEquals(bits, address.register().type().bits());
    }
}
