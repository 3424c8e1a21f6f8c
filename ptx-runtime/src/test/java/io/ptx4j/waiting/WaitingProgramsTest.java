package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.PtxModule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs that nvcc compiled whose threads wait for threads of other warps, blocks and clusters, with any number of workers,
 * against plain Java.
 */
final class WaitingProgramsTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int REPETITIONS = LONG ? 100 : 1;
    private static final List<Integer> WORKERS = List.of(1, 2, 8);
    private static final Path FOLDER = Path.of("src/test/resources/waiting");
    private static final Map<String, Consumer<PtxModule>> PROGRAMS = Map.of("grid_sync", WaitingProgramsTest::gridSync,
            "lookback", WaitingProgramsTest::lookback, "pipeline", WaitingProgramsTest::pipeline,
            "cluster", WaitingProgramsTest::cluster, "bulk", WaitingProgramsTest::bulk, "cub_scan", WaitingProgramsTest::cubScan);

    /** CUB's choices, by the threads of a block: no two kernels here have the same. */
    private static final Map<Integer, Integer> WORDS_OF_A_THREAD = Map.of(320, 12, 288, 11, 128, 24, 224, 12, 384, 22, 416, 11);

    @TestFactory
    List<DynamicTest> runWithAnyNumberOfWorkersAsPlainJavaDoes() {
        List<DynamicTest> tests = new ArrayList<>();
        PROGRAMS.keySet().stream().sorted().forEach(program -> {
            for (String target : List.of("sm_80", "sm_90", "sm_100")) {
                Path file = FOLDER.resolve(program + "." + target + ".ptx");
                if (file.toFile().exists()) {
                    for (CaseEngine engine : LONG ? List.of(CaseEngine.values()) : List.of(CaseEngine.JIT_SCALAR, CaseEngine.INTERPRETER, CaseEngine.JIT_VECTOR)) {
                        List<Integer> workers = LONG ? WORKERS : List.of(WORKERS.get(tests.size() % WORKERS.size()));
                        tests.add(dynamicTest(file.getFileName() + " on " + engine + ", workers " + workers,
                                () -> run(file, engine, workers, PROGRAMS.get(program))));
                    }
                }
            }
        });
        return tests;
    }

    private static void run(Path file, CaseEngine engine, List<Integer> counts, Consumer<PtxModule> program) {
        for (int workers : counts) {
            try (Device device = Device.builder().engine(engine.create()).workers(workers).memory(1 << 28)
                    .timeout(Duration.ofSeconds(60)).open(); PtxModule module = device.load(file)) {
                for (int i = 0; i < REPETITIONS; i++) {
                    program.accept(module);
                }
            }
        }
    }

    private static int[] numbers(int count, int seed) {
        return IntStream.range(0, count).map(i -> (i * 0x9E3779B9 + seed) * 0x85EBCA6B >>> 8).toArray();
    }

    private static void gridSync(PtxModule module) {
        int steps = 7;
        for (int[] shape : new int[][] {{1, 32}, {6, 33}, {40, 1}}) {
            int n = shape[0] * shape[1] - shape[1] / 2;
            int[] start = numbers(n, 1);
            int[] expected = start.clone();
            for (int s = 0; s < steps; s++) {
                int[] a = expected;
                expected = IntStream.range(0, n).map(i -> a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n]).toArray();
            }
            Device device = module.device();
            for (String kernel : List.of("grid_sync", "by_hand")) {
                try (DeviceBuffer a = device.copyOf(start); DeviceBuffer b = device.allocateInts(n); DeviceBuffer count = device.allocateInts(1)) {
                    var launch = module.kernel(kernel).grid(shape[0]).block(shape[1]);
                    if (kernel.equals("grid_sync")) {
                        launch.cooperative().launch(a, b, n, steps);
                    } else {
                        launch.launch(a, b, n, steps, count);
                    }
                    assertArrayEquals(expected, (steps % 2 == 0 ? a : b).toInts(), kernel + " of " + Arrays.toString(shape));
                }
            }
        }
    }

    private static void lookback(PtxModule module) {
        for (int[] shape : new int[][] {{1, 32}, {5, 64}, {70, 32}}) {
            int n = shape[0] * shape[1] - 5;
            int[] in = numbers(n, 2);
            int[] expected = in.clone();
            for (int i = 1; i < n; i++) {
                expected[i] += expected[i - 1];
            }
            Device device = module.device();
            try (DeviceBuffer a = device.copyOf(in); DeviceBuffer out = device.allocateInts(n); DeviceBuffer ticket = device.allocateInts(1);
                    DeviceBuffer state = device.allocateLongs(shape[0])) {
                module.kernel("lookback").grid(shape[0]).block(shape[1]).shared(4 * shape[1]).launch(a, out, n, ticket, state);
                assertArrayEquals(expected, out.toInts(), "blocks " + Arrays.toString(shape));
            }
        }
    }

    /** As {@code cub::DeviceScan} launches its kernels: they find the states of blocks behind those of 32 that are always there. */
    private static void cubScan(PtxModule module) {
        Device device = module.device();
        int[] ints = numbers(60_000, 3);
        long[] longs = Arrays.stream(numbers(30_000, 4)).mapToLong(i -> (long) i * i).toArray();
        int[] intSums = ints.clone();
        Arrays.parallelPrefix(intSums, Integer::sum);
        long[] longSums = longs.clone();
        Arrays.parallelPrefix(longSums, Long::sum);
        try (DeviceBuffer in = device.copyOf(ints); DeviceBuffer out = device.allocateInts(ints.length); DeviceBuffer wideIn = device.copyOf(longs);
                DeviceBuffer wideOut = device.allocateLongs(longs.length)) {
            cubScan(module, "Pi", 8, in, out, ints.length);
            assertArrayEquals(intSums, out.toInts());
            cubScan(module, "Px", 16, wideIn, wideOut, longs.length);
            assertArrayEquals(longSums, wideOut.toLongs());
        }
    }

    private static void cubScan(PtxModule module, String pointer, int stateBytes, DeviceBuffer in, DeviceBuffer out, int n) {
        Kernel scan = kernel(module, "DeviceScanKernel.*" + pointer + ".*");
        int threads = scan.checked().limits().maxThreads().getFirst();
        int tiles = Math.ceilDiv(n, threads * WORDS_OF_A_THREAD.get(threads));
        try (DeviceBuffer states = module.device().allocate((long) (tiles + 32) * stateBytes)) {
            byte[] address = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(states.address()).array();
            Kernel init = kernel(module, "DeviceScanInitKernel.*ScanTileStateI" + pointer.charAt(1) + ".*");
            init.grid(Math.ceilDiv(tiles, 128)).block(128).launch(address, tiles);
            scan.grid(tiles).block(threads).launch(in, out, address, 0, (byte) 0, (byte) 0, n);
        }
    }

    private static Kernel kernel(PtxModule module, String name) {
        return module.kernels().stream().filter(kernel -> kernel.name().matches(".*" + name)).findFirst().orElseThrow();
    }

    private static void pipeline(PtxModule module) {
        Device device = module.device();
        for (int size : new int[] {1, 33, 64}) {
            int blocks = 3;
            int tiles = 5;
            int[] in = numbers(blocks * tiles * size * 4, 3);
            long[] sums = new long[blocks * size];
            for (int i = 0; i < sums.length; i++) {
                for (int t = 0; t < tiles; t++) {
                    sums[i] += (t + 1L) * in[(i / size * tiles + t) * size + (i % size + 1) % size];
                }
            }
            try (DeviceBuffer a = device.copyOf(in); DeviceBuffer out = device.allocateLongs(sums.length)) {
                module.kernel("pipelined").grid(blocks).block(size).shared(8 * size).launch(a, out, tiles);
                assertArrayEquals(sums, out.toLongs(), "pipelined, " + size + " threads");
            }
            int[] own = new int[blocks * size * 4];
            for (int i = 0; i < own.length * tiles; i++) {
                own[i % own.length] += in[i];
            }
            try (DeviceBuffer a = device.copyOf(in); DeviceBuffer out = device.allocateInts(own.length)) {
                module.kernel("own_copies").grid(blocks).block(size).shared(32 * size).launch(a, out, tiles);
                assertArrayEquals(own, out.toInts(), "own_copies, " + size + " threads");
            }
        }
        for (int half : new int[] {1, 16, 33}) {
            int blocks = 2;
            int rounds = 4;
            int[] in = numbers(blocks * rounds * half, 4);
            int[] turned = IntStream.range(0, in.length).map(i -> in[i / half * half + half - 1 - i % half] * 3).toArray();
            try (DeviceBuffer a = device.copyOf(in); DeviceBuffer out = device.allocateInts(in.length)) {
                module.kernel("roles").grid(blocks).block(2 * half).launch(a, out, rounds);
                assertArrayEquals(turned, out.toInts(), "roles, " + 2 * half + " threads");
            }
        }
    }

    private static void cluster(PtxModule module) {
        Device device = module.device();
        for (int[] shape : new int[][] {{2, 32, 2}, {8, 33, 4}, {4, 100, 1}}) {
            int n = 1000;
            int each = 11;
            int[] in = numbers(n, 5);
            int[] expected = new int[each * shape[2]];
            for (int value : in) {
                expected[Integer.remainderUnsigned(value, expected.length)]++;
            }
            try (DeviceBuffer a = device.copyOf(in); DeviceBuffer bins = device.allocateInts(expected.length)) {
                module.kernel("cluster_histogram").grid(shape[0]).block(shape[1]).cluster(shape[2]).shared(4 * each)
                        .launch(a, n, bins, each);
                assertArrayEquals(expected, bins.toInts(), "clusters of " + shape[2]);
            }
        }
        int rounds = 9;
        int[] values = IntStream.range(0, 8).toArray();
        for (int r = 0; r < rounds; r++) {
            int[] before = values.clone();
            Arrays.setAll(values, i -> before[i ^ 1] * 3 + 1);
        }
        try (DeviceBuffer out = device.allocateInts(8)) {
            module.kernel("ring").grid(8).block(33).launch(out, rounds);
            assertArrayEquals(values, out.toInts());
        }
    }

    private static void bulk(PtxModule module) {
        Device device = module.device();
        int tiles = 7;
        int[] in = numbers(tiles * 256, 6);
        int[] out = new int[in.length];
        int[] sum = new int[256];
        for (int i = 0; i < in.length; i++) {
            out[i] = 2 * in[i] + i / 256;
            sum[i % 256] += out[i];
        }
        for (int[] shape : new int[][] {{1, 1}, {3, 33}, {7, 256}}) {
            try (DeviceBuffer a = device.copyOf(in); DeviceBuffer b = device.allocateInts(in.length); DeviceBuffer s = device.allocateInts(256)) {
                module.kernel("bulk").grid(shape[0]).block(shape[1]).launch(a, b, s, tiles);
                assertArrayEquals(out, b.toInts());
                assertArrayEquals(sum, s.toInts());
            }
        }
    }
}
