package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ElementKernelsTest {
    private static final int KERNELS = 200;

    private static RandomKernel kernel(long seed) {
        return ElementKernels.of(seed, new SplittableRandom(seed), Dialect.values()[(int) seed % Dialect.values().length]);
    }

    /** Whether there is code for neighbouring blocks together, where all threads go the same way. */
    private static boolean runsBlocksTogether(RandomKernel kernel) {
        CheckedModule checked = Checker.check(kernel.source());
        assertTrue(checked.ok(), () -> checked.diagnostics() + kernel.text());
        Module module = checked.module();
        BlockShape shape = new BlockShape(kernel.block().x(), 1, 1);
        byte[] bytes = new Jit(Jit.Shape.VECTOR).classOf(new Program(module, new long[module.variableCount()], 0), module.kernels().get(RandomKernel.NAME), shape).bytes();
        return new String(bytes, StandardCharsets.ISO_8859_1).contains("SureGroups");
    }

    @Test
    void manyRunNeighbouringBlocksTogether() {
        int together = 0;
        for (long seed = 0; seed < KERNELS; seed++) {
            together += runsBlocksTogether(kernel(seed)) ? 1 : 0;
        }
        String counted = together + " of " + KERNELS;
        assertTrue(together > KERNELS / 5, counted);
    }
}
