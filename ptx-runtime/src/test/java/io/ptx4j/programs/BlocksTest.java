package io.ptx4j.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sorts, scans and selections of CUB, and threads that go through data until they find something, on every engine against references in Java. */
@Timeout(120)
public final class BlocksTest {
    private static final int TILE = 1024;
    private static final int BLOCKS = 3;
    private static final int THREADS = 128;

    private record Program(Device device, PtxModule module, CaseEngine engine) {
        /** What a kernel leaves in a buffer of words, which are -1 before, for blocks of 128 threads. */
        int[] results(String kernel, int blocks, int words, Function<DeviceBuffer, Object[]> arguments) {
            int[] before = new int[words];
            Arrays.fill(before, -1);
            DeviceBuffer out = device.copyOf(before);
            String shape = module.kernel(kernel).grid(blocks).block(THREADS).launch(arguments.apply(out)).shape();
            if (engine == CaseEngine.JIT_VECTOR) {
                assertEquals("vector", shape, kernel);
            }
            return out.toInts();
        }

        /** Holds what a kernel makes of tiles to what the reference does. */
        void check(String kernel, int[] in, Function<int[], int[]> reference) {
            DeviceBuffer buffer = device.copyOf(in);
            int[] expected = IntStream.range(0, BLOCKS).mapToObj(b -> Arrays.copyOfRange(in, b * TILE, (b + 1) * TILE)).map(reference).flatMapToInt(Arrays::stream).toArray();
            assertArrayEquals(expected, results(kernel, BLOCKS, BLOCKS * TILE, out -> new Object[] {buffer, out}), kernel);
        }
    }

    private static void run(CaseEngine engine, Consumer<Program> test) throws IOException {
        try (Device device = Device.builder().engine(engine.create()).workers(2).memory(4 << 20).timeout(Duration.ofSeconds(60)).open()) {
            test.accept(new Program(device, device.load("blocks.ptx", Texts.of("blocks.sm_80")), engine));
        }
    }

    private static int[] sorted(int[] tile) {
        return Arrays.stream(tile).mapToObj(i -> i).sorted(Integer::compareUnsigned).mapToInt(i -> i).toArray();
    }

    private static int[] sums(int[] tile) {
        int[] sums = new int[tile.length];
        for (int i = 1; i < tile.length; i++) {
            sums[i] = sums[i - 1] + tile[i - 1];
        }
        return sums;
    }

    private static int[] differences(int[] tile) {
        return IntStream.range(0, tile.length).map(i -> i == 0 ? tile[0] : tile[i] - tile[i - 1]).toArray();
    }

    private static int[] multiples(int[] tile) {
        int[] kept = Arrays.stream(tile).filter(i -> i % 4 == 0).toArray();
        return IntStream.range(0, tile.length).map(i -> i < kept.length ? kept[i] : -1).toArray();
    }

    private static int[] counts(int[] tile) {
        int[] counts = new int[tile.length];
        Arrays.fill(counts, 256, counts.length, -1);
        Arrays.stream(tile).forEach(i -> counts[i & 0xFF]++);
        return counts;
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void blocksDoWhatAlgorithmsDo(CaseEngine engine) throws IOException {
        run(engine, program -> {
            for (int bits : new int[] {32, 4}) {
                int[] in = new Random(bits).ints(BLOCKS * TILE).map(i -> i >>> 32 - bits).toArray();
                program.check("radix_sort", in, BlocksTest::sorted);
                program.check("merge_sort", in, BlocksTest::sorted);
                program.check("exclusive_sums", in, BlocksTest::sums);
                program.check("differences", in, BlocksTest::differences);
                program.check("multiples", in, BlocksTest::multiples);
                program.check("counts", in, BlocksTest::counts);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void threadsGoThroughDataUntilTheyFindSomething(CaseEngine engine) throws IOException {
        run(engine, program -> {
            Random random = new Random(5);
            int n = 300;
            int bits = 9;
            int[] table = new int[1 << bits];
            int[] keys = new int[n];
            int[] slots = new int[n];
            for (int i = 0; i < n; i++) {
                keys[i] = random.nextInt(1, 1000);
                int slot = slot(table, keys[i], bits);
                if (i % 3 != 0) {
                    table[slot] = keys[i];
                }
            }
            for (int i = 0; i < n; i++) {
                int slot = slot(table, keys[i], bits);
                slots[i] = table[slot] == 0 ? -1 : slot;
            }
            DeviceBuffer tableThere = program.device.copyOf(table);
            DeviceBuffer keysThere = program.device.copyOf(keys);
            int blocks = (n + THREADS - 1) / THREADS;
            assertArrayEquals(slots, program.results("look_up", blocks, n, out -> new Object[] {tableThere, keysThere, out, n, bits}));

            int[] ascending = random.ints(500, 0, 1000).sorted().toArray();
            DeviceBuffer sorted = program.device.copyOf(ascending);
            assertArrayEquals(Arrays.stream(keys).map(key -> (int) Arrays.stream(ascending).filter(x -> x < key).count()).toArray(),
                    program.results("lower_bounds", blocks, n, out -> new Object[] {sorted, keysThere, out, ascending.length, n}));

            int[] next = IntStream.range(0, n).map(i -> i - 1 - random.nextInt(9)).toArray();
            int[] lengths = new int[n];
            for (int i = 0; i < n; i++) {
                lengths[i] = 1 + (next[i] < 0 ? 0 : lengths[next[i]]);
            }
            DeviceBuffer nextThere = program.device.copyOf(next);
            assertArrayEquals(lengths, program.results("list_lengths", blocks, n, out -> new Object[] {nextThere, out, n}));

            int[] numbers = random.ints(n, 0, 40).toArray();
            int[] places = IntStream.range(0, n).map(i -> IntStream.range(i + 1, n).filter(at -> numbers[at] == numbers[i] % 10 + numbers[i] / 10 % 10).findFirst().orElse(i)).toArray();
            DeviceBuffer there = program.device.copyOf(numbers);
            assertArrayEquals(places, program.results("first_matches", blocks, n, out -> new Object[] {there, out, n}));
        });
    }

    private static int slot(int[] table, int key, int bits) {
        int slot = key * 0x9e3779b1 >>> 32 - bits;
        while (table[slot] != key && table[slot] != 0) {
            slot = slot + 1 & (1 << bits) - 1;
        }
        return slot;
    }
}
