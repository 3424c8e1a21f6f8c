package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpecialCopiesTest {
    /** Whether each {@code mul.lo} of a kernel, in the order of the text, multiplies a number that the thread has for good. */
    private static List<Boolean> known(String body) {
        Graph graph = SpinLoopsTest.graph(body);
        Set<Register> written = new HashSet<>();
        Set<Register> several = new HashSet<>();
        List<Instruction> code = graph.blocks().stream().flatMap(b -> b.instructions().stream()).toList();
        code.forEach(i -> Operands.definitions(i, r -> {
            if (!written.add(r)) {
                several.add(r);
            }
        }));
        List<Boolean> known = new ArrayList<>();
        code.stream().filter(i -> i.opcode() == Opcode.MUL).forEach(i -> {
            List<Register> read = new ArrayList<>();
            Operands.uses(i, read::add);
            known.add(several.stream().noneMatch(read::contains));
        });
        return known;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mul.lo.u32 %r2, %r1, 3; LOOP: mul.lo.u32 %r3, %r1, 5; add.u32 %r1, %r1, 64; setp.lt.u32 %p1, %r1, %r2; @%p1 bra LOOP; | true false
            mul.lo.u32 %r2, %r1, 3; add.u32 %r1, %r1, 64; mul.lo.u32 %r3, %r1, 3; mov.u32 %r1, %tid.x; mul.lo.u32 %r4, %r1, 3;    | true true true
            setp.eq.u32 %p1, %r1, 7; @%p1 add.u32 %r1, %r1, 2; mul.lo.u32 %r3, %r1, 3;                                            | false
            setp.eq.u32 %p1, %r1, 7; @%p1 bra ON; add.u32 %r1, %r1, 2; mov.u32 %r1, %tid.x; ON: mul.lo.u32 %r3, %r1, 3;           | true
            setp.eq.u32 %p1, %r1, 7; @%p1 bra ON; add.u32 %r1, %r1, 2; ON: mul.lo.u32 %r3, %r1, 3;                                | false
            setp.eq.u32 %p1, %r1, 7; mov.u32 %r1, 5; @%p1 mov.u32 %r1, %tid.x; mul.lo.u32 %r3, %r1, 3;                            | false
            setp.eq.u32 %p1, %r1, 7; mul.lo.u32 %r2, %r1, 3; @%p1 bra ON; mov.u32 %r1, %ntid.x; ON: mul.lo.u32 %r3, %r1, 3;       | false false
            setp.eq.u32 %p1, %r1, 7; @%p1 mul.lo.u32 %r1, %r1, 3; mul.lo.u32 %r3, %r1, 3;                                         | true false
            mov.u32 %r4, %clock; LOOP: mul.lo.u32 %r2, %r4, 3; add.u32 %r4, %r4, %r1; setp.lt.u32 %p1, %r4, %r2; @%p1 bra LOOP;   | false
            """)
    void readsBeforeTheRegisterChangesAreOfTheNumber(String body, String expected) {
        assertEquals(expected, String.join(" ", known(body).stream().map(String::valueOf).toList()));
    }
}
