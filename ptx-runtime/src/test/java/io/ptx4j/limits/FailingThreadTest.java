package io.ptx4j.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.engine.Engine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.vector.RunsOfBlocks;
import io.ptx4j.waiting.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where many threads fail, the one that is named is the same on every engine, in every code shape, and with any number of workers. The long run
 * takes parts ({@code -Dptx4j.part=1/4}).
 */
@Timeout(600)
@Tag("thorough")
final class FailingThreadTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int KERNELS = LONG ? 200 : 10;

    private static Device device(Engine engine, int workers) {
        return Device.builder().engine(engine).memory(1 << 21).workers(workers).open();
    }

    /** What a launch says, of which many blocks fail. */
    private static String outcome(Device device, String text, int threads) {
        try (DeviceBuffer out = device.allocate(9 * threads * 8); var module = device.load("failing.ptx", text)) {
            module.kernel("k").grid(9).block(threads).launch(out);
            return "no failure";
        } catch (KernelException failure) {
            return failure.getMessage();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 100})
    void everyEngineNamesTheSameThreadWithAnyNumberOfWorkers(int threads) {
        int kernels = 0;
        int failures = 0;
        try (Device interpreter = device(CaseEngine.INTERPRETER.create(), 1)) {
            Map<String, Device> others = new LinkedHashMap<>();
            try {
                for (CaseEngine engine : List.of(CaseEngine.JIT_SCALAR, CaseEngine.JIT_VECTOR)) {
                    for (int workers : LONG ? new int[] {1, 2, 8} : new int[] {1, 8}) {
                        others.put(engine + ", " + workers + " workers", device(engine.create(), workers));
                    }
                }
                for (int workers : new int[] {1, 3}) {
                    for (CaseEngine engine : List.of(CaseEngine.JIT_SCALAR, CaseEngine.JIT_VECTOR)) {
                        others.put("runs of 4 blocks, " + engine + ", " + workers + " workers", device(new RunsOfBlocks(engine.create(), 4), workers));
                    }
                }
                others.put("interpreter, 8 workers", device(CaseEngine.INTERPRETER.create(), 8));
                others.put("jit", device(EngineKind.JIT.create(), 8));
                for (int seed = 0; seed < KERNELS; seed++) {
                    if (!Part.has(seed)) {
                        continue;
                    }
                    kernels++;
                    String text = FailingKernel.of(31L * seed + threads);
                    String expected = outcome(interpreter, text, threads);
                    failures += expected.equals("no failure") ? 0 : 1;
                    for (String name : others.keySet()) {
                        assertEquals(expected, outcome(others.get(name), text, threads), name + ", kernel " + seed + "\n" + text);
                    }
                }
            } finally {
                others.values().forEach(Device::close);
            }
        }
        assertTrue(failures > kernels / 2, failures + " of " + kernels + " fail");
    }

    @ParameterizedTest
    @ValueSource(strings = {"barrier_number_too_large", "barrier_count_not_of_warps"})
    void aBarriersWrongOperandIsToldAlikeOnEveryEngine(String name) throws Exception {
        String text = Files.readString(Path.of("src/test/resources/cases/barriers", name + ".ptx"));
        try (Device interpreter = device(CaseEngine.INTERPRETER.create(), 1)) {
            String expected = outcome(interpreter, text, 64);
            assertTrue(expected.contains("of 'barrier.") && expected.contains("thread (40,0,0)"), expected);
            for (CaseEngine engine : List.of(CaseEngine.JIT_SCALAR, CaseEngine.JIT_VECTOR)) {
                try (Device jit = device(engine.create(), 2)) {
                    assertEquals(expected, outcome(jit, text, 64), engine.toString());
                }
            }
        }
    }
}
