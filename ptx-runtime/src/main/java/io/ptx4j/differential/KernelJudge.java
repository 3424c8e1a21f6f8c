package io.ptx4j.differential;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
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
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST_WORKERS = 2;
    private static final String OUTPUT = "argument 2 of launch 1";
    /** Of how many kernels an engine runs one as a variant. */
    private static final int VARIANTS = 4;
    /** Of how many kernels the interpreter runs one as a variant too. */
    private static final int VARIANTS_OF_REFERENCE = 16;

    private final Map<String, Device> devices = new TreeMap<>();
    private final List<CaseEngine> engines;

    /** @param engines names of the engines to compare with the interpreter; all if there are none */
    KernelJudge(Collection<String> engines) {
        this.engines = Stream.of(CaseEngine.values())
                .filter(engine -> engine != CaseEngine.INTERPRETER && (engines.isEmpty() || engines.contains(engine.toString()))).toList();
    }

    private record Trial(CaseEngine engine, int workers, Variant variant) {
        @Override
        public String toString() {
            return engine + (workers == 1 ? "" : " with " + workers + " workers") + (variant == Variant.NONE ? "" : ", " + variant);
        }
    }

    private Device device(CaseEngine engine, int workers) {
        return devices.computeIfAbsent(engine + " " + workers,
                of -> Device.builder().engine(engine.create()).workers(workers).memory(MEMORY).timeout(PATIENCE).open());
    }

    private List<Trial> trials(RandomKernel kernel) {
        SplittableRandom random = new SplittableRandom(~kernel.seed());
        List<Trial> trials = new ArrayList<>();
        for (CaseEngine engine : engines) {
            int workers = random.nextInt(4) == 0 ? MOST_WORKERS : 1;
            trials.add(new Trial(engine, workers, random.nextInt(VARIANTS) == 0 ? variant(kernel, random) : Variant.NONE));
        }
        if (random.nextInt(VARIANTS_OF_REFERENCE) == 0) {
            trials.add(new Trial(CaseEngine.INTERPRETER, 1, variant(kernel, random)));
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
            Outcome found = Outcome.of(trial.toString(), device(trial.engine(), trial.workers()), written.module(), List.of(kernel.launch()));
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
        return Outcome.of(interpreter.toString(), device(interpreter, 1), checked.module(), List.of(kernel.launch()));
    }

    /** What the interpreter leaves in {@code out} and {@code sums}; null if it fails. */
    byte[][] expected(RandomKernel kernel) {
        Outcome outcome = reference(kernel, Checker.check(kernel.source()));
        return outcome.failure() != null ? null : new byte[][] {
            outcome.memory().get(OUTPUT), outcome.memory().get("argument 3 of launch 1")};
    }

    @Override
    public void close() {
        devices.values().forEach(Device::close);
    }
}
