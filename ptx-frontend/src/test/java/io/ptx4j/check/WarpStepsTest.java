package io.ptx4j.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Module;
import io.ptx4j.syntax.SourceFile;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WarpStepsTest {
    private static List<Instruction> code(String head, String body) {
        Module module = Checker.check(new SourceFile("k.ptx", head + """
                .address_size 64
                .func f() { ret; }
                .visible .entry k(.param .u64 p)
                {
                  .reg .pred %p<3>;
                  .reg .b32 %r<9>;
                  .reg .b64 %d<3>;
                  .shared .align 4 .b8 s[512];
                  ld.param.u64 %d0, [p];
                  mov.u32 %r0, %tid.x;
                  shl.b32 %r1, %r0, 2;
                  X
                  ret;
                }
                """.replace("X", body))).module();
        return module.kernels().get("k").body().blocks().stream().flatMap(b -> b.instructions().stream()).toList();
    }

    private static List<Integer> steps(List<Instruction> code) {
        List<Instruction> text = code.stream().filter(i -> !WarpSteps.isStep(i)).toList();
        return code.stream().filter(WarpSteps::isStep).map(step -> text.indexOf(code.get(code.indexOf(step) + 1)) - 3).toList();
    }

    /** The numbers of the instructions that steps stand before, those of the text counted from 0. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "st.shared.u32 [%r1], %r0; ld.shared.u32 %r2, [%r1+4]; ld.shared.u32 %r3, [%r1+8]; | 1",
        "ld.shared.u32 %r2, [%r1+4]; st.shared.u32 [%r1], %r2; ld.shared.u32 %r2, [%r1+8]; | 1 2",
        "ld.shared.u32 %r2, [%r1+4]; ld.shared.u32 %r3, [%r1+8]; | ''",
        "st.shared.u32 [%r1], %r0; ld.shared.u32 %r2, [%r1]; st.shared.u32 [%r1], %r2; | ''",
        "st.shared.u32 [%r1], %r0; add.u32 %r1, %r1, 4; ld.shared.u32 %r2, [%r1]; | 2",
        "st.shared.u32 [%r1], %r0; bar.sync 0; ld.shared.u32 %r2, [%r1+4]; | ''",
        "st.shared.u32 [%r1], %r0; vote.all.pred %p0, %p1; ld.shared.u32 %r2, [%r1+4]; | ''",
        "st.shared.u32 [%r1], %r0; bar.arrive 1, 64; ld.shared.u32 %r2, [%r1+4]; | 2",
        "st.shared.u32 [%r1], %r0; call f; ld.shared.u32 %r2, [%r1]; | 2",
        "atom.shared.add.u32 %r2, [s], 1; atom.shared.add.u32 %r3, [s+4], 1; | ''",
        "atom.shared.add.u32 %r2, [s], 1; ld.shared.u32 %r3, [s+4]; | 1",
        "st.global.u32 [%d0], %r0; ld.global.u32 %r2, [%d0+4]; | ''",
        "st.volatile.global.u32 [%d0], %r0; ld.volatile.global.u32 %r2, [%d0+4]; | 1",
        "st.volatile.u32 [%d0], %r0; ld.shared.u32 %r2, [%r1]; | 1",
        "st.local.u32 [%r1], %r0; ld.local.u32 %r2, [%r1+4]; | ''",
        "@%p0 st.shared.u32 [%r1], %r0; @%p1 bra L; ld.shared.u32 %r2, [%r1+4]; L: ld.shared.u32 %r3, [%r1+8]; | 1 2",
        "L: ld.shared.u32 %r3, [%r1+8]; add.u32 %r3, %r3, 1; st.shared.u32 [%r1+4], %r3; @%p1 bra L; | 0 2",
    })
    void stepsStandWhereWordsMayBeExchanged(String body, String before) {
        List<Integer> expected = before.isEmpty() ? List.of() : Arrays.stream(before.split(" ")).map(Integer::valueOf).toList();
        assertEquals(expected, steps(code(".version 3.1\n.target sm_20\n", body)));
    }

    @Test
    void threadsGoOnByThemselvesFromSm70On() {
        String body = "st.shared.u32 [%r1], %r0; ld.shared.u32 %r2, [%r1+4];";
        assertEquals(List.of(1), steps(code(".version 6.0\n.target sm_62\n", body)));
        assertEquals(List.of(), steps(code(".version 6.0\n.target sm_70\n", body)));
    }
}
