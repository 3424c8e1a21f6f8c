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
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

final class ReducerTest {
    @Test
    void theReducerLeavesWhatTheDifferenceNeeds() {
        Difference planted = new Difference("planted", Difference.Kind.MEMORY, "", "popc is wrong");
        Reducer.Judge judge = kernel -> String.join("\n", kernel.body()).contains("popc") ? planted : null;
        RandomKernel kernel = null;
        for (long seed = 0; kernel == null || judge.compare(kernel) == null || kernel.body().size() < 50 || kernel.mayFail(); seed++) {
            kernel = KernelGenerator.generate(seed);
        }
        RandomKernel small = Reducer.reduce(judge, kernel, planted);
        assertEquals(1, small.body().size(), small::text);
        assertEquals(List.of(1, 1), List.of(small.grid(), small.threads()));
    }

    @TestFactory
    Stream<DynamicTest> kernelsSavedAsCaseFilesPass(@TempDir Path folder) {
        Map<String, Predicate<RandomKernel>> kinds = Map.of("plain", kernel -> kernel.images().isEmpty() && kernel.tensor() == null && kernel.replicas().isEmpty(),
                "images", kernel -> !kernel.images().isEmpty(), "boxes", kernel -> kernel.tensor() != null && !kernel.tensor().operations().isEmpty(),
                "replicas", kernel -> !kernel.replicas().isEmpty(), "second", RandomKernel::hasSecond);
        return kinds.entrySet().stream().map(kind -> DynamicTest.dynamicTest(kind.getKey(), () -> passes(LongStream.iterate(7, seed -> seed + 1).mapToObj(KernelGenerator::generate)
                .filter(kernel -> kind.getValue().test(kernel) && !kernel.mayFail() && kernel.body().size() < 60).findFirst().orElseThrow(), folder.resolve(kind.getKey() + ".ptx"))));
    }

    private static void passes(RandomKernel kernel, Path file) throws IOException {
        try (KernelJudge judge = new KernelJudge(List.of())) {
            byte[][] expected = judge.expected(kernel);
            assertNotNull(expected);
            Files.writeString(file, CaseText.of(kernel, "Seed: nothing", expected));
            assertEquals(List.of(), CaseRunner.failures(CaseReader.read(file), EngineKind.JIT.create()));
        }
    }
}
