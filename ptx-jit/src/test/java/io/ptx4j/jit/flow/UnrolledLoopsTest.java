package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Terminator;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnrolledLoopsTest {
    private static final int TURNS = 6;

    private static Graph graph(String before, String turns, String behind) {
        CheckedModule checked = Checker.check(new SourceFile("k.ptx", """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 p)
                {
                  .reg .b32 %r<300>;
                  .reg .f32 %f<300>;
                  .reg .b64 %d<9>;
                  .reg .pred %q<300>;
                  ld.param.u64 %d0, [p];
                  ld.global.u32 %r1, [%d0];
                  ld.global.f32 %f0, [%d0];
                """ + before + "\n" + turns + "\n" + behind + "\n  ret;\n}\n"));
        assertEquals("[]", checked.diagnostics().toString());
        Module module = checked.module();
        return Normalizer.normalize(module, module.kernels().get("k"));
    }

    /** A turn with its number, and those before and behind it, for {@code #}, {@code -} and {@code +} in brackets, and eight times its number for {@code [8]}, twice for {@code [2]}, once for {@code [1]}. */
    private static String turns(String turn) {
        return IntStream.range(0, TURNS).mapToObj(j -> turn.replace("[#]", "" + (10 + j)).replace("[-]", "" + (9 + j)).replace("[+]", "" + (11 + j)).replace("[8]", "" + 8 * j).replace("[2]", "" + 2 * j)
                .replace("[1]", "" + j))
                .collect(Collectors.joining("\n"));
    }

    private static Graph loops(Graph graph) {
        return UnrolledLoops.of(graph, i -> 1, 2 * TURNS - 1);
    }

    private static List<String> turn(Graph graph) {
        return graph.blocks().stream().filter(b -> b.terminator() instanceof Terminator.Branch branch && branch.taken() == b.index()).findFirst().orElseThrow().instructions().stream()
                .map(Object::toString).toList();
    }

    @Test
    void stepsOfASumAreALoop() {
        Graph graph = graph("mov.f32 %f9, %f0;", turns("ld.global.f32 %f1[#], [%d0+[8]];\nfma.rn.f32 %f[#], %f1[#], %f0, %f[-];"), "st.global.f32 [%d0], %f15;");
        Graph loops = loops(graph);
        assertEquals(List.of("mov.u32 +lines, lines", "ld.global.f32 %f110, [%d0]", "fma.rn.f32 %f10, %f110, %f0, %f10", "add.u64 %d0, %d0, 8", "mov.u32 +lines, 0", "add.u32 lines, lines, 2",
                "setp.lt.u32 again, lines, 12"), turn(loops));
        String all = loops.blocks().toString();
        assertTrue(all.contains("mov.b32 %f10, %f9") && all.contains("mov.b32 %f15, %f10"), all);
    }

    /** Turns that load half a word each are put together by twos: their loads can be made as one. */
    @Test
    void turnsLoadWholeWords() {
        Graph loops = loops(graph("mov.u32 %r9, %r1;", turns("ld.global.u16 %r1[#], [%d0+[2]];\nadd.u32 %r[#], %r[-], %r1[#];"), "st.global.u32 [%d0], %r15;"));
        assertEquals(List.of("mov.u32 +lines, lines", "ld.global.u16 %r110, [%d0]", "add.u32 %r10, %r11, %r110", "ld.global.u16 %r111, [%d0+2]", "add.u32 %r11, %r10, %r111", "add.u64 %d0, %d0, 4",
                "mov.u32 +lines, 0", "add.u32 lines, lines, 4", "setp.lt.u32 again, lines, 12"), turn(loops));
        String all = loops.blocks().toString();
        assertTrue(all.contains("mov.b32 %r11, %r9") && all.contains("mov.b32 %r15, %r11"), all);
        // Steps of bytes come by fours, of which six are no multiple.
        assertEquals(7, turn(loops(graph("mov.u32 %r9, %r1;", turns("ld.global.u8 %r1[#], [%d0+[1]];\nadd.u32 %r[#], %r[-], %r1[#];"), "st.global.u32 [%d0], %r15;"))).size());
    }

    @Test
    void aRegisterThatEachTurnWritesAnewIsCarried() {
        Graph loops = loops(graph("", turns("mul.lo.u32 %r1, %r1, 5;\nadd.u32 %r1, %r1, 7;"), "st.global.u32 [%d0], %r1;"));
        assertEquals(List.of("mul.lo.u32 %r1, %r1, 5", "add.u32 %r1, %r1, 7", "add.u32 lines, lines, 2", "setp.lt.u32 again, lines, 12"), turn(loops));
    }

    @Test
    void addressesGrowByThemselves() {
        Graph loops = loops(graph("mov.u64 %d1, %d0;", turns("ld.global.u32 %r[#], [%d0+[8]];\nst.global.u32 [%d1+1[8]], %r[#];").replaceAll("%d1.1(\\d+)", "%d1+$1"), ""));
        assertEquals(List.of("mov.u32 +lines, lines", "ld.global.u32 %r10, [%d0]", "st.global.u32 [%d1], %r10", "add.u64 %d0, %d0, 8", "add.u64 %d1, %d1, 8", "mov.u32 +lines, 0",
                "add.u32 lines, lines, 2", "setp.lt.u32 again, lines, 12"), turn(loops));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        // An offset that grows otherwise once.
        "ld.global.u32 %r[#], [%d0+[8]];\nadd.u32 %r2[#], %r[#], %r1;@[%d0+24]@[%d0+28]@st.global.u32 [%d0], %r215;",
        // Another number.
        "add.u32 %r[#], %r[-], 5;\nxor.b32 %r2[#], %r[#], %r1;@add.u32 %r12, %r11, 5@add.u32 %r12, %r11, 6@st.global.u32 [%d0], %r215;",
        // Somebody behind reads what another turn has written.
        "add.u32 %r[#], %r[-], 5;\nxor.b32 %r2[#], %r[#], %r1;@-@-@st.global.u32 [%d0], %r211; st.global.u32 [%d0], %r215;",
        // A turn reads what the one before it has written, behind the place where it writes that itself.
        "add.u32 %r[#], %r1, 5;\nxor.b32 %r2[#], %r[-], %r1;@-@-@st.global.u32 [%d0], %r215;",
        // A guard.
        "add.u32 %r[#], %r[-], 5;\n@%q0 xor.b32 %r2[#], %r[#], %r1;@-@-@st.global.u32 [%d0], %r215;",
        // An address grows by itself and by its offset.
        "add.u64 %d1, %d1, 4;\nld.global.u32 %r[#], [%d1+[8]];@-@-@st.global.u32 [%d0], %r15;",
        // The first turn takes two numbers from before where others take one twice.
        "add.u32 %r[#], %r[-], %r[-];\nxor.b32 %r2[#], %r[#], %r1;@%r9, %r9@%r9, %r8@st.global.u32 [%d0], %r215;",
        // Carries.
        "add.cc.u32 %r[#], %r[-], 5;\naddc.u32 %r2[#], %r[#], %r1;@-@-@st.global.u32 [%d0], %r215;",
        // A line more.
        "add.u32 %r[#], %r[-], 5;\nxor.b32 %r2[#], %r[#], %r1;@add.u32 %r12, %r11@\nadd.u32 %r12, %r11@st.global.u32 [%d0], %r215;",
    })
    void whatIsNoLoopStays(String text) {
        String[] parts = text.split("@(?!%q)");
        Graph graph = graph("mov.u64 %d1, %d0; ld.global.u32 %r8, [%d0+4]; mov.u32 %r9, %r1; setp.eq.u32 %q0, %r1, 0;", turns(parts[0]).replace(parts[1].equals("-") ? "\0" : parts[1], parts[2]), parts[3]);
        assertSame(graph, loops(graph));
    }

    @Test
    void codeOfSeveralBlocksIsOne() {
        // Longer blocks are cut.
        String turn = IntStream.range(0, 30).mapToObj(k -> "add.u32 %r2, %r1, " + k + ";\nxor.b32 %r1, %r2, %r1;").collect(Collectors.joining("\n"));
        Graph graph = graph("", turns(turn), "st.global.u32 [%d0], %r1;");
        assertTrue(graph.blocks().size() > 4);
        Graph loops = UnrolledLoops.of(graph, i -> 1, 200);
        assertEquals(62, turn(loops).size());
        assertEquals(3, loops.blocks().size());
    }
}
