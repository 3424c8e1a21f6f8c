package io.ptx4j.benchmarks;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

final class BenchmarkListTest {
    @Test
    void theAnnotationProcessorListsTheBenchmarks() {
        assertNotNull(BenchmarkListTest.class.getResource("/META-INF/BenchmarkList"));
    }
}
