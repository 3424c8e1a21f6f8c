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

    /** Names in the class that the vector shape makes of a kernel. */
    private static String code(RandomKernel kernel) {
        CheckedModule checked = Checker.check(kernel.source());
        assertTrue(checked.ok(), () -> checked.diagnostics() + kernel.text());
        Module module = checked.module();
        BlockShape shape = new BlockShape(kernel.block().x(), 1, 1);
        byte[] bytes = new Jit(Jit.Shape.VECTOR).classOf(new Program(module, new long[module.variableCount()], 0), module.kernels().get(RandomKernel.NAME), shape).bytes();
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void manyRunNeighbouringBlocksTogetherAndHaveStructures() {
        int together = 0;
        int records = 0;
        int tests = 0;
        for (long seed = 0; seed < KERNELS; seed++) {
            String code = code(kernel(seed));
            together += code.contains("SureGroups") ? 1 : 0;
            records += code.contains("LaneRecords") ? 1 : 0;
            tests += code.contains("apart") ? 1 : 0;
        }
        String counted = "of %d kernels %d run blocks together, %d have records, %d test whether accesses may change places".formatted(KERNELS, together, records, tests);
        assertTrue(together > KERNELS / 5 && records > KERNELS / 5 && tests > KERNELS / 100, counted);
    }
}
