package io.ptx4j.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.PtxModule;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sorting, scans, reductions in seven styles, graph search, dynamic programming, LU, n-body, compaction, histograms and grids that
 * meet, as nvcc compiles them, on every engine against references in Java. The long run has every block size with 1, 2 and 8
 * workers on every engine and target; otherwise these take turns.
 */
@Timeout(120)
final class ProgramsTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    /** Of all settings the short run has each of this number, which walks through blocks, targets and workers. */
    private static final int EVERY = 13;
    private static final List<Integer> BLOCKS = List.of(1, 31, 33, 1000, 1024);
    private static final List<Integer> WORKERS = List.of(1, 2, 8);

    /** One engine on one machine with one block size. */
    record Setting(CaseEngine engine, String target, int block, int workers) {
    }

    static List<Setting> settings() {
        List<Setting> all = new ArrayList<>();
        int turn = 0;
        for (CaseEngine engine : CaseEngine.values()) {
            for (int block : BLOCKS) {
                for (String target : List.of("75", "100")) {
                    for (int workers : WORKERS) {
                        if (LONG || turn++ % EVERY == 0) {
                            all.add(new Setting(engine, target, block, workers));
                        }
                    }
                }
            }
        }
        return all;
    }

    private static Device device(Setting setting) {
        return Device.builder().engine(setting.engine.create()).workers(setting.workers).memory(4 << 20).timeout(Duration.ofSeconds(60)).open();
    }

    /** A module on a device, and blocks of the size that the setting wants. */
    private record Programs(Device device, PtxModule module, Setting setting) {
        Launch one(String kernel) {
            return module.kernel(kernel).grid(1).block(setting.block);
        }

        Launch many(String kernel, int threads) {
            return module.kernel(kernel).grid(Math.clamp(threads / setting.block, 2, 9)).block(setting.block);
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void everyProgramGivesWhatItsReferenceGives(Setting setting) throws IOException {
        try (Device device = device(setting)) {
            Programs programs = new Programs(device, device.load("programs.ptx", Texts.of("programs.sm_" + setting.target)), setting);
            Random random = new Random(setting.block);
            sorts(programs, random);
            scans(programs, random);
            reductions(programs, random);
            graphs(programs, random);
            tables(programs, random);
            bodies(programs, random);
            selections(programs, random);
        }
    }

    private static void sorts(Programs on, Random random) {
        int[] values = random.ints(256, -500, 500).toArray();
        int[] sorted = values.clone();
        Arrays.sort(sorted);
        DeviceBuffer data = on.device.copyOf(values);
        on.one("bitonic").shared(256 * Integer.BYTES).launch(data, 256);
        assertArrayEquals(sorted, data.toInts());

        int[] keys = random.ints(300, 0, 16).toArray();
        DeviceBuffer one = on.device.copyOf(keys);
        DeviceBuffer two = on.device.allocateInts(keys.length);
        for (int bit = 0; bit < 4; bit++) {
            on.one("radix_pass").launch(bit % 2 == 0 ? one : two, bit % 2 == 0 ? two : one, keys.length, bit);
        }
        Arrays.sort(keys);
        assertArrayEquals(keys, one.toInts());
    }

    private static void scans(Programs on, Random random) {
        int[] values = random.ints(512).toArray();
        DeviceBuffer in = on.device.copyOf(values);
        DeviceBuffer out = on.device.allocateInts(values.length);
        on.one("scan_steps").shared(2 * values.length * Integer.BYTES).launch(in, out, values.length);
        assertArrayEquals(References.inclusiveScan(values), out.toInts());
        on.one("scan_tree").shared(values.length * Integer.BYTES).launch(in, values.length);
        assertArrayEquals(References.exclusiveScan(values), in.toInts());
    }

    private static void reductions(Programs on, Random random) {
        int[] values = random.ints(2500).toArray();
        DeviceBuffer in = on.device.copyOf(values);
        for (int style = 0; style < 7; style++) {
            DeviceBuffer out = on.device.allocateInts(1);
            on.many("reduce" + style, values.length).shared(on.setting.block * Integer.BYTES).launch(in, out, values.length);
            assertEquals(Arrays.stream(values).sum(), out.toInts()[0], "style " + style);
        }
        DeviceBuffer total = on.device.allocateLongs(1);
        DeviceBuffer sums = on.device.allocateLongs(9);
        for (int again = 0; again < 2; again++) {
            on.many("last_block", values.length).launch(in, sums, total, values.length);
            assertEquals(Arrays.stream(values).asLongStream().sum(), total.toLongs()[0]);
        }
    }

    private static void graphs(Programs on, Random random) {
        int nodes = 150;
        int[] rows = IntStream.rangeClosed(0, nodes).map(node -> 3 * node).toArray();
        int[] columns = IntStream.range(0, 3 * nodes).map(e -> e / 3 % 7 == 5 ? e / 3 : Math.min(nodes - 1, e / 3 + random.nextInt(-20, 9) + 1))
                .map(node -> Math.max(0, node)).toArray();
        DeviceBuffer depth = on.device.allocateInts(nodes);
        on.one("bfs").launch(on.device.copyOf(rows), on.device.copyOf(columns), depth, on.device.allocateInts(nodes), nodes, 3);
        assertArrayEquals(References.depths(rows, columns, 3), depth.toInts());

        int[] from = IntStream.range(0, columns.length).map(e -> e / 3).toArray();
        int[] weights = random.ints(columns.length, 1, 100).toArray();
        int[] distance = new int[nodes];
        Arrays.fill(distance, 1, nodes, Integer.MAX_VALUE);
        DeviceBuffer distances = on.device.copyOf(distance);
        on.one("shortest").launch(on.device.copyOf(from), on.device.copyOf(columns), on.device.copyOf(weights), distances, from.length);
        assertArrayEquals(References.distances(from, columns, weights, nodes), distances.toInts());
    }

    private static void tables(Programs on, Random random) {
        byte[] a = new byte[60];
        byte[] b = new byte[60];
        for (int i = 0; i < a.length; i++) {
            a[i] = (byte) random.nextInt(4);
            b[i] = (byte) random.nextInt(4);
        }
        DeviceBuffer length = on.device.allocateInts(1);
        on.one("lcs").shared(3 * (a.length + 1) * Integer.BYTES).launch(on.device.copyOf(a), on.device.copyOf(b), a.length, length);
        assertEquals(References.commonSubsequence(a, b), length.toInts()[0]);

        int n = 20;
        double[] matrix = random.doubles((long) n * n, -1, 1).toArray();
        DeviceBuffer data = on.device.copyOf(matrix);
        DeviceBuffer pivots = on.device.allocateInts(n);
        on.one("lu").launch(data, pivots, n);
        assertArrayEquals(References.decompose(matrix, n), pivots.toInts());
        assertArrayEquals(matrix, data.toDoubles());
    }

    private static void bodies(Programs on, Random random) {
        int n = 60;
        float[] bodies = new float[4 * n];
        for (int i = 0; i < bodies.length; i++) {
            bodies[i] = random.nextFloat();
        }
        DeviceBuffer forces = on.device.allocateFloats(bodies.length);
        on.module.kernel("nbody").grid((n + on.setting.block - 1) / on.setting.block).block(on.setting.block)
                .shared(4 * Float.BYTES * on.setting.block).launch(on.device.copyOf(bodies), forces, n);
        assertArrayEquals(References.forces(bodies), forces.toFloats());
    }

    private static void selections(Programs on, Random random) {
        int[] values = random.ints(2000, 0, 1000).toArray();
        DeviceBuffer out = on.device.allocateInts(values.length);
        DeviceBuffer count = on.device.allocateInts(1);
        on.many("keep", values.length).launch(on.device.copyOf(values), out, count, values.length);
        int[] kept = Arrays.copyOf(out.toInts(), count.toInts()[0]);
        Arrays.sort(kept);
        assertArrayEquals(Arrays.stream(values).filter(value -> value % 3 == 0).sorted().toArray(), kept);

        byte[] bytes = new byte[3000];
        random.nextBytes(bytes);
        DeviceBuffer bins = on.device.allocateInts(256);
        on.many("histogram", bytes.length).launch(on.device.copyOf(bytes), bins, bytes.length);
        assertArrayEquals(References.histogram(bytes), bins.toInts());
    }

    @ParameterizedTest
    @MethodSource("settings")
    void blocksThatWaitForEachOtherGiveWhatTheirReferenceGives(Setting setting) throws IOException {
        boolean clusters = setting.target.equals("100");
        try (Device device = device(setting)) {
            PtxModule module = device.load("grid.ptx", Texts.of("grid.sm_" + (clusters ? "90" : "80")));
            Random random = new Random(setting.block);
            int[] bar = random.ints(100, 0, 10_000).toArray();
            int steps = 6;
            DeviceBuffer one = device.copyOf(bar);
            module.kernel("heat").grid(3).block(setting.block).cooperative().launch(one, device.allocateInts(bar.length), bar.length, steps);
            assertArrayEquals(References.heat(bar, steps), one.toInts());
            if (clusters) {
                byte[] bytes = new byte[2000];
                random.nextBytes(bytes);
                DeviceBuffer bins = device.allocateInts(256);
                module.kernel("cluster_histogram").grid(8).block(setting.block).cluster(4).shared(64 * Integer.BYTES)
                        .launch(device.copyOf(bytes), bins, bytes.length);
                assertArrayEquals(References.histogram(bytes), bins.toInts());
            }
        }
    }
}
