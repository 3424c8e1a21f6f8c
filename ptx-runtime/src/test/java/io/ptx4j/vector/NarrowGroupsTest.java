package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kernel with more 64-bit values alive than fit into vectors of larger groups, and 32-bit, 16-bit and 8-bit ones beside them. */
@Tag("widths")
final class NarrowGroupsTest {
    private static final int WORDS = 20;

    /** @param extra instructions of the loop, whose turn is {@code %r5}; {@code %w0} to {@code %w19} go from turn to turn */
    private static String kernel(String extra) {
        StringBuilder text = new StringBuilder(Shapes.head(".param .u32 n, .param .u64 out")).append("""
                  .reg .b64 %w<20>;
                  .shared .align 8 .b8 tile[2048];
                  .local .align 8 .b8 own[64];
                  ld.param.u32 %r0, [n];
                  ld.param.u64 %d0, [out];
                  setp.ge.u32 %p0, %r4, %r0;
                  @%p0 bra END;
                  mul.wide.u32 %d1, %r4, 8;
                  add.s64 %d2, %d0, %d1;
                  mul.wide.u32 %d3, %r4, 4;
                  add.s64 %d4, %d0, %d3;
                  cvt.u64.u32 %d5, %r4;
                  mov.u32 %r6, tile;
                  shl.b32 %r7, %r1, 3;
                  add.u32 %r7, %r6, %r7;
                  add.u32 %r8, %r6, %r1;
                """);
        for (int w = 0; w < WORDS; w++) {
            text.append("mad.lo.u64 %%w%d, %%d5, %d, %d;%n".formatted(w, 0x9E37_79B9_7F4A_7C15L * (2 * w + 1), 0xD1B5_4A32_D192_ED03L * w));
        }
        text.append("and.b32 %r9, %r4, 3;\nmov.u32 %r5, 0;\nLOOP:\n").append(extra);
        for (int w = 0; w < WORDS; w++) {
            text.append("add.u64 %%w%d, %%w%d, %%w%d;%n".formatted(w, w, (w + 7) % WORDS));
        }
        text.append("add.u32 %r5, %r5, 1;\nsetp.le.u32 %p1, %r5, %r9;\n@%p1 bra LOOP;\n");
        for (int w = 1; w < WORDS; w++) {
            text.append("mad.lo.u64 %%w0, %%w0, 31, %%w%d;%n".formatted(w));
        }
        return text + "st.global.u64 [%d2], %w0;\nEND: ret;\n}\n";
    }

