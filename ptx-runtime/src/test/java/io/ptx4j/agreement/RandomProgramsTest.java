package io.ptx4j.agreement;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Random arithmetic programs leave the same bits in all registers on every engine and shape. */
final class RandomProgramsTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int PROGRAMS = LONG ? 20_000 : 100;
    private static final int BLOCK = 64;
    private static final int THREADS = 128;

    private static Device interpreter;
    private static List<Device> compilers;

    @BeforeAll
    static void open() {
        interpreter = device(new Interpreter());
        compilers = List.of(device(new Jit(Jit.Shape.SCALAR)), device(new Jit(Jit.Shape.VECTOR)));
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).memory(1 << 26).timeout(Duration.ofSeconds(60)).open();
    }

    @AfterAll
    static void close() {
        interpreter.close();
        compilers.forEach(Device::close);
    }

    @Test
    void everyEngineLeavesTheSameBits() {
        long seeds = Long.getLong("ptx4j.seed", 0);
        for (long seed = seeds; seed < seeds + PROGRAMS; seed++) {
            RandomProgram program = RandomProgram.of(seed);
            String difference = difference(program);
            if (difference != null) {
                RandomProgram least = shrunk(program);
                Assertions.fail("seed " + seed + ": " + difference(least) + "\n" + String.join("\n", least.statements()));
            }
        }
    }

    /** What is left when no statement can go without the difference going too. Loops stay, or they might not end. */
    private static RandomProgram shrunk(RandomProgram program) {
        RandomProgram least = program;
        for (int i = least.statements().size() - 1; i >= 0; i--) {
            RandomProgram fewer = least.without(i);
            boolean loops = least.statements().get(i).contains("%n") || least.statements().get(i).contains("%again");
            if (!loops && Checker.check(new SourceFile("random.ptx", fewer.kernel())).ok() && difference(fewer) != null) {
                least = fewer;
            }
        }
        return least;
    }

    /** How an engine differs; null when all agree. */
    private static String difference(RandomProgram program) {
        CheckedModule checked = Checker.check(new SourceFile("random.ptx", program.kernel()));
        Assertions.assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + program.kernel());
        List<ScalarType> types = types();
        long[] sources = SourceValues.of(types, THREADS, program.hashCode());
        long[] expected = run(interpreter, checked, sources);
        for (Device compiler : compilers) {
            long[] found = run(compiler, checked, sources);
            int at = Arrays.mismatch(expected, found);
            if (at >= 0) {
                return (compiler == compilers.getFirst() ? "scalar" : "vector") + " shape: thread " + at / types.size() + ", register "
                        + at % types.size() + " is " + Long.toHexString(found[at]) + ", in the interpreter " + Long.toHexString(expected[at]);
            }
        }
        return null;
    }

    /** Sources of the types that edges matter for; registers have none of their own. */
    private static List<ScalarType> types() {
        List<ScalarType> types = new ArrayList<>();
        ScalarType[][] some = {{ScalarType.F16, ScalarType.U16, ScalarType.BF16}, {ScalarType.F32, ScalarType.U32, ScalarType.F16X2},
            {ScalarType.F64, ScalarType.U64}, {ScalarType.PRED}};
        for (int kind = 0; kind < some.length; kind++) {
            for (int i = 0; i < RandomProgram.REGISTERS[kind]; i++) {
                types.add(some[kind][i % some[kind].length]);
            }
        }
        return types;
    }

    private static long[] run(Device device, CheckedModule checked, long[] sources) {
        try (PtxModule loaded = device.load(checked.module()); DeviceBuffer in = device.copyOf(sources);
                DeviceBuffer out = device.allocateLongs(sources.length)) {
            loaded.kernel("probe").grid(THREADS / BLOCK).block(BLOCK).launch(in, out);
            return out.toLongs();
        }
    }
}
