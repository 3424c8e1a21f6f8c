package io.ptx4j.differential;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.Dim3;
import io.ptx4j.runtime.KernelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Compares engines on random kernels. The interpreter runs the kernel as it is; each other engine runs it with one or two workers
 * and as it is or as one of its {@link Variant}s, which the seed chooses.
 */
final class KernelJudge implements Reducer.Judge, AutoCloseable {
    private static final long MEMORY = 4L << 20;
    /** Far more than the slowest kernel takes on an idle machine, a few seconds: tests run beside others on all cores, and behind them. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int MOST_WORKERS = 2;
    private static final String OUTPUT = "argument 2 of launch 1";
    /** Of how many kernels an engine runs one as a variant. */
    private static final int VARIANTS = 4;
    /** Of how many kernels the interpreter runs one as a variant too. */
    private static final int VARIANTS_OF_REFERENCE = 16;
    /** Of how many kernels of several blocks one goes over to the vector shape between them. */
    private static final int CHANGES = 16;
    private static final String CHANGING = "jit changing";

    private final Map<String, Device> devices = new TreeMap<>();
    private final List<CaseEngine> engines;

    /** @param engines names of the engines to compare with the interpreter; all if there are none */
    KernelJudge(Collection<String> engines) {
        this.engines = Stream.of(CaseEngine.values())
                .filter(engine -> engine != CaseEngine.INTERPRETER && (engines.isEmpty() || engines.contains(engine.toString()))).toList();
    }

    private record Trial(String engine, int workers, Variant variant) {
        @Override
        public String toString() {
            return engine + (workers == 1 ? "" : " with " + workers + " workers") + (variant == Variant.NONE ? "" : ", " + variant);
        }
    }

    private Device device(String engine, int workers) {
        return devices.computeIfAbsent(engine + " " + workers,
                of -> Device.builder().engine(create(engine)).workers(workers).memory(MEMORY).timeout(PATIENCE).open());
    }

    private static Engine create(String engine) {
        return engine.equals(CHANGING) ? new Jit(Jit.Shape.CHANGING)
                : Stream.of(CaseEngine.values()).filter(some -> some.toString().equals(engine)).findFirst().orElseThrow().create();
    }

    private List<Trial> trials(RandomKernel kernel) {
        SplittableRandom random = new SplittableRandom(~kernel.seed());
        List<Trial> trials = new ArrayList<>();
        for (CaseEngine engine : engines) {
            int workers = random.nextInt(4) == 0 ? MOST_WORKERS : 1;
            trials.add(new Trial(engine.toString(), workers, random.nextInt(VARIANTS) == 0 ? variant(kernel, random) : Variant.NONE));
        }
        if (random.nextInt(VARIANTS_OF_REFERENCE) == 0) {
            trials.add(new Trial(CaseEngine.INTERPRETER.toString(), 1, variant(kernel, random)));
        }
        if (engines.size() > 1 && kernel.grid() > 1 && random.nextInt(CHANGES) == 0) {
            trials.add(new Trial(CHANGING, random.nextInt(2) == 0 ? MOST_WORKERS : 1, Variant.NONE));
        }
        return trials;
    }

    private static Variant variant(RandomKernel kernel, SplittableRandom random) {
        Variant variant = Variant.values()[random.nextInt(Variant.values().length)];
        if (kernel.mayFail()) {
            // Variants have other lines, and threads of other numbers.
            return Variant.NONE;
        }
        return variant.fits(kernel) ? variant : Variant.NONE;
    }

    @Override
    public Difference compare(RandomKernel kernel) {
        CheckedModule checked = Checker.check(kernel.source());
        if (!checked.ok()) {
            return Differential.rejected(checked);
        }
        Outcome expected = reference(kernel, checked);
        for (Trial trial : trials(kernel)) {
            CheckedModule written = checked;
            if (trial.variant() != Variant.NONE) {
                written = Checker.check(trial.variant().of(kernel, new SplittableRandom(kernel.seed())).source());
                if (!written.ok()) {
                    return Differential.rejected(written);
                }
            }
            Outcome found = Outcome.of(trial.toString(), device(trial.engine(), trial.workers()), written.module(), kernel.launches());
            Difference difference = expected.differenceTo(found);
            if (difference == null && expected.failure() instanceof KernelException failure) {
                difference = inBlocksBelow(kernel, failure, expected, found);
            }
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    /** Blocks below the one that failed have run to their end, unless those of a cluster met. */
    private static Difference inBlocksBelow(RandomKernel kernel, KernelException failure, Outcome expected, Outcome found) {
        int blocks = kernel.text().contains(".reqnctapercluster") ? 0 : failure.block().map(Dim3::x).orElse(0);
        byte[] wanted = expected.memory().get(OUTPUT);
        byte[] left = found.memory().get(OUTPUT);
        int bytes = blocks * kernel.threads() * (kernel.slot() - ArrayAccesses.BYTES);
        int at = Arrays.mismatch(wanted, 0, bytes, left, 0, bytes);
        return at < 0 ? null : new Difference(found.engine(), Difference.Kind.MEMORY, "",
                "byte %d of a block below the one that fails is 0x%02x, expected 0x%02x".formatted(at, left[at], wanted[at]));
    }

    private Outcome reference(RandomKernel kernel, CheckedModule checked) {
        CaseEngine interpreter = CaseEngine.INTERPRETER;
        return Outcome.of(interpreter.toString(), device(interpreter.toString(), 1), checked.module(), kernel.launches());
    }

    /** What the interpreter leaves in {@code out}, {@code sums}, the {@code out} of a second kernel, {@code boxes} and the replicas; null if it fails. */
    byte[][] expected(RandomKernel kernel) {
        Outcome outcome = reference(kernel, Checker.check(kernel.source()));
        if (outcome.failure() != null) {
            return null;
        }
        Stream<String> replicas = outcome.memory().keySet().stream().filter(name -> name.startsWith("replica "));
        return Stream.concat(Stream.of(OUTPUT, "argument 3 of launch 1", "argument 2 of launch 2", "argument " + (kernel.images().size() + 5) + " of launch 1"), replicas)
                .map(outcome.memory()::get).toArray(byte[][]::new);
    }

    @Override
    public void close() {
        devices.values().forEach(Device::close);
    }
}