    private static final String MIXED = kernel("""
            { .reg .b64 %lhs; .reg .b64 %rhs; shl.b64 %lhs, %w1, 13; shr.b64 %rhs, %w1, 51; add.u64 %w1, %lhs, %rhs; }
            shl.b64 %d10, %w2, 7;
            shr.u64 %d11, %w2, 57;
            xor.b64 %w2, %d11, %d10;
            or.b64 %w3, %d10, %d11;
            shr.s64 %d12, %w4, 57;
            shl.b64 %d13, %w4, 7;
            or.b64 %w4, %d12, %d13;
            mov.b64 {%r10, %r11}, %w5;
            shf.l.wrap.b32 %r12, %r10, %r11, 9;
            shf.l.wrap.b32 %r13, %r11, %r10, 9;
            mov.b64 %w5, {%r13, %r12};
            mov.b64 %w6, {%r12, %r13};
            mov.b64 %w7, {%r11, %r10};
            shf.r.wrap.b32 %r14, %r10, %r11, 40;
            shf.r.wrap.b32 %r15, %r11, %r10, 40;
            mov.b64 %w8, {%r14, %r15};
            mov.b64 %d14, {%r15, %r14};
            xor.b64 %w9, %w9, %d14;
            shl.b32 %r16, %r10, 5;
            shr.u32 %r17, %r10, 27;
            or.b32 %r18, %r16, %r17;
            xor.b32 %r18, %r18, %r17;
            mul.wide.s32 %d15, %r18, %r11;
            mad.wide.u32 %w10, %r18, %r11, %d15;
            mul.hi.u32 %r19, %r18, %r11;
            mul.hi.s32 %r20, %r18, %r11;
            mul.hi.u64 %w11, %w11, %w12;
            mul.hi.s64 %d16, %w12, %w13;
            xor.b64 %w12, %w12, %d16;
            cvt.rn.f32.s32 %f0, %r19;
            fma.rn.f32 %f1, %f0, 0f3FC00000, %f0;
            add.rz.f32 %f1, %f1, %f0;
            mov.b32 %r21, %f1;
            cvt.rzi.s32.f32 %r22, %f1;
            mov.b64 %g0, %w13;
            add.rn.f64 %g1, %g0, 0d3FF0000000000000;
            setp.lt.f64 %p2, %g1, 0d4000000000000000;
            selp.b64 %w13, %w14, %w13, %p2;
            setp.lt.u64 %p3, %w14, %w15;
            selp.u32 %r23, %r21, %r22, %p3;
            min.u64 %w14, %w14, %w15;
            max.s64 %w15, %w15, %w16;
            cvt.s64.s32 %d17, %r23;
            xor.b64 %w16, %w16, %d17;
            st.shared.u64 [%r7], %w16;
            st.shared.u8 [%r8+1100], %r20;
            ld.shared.u64 %d18, [%r7];
            ld.shared.s8 %r24, [%r8+1100];
            st.global.u32 [%d4+100000], %r24;
            ld.global.f32 %f2, [%d4+100000];
            mov.b32 %r25, %f2;
            cvt.u64.u32 %d19, %r25;
            add.u64 %w17, %d18, %d19;
            cvt.u32.u64 %r26, %w18;
            cvt.u16.u32 %h0, %r26;
            mul.wide.u16 %r27, %h0, %h0;
            popc.b32 %r28, %r27;
            clz.b64 %r29, %w18;
            add.u32 %r28, %r28, %r29;
            st.local.u32 [own+8], %r28;
            ld.local.u32 %r30, [own+8];
            cvt.u64.u32 %d20, %r30;
            sub.u64 %w18, %w18, %d20;
            mad.lo.cc.u64 %d22, %w0, %w1, %w2;
            madc.hi.cc.u64 %d23, %w0, %w1, %w3;
            madc.lo.cc.u64 %d24, %w4, %w5, %d23;
            addc.cc.u64 %d25, %w6, %w7;
            addc.u64 %d26, %d24, 0;
            sub.cc.u64 %d27, %d22, %w8;
            subc.cc.u64 %d28, %d23, %w9;
            subc.cc.u64 %d29, %d23, %d23;
            subc.u64 %d30, %d26, %w10;
            mad.hi.cc.s64 %d31, %w11, %w12, -1;
            addc.cc.s64 %d32, %d25, %d31;
            madc.hi.u64 %d33, %d32, -1, %d31;
            mad.hi.s64 %d34, %d33, %w13, %w14;
            xor.b64 %w0, %w0, %d27;
            xor.b64 %w1, %w1, %d28;
            xor.b64 %w2, %w2, %d29;
            xor.b64 %w3, %w3, %d30;
            xor.b64 %w4, %w4, %d34;
            and.b64 %d21, %w19, 1;
            setp.eq.u64 %p4, %d21, 0;
            @%p4 add.u64 %w19, %w19, %w0;
            @!%p4 bra SKIP;
            not.b64 %w0, %w0;
            SKIP:
            """);

    private static long[] run(Engine engine, String text, int threads, int n) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateLongs(3L * threads + 30_000);
            device.load("k.ptx", text).kernel("k").grid(3).block(threads).launch(n, out);
            return out.toLongs();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 33, 100})
    void sixtyFourBitValuesLeaveWhatThreadsByThemselvesLeave(int threads) {
        for (int n : new int[] {2 * threads - 3, 1 << 20}) {
            Shapes.assertAgree(engine -> run(engine, MIXED, threads, n), "n = " + n, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 1_500, 12_000})
    void piecesOfAnySizeLeaveTheSame(int bytecodes) {
        Shapes.inPieces(bytecodes, () -> Shapes.assertAgree(engine -> run(engine, MIXED, 100, 250), "in pieces", Jit.Shape.VECTOR));
    }

    @Test
    void theKernelHasTheVectorShape() {
        assertEquals(Optional.empty(), Shapes.notVectorizable(MIXED, 96));
    }

    /** The load is the same for all lanes; those of the first turns have left when it fails. */
    @ParameterizedTest
    @ValueSource(ints = {300, 4_000})
    void aFaultOfAllLanesIsThatOfTheFirstWhichIsThere(int bytecodes) {
        String text = kernel("""
                setp.eq.u32 %p2, %r5, 2;
                mov.u64 %d10, 0x100000000000;
                selp.b64 %d10, %d10, 0, %p2;
                add.u64 %d10, %d0, %d10;
                ld.global.u64 %d11, [%d10+4096];
                add.u64 %w0, %w0, %d11;
                """);
        Shapes.inPieces(bytecodes, () -> Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, 64, 100), text));
    }
}
