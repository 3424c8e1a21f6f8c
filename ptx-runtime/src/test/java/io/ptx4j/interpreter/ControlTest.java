package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.runtime.KernelException;
import org.junit.jupiter.api.Test;

class ControlTest {
    @Test
    void loopsAndBranchesRun() {
        assertArrayEquals(new int[] {5050}, Script.of("""
                mov.u32 %r10, 0; mov.u32 %r11, 1;
                LOOP:
                add.u32 %r10, %r10, %r11;
                add.u32 %r11, %r11, 1;
                setp.le.u32 %p1, %r11, 100;
                @%p1 bra LOOP;
                st.global.u32 [%rd0], %r10;
                """).ints(1));
    }

    @Test
    void functionsRecurseWithParametersInMemory() {
        assertArrayEquals(new int[] {3628800}, Script.of("""
                {
                .param .b32 a; .param .b32 r;
                st.param.b32 [a], 10;
                call (r), factorial, (a);
                ld.param.b32 %r10, [r];
                }
                st.global.u32 [%rd0], %r10;
                """).declaring("""
                .func (.param .b32 result) factorial(.param .b32 n) {
                .reg .u32 %r<4>; .reg .pred %p;
                ld.param.u32 %r1, [n];
                setp.gt.u32 %p, %r1, 1;
                @%p bra MORE;
                st.param.b32 [result], 1;
                ret;
                MORE:
                sub.u32 %r2, %r1, 1;
                {
                .param .b32 a; .param .b32 r;
                st.param.b32 [a], %r2;
                call (r), factorial, (a);
                ld.param.b32 %r3, [r];
                }
                mul.lo.u32 %r3, %r3, %r1;
                st.param.b32 [result], %r3;
                ret;
                }
                """).ints(1));
    }

    @Test
    void registersAndImmediatesPassAsArguments() {
        assertArrayEquals(new int[] {12, 30}, Script.of("""
                mov.u32 %r10, 5;
                call (%r11, %r12), sums, (%r10, 7);
                add.u32 %r12, %r12, %r12;
                st.global.v2.u32 [%rd0], {%r11, %r12};
                """).declaring("""
                .func (.reg .u32 s, .reg .u32 t) sums(.reg .u32 a, .reg .u32 b) {
                add.u32 s, a, b;
                add.u32 t, s, 3;
                ret;
                }
                """).ints(2));
    }

    @Test
    void structuresPassByValue() {
        assertArrayEquals(new int[] {1, 2, 3, 9}, Script.of("""
                {
                .param .align 4 .b8 a[12]; .param .align 4 .b8 r[16];
                st.param.b32 [a], 1; st.param.b32 [a+4], 2; st.param.b32 [a+8], 3;
                call (r), copy, (a);
                ld.param.b32 %r10, [r]; ld.param.b32 %r11, [r+4]; ld.param.b32 %r12, [r+8]; ld.param.b32 %r13, [r+12];
                }
                st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13};
                """).declaring("""
                .func (.param .align 4 .b8 result[16]) copy(.param .align 4 .b8 from[12]) {
                .reg .b32 %r<4>; .reg .b64 %rd<2>;
                mov.b64 %rd1, from;
                ld.param.b32 %r1, [from]; ld.param.b32 %r2, [%rd1+4]; ld.param.b32 %r3, [%rd1+8];
                st.param.b32 [result], %r1; st.param.b32 [result+4], %r2; st.param.b32 [result+8], %r3; st.param.b32 [result+12], 9;
                ret;
                }
                """).ints(4));
    }

    @Test
    void indirectCallsReachTheFunctionWhoseAddressTheyHave() {
        int[] results = Script.of("""
                setp.eq.u32 %p1, %r1, 0;
                mov.u64 %rd10, plus; mov.u64 %rd11, minus;
                selp.u64 %rd12, %rd10, %rd11, %p1;
                proto: .callprototype (.reg .u32 _) _ (.reg .u32 _, .reg .u32 _);
                call (%r10), %rd12, (9, 4), proto;
                st.global.u32 [%rd1], %r10;
                """).declaring("""
                .func (.reg .u32 d) plus(.reg .u32 a, .reg .u32 b) { add.u32 d, a, b; ret; }
                .func (.reg .u32 d) minus(.reg .u32 a, .reg .u32 b) { sub.u32 d, a, b; ret; }
                """).threads(2).ints(4);
        assertEquals(13, results[0]);
        assertEquals(5, results[2]);
    }

