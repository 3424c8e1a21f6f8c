package io.ptx4j.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.Launch;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The instructions of a thread are counted alike by every engine, for any block and any number of workers. */
@Timeout(60)
final class InstructionLimitTest {
    private static final String HEAD = """
            .version 8.6
            .target sm_90
            .address_size 64
            .func (.reg .b32 %r) twice(.reg .b32 %x)
            {
                .reg .pred %p;
                setp.gt.u32 %p, %x, 9;
                add.u32 %r, %x, %x;
                @%p ret;
                add.u32 %r, %r, 1;
                ret;
            }
            .func (.reg .b32 %r) sum(.reg .b32 %x)
            {
                .reg .b32 %i; .reg .pred %p;
                mov.b32 %r, 0;
                setp.eq.u32 %p, %x, 0;
                @%p ret;
                sub.u32 %i, %x, 1;
                call (%r), sum, (%i);
                add.u32 %r, %r, %x;
                ret;
            }
            .global .u64 table[2] = {sum, twice};
            .visible .entry k(.param .u64 p)
            {
                .reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .f32 %f<8>;
                .shared .align 8 .b8 s[4096];
                ld.param.u64 %d0, [p];
                mov.u32 %r0, %tid.x;
                mov.u32 %r1, 0;
                mov.f32 %f0, 0f3F800000;
            """;

    private static final Map<String, String> BODIES = new LinkedHashMap<>();

    static {
        BODIES.put("straight", "add.u32 %r1, %r1, 1;\nadd.u32 %r1, %r1, 1;");
        BODIES.put("a loop", """
                LOOP: add.u32 %r1, %r1, 1;
                setp.lt.u32 %p0, %r1, 50;
                @%p0 bra LOOP;""");
        BODIES.put("guards and a divergent loop", """
                setp.gt.u32 %p1, %r0, 3;
                @%p1 mov.u32 %r0, 3;
                LOOP: add.u32 %r1, %r1, 1;
                setp.le.u32 %p0, %r1, %r0;
                @%p0 bra LOOP;""");
        BODIES.put("calls", """
                call (%r1), twice, (%r1);
                call (%r1), twice, (%r1);
                call (%r1), twice, (12);""");
        BODIES.put("recursion and an indirect call", """
                PROTO: .callprototype (.reg .b32 _) _ (.reg .b32 _);
                call (%r1), sum, (7);
                mov.u64 %d1, table;
                ld.global.u64 %d2, [%d1+8];
                call (%r1), %d2, (3), PROTO;""");
        BODIES.put("barriers and warp operations", """
                LOOP: bar.sync 0;
                activemask.b32 %r2;
                shfl.sync.bfly.b32 %r2, %r2, 1, 31, %r2;
                add.u32 %r1, %r1, 1;
                setp.lt.u32 %p0, %r1, 5;
                @%p0 bra LOOP;
                bar.sync 0;""");
        BODIES.put("code in several methods", "fma.rn.f32 %f0, %f0, %f0, %f0;\nadd.u32 %r1, %r1, 3;\n".repeat(1200)
                + "LOOP: add.u32 %r2, %r1, 1;\nsub.u32 %r1, %r1, 3;\nsetp.gt.s32 %p0, %r1, 3000;\n"
                + "@%p0 bra LOOP;\n" + "fma.rn.f32 %f0, %f0, %f0, %f0;\n".repeat(1200));
        BODIES.put("an indexed branch", """
                TS: .branchtargets ONE, TWO, THREE;
                LOOP: rem.u32 %r2, %r1, 3;
                brx.idx %r2, TS;
                ONE: add.u32 %r1, %r1, 1;
                TWO: add.u32 %r1, %r1, 1;
                THREE: add.u32 %r1, %r1, 2;
                setp.lt.u32 %p0, %r1, 40;
                @%p0 bra LOOP;""");
    }

    /** The most that a thread of a block of 33 runs. */
    private static final Map<String, Long> COUNTS = Map.of("straight", 10L, "a loop", 159L, "guards and a divergent loop", 23L,
            "calls", 25L, "recursion and an indirect call", 70L, "barriers and warp operations", 40L, "code in several methods", 4409L,
            "an indexed branch", 102L);

    static Stream<String> bodies() {
        return BODIES.keySet().stream();
    }

    private static String text(String body) {
        return HEAD + BODIES.get(body) + "\ncvt.rzi.u32.f32 %r3, %f0;\nadd.u32 %r1, %r1, %r3;\nst.global.u32 [%d0], %r1;\nret;\n}\n";
    }

    /** What a launch ends with; an empty text if it ends well. */
    private static String end(CaseEngine engine, String body, long limit, int workers, int block) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 20).workers(workers).instructions(limit).open();
                DeviceBuffer p = device.allocate(64)) {
            Launch launch = device.load("count.ptx", text(body)).kernel("k").grid(3).block(block);
            try {
                launch.launch(p);
                return "";
            } catch (KernelException over) {
                assertEquals(KernelException.Kind.INSTRUCTION_LIMIT, over.kind());
                return over.getMessage();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void theSameInstructionIsOneTooManyEverywhere(String body) {
        long low = COUNTS.get(body);
        for (CaseEngine engine : CaseEngine.values()) {
            assertEquals("", end(engine, body, low, 2, 33), body + " with " + low + " on " + engine);
        }
        for (long limit : new long[] {low - 1, low / 2}) {
            Set<String> messages = new HashSet<>();
            for (CaseEngine engine : CaseEngine.values()) {
                messages.add(end(engine, body, limit, engine == CaseEngine.JIT_SCALAR ? 8 : 1, 33));
            }
            assertEquals(1, messages.size(), () -> body + " with " + limit + ": " + messages);
            assertTrue(messages.iterator().next().contains("block (0,0,0), thread ("), messages::toString);
        }
    }

    @Test
    void theErrorNamesKernelLineAndThreadAndTheCountIsThatOfTheText() {
        // Nine instructions and the end of the kernel.
        assertEquals("", end(CaseEngine.JIT_SCALAR, "straight", 10, 1, 1));
        assertEquals("""
                count.ptx:29: kernel k, block (0,0,0), thread (0,0,0): the thread runs more than 9 instructions, which is the device's limit
                  29 | ld.param.u64 %d0, [p];""", end(CaseEngine.JIT_SCALAR, "straight", 9, 1, 1));
    }

    @Test
    void kernelsWhoseInstructionsAreCountedStayInTheScalarShape() {
        try (Device device = Device.builder().engine(CaseEngine.JIT_VECTOR.create()).memory(1 << 20).instructions(1000).open();
                DeviceBuffer p = device.allocate(64)) {
            assertEquals("scalar", device.load("count.ptx", text("straight")).kernel("k").grid(100).block(64).launch(p).shape());
        }
    }
}
