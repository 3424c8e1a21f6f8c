package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.syntax.SourceFile;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** What becomes of a kernel {@code k} in the shapes of the JIT, beside the interpreter. */
final class Shapes {
    private static final String PIECE = "ptx4j.jit.vector.piece";

    private Shapes() {
    }

    /**
     * The beginning of a kernel, with registers {@code %p}, {@code %h}, {@code %r}, {@code %f}, {@code %g} and {@code %d} of each kind:
     * {@code %r1} is the thread's number in the block, {@code %r2} that of the block, {@code %r3} the threads of a block, {@code %r4} the thread's number in the grid.
     */
    static String head(String parameters) {
        return """
                .version 8.6
                .target sm_100
                .address_size 64
                .visible .entry k(%s)
                {
                  .reg .pred %%p<20>;
                  .reg .b16 %%h<20>;
                  .reg .b32 %%r<60>;
                  .reg .f32 %%f<40>;
                  .reg .f64 %%g<20>;
                  .reg .b64 %%d<40>;
                  mov.u32 %%r1, %%tid.x;
                  mov.u32 %%r2, %%ctaid.x;
                  mov.u32 %%r3, %%ntid.x;
                  mad.lo.s32 %%r4, %%r2, %%r3, %%r1;
                """.formatted(parameters);
    }

    /** The same kernel, which keeps its loops and its barriers: threads order memory for others, by which a block is not coarse. */
    static String notCoarse(String text) {
        return text.replace("  mov.u32 %r1, %tid.x;\n", "  mov.u32 %r1, %tid.x;\n  membar.cta;\n");
    }

    /** With one worker, so that the order of blocks is known. */
    static Device device(Engine engine) {
        return Device.builder().engine(engine).workers(1).memory(16 << 20).open();
    }

    /** Runs a block of {@code k}, which gets a buffer with a pair of words for each thread, some hash or other; gives what it leaves there. */
    static int[] pairs(Engine engine, String text, int threads) {
        try (Device device = device(engine)) {
            DeviceBuffer out = device.copyOf(IntStream.range(0, 2 * threads).map(n -> Integer.reverse(n * 0x85EBCA77)).toArray());
            device.load("k.ptx", text).kernel("k").grid(1).block(threads).launch(out);
            return out.toInts();
        }
    }

    /**
     * Asserts that the shapes leave what the interpreter leaves.
     *
     * @param run gives an array
     */
    static void assertAgree(Function<Engine, ?> run, String message, Jit.Shape... shapes) {
        Object[] expected = {run.apply(new Interpreter())};
        for (Jit.Shape shape : shapes) {
            assertArrayEquals(expected, new Object[] {run.apply(new Jit(shape))}, () -> shape + " shape, " + message);
        }
    }

    /** Asserts that the vector shape fails as another engine does, and returns the error's text. */
    static String assertFailsLike(Engine other, Function<Engine, ?> run, String message) {
        String expected = assertThrows(KernelException.class, () -> run.apply(other), message).getMessage();
        assertEquals(expected, assertThrows(KernelException.class, () -> run.apply(new Jit(Jit.Shape.VECTOR)), message).getMessage(), message);
        return expected;
    }

    /** Bits of a vector. By reflection, since this module does not read the incubating one. */
    static int vectorBits() {
        try {
            Class<?> shapes = Class.forName("jdk.incubator.vector.VectorShape");
            return (int) shapes.getMethod("vectorBitSize").invoke(shapes.getMethod("preferredShape").invoke(null));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Asserts what holds where vectors are the longest: with shorter ones a group has more of them, and code that is one method there may be several. */
    static void assertOfLongVectors(boolean holds, String message) {
        assertTrue(vectorBits() < 512 || holds, message);
    }

    /** Has regions cut into pieces of so many bytecodes, which they otherwise are only where they are large. */
    static void inPieces(int bytecodes, Runnable test) {
        System.setProperty(PIECE, String.valueOf(bytecodes));
        try {
            test.run();
        } finally {
            System.clearProperty(PIECE);
        }
    }

    /**
     * Asserts that the vectors in locals that go to an array have been compared with their class right before.
     *
     * @param type of the vectors; any if empty
     * @param goes a pattern of the way from a local on the stack into the array
     * @param least so many vectors go there, and more
     */
    static void assertClassesAreComparedBefore(String type, String goes, long least, String listing) {
        long all = Pattern.compile("ALOAD \\d+\n" + goes).matcher(listing).results().count();
        assertTrue(all > least, listing);
        String compared = "ALOAD (\\d+)\n.*getClass.*\n.*" + type + "_CLASS.*\n.*IF_ACMPEQ.*\n.*ACONST_NULL\n.*ATHROW\n.*\n(?:.*FRAME.*\n)?[^\n]*ALOAD \\1\n";
        assertEquals(all, Pattern.compile(compared + goes).matcher(listing).results().count(), listing);
    }

    /** The listing of the class that the vector shape makes for blocks of so many threads. */
    static String listing(String text, int threads) {
        Module module = module(text);
        return new Jit(Jit.Shape.VECTOR).classOf(program(module), module.kernels().get("k"), new BlockShape(threads, 1, 1)).listing();
    }

    /** Why blocks of so many threads do not have the vector shape. */
    static Optional<String> notVectorizable(String text, int threads) {
        Module module = module(text);
        return new Jit().notVectorizable(program(module), module.kernels().get("k"), new BlockShape(threads, 1, 1));
    }

    private static Module module(String text) {
        var checked = Checker.check(new SourceFile("k.ptx", text));
        assertTrue(checked.ok(), () -> checked.diagnostics().toString());
        return checked.module();
    }

    private static Program program(Module module) {
        return new Program(module, new long[module.variableCount()], 0);
    }
}