    @Test
    void anIndirectCallToNowhereIsAFault() {
        KernelException fault = Script.of("""
                mov.u64 %rd12, 4711;
                proto: .callprototype _ ();
                call %rd12, (), proto;
                """).fault();
        assertEquals(KernelException.Kind.ILLEGAL_OPERAND, fault.kind());
    }

    @Test
    void endlessRecursionOverflowsTheStack() {
        KernelException fault = Script.of("call f;").declaring(".func f { .local .b8 l[64]; call f; ret; }").fault();
        assertEquals(KernelException.Kind.STACK_OVERFLOW, fault.kind());
    }

    @Test
    void brxJumpsByIndexAndRefusesOthers() {
        String jump = """
                TARGETS: .branchtargets A, B;
                brx.idx %r1, TARGETS;
                A: mov.u32 %r10, 1; bra END;
                B: mov.u32 %r10, 2;
                END: st.global.u32 [%rd1], %r10;
                """;
        int[] results = Script.of(jump).threads(2).ints(4);
        assertEquals(1, results[0]);
        assertEquals(2, results[2]);
        assertEquals(KernelException.Kind.ILLEGAL_OPERAND, Script.of(jump).threads(3).fault().kind());
    }

    @Test
    void exitEndsTheThreadFromWithinACall() {
        int[] results = Script.of("""
                st.global.u32 [%rd1], 1;
                call f, (%r1);
                st.global.u32 [%rd1], 2;
                """).declaring("""
                .func f(.reg .u32 i) { .reg .pred p; setp.eq.u32 p, i, 1; @p exit; ret; }
                """).threads(3).ints(6);
        assertArrayEquals(new int[] {2, 0, 1, 0, 2, 0}, results);
    }

    @Test
    void trapEndsTheLaunchAtItsPlace() {
        Script script = Script.of("setp.eq.u32 %p1, %r1, 33;\n@%p1 trap;").threads(64);
        KernelException fault = script.fault();
        assertEquals(KernelException.Kind.TRAP, fault.kind());
        assertEquals(script.lineOf("trap"), fault.line().getAsInt());
        assertEquals(33, fault.thread().orElseThrow().x());
    }

    @Test
    void aFailedAssertionSaysItsText() {
        KernelException fault = Script.of("""
                {
                .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
                mov.u64 %rd10, text; cvta.global.u64 %rd10, %rd10;
                st.param.b64 [m], %rd10; st.param.b64 [f], %rd10; st.param.b32 [l], 12; st.param.b64 [n], %rd10; st.param.b64 [s], 1;
                call.uni __assertfail, (m, f, l, n, s);
                }
                """).declaring("""
                .extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
                .global .align 1 .b8 text[6] = {120, 32, 62, 32, 48, 0};
                """).fault();
        assertEquals(KernelException.Kind.ASSERTION, fault.kind());
        assertTrue(fault.getMessage().contains("assertion 'x > 0' failed"), fault.getMessage());
    }

    @Test
    void allocaGivesStackThatAReturnGivesBack() {
        assertArrayEquals(new int[] {8, 1}, Script.of("""
                stacksave.u64 %rd10;
                alloca.u64 %rd11, 8, 8;
                st.local.u32 [%rd11], 5;
                alloca.u64 %rd12, 8, 8;
                ld.local.u32 %r10, [%rd11];
                sub.u64 %rd13, %rd12, %rd11;
                cvt.u32.u64 %r11, %rd13;
                stackrestore.u64 %rd10;
                stacksave.u64 %rd14;
                setp.eq.u64 %p1, %rd14, %rd10;
                selp.u32 %r12, 1, 0, %p1;
                st.global.v2.u32 [%rd0], {%r11, %r12};
                """.replace("cvt.u32.u64 %r11, %rd13;", "mov.b64 {%r11, %r13}, %rd13;")).ints(2));
    }

    @Test
    void specialRegistersTellAThreadItsPlace() {
        int[] results = Script.of("""
                mov.u32 %r10, %laneid; mov.u32 %r11, %warpid; mov.u32 %r12, %lanemask_lt; mov.u32 %r13, %nctaid.x;
                setp.ne.u32 %p1, %r0, 105;
                @%p1 exit;
                st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13};
                mov.u32 %r14, %ntid.x; mov.u32 %r15, %ctaid.x; mov.u32 %r16, %nwarpid; mov.u32 %r17, %lanemask_ge;
                st.global.v4.u32 [%rd0+16], {%r14, %r15, %r16, %r17};
                """).threads(70).blocks(2).ints(8);
        assertArrayEquals(new int[] {3, 1, 7, 2, 70, 1, 3, -8}, results);
    }
}
