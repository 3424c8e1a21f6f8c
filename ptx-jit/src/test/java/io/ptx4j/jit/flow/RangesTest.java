package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Between which numbers the values of registers lie, what becomes of code whose results are known, and addresses of constants in 32 bits. */
final class RangesTest {
    private static final BlockShape BLOCK = new BlockShape(16, 8, 1);

    private static Graph graph(String text, String last) {
        return graph(text, last, null);
    }

    private static Graph graph(String text, String last, BlockShape block) {
        Module module = Checker.check(new SourceFile("k.ptx", """
                .version 8.0
                .target sm_80
                .address_size 64
                .const .b8 before[4];
                .const .b8 table[28];
                .shared .align 16 .b8 first[16];
                .shared .align 16 .b8 tile[8192];
                .visible .entry k(.param .u64 p)
                {
                  .reg .b16 %h<9>;
                  .reg .b32 %r<12>;
                  .reg .b64 %d<9>;
                  .reg .pred %q, %p<4>;
                  ld.param.u64 %d0, [p];
                  ld.global.u32 %r1, [%d0];
                  ld.global.u16 %h1, [%d0];
                  setp.eq.u32 %q, %r1, 0;
                  X
                  Y
                  ret;
                }
                """.replace("X", text).replace("Y", last))).module();
        return Normalizer.normalize(module, module.kernels().get("k"), block);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "and.b32 %r2, %r1, 7; | 7",
        "and.b32 %r2, %r1, 7; add.u32 %r2, %r2, 1; | 8",
        "and.b32 %r2, %r1, 7; @%q add.u32 %r2, %r2, 1; | 4294967295",
        "and.b32 %r3, %r1, 7; add.u32 %r2, %r3, 5; | 12",
        "and.b32 %r3, %r1, 7; add.s32 %r2, %r3, -1; | 4294967295",
        "and.b32 %r3, %r1, 7; mul.lo.u32 %r2, %r3, 3; | 21",
        "mul.lo.u32 %r2, %r1, 3; | 4294967295",
        "shr.u32 %r2, %r1, 30; | 3",
        "shr.s32 %r2, %r1, 30; | 4294967295",
        "bfe.u32 %r2, %r1, 5, 4; | 15",
        "bfe.s32 %r2, %r1, 5, 4; | 4294967295",
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
        "mov.u32 %r2, %ctaid.x; | 2147483646",
        "mov.u32 %r3, %tid.x; mov.u32 %r4, %tid.y; mad.lo.s32 %r2, %r4, 16, %r3; | 17391",
        "mov.u32 %r3, %tid.x; mad.hi.u32 %r2, %r3, %r3, %r3; | 4294967295",
        "mov.u32 %r3, %tid.x; mad.lo.u32 %r2, %r3, 16, %r1; | 4294967295",
        "ld.global.u8 %r2, [%d0]; | 255",
    })
    void masksShiftsSumsAndProductsBoundARegister(String text, long most) {
        Graph graph = graph(text, "st.global.u32 [%d0], %r2;");
        Operand.Reg stored = (Operand.Reg) graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.toString().startsWith("st."))
                .findFirst().orElseThrow().operand(1);
        assertEquals(most, new Ranges(graph, a -> -1).most(stored.register()));
    }

    /** Of blocks of 16 by 8 threads. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mov.u32 %r2, %tid.x; | 0 | 15",
        "mov.u32 %r2, %tid.y; | 0 | 7",
        "mov.u32 %r2, %tid.z; | 0 | 0",
        "mov.u32 %r2, %ntid.x; | 16 | 16",
        "mov.u32 %r2, %ntid.z; | 1 | 1",
        "mov.u32 %r2, %laneid; | 0 | 31",
        "mov.u32 %r2, %nctaid.y; | 1 | 65535",
        "mov.u32 %r3, %tid.x; sub.s32 %r2, 9, %r3; | -6 | 9",
        "mov.u32 %r3, %tid.x; sub.u32 %r2, 9, %r3; | -6 | 9",
        "mov.u32 %r3, %tid.x; sub.u32 %r2, 20, %r3; | 5 | 20",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; shr.s32 %r2, %r4, 2; | -2 | 1",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; shr.u32 %r2, %r4, 2; | 0 | 1073741823",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; shl.b32 %r2, %r4, 2; | -32 | 28",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; mul.lo.s32 %r2, %r4, -3; | -21 | 24",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; min.s32 %r2, %r4, 3; | -8 | 3",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; min.u32 %r2, %r4, 3; | 0 | 3",
        "mov.u32 %r3, %tid.x; max.s32 %r2, %r3, 3; | 3 | 15",
        "mov.u32 %r3, %tid.x; or.b32 %r2, %r3, 32; | 32 | 47", "mov.u32 %r3, %tid.x; or.b32 %r2, %r3, 33; | 33 | 63",
        "mov.u32 %r3, %tid.x; xor.b32 %r2, %r3, 32; | 0 | 63", "mov.u32 %r3, 12; xor.b32 %r2, %r3, 10; | 6 | 6",
        "mov.u32 %r3, %tid.x; xor.b32 %r2, %r3, -1; | -2147483648 | 2147483647",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, 32; and.b32 %r2, %r4, 31; | 0 | 15",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, 30; and.b32 %r2, %r4, 31; | 0 | 31",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, 40; and.b32 %r2, %r4, -8; | 40 | 48",
        "and.b32 %r2, %r1, -8; | -2147483648 | 2147483647",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, 32; rem.u32 %r2, %r4, 32; | 0 | 15",
        "rem.u32 %r2, %r1, 32; | 0 | 31",
        "rem.s32 %r2, %r1, 32; | -2147483648 | 2147483647",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, 40; div.s32 %r2, %r4, 10; | 4 | 5",
        "mov.u32 %r3, %tid.x; div.s32 %r2, %r3, -2; | -2147483648 | 2147483647",
        "mov.u32 %r3, %tid.x; selp.b32 %r2, %r3, 99, %q; | 0 | 99",
        "mov.u32 %r3, %tid.x; setp.lt.u32 %q, %r3, 16; @%q mov.u32 %r3, 3; selp.b32 %r2, 7, %r1, %q; | 7 | 7",
        "popc.b32 %r2, %r1; | 0 | 32",
        "ld.global.s8 %r2, [%d0]; | -128 | 127",
        "ld.global.u16 %r2, [%d0]; | 0 | 65535",
        "ld.global.b8 %r2, [%d0]; | 0 | 255",
        "cvt.s32.s8 %r2, %h1; | -128 | 127",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; cvt.s64.s32 %d1, %r4; cvt.u32.u64 %r2, %d1; | -8 | 7",
        "mov.u32 %r3, %tid.x; mad.wide.s32 %d1, %r3, -4, 8; cvt.u32.u64 %r2, %d1; | -52 | 8",
        "mov.u64 %d1, -1; min.u64 %d2, %d0, %d1; cvt.u32.u64 %r2, %d2; | -2147483648 | 2147483647",
        "shl.b32 %r2, %r1, 32; | 0 | 0",
        "mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; shr.s32 %r2, %r4, 99; | -1 | 0",
        "mov.u32 %r3, %tid.x; add.sat.s32 %r2, %r3, 1; | -2147483648 | 2147483647",
        "mov.u32 %r3, %tid.x; cvt.u64.u32 %d1, %r3; mov.u64 %d3, -5; min.u64 %d2, %d1, %d3; cvt.u32.u64 %r2, %d2; | -2147483648 | 2147483647",
        "mov.u32 %r3, %tid.x; setp.lt.u32 %q, %r3, 16; setp.eq.u32 %p1, %r1, 3; and.pred %q, %q, %p1; selp.b32 %r2, 7, 9, %q; | 7 | 9",
        "mov.u32 %r3, %tid.x; setp.lt.u32 %p1, %r3, 99; setp.lt.and.u32 %p2, %r3, 8, !%p1; selp.b32 %r2, 7, 9, %p2; | 9 | 9",
        "mov.u32 %r3, %tid.x; setp.lt.u32 %p1, %r3, 99; not.pred %p2, %p1; selp.b32 %r2, 7, 9, %p2; | 9 | 9",
        "@%q mov.u32 %r2, 9; | 0 | 9",
        "mov.u32 %r3, %tid.x; mul.wide.u32 %d1, %r3, 8; mul.lo.u64 %d2, %d1, 0x4000000000000000; shr.u64 %d3, %d2, 40; cvt.u32.u64 %r2, %d3; | -2147483648 | 2147483647",
    })
    void valuesLieBetweenTwoNumbers(String text, long least, long most) {
        Graph graph = graph(text, "st.global.u32 [%d0], %r2;", BLOCK);
        Operand stored = graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.toString().startsWith("st.")).findFirst().orElseThrow().operand(1);
        if (stored instanceof Operand.Immediate constant) {
            assertEquals(least, (int) constant.bits());
            assertEquals(most, (int) constant.bits());
        } else {
            assertEquals(new Ranges.Range(least, most), Ranges.ofReads(graph, BLOCK).of(((Operand.Reg) stored).register()));
        }
    }

    /** Of {@code %r4} in a loop that begins with {@code %tid.x}, at most 15, and stores {@code %r4}; in code for blocks of any shape no loop is unrolled. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, 1024; @%q bra L; | 1279",
        "add.s32 %r4, %r4, 256; setp.le.s32 %q, %r4, 1024; @%q bra L; | 1280",
        "shl.b32 %r4, %r4, 2; setp.lt.s32 %q, %r4, 1024; @%q bra L; | 4092",
        "setp.lt.s32 %q, %r4, 1024; shl.b32 %r4, %r4, 1; @%q bra L; | 4092",
        "shl.b32 %r4, %r4, %r1; setp.lt.s32 %q, %r4, 1024; @%q bra L; | 4294967295",
        "add.s32 %r4, %r4, 256; setp.ge.s32 %q, %r4, 1024; @!%q bra L; | 1279",
        "add.s32 %r4, %r4, 256; setp.gt.u32 %q, %r4, 1024; @!%q bra L; | 1280",
        "add.s32 %r4, %r4, 256; setp.ge.s32 %q, %r4, 1024; @%q bra OUT; bra L; | 1279",
        "setp.lt.s32 %q, %r4, 768; add.s32 %r4, %r4, 256; @%q bra L; | 1279",
        "add.s32 %r5, %r4, 256; setp.lt.s32 %q, %r4, 768; mov.u32 %r4, %r5; @%q bra L; | 1279",
        "add.s32 %r5, %r4, 256; setp.lt.s32 %q, %r5, 1024; mov.u32 %r4, %r5; @%q bra L; | 1279",
        "add.s32 %r5, %r4, 256; mov.u32 %r4, %r5; setp.lt.s32 %q, %r5, 1024; @%q bra L; | 1279",
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, -5; @%q bra L; | 15",
        "add.s32 %r5, %r4, 256; setp.lt.s32 %q, %r4, 768; mov.u32 %r4, %r5; mov.u32 %r5, 7; @%q bra L; | 1279",
        // What is no such loop.
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, 1024; @!%q bra L; | any",
        "add.s32 %r4, %r4, 256; setp.ne.s32 %q, %r4, 1024; @%q bra L; | any",
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, %r1; @%q bra L; | any",
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, 2147483647; @%q bra L; | any",
        "add.s32 %r4, %r4, -256; setp.lt.s32 %q, %r4, 1024; @%q bra L; | any",
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r1, 1024; @%q bra L; | any",
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, 1024; add.s32 %r4, %r4, 256; @%q bra L; | any",
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, 1024; @%q bra L; st.global.u32 [%d0], %r4; | any",
        "setp.lt.s32 %q, %r4, 1024; @%q add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, 1024; @%q bra L; | any",
        "add.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, 1024; setp.lt.s32 %q, %r1, 1024; @%q bra L; | any",
        "add.s32 %r4, %r4, 256; setp.lt.or.s32 %q, %r4, 1024, %q; @%q bra L; | any",
        "add.s32 %r5, %r4, 256; setp.lt.s32 %q, %r4, 768; mov.u32 %r4, %r5; @%q mov.u32 %r5, 7; @%q bra L; st.global.u32 [%d0], %r5; | any",
        "setp.lt.s32 %q, %r5, 768; add.s32 %r5, %r4, 256; mov.u32 %r4, %r5; @%q bra L; | any",
        "add.sat.s32 %r4, %r4, 256; setp.lt.s32 %q, %r4, 1024; @%q bra L; | any",
    })
    void countersEndWithTheirLoops(String step, String most) {
        Graph graph = graph("mov.u32 %r3, %tid.x; mov.u32 %r4, %r3; L: st.global.u32 [%d0], %r4; " + step, "OUT:", null);
        Operand.Reg stored = (Operand.Reg) graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.toString().startsWith("st.")).findFirst().orElseThrow().operand(1);
        long expected = most.equals("any") ? 0xFFFF_FFFFL : Long.parseLong(most);
        assertEquals(expected, Ranges.ofReads(graph, BLOCK).most(stored.register()));
    }

    @Test
    void countersThatBeginBelowZeroMayBeAnyNumber() {
        Graph graph = graph("mov.u32 %r3, %tid.x; add.s32 %r4, %r3, -8; L: st.global.u32 [%d0], %r4; setp.lt.s32 %q, %r4, -4; add.s32 %r4, %r4, 256; @%q bra L;", "", BLOCK);
        Operand.Reg stored = (Operand.Reg) graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.toString().startsWith("st.")).findFirst().orElseThrow().operand(1);
        assertEquals(0xFFFF_FFFFL, Ranges.ofReads(graph, BLOCK).most(stored.register()));
    }

    /** What nvcc makes of a loop over 1024 elements by blocks of 256 threads, cut short. */
    @Test
    void codeThatIsNeverReachedGoes() {
        Graph graph = graph("""
                mov.u32 %r3, %tid.x;
                max.s32 %r4, %r3, 768;
                sub.s32 %r5, 1023, %r3;
                shr.u32 %r6, %r5, 8;
                and.b32 %r7, %r6, 3;
                setp.gt.s32 %q, %r3, 1023;
                @%q bra OUT;
                setp.ne.s32 %q, %r7, 3;
                @%q bra OUT;
                @%q mov.u32 %r2, 5;
                mov.u32 %r9, %r3;
                L:
                shr.s32 %r8, %r9, 31;
                add.s32 %r2, %r8, %r9;
                st.global.u32 [%d0], %r2;
                add.s32 %r10, %r9, 1024;
                setp.lt.s32 %p2, %r9, 0;
                mov.u32 %r9, %r10;
                @%p2 bra L;
                """.replace("\n", " "), "OUT:", new BlockShape(256, 1, 1));
        assertEquals(0, graph.blocks().stream().filter(b -> b.successors().size() > 1).count());
        assertEquals(1, graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.opcode() == Opcode.ST).count());
        assertEquals(0, graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.opcode() == Opcode.SHR && i.type().signed() || i.guard() != null).count());
        assertEquals(255, Ranges.ofReads(graph, new BlockShape(256, 1, 1)).most(graph.registers().stream().filter(r -> r.name().equals("%r9")).findFirst().orElseThrow()));
        // With fewer threads it has other turns.
        assertEquals(2, graph("mov.u32 %r3, %tid.x; setp.gt.u32 %q, %r3, 200; @%q bra OUT; st.global.u32 [%d0], %r3;", "OUT:", new BlockShape(256, 1, 1))
                .blocks().getFirst().successors().size());
    }

    /** Before a loop that halves a distance it is one number, of which the first test is known; what is behind the loop stays. */
    @Test
    void whatARegisterHoldsBeforeItsLoopDecidesTests() {
        String loop = """
                X
                setp.eq.u32 %q, %r3, 0;
                @%q bra OUT;
                L:
                st.global.u32 [%d0], %r3;
                shr.u32 %r3, %r3, 1;
                setp.ne.u32 %q, %r3, 0;
                @%q bra L;
                """.replace("\n", " ");
        BlockShape shape = new BlockShape(256, 1, 1);
        assertEquals(1, branches(graph(loop.replace("X", "mov.u32 %r3, %ntid.x; shr.u32 %r3, %r3, 1;"), "OUT:", shape)));
        // Through a block of its own.
        assertEquals(2, branches(graph(loop.replace("X", "mov.u32 %r3, %ntid.x; @%q bra ON; st.global.u32 [%d0], 0; ON: shr.u32 %r3, %r3, 1;"), "OUT:", shape)));
        assertEquals(2, branches(graph(loop.replace("X", "mov.u32 %r3, 128; @%q bra OUT; add.u32 %r3, %r3, 1;"), "OUT:", shape)));
        // Some threads have another number; of some shapes nothing is known.
        assertEquals(2, branches(graph(loop.replace("X", "mov.u32 %r3, %ntid.x; @%q mov.u32 %r3, 0;"), "OUT:", shape)));
        assertEquals(3, branches(graph(loop.replace("X", "mov.u32 %r3, %ntid.x; @%q bra ON; mov.u32 %r3, 0; ON:"), "OUT:", shape)));
        assertEquals(2, branches(graph(loop.replace("X", "mov.u32 %r3, %ntid.x; shr.u32 %r3, %r3, 1;"), "OUT:", null)));
    }

    private static long branches(Graph graph) {
        return graph.blocks().stream().filter(b -> b.successors().size() > 1).count();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        // As nvcc divides a signed number by 64.
        "mov.u32 %r3, %tid.x; shr.s32 %r4, %r3, 31; shr.u32 %r5, %r4, 26; add.s32 %r6, %r3, %r5; shr.s32 %r2, %r6, 6; | mov.u32 %r3, %tid.x; add.s32 %r6, %r3, 0; shr.s32 %r2, %r6, 6;",
        "shr.s32 %r2, %r1, 31; | shr.s32 %r2, %r1, 31;",
        "mov.u32 %r3, %tid.x; shr.u32 %r2, %r3, 9; | mov.u32 %r3, %tid.x; shr.u32 %r2, %r3, 9;",
        "mov.u32 %r3, %tid.x; mov.u32 %r4, 3; @%q shr.u32 %r4, %r3, 10; add.u32 %r2, %r4, 1; | mov.u32 %r4, 3; @%q mov.b32 %r4, 0; add.u32 %r2, %r4, 1;",
    })
    void shiftsThatLeaveNothingAreZero(String text, String expected) {
        List<String> code = graph(text, "st.global.u32 [%d0], %r2;").blocks().stream().flatMap(b -> b.instructions().stream()).map(i -> i + ";").toList();
        assertEquals(expected, String.join(" ", code.subList(0, code.size() - 1)).replaceFirst("^.*ld.global.u16 %h1, \\[%d0]; (setp.eq.u32 %q, %r1, 0; )?", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "and.b32 %r2, %r1, 7; mul.wide.u32 %d1, %r2, 3; mov.u64 %d2, table; add.s64 %d3, %d2, %d1; | 32",
        "and.b32 %r2, %r1, 7; cvt.u64.u32 %d1, %r2; shl.b64 %d2, %d1, 1; add.s64 %d3, %d2, 4; | 32",
        "mul.wide.u32 %d1, %r1, 3; mov.u64 %d2, table; add.s64 %d3, %d2, %d1; | 64",
        "and.b32 %r2, %r1, 7; mul.wide.u32 %d1, %r2, 3; mov.u64 %d2, table; add.s64 %d3, %d2, %d1; st.global.u64 [%d0], %d3; | 32",
        "and.b32 %r2, %r1, 7; mul.wide.u32 %d1, %r2, 3; mov.u64 %d2, table; sub.s64 %d3, %d2, %d1; | 64",
        "and.b64 %d3, %d0, 7; | 64",
    })
    void addressesOfConstantsNeedNoMoreThanTheirBits(String text, int bits) {
        assertEquals(bits, addressBits(text, "ld.const.u8 %r3, [%d3+1];"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mov.u32 %r2, %tid.x; mul.wide.u32 %d1, %r2, 4; mov.u64 %d2, tile; add.s64 %d3, %d2, %d1; | 4 | 32",
        "mov.u32 %r2, %tid.x; mul.wide.u32 %d1, %r2, 4; mov.u64 %d2, tile+16; add.s64 %d3, %d2, %d1; | -16 | 32",
        "mov.u32 %r2, %tid.x; mul.wide.u32 %d1, %r2, 4; mov.u64 %d2, tile+16; add.s64 %d3, %d2, %d1; | -20 | 64",
        "mov.u32 %r2, %tid.x; mul.wide.s32 %d1, %r2, -4; mov.u64 %d2, tile; sub.s64 %d3, %d2, %d1; | 0 | 32",
        "mov.u32 %r2, %tid.x; mul.wide.s32 %d1, %r2, -4; mov.u64 %d2, tile; add.s64 %d3, %d2, %d1; | 0 | 64",
        "ld.global.b8 %r2, [%d0]; cvt.u64.u32 %d1, %r2; shl.b64 %d4, %d1, 2; mov.u64 %d2, tile; add.s64 %d3, %d2, %d4; | 0 | 32",
        "ld.global.b32 %d1, [%d0]; mov.u64 %d2, tile; add.s64 %d3, %d2, %d1; | 0 | 64",
        "mov.u32 %r2, %tid.x; mul.wide.u32 %d1, %r2, 256; and.b64 %d1, %d1, 3840; mov.u64 %d2, tile; add.s64 %d3, %d2, %d1; | 0 | 32",
        "mul.wide.u32 %d1, %r1, 4; mov.u64 %d2, tile; add.s64 %d3, %d2, %d1; | 0 | 64",
        "mov.u64 %d2, tile; mov.u64 %d3, tile+8; @%q add.s64 %d3, %d2, 16; | 0 | 32",
        "mov.u64 %d3, tile; mov.u32 %r2, 0; LOOP: add.s64 %d3, %d3, 64; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 8; @%p1 bra LOOP; | 0 | 64",
    })
    void addressesOfSharedMemoryNeedNoMoreThanTheirBits(String text, int offset, int bits) {
        assertEquals(bits, addressBits(text, "ld.shared.u32 %r3, [%d3+" + offset + "];"));
    }

    private static int addressBits(String text, String load) {
        Graph graph = graph(text, load + " st.global.u32 [%d0], %r3;");
        Operand.Address address = (Operand.Address) graph.blocks().stream().flatMap(b -> b.instructions().stream())
                .filter(i -> i.toString().startsWith(load.substring(0, 9))).findFirst().orElseThrow().operand(1);
        return address.register().type().bits();
    }
}
