package io.ptx4j.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What nvcc makes without optimizations: what loops wait for goes through local memory, and functions call themselves in loops that threads leave one by one. */
final class UnoptimizedTest {
    private static Device device(CaseEngine engine) {
        return Device.builder().engine(engine.create()).workers(2).memory(1 << 24).timeout(Duration.ofSeconds(60)).open();
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void threadsSort(CaseEngine engine) throws IOException {
        try (Device device = device(engine)) {
            var kernel = device.load("unoptimized.ptx", Texts.of("unoptimized.sm_80")).kernel("sorts");
            for (int[] size : new int[][] {{32, 30}, {32, 100}, {96, 40}}) {
                int[] words = new Random(7).ints(2 * size[0] * size[1], 0, 1000).toArray();
                try (DeviceBuffer sorted = device.copyOf(words)) {
                    kernel.grid(2).block(size[0]).launch(sorted, size[1]);
                    for (int from = 0; from < words.length; from += size[1]) {
                        Arrays.sort(words, from, from + size[1]);
                    }
                    assertArrayEquals(words, sorted.toInts());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void threadsWaitForAllOfTheirBlock(CaseEngine engine) throws IOException {
        try (Device device = device(engine)) {
            var kernel = device.load("unoptimized.ptx", Texts.of("unoptimized.sm_80")).kernel("latches");
            for (int threads : new int[] {1, 2, 32, 100}) {
                try (DeviceBuffer out = device.allocateInts(3 * threads)) {
                    kernel.grid(3).block(threads).launch(out);
                    assertArrayEquals(IntStream.range(0, 3 * threads).map(i -> 2 * ((i % threads + 77) % threads)).toArray(), out.toInts());
                }
            }
        }
    }
}
