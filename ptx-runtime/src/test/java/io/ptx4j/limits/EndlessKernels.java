package io.ptx4j.limits;

import java.util.LinkedHashMap;
import java.util.Map;

/** Kernels that never end by themselves, one for each way in which a kernel can stay busy. */
final class EndlessKernels {
    private static final String HEAD = """
            .version 8.6
            .target sm_90
            .address_size 64
            .extern .func (.param .b32 r) host (.param .b32 x);
            .func (.reg .b32 %r) inner(.reg .b32 %x)
            {
                .reg .b32 %i; .reg .pred %p;
                mov.u32 %i, 0;
            AGAIN:
                add.u32 %i, %i, 1;
                setp.ne.u32 %p, %i, 0x80000001;
                @%p bra AGAIN;
                mov.u32 %i, 0;
                setp.ne.u32 %p, %x, 0x80000001;
                @%p bra AGAIN;
                mov.b32 %r, %i;
                ret;
            }
            .func (.reg .b32 %r) odd(.reg .b32 %x);
            .func (.reg .b32 %r) even(.reg .b32 %x)
            {
                .reg .b32 %i; .reg .pred %p;
                mov.b32 %r, 1;
                setp.eq.u32 %p, %x, 0;
                @%p ret;
                sub.u32 %i, %x, 1;
                call (%r), odd, (%i);
                ret;
            }
            .func (.reg .b32 %r) odd(.reg .b32 %x)
            {
                .reg .b32 %i; .reg .pred %p;
                mov.b32 %r, 0;
                setp.eq.u32 %p, %x, 0;
                @%p ret;
                sub.u32 %i, %x, 1;
                call (%r), even, (%i);
                ret;
            }
            .global .u64 table[2] = {even, odd};
            .visible .entry k(.param .u64 p)
            {
                .reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .f32 %f<64>;
                .shared .align 8 .b8 s[64];
                ld.param.u64 %d0, [p];
                mov.u32 %r0, %tid.x;
                mov.u32 %r1, 0;
                mov.u32 %r2, 1;
                mov.f32 %f0, 0f3F800000;
                mov.f32 %f1, 0f3F000000;
                st.volatile.global.u32 [%d0+4], %r2;
            """;

    /** By what they are busy with; {@code LOOP} is where the loop goes back to. */
    static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put("nothing", "LOOP: bra LOOP;");
        ALL.put("arithmetic", """
                LOOP: fma.rn.f32 %f0, %f0, %f1, %f1;
                add.u32 %r1, %r1, 1;
                bra LOOP;""");
        ALL.put("a divergent loop", """
                LOOP: add.u32 %r1, %r1, %r0;
                setp.gt.u32 %p0, %r1, 100;
                @%p0 sub.u32 %r1, %r1, 100;
                setp.ne.u32 %p1, %r0, 77;
                @%p1 bra LOOP;
                st.global.u32 [%d0], %r1;""");
        ALL.put("a long loop body", "LOOP:\n" + "fma.rn.f32 %f0, %f0, %f1, %f1;\nadd.u32 %r1, %r1, 3;\n".repeat(1500) + "bra LOOP;");
        ALL.put("loads and stores", """
                LOOP: ld.global.u32 %r1, [%d0+8];
                add.u32 %r1, %r1, 1;
                st.global.u32 [%d0+8], %r1;
                bra LOOP;""");
        ALL.put("a device function", "call (%r3), inner, (%r0);");
        ALL.put("calls of a device function", """
                LOOP: mov.u32 %r4, 0x80000001;
                add.u32 %r1, %r1, 1;
                and.b32 %r5, %r1, 7;
                call (%r3), even, (%r5);
                bra LOOP;""");
        ALL.put("indirect recursion", """
                PROTO: .callprototype (.reg .b32 _) _ (.reg .b32 _);
                mov.u64 %d1, table;
                ld.global.u64 %d2, [%d1];
                LOOP: call (%r3), %d2, (300), PROTO;
                bra LOOP;""");
        ALL.put("barriers", """
                LOOP: bar.sync 0;
                add.u32 %r1, %r1, 1;
                bra LOOP;""");
        ALL.put("warp operations", """
                LOOP: shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;
                vote.sync.any.pred %p0, %p1, -1;
                bra LOOP;""");
        ALL.put("spinning on an atomic", """
                LOOP: atom.global.cas.b32 %r3, [%d0+12], 1, 2;
                setp.ne.u32 %p0, %r3, 1;
                add.u32 %r1, %r1, 1;
                st.shared.u32 [s], %r1;
                @%p0 bra LOOP;""");
        ALL.put("spinning on a flag with a clock", """
                LOOP: ld.volatile.global.u32 %r3, [%d0+12];
                mov.u64 %d3, %clock64;
                nanosleep.u32 1000;
                setp.eq.u32 %p0, %r3, 0;
                @%p0 bra LOOP;
                st.global.u64 [%d0+16], %d3;""");
        ALL.put("a function of the host", """
                LOOP:
                { .param .b32 x; .param .b32 y;
                st.param.b32 [x], %r1;
                call (y), host, (x);
                ld.param.b32 %r1, [y]; }
                bra LOOP;""");
        ALL.put("printing nothing and atomics", """
                LOOP: red.shared.add.u32 [s], 1;
                red.global.add.u32 [%d0+8], 1;
                membar.gl;
                bra LOOP;""");
        ALL.put("matrix products", """
                LOOP: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r3, %r4}, {%r5}, {%f2, %f3, %f4, %f5};
                bra LOOP;""");
        ALL.put("no loop but the grid", "fma.rn.f32 %f0, %f0, %f1, %f1;\nadd.u32 %r1, %r1, 3;\n".repeat(600) + "st.global.f32 [%d0+8], %f0;");
        ALL.put("an indexed branch", """
                TS: .branchtargets LOOP, OTHER;
                LOOP: xor.b32 %r1, %r1, 1;
                brx.idx %r1, TS;
                OTHER: mov.u32 %r4, %r1;
                xor.b32 %r1, %r1, 1;
                brx.idx %r1, TS;""");
    }

    /** The module with the kernel {@code k} that is busy with {@code body}; it stores 1 behind its argument when it begins. */
    static String text(String body) {
        return HEAD + body + "\nret;\n}\n";
    }

    private EndlessKernels() {
    }
}
