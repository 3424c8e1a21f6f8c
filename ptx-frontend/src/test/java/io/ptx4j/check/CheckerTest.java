package io.ptx4j.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CheckerTest {
    private static final String HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n";

    @Test
    void theExamplesCheckWithoutAProblem() throws IOException {
        List<Diagnostic> problems = new ArrayList<>();
        int files = 0;
        try (Stream<Path> paths = Files.list(Path.of("..", "examples"))) {
            for (Path path : paths.filter(p -> p.toString().endsWith(".ptx")).sorted().toList()) {
                CheckedModule checked = Checker.check(SourceFile.read(path));
                problems.addAll(checked.diagnostics());
                files++;
            }
        }
        assertEquals(List.of(), problems);
        assertTrue(files >= 24, "examples are missing");
    }

    @Test
    void operandsKnowHowTheyAreRead() {
        BasicBlock block = kernel("""
                mul.wide.s16 %r0, %h1, -2;
                ld.global.v2.u8 {%h1, _}, [%rd1+4];
                selp.b32 %r0, 1, %r1, !%p1;
                mov.b64 %rd0, {%r0, 7};
                mov.u32 %r0, %tid.x;
                mov.f64 %fd0, 0f3F800000;
                """).body().blocks().getFirst();
        assertEquals("mul.wide.s16 %r0, %h1, -2", block.instructions().get(0).toString());
        Operand.Reg factor = assertInstanceOf(Operand.Reg.class, block.instructions().get(0).operand(1));
        assertEquals(ScalarType.S16, factor.type());
        assertEquals("ld.global.v2.u8 {%h1, _}, [%rd1+4]", block.instructions().get(1).toString());
        assertEquals("selp.b32 %r0, 1, %r1, !%p1", block.instructions().get(2).toString());
        assertEquals("mov.b64 %rd0, {%r0, 7}", block.instructions().get(3).toString());
        assertEquals("mov.u32 %r0, %tid.x", block.instructions().get(4).toString());
        Operand.Immediate one = assertInstanceOf(Operand.Immediate.class, block.instructions().get(5).operand(1));
        assertEquals(Double.doubleToRawLongBits(1.0), one.bits());
    }

    @Test
    void anOptionalOperandThatIsNotWrittenIsAbsent() {
        BasicBlock block = kernel("setp.eq.s32 %p1|%p2, %r1, 0; setp.eq.s32 %p1, %r1, 0; bar.sync 0; bar.sync 0, 64;")
                .body().blocks().getFirst();
        assertInstanceOf(Operand.Reg.class, block.instructions().get(0).operand(1));
        assertInstanceOf(Operand.Absent.class, block.instructions().get(1).operand(1));
        assertInstanceOf(Operand.Absent.class, block.instructions().get(2).operand(1));
        assertInstanceOf(Operand.Immediate.class, block.instructions().get(3).operand(1));
    }

    @Test
    void branchesMakeBlocksInTheOrderOfTheText() {
        List<BasicBlock> blocks = kernel("""
                L0: L1:
                add.u32 %r0, %r0, 1;
                @%p1 bra L0;
                @!%p2 exit;
                bra L2;
                add.u32 %r0, %r0, 2;
                L2:
                ret;
                """).body().blocks();
        assertEquals(List.of(1), blocks.get(0).successors());
        assertEquals("L0", blocks.get(1).label());
        assertEquals(List.of(1, 2), blocks.get(1).successors());
        assertEquals(List.of(3, 4), blocks.get(2).successors());
        assertInstanceOf(Terminator.Exit.class, blocks.get(3).terminator());
        assertEquals(List.of(5), blocks.get(4).successors());
        assertEquals("L2", blocks.get(5).label());
        assertEquals(6, blocks.size(), "what no branch reaches is dropped");
    }

    @Test
    void scopesHideAndForgetNames() {
        Kernel kernel = kernel("""
                { .reg.pred %top; .reg .b64 x; setp.ne.u32 %top, %r1, 0;
                  { .reg .b32 x; mov.b32 x, 1; }
                  @%top mov.b64 x, 2; }
                { .reg .f32 x; mov.f32 x, 0f00000000; }
                """);
        List<ScalarType> types = kernel.body().registers().stream().filter(r -> r.name().equals("x")).map(r -> r.type()).toList();
        assertEquals(List.of(ScalarType.B64, ScalarType.B32, ScalarType.F32), types);
    }

    @Test
    void onlyRegistersInUseExist() {
        Kernel kernel = kernel(".reg .b32 %many<100000000>; mov.u32 %many99999999, 1;");
        assertTrue(kernel.body().registers().size() < 10);
    }

    @Test
    void memoryIsLaidOut() {
        Module module = module("""
                .const .align 16 .b8 c0[3] = {1, 2};
                .const .f64 c1 = -1.0;
                .global .u32 g[2][2] = {{1, -1}, {0x10}};
                .global .u64 p[2] = {g+8, generic(g)};
                .global .u8 m[2] = {0xff00(g), 0xff(g+1)};
                .shared .b8 s0[5];
                .shared .align 8 .b8 s1[8];
                .extern .shared .align 16 .b8 dynamic[];
                .func (.param .b32 r) twice(.param .b32 a) {
                    .reg .b32 x; ld.param.b32 x, [a]; add.s32 x, x, x; st.param.b32 [r], x; st.shared.u8 [s0+1], x; ret;
                }
                .visible .entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20], .param .u16 d)
                .maxntid 16, 2
                {
                    .reg .b32 x; .reg .b64 y; .local .align 8 .b8 frame[20];
                    { .param .b32 in; .param .b32 out; st.param.b32 [in], 3; call (out), twice, (in); ld.param.b32 x, [out]; }
                    mov.u32 x, s1; mov.u32 x, dynamic; mov.u64 y, frame;
                }
                """);
        Kernel kernel = module.kernels().get("k");
        assertEquals(List.of(0, 8, 16, 36), kernel.parameterOffsets());
        assertEquals(38, kernel.parameterBytes());
        assertEquals(List.of("twice"), kernel.functions());
        assertEquals(16, kernel.sharedBytes());
        assertEquals(List.of(16, 2, 1), kernel.limits().maxThreads());
        assertEquals(List.of(0, 8, 16), kernel.sharedOffsets().values().stream().sorted().toList());
        assertEquals(32, kernel.body().frameBytes());
        assertEquals(16, module.functions().get("twice").body().frameBytes());
        assertEquals(List.of(0, 8), module.constOffsets().values().stream().sorted().toList());
        assertEquals(16, module.constBytes());
        var g = module.variables().stream().filter(v -> v.name().equals("g")).findFirst().orElseThrow();
        assertArrayEquals(new byte[] {1, 0, 0, 0, -1, -1, -1, -1, 16, 0, 0, 0}, g.initial().bytes());
        assertEquals(16, g.bytes());
        var p = module.variables().stream().filter(v -> v.name().equals("p")).findFirst().orElseThrow();
        assertEquals("[Relocation[offset=0, width=8, symbol=g, addend=8, generic=false, mask=-1], "
                + "Relocation[offset=8, width=8, symbol=g, addend=0, generic=true, mask=-1]]", p.initial().relocations().toString());
        var m = module.variables().stream().filter(v -> v.name().equals("m")).findFirst().orElseThrow();
        assertEquals(0xff00, m.initial().relocations().getFirst().mask());
    }

    @Test
    void oldKernelsDeclareParametersInTheirBody() {
        CheckedModule checked = Checker.check(new SourceFile("old.ptx", """
                .version 1.2
                .target sm_10
                .entry k {
                    .param .u32 n; .param .u32 p;
                    .reg .u32 %r<3>;
                    ld.param.u32 %r1, [n]; ld.param.u32 %r2, [p]; st.global.u32 [%r2], %r1;
                    exit;
                }
                """));
        assertEquals(List.of(), checked.diagnostics());
        assertEquals(List.of(0, 4), checked.module().kernels().get("k").parameterOffsets());
        assertEquals(32, checked.module().addressBits());
    }

    @Test
    void aGenericAccessToAVariableKnowsItsSpace() {
        BasicBlock block = kernel(".shared .u32 s; ld.u32 %r0, [s+4]; ld.u32 %r0, [%rd0];").body().blocks().getFirst();
        assertEquals(StateSpace.SHARED, assertInstanceOf(Operand.Address.class, block.instructions().get(0).operand(1)).space());
        assertEquals(StateSpace.GENERIC, assertInstanceOf(Operand.Address.class, block.instructions().get(1).operand(1)).space());
    }

    @Test
    void everyProblemOfABodyIsReported() {
        assertEquals(List.of(
                "add.rn.s32: no form of 'add' takes '.rn' with '.s32'",
                "ad: no instruction is named 'ad'",
                "%h1: operand a of 'add.s32' is .s32 (32 bits); %h1 is .b16",
                "%r99: nothing declares '%r99'",
                "1.5: operand b of 'add.s32' is .s32 and takes no such constant",
                "add.s32: 'add.s32' takes 3 operands; found 2",
                "nowhere: no label 'nowhere' can be seen from here",
                "%r1: a guard is a .pred register; '%r1' is .b32",
                "s: 'ld.global.u32' accesses .global; variable 's' lies in .shared",
                "%tid.x: special registers stand only as the source of mov and cvt"),
                problems("""
                        .shared .u32 s;
                        add.rn.s32 %r0, %r1, %r2;
                        ad.s32 %r0, %r1, %r2;
                        add.s32 %r0, %h1, %r2;
                        add.s32 %r0, %r99, %r2;
                        add.s32 %r0, %r1, 1.5;
                        add.s32 %r0, %r1;
                        bra nowhere;
                        @%r1 ret;
                        ld.global.u32 %r0, [s];
                        add.s32 %r0, %r1, %tid.x;
                        """));
    }

    @Test
    void aFormThatTheTargetLacksNamesTheTargetThatHasIt() {
        CheckedModule checked = Checker.check(new SourceFile("test.ptx",
                ".version 6.0\n.target sm_50\n.address_size 64\n.entry k() { .reg .b32 a; shf.l.wrap.b32 a, a, a, a; bmsk.clamp.b32 a, a, a; }"));
        assertEquals(List.of("'bmsk.clamp.b32' needs .version 7.6 or later; the module says 6.0"),
                checked.diagnostics().stream().map(Diagnostic::message).toList());
        assertNull(checked.module());
        assertFalse(checked.ok());
    }

    @Test
    void laterVersionsAndTheirTargetsAreWarnedOfOnce() {
        CheckedModule checked = Checker.check(new SourceFile("test.ptx", ".version 9.9\n.target sm_133a\n.address_size 64\n.entry k() { ret; }\n"));
        assertEquals(List.of("newer", "newer"), checked.diagnostics().stream().map(d -> d.code().toString()).toList());
        assertTrue(checked.ok());
        assertEquals(Set.of("k"), checked.module().kernels().keySet());
        CheckedModule known = Checker.check(new SourceFile("test.ptx", ".version 9.0\n.target sm_133a\n.address_size 64\n.entry k() { ret; }\n"));
        assertEquals(List.of("there is no target 'sm_133a'"), known.diagnostics().stream().map(Diagnostic::message).toList());
    }

    @Test
    void hintsSpellOutTheFormsThatWouldBeRight() {
        Diagnostic problem = Checker.check(source("add.rn.s32 %r1, %r2, %r3;\n")).diagnostics().getFirst();
        assertTrue(problem.hint().startsWith("forms: add.(u16|u32|u64|s16|s32|s64) d, a, b; "), problem.hint());
        assertFalse(problem.hint().contains("<"), problem.hint());
    }

    @Test
    void theNamesOfSourceFilesMayComeAtTheEnd() {
        Module module = module(".entry k() { .reg .b32 a;\n.loc 1 42 3\nmov.b32 a, 7;\n.loc 2 5 1\nmov.b32 a, 8;\nret;\n}\n.file 1 \"kernel.cu\"\n");
        assertEquals(List.of("file2:5", "kernel.cu:42"), module.sourceLines().values().stream().sorted().toList());
    }

    private static List<String> problems(String statements) {
        CheckedModule checked = Checker.check(source(statements));
        return checked.diagnostics().stream().map(d -> d.source().text(d.span()) + ": " + d.message()).toList();
    }

    private static Kernel kernel(String statements) {
        CheckedModule checked = Checker.check(source(statements));
        assertEquals(List.of(), checked.diagnostics());
        return checked.module().kernels().get("k");
    }

    private static Module module(String text) {
        CheckedModule checked = Checker.check(new SourceFile("test.ptx", HEAD + text));
        assertEquals(List.of(), checked.diagnostics());
        return checked.module();
    }

    private static SourceFile source(String statements) {
        return new SourceFile("test.ptx", HEAD + ".visible .entry k(.param .u64 pk0)\n{\n.reg .pred %p<10>; .reg .b16 %h<10>; "
                + ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<10>; .reg .f64 %fd<10>;\n" + statements + "}\n");
    }
}
