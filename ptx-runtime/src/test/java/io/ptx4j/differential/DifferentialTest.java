package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.LaunchException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class DifferentialTest {
    private static final String TWICE = """
            .version 8.0
            .target sm_80
            .address_size 64
            .global .u32 launches;
            .visible .entry twice(.param .u64 numbers, .param .u32 count)
            {
                .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p;
                ld.param.u64 %d0, [numbers];
                ld.param.u32 %r0, [count];
                mov.u32 %r1, %tid.x;
                setp.ge.u32 %p, %r1, %r0;
                @%p ret;
                mad.wide.u32 %d1, %r1, 4, %d0;
                ld.global.u32 %r2, [%d1];
                add.u32 %r2, %r2, %r2;
                st.global.u32 [%d1], %r2;
                mov.u64 %d2, launches;
                setp.ne.u32 %p, %r1, 0;
                @!%p red.global.add.u32 [%d2], 1;
                ret;
            }
            """;
    private static final String NUMBERS = "argument 1 of launch 1";

    private static Differential judge;

    @BeforeAll
    static void open() {
        judge = new Differential();
    }

    @AfterAll
    static void close() {
        judge.close();
    }

    @Test
    void allEnginesLeaveTheSameBytes() {
        int[] numbers = {1, 2, 3, 4};
        KernelLaunch launch = KernelLaunch.of("twice", 1, 32, numbers, 4);
        Comparison found = judge.compare(TWICE, launch, launch);
        assertTrue(found.agree(), () -> found.differences().toString());
        assertEquals(List.of("interpreter", "jit scalar", "jit vector"), found.outcomes().stream().map(Outcome::engine).toList());
        for (Outcome outcome : found.outcomes()) {
            assertNull(outcome.failure());
            assertEquals(Set.of(NUMBERS, "launches"), outcome.memory().keySet());
            assertArrayEquals(new int[] {4, 8, 12, 16}, ints(outcome.memory().get(NUMBERS)));
            assertArrayEquals(new int[] {2}, ints(outcome.memory().get("launches")));
        }
        assertArrayEquals(new int[] {1, 2, 3, 4}, numbers);
    }

    private static int[] ints(byte[] bytes) {
        int[] values = new int[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(values);
        return values;
    }

    @Test
    void replicasOfAMulticastBufferAreComparedAndAreTheMemoryOfOtherArguments() {
        String text = """
                .version 8.6
                .target sm_90
                .visible .entry gather(.param .u64 all, .param .u64 second)
                {
                    .reg .b64 %d<2>;
                    .reg .b32 %r<2>;
                    ld.param.u64 %d0, [all];
                    ld.param.u64 %d1, [second];
                    multimem.ld_reduce.add.u32 %r0, [%d0];
                    st.global.u32 [%d1+4], %r0;
                    multimem.red.add.u32 [%d0], 1;
                    ret;
                }
                """;
        int[] first = {1, 0};
        int[] second = {10, 0};
        KernelLaunch launch = KernelLaunch.of("gather", 1, 1, new KernelLaunch.Multicast(List.of(first, second)), second);
        Comparison found = judge.compare(text, launch, launch);
        assertTrue(found.agree(), () -> found.differences().toString());
        for (Outcome outcome : found.outcomes()) {
            assertNull(outcome.failure());
            assertEquals(Set.of("replica 1 of argument 1 of launch 1", "replica 2 of argument 1 of launch 1"), outcome.memory().keySet());
            assertArrayEquals(new int[] {3, 0}, ints(outcome.memory().get("replica 1 of argument 1 of launch 1")));
            assertArrayEquals(new int[] {12, 13}, ints(outcome.memory().get("replica 2 of argument 1 of launch 1")));
        }
    }

    @Test
    void theSameFailureIsNoDifference() {
        Comparison found = judge.compare(TWICE, KernelLaunch.of("twice", 1, 1, 0L, 1));
        assertTrue(found.agree());
        found.outcomes().forEach(outcome -> assertInstanceOf(KernelException.class, outcome.failure()));
    }

    @Test
    void aLaunchThatDoesNotFitFailsOnAll() {
        Comparison found = judge.compare(TWICE, KernelLaunch.of("twice", 1, 1, 1.5f, 1));
        assertTrue(found.agree());
        found.outcomes().forEach(outcome -> assertInstanceOf(LaunchException.class, outcome.failure()));
    }

    @Test
    void aProgramThatTheCheckerRejectsIsADifference() {
        Comparison found = judge.compare(TWICE.replace("add.u32", "odd.u32"));
        assertFalse(found.agree());
        assertEquals(List.of(), found.outcomes());
        assertEquals(Difference.Kind.REJECTED, found.differences().getFirst().kind());
    }

    @Test
    void differentBytesAreNamed() {
        Outcome one = judge.compare(TWICE, KernelLaunch.of("twice", 1, 4, new int[] {1, 2}, 2)).outcomes().getFirst();
        Outcome other = judge.compare(TWICE, KernelLaunch.of("twice", 1, 4, new int[] {1, 3}, 2)).outcomes().getLast();
        assertEquals("jit vector: argument 1 of launch 1: byte 4 is 0x06, expected 0x04", one.differenceTo(other).toString());
    }
}
