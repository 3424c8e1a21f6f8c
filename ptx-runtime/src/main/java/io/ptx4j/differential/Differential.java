package io.ptx4j.differential;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.ir.Module;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.runtime.UnsupportedPtxException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs kernels on the interpreter and on the JIT, each with one worker, and compares everything they leave in memory. */
public final class Differential implements AutoCloseable {
    private static final long MEMORY = 16L << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Device reference;
    private final Map<String, Device> others = new LinkedHashMap<>();

    public Differential() {
        reference = device(CaseEngine.INTERPRETER.create());
        for (CaseEngine engine : CaseEngine.values()) {
            if (engine != CaseEngine.INTERPRETER) {
                others.put(engine.toString(), device(engine.create()));
            }
        }
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).workers(1).memory(MEMORY).timeout(PATIENCE).open();
    }

    /** What a run left: memory, or what it failed with. */
    private record Outcome(int[] out, int[] sums, Throwable failure) {
        boolean unsupported() {
            return failure instanceof UnsupportedPtxException;
        }

        boolean internal() {
            return failure != null && !(failure instanceof PtxException);
        }
    }

    /** The first difference; null when all engines agree, or when an engine says that it does not support the kernel. */
    public Difference compare(RandomKernel kernel) {
        CheckedModule checked = Checker.check(kernel.source());
        if (!checked.ok()) {
            return new Difference("checker", "rejected", checked.diagnostics().getFirst().render());
        }
        Outcome expected = run(reference, kernel, checked.module());
        if (expected.internal()) {
            return internal("interpreter", expected.failure());
        }
        for (Map.Entry<String, Device> other : others.entrySet()) {
            Outcome found = run(other.getValue(), kernel, checked.module());
            Difference difference = difference(other.getKey(), expected, found);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    private static Difference difference(String engine, Outcome expected, Outcome found) {
        if (found.internal()) {
            return internal(engine, found.failure());
        }
        if (expected.unsupported() || found.unsupported()) {
            Throwable failure = expected.unsupported() ? expected.failure() : found.failure();
            return new Difference(engine, "unsupported", failure.getMessage());
        }
        if (expected.failure() != null || found.failure() != null) {
            String wanted = message(expected.failure());
            String got = message(found.failure());
            return wanted.equals(got) ? null : new Difference(engine, "failure", "expected " + wanted + "\nfound " + got);
        }
        Difference sums = difference(engine, "sums", expected.sums(), found.sums());
        return sums != null ? sums : difference(engine, "out", expected.out(), found.out());
    }

    private static String message(Throwable failure) {
        return failure == null ? "no failure" : failure.getMessage();
    }

    private static Difference internal(String engine, Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String where = trace.length == 0 ? "" : " at " + trace[0];
        return new Difference(engine, failure.getClass().getName() + where, failure + where);
    }

    private static Difference difference(String engine, String name, int[] expected, int[] found) {
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != found[i]) {
                return new Difference(engine, "results", "%s[%d] is 0x%08x, expected 0x%08x".formatted(name, i, found[i], expected[i])
                        + (name.equals("out") ? " (thread " + i * 4 / RandomKernel.SLOT + ", byte " + i * 4 % RandomKernel.SLOT + ")" : ""));
            }
        }
        return null;
    }

    private static Outcome run(Device device, RandomKernel kernel, Module module) {
        try (PtxModule loaded = device.load(module); DeviceBuffer in = device.copyOf(kernel.input());
                DeviceBuffer out = device.allocateInts(kernel.outputWords()); DeviceBuffer sums = device.allocateInts(RandomKernel.SUMS / 4)) {
            out.fill((byte) 0);
            sums.fill((byte) 0);
            loaded.kernel(RandomKernel.NAME).grid(kernel.grid()).block(kernel.block()).launch(in, out, sums);
            return new Outcome(out.toInts(), sums.toInts(), null);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError failure) {
            return new Outcome(null, null, failure);
        }
    }

    /** What the interpreter writes for {@code kernel}: {@code out}, then {@code sums}; null if it fails. */
    int[][] expected(RandomKernel kernel) {
        Outcome outcome = run(reference, kernel, Checker.check(kernel.source()).module());
        return outcome.failure() == null ? new int[][] {outcome.out(), outcome.sums()} : null;
    }

    @Override
    public void close() {
        reference.close();
        others.values().forEach(Device::close);
    }
}
