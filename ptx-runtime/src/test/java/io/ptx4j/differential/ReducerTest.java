package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseRunner;
import io.ptx4j.runtime.EngineKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReducerTest {
    @Test
    void theReducerLeavesWhatTheDifferenceNeeds() {
        Difference planted = new Difference("planted", Difference.Kind.MEMORY, "", "popc is wrong");
        Reducer.Judge judge = kernel -> String.join("\n", kernel.body()).contains("popc") ? planted : null;
        RandomKernel kernel = null;
        for (long seed = 0; kernel == null || judge.compare(kernel) == null || kernel.body().size() < 50; seed++) {
            kernel = KernelGenerator.generate(seed);
        }
        RandomKernel small = Reducer.reduce(judge, kernel, planted);
        assertEquals(1, small.body().size(), small::text);
        assertEquals(List.of(1, 1), List.of(small.grid(), small.threads()));
    }

    @Test
    void aKernelSavedAsACaseFilePasses(@TempDir Path folder) throws IOException {
        try (KernelJudge judge = new KernelJudge(List.of())) {
            RandomKernel kernel = KernelGenerator.generate(7);
            byte[][] expected = judge.expected(kernel);
            assertNotNull(expected);
            Path file = folder.resolve("case.ptx");
            Files.writeString(file, CaseText.of(kernel, "Seed 7: nothing", expected));
            assertEquals(List.of(), CaseRunner.failures(CaseReader.read(file), EngineKind.JIT.create()));
        }
    }
}
