package io.ptx4j.benchmarks;

import io.ptx4j.engine.Engine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.PtxModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The PTX of an example, for sm_75, on a device of its own. */
final class LoadedExample implements AutoCloseable {
    private final Device device;
    private final PtxModule module;

    LoadedExample(String example, Engine engine) {
        device = Device.builder().engine(engine).open();
        String file = example + ".sm_75.ptx";
        try (InputStream text = LoadedExample.class.getResourceAsStream("/examples/" + file)) {
            module = device.load(file, new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Kernel kernel(String name) {
        return module.kernel(name);
    }

    DeviceBuffer copyOf(float[] values) {
        return device.copyOf(values);
    }

    DeviceBuffer copyOf(int[] values) {
        return device.copyOf(values);
    }

    /** A benchmark of wrong results would be worth nothing. */
    static void verify(String what, float[] expected, float[] actual) {
        int at = Arrays.mismatch(expected, actual);
        if (at >= 0) {
            throw new IllegalStateException(what + ": element " + at + " is " + actual[at] + ", not " + expected[at]);
        }
    }

    static void verify(String what, int[] expected, int[] actual) {
        int at = Arrays.mismatch(expected, actual);
        if (at >= 0) {
            throw new IllegalStateException(what + ": element " + at + " is " + actual[at] + ", not " + expected[at]);
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
