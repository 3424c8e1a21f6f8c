package io.ptx4j.jit.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Kernel;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Normalizer;
import io.ptx4j.syntax.SourceFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many versions there are of what follows quotients, one of them for groups that lie in no row. */
final class QuotientsTest {
    private static final String KERNEL = """
            .version 8.6
            .target sm_100
            .address_size 64
            .visible .entry k(.param .u64 out, .param .u32 n, .param .u32 width, .param .u32 first)
            {
              .reg .pred %%p<4>;
              .reg .b32 %%r<30>;
              .reg .b64 %%d<9>;
              ld.param.u64 %%d1, [out];
              ld.param.u32 %%r1, [n];
              ld.param.u32 %%r8, [width];
              ld.param.u32 %%r7, [first];
              mov.u32 %%r2, %%tid.x;
              mov.u32 %%r3, %%ntid.x;
              mov.u32 %%r4, %%ctaid.x;
              mad.lo.s32 %%r5, %%r4, %%r3, %%r2;
              mad.lo.u32 %%r9, %%r5, %d, %%r7;
              setp.ge.s32 %%p1, %%r5, %%r1;
              @%%p1 bra END;
              %s
              mad.lo.u32 %%r20, %%r10, 7, %%r11;
              mul.wide.u32 %%d2, %%r20, 4;
              add.s64 %%d3, %%d1, %%d2;
              st.global.u32 [%%d3], %%r20;
            END:
              ret;
            }
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "div.u32 %r10, %r9, %r8; rem.u32 %r11, %r9, %r8; | 1 | 2",
        "rem.s32 %r11, %r9, %r8; sub.s32 %r10, %r9, %r11; | 4 | 2",
        "rem.s32 %r11, %r9, %r8; | 17 | 1",
        "rem.s32 %r11, %r8, %r9; | 1 | 1",
        "rem.s32 %r11, %r9, %r2; | 1 | 1",
        "div.u32 %r10, %r9, 100; rem.u32 %r11, %r10, 10; | 1 | 2",
        // The version in which the first holds has two of the second.
        "div.u32 %r10, %r9, 100; rem.u32 %r11, %r9, 1000; | 1 | 3",
        "div.u32 %r10, %r9, 64; | 1 | 2",
        // No group lies in one row.
        "div.u32 %r10, %r9, 31; | 1 | 1",
        "div.u32 %r10, %r9, 62; | 2 | 1",
        "shr.u32 %r10, %r9, 5; | 1 | 2",
        "shr.u32 %r10, %r9, 5; | 2 | 1",
        "shr.u32 %r10, %r9, 4; | 1 | 1",
        "and.b32 %r10, %r9, 127; | 1 | 2",
        "and.b32 %r10, %r9, -128; | 1 | 2",
        "and.b32 %r10, %r9, 126; | 1 | 1",
        // As compilers divide a signed number by 256.
        "shr.s32 %r12, %r9, 31; shr.u32 %r13, %r12, 24; add.s32 %r14, %r9, %r13; shr.s32 %r10, %r14, 8; and.b32 %r15, %r14, -256; sub.s32 %r11, %r9, %r15; | 1 | 3",
        "shr.u32 %r10, %r9, 7; and.b32 %r11, %r9, 127; | 1 | 2",
        "shr.u32 %r10, %r9, 8; and.b32 %r11, %r9, 127; | 1 | 3",
        "and.b32 %r11, %r9, 127; shr.u32 %r10, %r9, 8; | 1 | 2",
        // By 640, 3 and 1920, as nvcc divides.
        "mul.wide.u32 %d4, %r9, -858993459; shr.u64 %d5, %d4, 41; cvt.u32.u64 %r10, %d5; mul.lo.s32 %r12, %r10, 640; sub.s32 %r11, %r9, %r12; | 1 | 2",
        "mul.hi.s32 %r12, %r9, 1717986919; shr.u32 %r13, %r12, 31; shr.s32 %r14, %r12, 8; add.s32 %r10, %r14, %r13; | 1 | 2",
        "mul.hi.s32 %r12, %r9, 1431655766; shr.u32 %r13, %r12, 31; add.s32 %r10, %r12, %r13; | 1 | 2",
        "mul.hi.s32 %r12, %r9, -2004318071; add.s32 %r13, %r12, %r9; shr.u32 %r14, %r13, 31; shr.s32 %r15, %r13, 10; add.s32 %r10, %r15, %r14; | 1 | 2",
        "mul.hi.s32 %r12, %r9, -2004318071; shr.u32 %r14, %r12, 31; shr.s32 %r15, %r12, 10; add.s32 %r10, %r15, %r14; | 1 | 1",
        // As libraries divide by what is known at launch.
        "mul.hi.u32 %r12, %r9, %r8; add.u32 %r13, %r12, %r9; shr.u32 %r10, %r13, %r1; | 1 | 2",
        "mul.hi.u32 %r12, %r9, %r8; shr.u32 %r10, %r12, 3; | 1 | 2",
        "mul.hi.u32 %r12, %r9, %r2; shr.u32 %r10, %r12, 3; | 1 | 1",
        // Places do not become better.
        "shr.u32 %r12, %r9, 7; mul.lo.u32 %r10, %r5, %r5; | 1 | 1",
        "@%p1 div.u32 %r10, %r9, %r8; | 1 | 1",
        "div.u32 %r10, %r9, %r8; bar.sync 0; | 1 | 1",
    })
    void whatFollowsHasAVersionForGroupsInOneRow(String body, int stride, int versions) {
        assertEquals(versions, versions(KERNEL.formatted(stride, body), 128));
    }

    /** The first thread of a group has a multiple of the group's threads then. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "shr.u32 %r10, %r9, 5; | 128 | 1",
        "shr.u32 %r10, %r9, 5; | 80 | 2",
        "and.b32 %r10, %r9, 127; | 128 | 1",
        "and.b32 %r10, %r9, 127; | 80 | 2",
    })
    void shiftsAndMasksNeedNoVersionWhereBlocksBeginAtMultiples(String body, int threads, int versions) {
        assertEquals(versions, versions(KERNEL.formatted(1, body).replace(", %r7;", ", 0;"), threads));
    }

    /** As many as there are stores in what becomes of the kernel. */
    private static long versions(String text, int threads) {
        CheckedModule checked = Checker.check(new SourceFile("k.ptx", text));
        assertEquals("[]", checked.diagnostics().toString());
        Kernel kernel = checked.module().kernels().get("k");
        Graph graph = Normalizer.normalize(checked.module(), kernel);
        Graph split = Quotients.split(graph, Group.of(kernel, new BlockShape(threads, 1, 1), Group.WARP, true), kernel).analysis().graph();
        return split.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.opcode() == Opcode.ST).count();
    }
}
