package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseRunner;
import io.ptx4j.runtime.EngineKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaboratoryTest {
    private static final int KNOWN = Boolean.getBoolean("ptx4j.long") ? 20_000 : 200;
    private static final int NEW = KNOWN / 4;

    @Test
    void enginesAgreeOnTheKernelsOfKnownSeeds() throws IOException {
        agree(1, KNOWN);
    }

    @Test
    void enginesAgreeOnKernelsOfNewSeeds() throws IOException {
        long seed = System.currentTimeMillis() * 1000;
        System.out.println("random kernels: ptx fuzz --seed " + seed + " --count " + NEW);
        agree(seed, NEW);
    }

    private static void agree(long seed, int count) throws IOException {
        StringBuilder told = new StringBuilder();
        try (Laboratory laboratory = new Laboratory(null, line -> told.append(line).append('\n'))) {
            assertTrue(laboratory.run(seed, count, Long.MAX_VALUE).isEmpty(), told::toString);
            assertEquals(count, laboratory.kernels());
            int refused = laboratory.unsupported().values().stream().mapToInt(Integer::intValue).sum();
            assertTrue(refused <= count / 20, () -> "too many kernels that an engine does not support: " + laboratory.unsupported());
        }
    }

    @Test
    void aSeedMakesTheSameKernelEachTime() {
        for (long seed = 0; seed < 50; seed++) {
            RandomKernel one = KernelGenerator.generate(seed);
            RandomKernel again = KernelGenerator.generate(seed);
            assertEquals(one.text(), again.text());
            assertArrayEquals(one.input(), again.input());
            assertEquals(one.grid() * 1000 + one.block(), again.grid() * 1000 + again.block());
        }
    }

    @Test
    void theReducerLeavesWhatTheDifferenceNeeds() {
        Difference planted = new Difference("planted", "results", "popc is wrong");
        Reducer.Judge judge = kernel -> String.join("\n", kernel.body()).contains("popc") ? planted : null;
        RandomKernel kernel = null;
        for (long seed = 0; kernel == null || judge.compare(kernel) == null || kernel.body().size() < 50; seed++) {
            kernel = KernelGenerator.generate(seed);
        }
        RandomKernel small = Reducer.reduce(judge, kernel, planted);
        assertEquals(1, small.body().size(), small::text);
        assertEquals(List.of(1, 1), List.of(small.grid(), small.block()));
    }

    @Test
    void aKernelSavedAsACaseFilePasses(@TempDir Path folder) throws IOException {
        try (Differential differential = new Differential()) {
            RandomKernel kernel = KernelGenerator.generate(7);
            int[][] expected = differential.expected(kernel);
            assertNotNull(expected);
            Path file = folder.resolve("case.ptx");
            Files.writeString(file, CaseText.of(kernel, "Seed 7: nothing", expected));
            assertEquals(List.of(), CaseRunner.failures(CaseReader.read(file), EngineKind.JIT.create()));
        }
    }
}
