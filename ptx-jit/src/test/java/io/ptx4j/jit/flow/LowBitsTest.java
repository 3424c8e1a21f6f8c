package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.check.Checker;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.syntax.SourceFile;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LowBitsTest {
    private static final long THREADS = 48;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "shl.b32 %r2, %r1, 4; | 4 | 0",
        "shl.b32 %r3, %r1, 4; shl.b32 %r2, %r3, 2; | 6 | 0",
        "shl.b32 %r2, %r1, %r1; | 0 | 0",
        "mul.lo.u32 %r2, %r1, 24; | 3 | 0",
        "mul.lo.s32 %r2, %r1, -8; | 3 | 0",
        "mul.hi.u32 %r2, %r1, 24; | 0 | 0",
        "mul.wide.u16 %r2, %h1, 12; | 2 | 0",
        "mov.u32 %r3, %ntid.x; mul.lo.u32 %r2, %r1, %r3; | 4 | 0",
        "mov.u32 %r3, %tid.x; mul.lo.u32 %r2, %r3, 8; | 3 | 0",
        "mov.u32 %r2, %ntid.x; | 32 | 48",
        "mov.u32 %r2, %ntid.y; | 0 | 0",
        "shl.b32 %r3, %r1, 4; add.u32 %r2, %r3, 9; | 4 | 9",
        "shl.b32 %r3, %r1, 4; add.u32 %r2, %r3, 1023; | 4 | 15",
        "shl.b32 %r3, %r1, 4; sub.u32 %r2, 7, %r3; | 4 | 7",
        "shl.b32 %r3, %r1, 4; sub.u32 %r2, 1023, %r3; | 4 | 15",
        "shl.b32 %r3, %r1, 4; add.u32 %r4, %r3, 3; mul.lo.u32 %r2, %r4, 6; | 5 | 18",
        "shl.b32 %r3, %r1, 4; add.u32 %r4, %r3, 3; mul.lo.u32 %r2, %r4, %r4; | 4 | 9",
        "shl.b32 %r3, %r1, 4; mad.lo.u32 %r2, %r1, 32, %r3; | 4 | 0",
        "mad.lo.u32 %r2, %r1, 32, %r1; | 0 | 0",
        "shl.b32 %r3, %r1, 4; and.b32 %r2, %r3, %r1; | 4 | 0",
        "and.b32 %r2, %r1, 0xfffffff0; | 4 | 0",
        "shl.b32 %r3, %r1, 4; add.u32 %r4, %r3, 13; and.b32 %r2, %r4, 0xf; | 32 | 13",
        "shl.b32 %r3, %r1, 4; or.b32 %r2, %r3, %r1; | 0 | 0",
        "shl.b32 %r3, %r1, 4; add.u32 %r4, %r3, 5; neg.s32 %r2, %r4; | 4 | 11",
        "shl.b32 %r3, %r1, 4; not.b32 %r2, %r3; | 4 | 15",
        "shl.b32 %r3, %r1, 4; @%q mov.u32 %r3, 4; mov.u32 %r2, %r3; | 2 | 0",
        "mov.u32 %r3, 19; @%q mov.u32 %r3, 3; mov.u32 %r2, %r3; | 4 | 3",
        "shl.b64 %d1, %d0, 4; cvt.u32.u64 %r2, %d1; | 4 | 0",
        "not.b16 %h2, 65528; cvt.u32.u16 %r2, %h2; | 16 | 7",
        "mov.u32 %r2, 64; L: add.u32 %r2, %r2, 8; setp.lt.u32 %q, %r2, 99; @%q bra L; | 3 | 0",
        "shl.b32 %r3, %r1, 5; add.u32 %r2, %r3, 3; L: add.u32 %r2, %r2, 48; setp.lt.u32 %q, %r2, 99; @%q bra L; | 4 | 3",
        "mov.u32 %r2, 64; L: add.u32 %r3, %r2, 8; mov.u32 %r2, %r3; setp.lt.u32 %q, %r2, 99; @%q bra L; | 3 | 0",
        "mov.u32 %r2, 1; L: add.u32 %r3, %r2, 8; @%q mov.u32 %r2, %r3; setp.lt.u32 %q, %r2, 99; @%q bra L; | 3 | 1",
        "mov.u32 %r2, 1; @%q add.u32 %r3, %r2, 8; mov.u32 %r2, %r3; setp.lt.u32 %q, %r2, 99; | 0 | 0",
        "mov.u32 %r2, 64; L: add.u32 %r2, %r2, %r1; setp.lt.u32 %q, %r2, 99; @%q bra L; | 0 | 0",
        "mov.u32 %r2, 64; L: add.sat.s32 %r2, %r2, 8; setp.lt.u32 %q, %r2, 99; @%q bra L; | 0 | 0",
        "add.sat.s32 %r2, 64, 64; | 0 | 0",
        "ld.global.u32 %r2, [%d0]; | 0 | 0",
        "@%q mov.u32 %r3, 6; mov.u32 %r2, %r3; | 1 | 0",
        "mov.u32 %r2, 0; | 64 | 0",
    })
    void sumsAndProductsKeepLowBits(String text, int count, long value) {
        assertEquals(new LowBits.Low(count, value), low(text));
    }

    @Test
    void longWaysAreNotGoneToTheirBegin() {
        assertEquals(new LowBits.Low(32, 0), low("mov.u32 %r2, %r1;\n" + "mul.lo.u32 %r2, %r2, 6;\n".repeat(10_000)));
    }

    private static LowBits.Low low(String text) {
        Module module = Checker.check(new SourceFile("k.ptx", """
                .version 8.0
                .target sm_80
                .address_size 64
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
                  st.global.u32 [%d0], %r2;
                  ret;
                }
                """.replace("X", text))).module();
        Graph graph = Normalizer.normalize(module, module.kernels().get("k"));
        var store = graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.toString().startsWith("st.")).findFirst().orElseThrow();
        Set<Register> first = Set.copyOf(graph.liveness().liveIn(0));
        LowBits low = new LowBits(graph, r -> r == SpecialRegister.NTID_X ? (Long) THREADS : null, first::contains);
        return low.of(store.operand(1));
    }
}
