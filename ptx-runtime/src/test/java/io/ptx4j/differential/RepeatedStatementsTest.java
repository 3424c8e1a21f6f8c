package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RepeatedStatementsTest {
    private static final int KERNELS = 3_000;

    /** Whether the vector shape makes a loop of them, and keeps count of lines in it because it accesses memory. */
    private static boolean becomesLoop(RandomKernel kernel) {
        Module module = Checker.check(kernel.source()).module();
        BlockShape shape = new BlockShape(kernel.block().x(), kernel.block().y(), 1);
        Program program = new Program(module, new long[module.variableCount()], 0);
        Kernel entry = module.kernels().get(RandomKernel.NAME);
        return new Jit().notVectorizable(program, entry, shape).isEmpty()
                && new String(new Jit(Jit.Shape.VECTOR).classOf(program, entry, shape).bytes(), StandardCharsets.ISO_8859_1).contains("lines");
    }

    @Test
    void someBecomeLoops() {
        int loops = 0;
        int repeated = 0;
        for (long seed = 0; seed < KERNELS; seed++) {
            RandomKernel kernel = KernelGenerator.generate(seed);
            if (kernel.body().contains("mad.wide.u32 %rp, %gid, 8, %in;")) {
                repeated++;
                loops += becomesLoop(kernel) ? 1 : 0;
            }
        }
        String counted = loops + " of " + repeated;
        assertTrue(loops > repeated / 20, counted);
    }
}
