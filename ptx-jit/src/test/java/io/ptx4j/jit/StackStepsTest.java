package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StackStepsTest {
    /** Bytes of {@code ucontext_t} with room to spare, and where the stack pointer is in it (glibc, x86-64). */
    private static final int CONTEXT = 4096;
    private static final int STACK_POINTER = 160;
    private static final int ATTEMPTS = 200;

    @Test
    void everyStepRunsTheBlocksAsked() {
        for (int step = 0; step < StackSteps.count(); step++) {
            List<Long> ran = new ArrayList<>();
            StackSteps.step(step).run((worker, frame, first, end) -> ran.addAll(List.of(first, end)), null, null, 1L << 40, (1L << 40) + 7);
            assertEquals(List.of(1L << 40, (1L << 40) + 7), ran);
        }
    }

    /** HotSpot may compile what is called between two looks, so that one attempt says nothing. */
    @Test
    @SuppressWarnings("restricted")
    void stepsStandSixteenBytesApart() {
        assumeTrue(System.getProperty("os.arch").equals("amd64") && Linker.nativeLinker().defaultLookup().find("getcontext").isPresent(),
                "needs getcontext, which tells where the stack is");
        List<Long> expected = IntStream.range(0, StackSteps.count()).mapToObj(i -> 16L * i).toList();
        List<List<Long>> seen = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle getcontext = Linker.nativeLinker().downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow("getcontext"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
            MemorySegment context = arena.allocate(CONTEXT, 16);
            long[] place = new long[StackSteps.count()];
            for (int attempt = 0; attempt < ATTEMPTS && !seen.contains(expected); attempt++) {
                for (int i = 0; i < place.length; i++) {
                    StackSteps.step(i).run((worker, frame, first, end) -> look(getcontext, context), null, null, 0, 1);
                    place[i] = context.get(ValueLayout.JAVA_LONG, STACK_POINTER);
                }
                seen.add(IntStream.range(0, place.length).mapToObj(i -> place[0] - place[i]).toList());
            }
        }
        assertTrue(seen.contains(expected), () -> "seen: " + seen.getLast());
    }

    private static void look(MethodHandle getcontext, MemorySegment context) {
        try {
            assertEquals(0, (int) getcontext.invokeExact(context));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
