package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.syntax.SourceFile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * A kernel written in a test: statements between a head that declares registers and an {@code exit}. {@code %r1} is the linear
 * thread index in the block, {@code %r0} that in the grid; {@code %rd0} points to the results, of which {@link #ints} and
 * {@link #longs} give the first ones, and {@code %rd1} to the place of this thread's result of eight bytes.
 *
 * <p>Every script runs on the interpreter, and on the JIT where it can.
 *
 * @param declarations what stands before the kernel
 */
record Script(String declarations, String statements, int grid, int block, int dynamicShared, int workers, long seconds) {
    private static final String HEAD = """
            .version 9.0
            .target sm_100
            .address_size 64
            %s
            .visible .entry k(.param .u64 results)
            {
            .reg .pred %%p<16>; .reg .b16 %%h<16>; .reg .b32 %%r<64>; .reg .b64 %%rd<64>; .reg .f32 %%f<16>; .reg .f64 %%fd<16>;
            .reg .b128 %%q<8>; .reg .b8 %%b<8>;
            ld.param.u64 %%rd0, [results];
            cvta.to.global.u64 %%rd0, %%rd0;
            mov.u32 %%r1, %%tid.x; mov.u32 %%r0, %%ctaid.x; mov.u32 %%r2, %%ntid.x; mad.lo.u32 %%r0, %%r0, %%r2, %%r1;
            mul.wide.u32 %%rd1, %%r0, 8; add.u64 %%rd1, %%rd1, %%rd0;
            """;

    static Script of(String statements) {
        return new Script("", statements, 1, 1, 0, 1, 60);
    }

    Script declaring(String text) {
        return new Script(text, statements, grid, block, dynamicShared, workers, seconds);
    }

    Script threads(int threads) {
        return new Script(declarations, statements, grid, threads, dynamicShared, workers, seconds);
    }

    Script blocks(int blocks) {
        return new Script(declarations, statements, blocks, block, dynamicShared, workers, seconds);
    }

    Script dynamicShared(int bytes) {
        return new Script(declarations, statements, grid, block, bytes, workers, seconds);
    }

    Script workers(int count) {
        return new Script(declarations, statements, grid, block, dynamicShared, count, seconds);
    }

    Script seconds(int limit) {
        return new Script(declarations, statements, grid, block, dynamicShared, workers, limit);
    }

    private String text() {
        return HEAD.formatted(declarations) + statements + "\nexit;\n}\n";
    }

    /** PTX line of the first statement that contains {@code part}. */
    int lineOf(String part) {
        String[] lines = text().split("\n");
        for (int i = 0; i < lines.length; i++) {
            if (lines[i].contains(part)) {
                return i + 1;
            }
        }
        throw new AssertionError(part + " stands nowhere");
    }

    Module module() {
        CheckedModule checked = Checker.check(new SourceFile("script.ptx", text()));
        if (!checked.ok()) {
            throw new AssertionError(checked.diagnostics() + "\n" + text());
        }
        return checked.module();
    }

    /** The first results as 32-bit words, the same on both engines. */
    int[] ints(int count) {
        int[] ints = new int[count];
        results(count * 4).asIntBuffer().get(ints);
        return ints;
    }

    /** The first results as 64-bit words, the same on both engines. */
    long[] longs(int count) {
        long[] longs = new long[count];
        results(count * 8).asLongBuffer().get(longs);
        return longs;
    }

    /** What the launch fails with, the same kind at the same place on both engines. */
    KernelException fault() {
        KernelException fault = fault(new Interpreter());
        Jit jit = new Jit();
        if (supports(jit)) {
            KernelException other = fault(jit);
            assertEquals(fault.kind() + " at line " + fault.line(), other.kind() + " at line " + other.line());
        }
        return fault;
    }

    private KernelException fault(Engine engine) {
        return assertThrows(KernelException.class, () -> run(engine, 4096));
    }

    private ByteBuffer results(int bytes) {
        byte[] results = run(new Interpreter(), bytes);
        Jit jit = new Jit();
        if (supports(jit)) {
            assertArrayEquals(results, run(jit, bytes), "the JIT differs from the interpreter");
        }
        return ByteBuffer.wrap(results).order(ByteOrder.LITTLE_ENDIAN);
    }

    private boolean supports(Engine engine) {
        Module module = module();
        return engine.unsupported(module, module.kernels().get("k")).isEmpty();
    }

    private byte[] run(Engine engine, int bytes) {
        try (Device device = Device.builder().engine(engine).workers(workers).memory(1 << 26).timeout(Duration.ofSeconds(seconds)).open()) {
            DeviceBuffer results = device.allocate("results", Math.max(bytes, 8 * grid * block));
            device.load(module()).kernel("k").grid(grid).block(block).shared(dynamicShared).launch(results);
            return results.toBytes();
        }
    }
}
