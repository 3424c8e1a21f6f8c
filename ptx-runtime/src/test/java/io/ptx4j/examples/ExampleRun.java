package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.PtxModule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** One test's use of an example's module, and every buffer that it made. */
final class ExampleRun {
    private static final Path EXAMPLES = Path.of("..", "examples");
    /** nvcc writes PTX in one dialect up to sm_90 and in another from sm_100 on. */
    private static final List<String> DIALECTS = List.of("sm_75", "sm_100");
    private static final Device INTERPRETER = Device.builder().engine(new Interpreter()).open();
    private static final Device JIT = Device.builder().engine(new Jit()).open();
    /** By engine and file: modules are loaded once, since most tests take less time than the largest modules do to load. */
    private static final Map<String, PtxModule> MODULES = new ConcurrentHashMap<>();

    private final PtxModule module;
    private final List<DeviceBuffer> buffers = new ArrayList<>();

    private ExampleRun(PtxModule module) {
        this.module = module;
    }

    /** Runs {@code test} on the PTX of each dialect with each engine; the engines must leave the same bytes in all buffers. */
    static void onBothEngines(String example, Consumer<ExampleRun> test) {
        for (String dialect : DIALECTS) {
            List<byte[]> interpreted = run(INTERPRETER, example, dialect, test);
            List<byte[]> compiled = run(JIT, example, dialect, test);
            assertEquals(interpreted.size(), compiled.size());
            for (int i = 0; i < interpreted.size(); i++) {
                assertArrayEquals(interpreted.get(i), compiled.get(i), "buffer " + i + " of " + example + "." + dialect);
            }
        }
    }

    /** Runs {@code test}, which is too long for the interpreter, on the PTX of each dialect. */
    static void onTheJit(String example, Consumer<ExampleRun> test) {
        for (String dialect : DIALECTS) {
            run(JIT, example, dialect, test);
        }
    }

    private static List<byte[]> run(Device device, String example, String dialect, Consumer<ExampleRun> test) {
        Path file = EXAMPLES.resolve(example + "." + dialect + ".ptx");
        ExampleRun run = new ExampleRun(MODULES.computeIfAbsent(device.engine().name() + file, key -> device.load(file)));
        try {
            test.accept(run);
            return run.buffers.stream().map(DeviceBuffer::toBytes).toList();
        } catch (AssertionError e) {
            throw new AssertionError(file.getFileName() + " on the " + device.engine().name() + ": " + e.getMessage(), e);
        } finally {
            run.buffers.forEach(DeviceBuffer::close);
        }
    }

    Kernel kernel(String name) {
        return module.kernel(name);
    }

    DeviceBuffer upload(byte[] values) {
        return keep(module.device().copyOf(values));
    }

    DeviceBuffer upload(int[] values) {
        return keep(module.device().copyOf(values));
    }

    DeviceBuffer upload(long[] values) {
        return keep(module.device().copyOf(values));
    }

    DeviceBuffer upload(float[] values) {
        return keep(module.device().copyOf(values));
    }

    private DeviceBuffer keep(DeviceBuffer buffer) {
        buffers.add(buffer);
        return buffer;
    }
}
