package io.ptx4j.differential;

import java.util.List;
import java.util.function.LongToIntFunction;

/** Compares kernels until one shows a difference. A mutant's class loader makes one of its own. */
final class MutantHunt implements LongToIntFunction {
    private static final long FIRST = 1;

    /** How many kernels it took; -1 if {@code most} show nothing. */
    @Override
    public int applyAsInt(long most) {
        try (KernelJudge judge = new KernelJudge(List.of())) {
            for (int i = 0; i < most; i++) {
                Difference difference = judge.compare(KernelGenerator.generate(FIRST + i));
                if (difference != null && difference.kind() != Difference.Kind.UNSUPPORTED) {
                    return i + 1;
                }
            }
        }
        return -1;
    }
}
