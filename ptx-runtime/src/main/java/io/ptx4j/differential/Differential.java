package io.ptx4j.differential;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.ir.Module;
import io.ptx4j.runtime.Device;
import io.ptx4j.syntax.SourceFile;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A judge for compilers and for ptx4j itself: runs launches on the interpreter and on every code shape of the JIT, each with one
 * worker, and compares everything they leave in memory, bit by bit. {@snippet lang = java :
 * try (Differential judge = new Differential()) {
 *     int[] numbers = {1, 2, 3, 4};
 *     Comparison found = judge.compare(ptx, KernelLaunch.of("twice", 1, 32, numbers, 4));
 *     found.differences().forEach(System.err::println);
 *     byte[] result = found.outcomes().getFirst().memory().get("argument 1 of launch 1");
 * }
 * }
 *
 * <p>To judge a compiler, compare what two of its settings make of one source, by {@link Outcome#memory()}. Not thread-safe.
 */
public final class Differential implements AutoCloseable {
    private static final long DEFAULT_MEMORY = 1L << 30;

    private final LinkedHashMap<String, Device> devices = new LinkedHashMap<>();

    /** Devices of 1 GiB, of which the host commits what is touched, and launches of at most 10 s. */
    public Differential() {
        this(DEFAULT_MEMORY, Duration.ofSeconds(10));
    }

    /**
     * @param memory address space of each device in bytes
     * @param timeout after which a launch counts as failed
     */
    public Differential(long memory, Duration timeout) {
        for (CaseEngine engine : CaseEngine.values()) {
            Device device = Device.builder().engine(engine.create()).workers(1).memory(memory).timeout(timeout)
                    .output(new PrintStream(OutputStream.nullOutputStream())).open();
            if (engine == CaseEngine.INTERPRETER) {
                devices.putFirst(engine.toString(), device);
            } else {
                devices.put(engine.toString(), device);
            }
        }
    }

    /** Compares engines on launches of a PTX text, one after the other on the same memory. */
    public Comparison compare(String ptx, KernelLaunch... launches) {
        CheckedModule checked = Checker.check(new SourceFile("module.ptx", ptx));
        return checked.ok() ? compare(checked.module(), launches) : new Comparison(List.of(), List.of(rejected(checked)));
    }

    /** Compares engines on launches of a checked program, one after the other on the same memory. */
    public Comparison compare(Module module, KernelLaunch... launches) {
        List<Outcome> outcomes = devices.entrySet().stream().map(engine -> Outcome.of(engine.getKey(), engine.getValue(), module, List.of(launches)))
                .collect(Collectors.toCollection(ArrayList::new));
        Outcome reference = outcomes.getFirst();
        List<Difference> differences = outcomes.stream().skip(1).map(reference::differenceTo).filter(difference -> difference != null).toList();
        return new Comparison(List.copyOf(outcomes), differences);
    }

    static Difference rejected(CheckedModule checked) {
        return new Difference("checker", Difference.Kind.REJECTED, "", checked.diagnostics().getFirst().render());
    }

    @Override
    public void close() {
        devices.values().forEach(Device::close);
    }
}
