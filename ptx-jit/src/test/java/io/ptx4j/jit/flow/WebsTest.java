package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WebsTest {
    /** In how many registers the kernel keeps what the text calls {@code %r2}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            add.u32 %r2, %r1, 1; mul.lo.u32 %r3, %r2, 3; add.u32 %r2, %r3, 2; mul.lo.u32 %r4, %r2, 5;                                                    | 2
            add.u32 %r2, %r1, 1; add.u32 %r2, %r2, 2; add.u32 %r2, %r2, 3; mul.lo.u32 %r4, %r2, 5;                                                       | 3
            add.u32 %r2, %r1, 1; setp.eq.u32 %p1, %r1, 7; @%p1 add.u32 %r2, %r1, 2; mul.lo.u32 %r4, %r2, 5;                                              | 1
            setp.eq.u32 %p1, %r1, 7; @%p1 add.u32 %r2, %r1, 2; mul.lo.u32 %r4, %r2, 5; add.u32 %r2, %r1, 1; mul.lo.u32 %r4, %r2, 5;                      | 2
            add.u32 %r2, %r1, 1; setp.eq.u32 %p1, %r1, 7; @%p1 bra ON; add.u32 %r2, %r1, 2; ON: mul.lo.u32 %r4, %r2, 5;                                  | 1
            add.u32 %r2, %r1, 1; setp.eq.u32 %p1, %r1, 7; @%p1 bra ON; mul.lo.u32 %r3, %r2, 3; ON: add.u32 %r2, %r1, 2; mul.lo.u32 %r4, %r2, 5;          | 2
            add.u32 %r2, %r1, 0; L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra L; mul.lo.u32 %r4, %r2, 5;                                    | 1
            add.u32 %r2, %r1, 0; L: mul.lo.u32 %r3, %r2, 3; add.u32 %r2, %r3, 1; mul.lo.u32 %r4, %r2, 5; add.u32 %r2, %r4, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra L; | 2
            L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra L; add.u32 %r2, %r1, 5; mul.lo.u32 %r4, %r2, 5;                                    | 2
            add.u32 %r2, %r1, 1; mov.b64 %d1, {%r2, %r3}; mov.b64 {%r2, %r3}, %d1; mul.lo.u32 %r4, %r2, 5;                                               | 2
            add.u32 %r2, %r1, 1; st.global.u32 [%d1], %r2; ld.global.u32 %r2, [%d1]; mul.lo.u32 %r4, %r2, 5;                                             | 2
            """)
    void eachIndependentValueHasARegister(String body, int registers) {
        Graph graph = SpinLoopsTest.graph(body);
        Set<Register> found = new LinkedHashSet<>();
        graph.blocks().forEach(b -> b.instructions().forEach(i -> Operands.definitions(i, r -> {
            if (r.name().equals("%r2")) {
                found.add(r);
            }
        })));
        assertEquals(registers, found.size());
    }

    /** What is copied into {@code %r3}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mov.u32 %r2, 0; mov.u32 %r3, %r2; L: add.u32 %r2, %r2, %r1; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 9; @%p1 bra L; st.global.u32 [%d1], %r2; | 0
            mov.u32 %r2, 0; @%p1 mov.u32 %r2, %r1; mov.u32 %r3, %r2;                                                                                        | %r2
            add.u32 %r3, %r1, 0; mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 7; @%p1 bra ON; mov.u32 %r3, %r2; ON: @%p1 add.u32 %r2, %r3, 1; st.global.u32 [%d1], %r2; | 0
            mov.u32 %r2, 7; L: mov.u32 %r3, %r2; mov.u32 %r2, 5; setp.eq.u32 %p1, %r1, 7; @%p1 bra L;                                                                       | %r2
            mov.u32 %r2, 0; L: mov.u32 %r3, %r2; add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 7; @%p1 bra L;                                                  | %r2
            """)
    void copiesOfConstantsAreConstants(String body, String copied) {
        List<String> found = new ArrayList<>();
        for (Instruction i : SpinLoopsTest.graph(body).blocks().stream().flatMap(b -> b.instructions().stream()).toList()) {
            if (i.opcode() == Opcode.MOV && i.operand(0) instanceof Operand.Reg to && to.register().name().equals("%r3")) {
                found.add(i.operand(1).toString());
            }
        }
        assertEquals(List.of(copied), found);
    }
}
