package io.ptx4j.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Warp operations where threads of a warp have gone different ways ({@code programs/apart.cu}). */
final class ApartTest {
    private static Device device(CaseEngine engine, int workers) {
        return Device.builder().engine(engine.create()).workers(workers).memory(1 << 24).timeout(Duration.ofSeconds(60)).open();
    }

    private static Kernel kernel(Device device, String name) throws IOException {
        return device.load("apart.ptx", Texts.of("apart.sm_80")).kernel(name);
    }

    @Test
    void allHaveTheVectorShape() throws IOException {
        Module module = Checker.check(new SourceFile("apart.ptx", Texts.of("apart.sm_80"))).module();
        for (var kernel : module.kernels().values()) {
            assertEquals(Optional.empty(), new Jit().notVectorizable(new Program(module, new long[module.variableCount()], 0), kernel, new BlockShape(128, 1, 1)), kernel.name());
        }
    }

    @TestFactory
    List<DynamicTest> threadsLookBackUntilTheyKnowASum() {
        List<DynamicTest> tests = new ArrayList<>();
        for (CaseEngine engine : CaseEngine.values()) {
            for (int workers : new int[] {1, 2}) {
                for (int threads : new int[] {32, 70, 128}) {
                    tests.add(DynamicTest.dynamicTest(engine + ", " + workers + " workers, " + threads + " threads", () -> lookBack(engine, workers, threads)));
                }
            }
        }
        return tests;
    }

    private static void lookBack(CaseEngine engine, int workers, int threads) throws IOException {
        int blocks = 23;
        int[] expected = new int[blocks * threads];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (i / threads * 37 + i % threads * 11) % 101 + (i < threads ? 0 : expected[i - threads]);
        }
        try (Device device = device(engine, workers); DeviceBuffer sums = device.allocateInts(expected.length); DeviceBuffer votes = device.allocateInts(threads)) {
            Kernel kernel = kernel(device, "lookback");
            for (int turn = 0; turn < 3; turn++) {
                try (DeviceBuffer words = device.allocateInts(expected.length)) {
                    kernel.grid(blocks).block(threads).launch(words, sums, votes);
                }
                assertArrayEquals(expected, sums.toInts());
            }
            assertArrayEquals(IntStream.range(0, threads).map(t -> t / 32 < threads / 32 ? -1 : (1 << threads % 32) - 1).toArray(), votes.toInts());
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void threadsLeaveALoopOneByOne(CaseEngine engine) throws IOException {
        int blocks = 3;
        int threads = 96;
        int[] turns = new Random(5).ints(blocks * threads, 0, 20).toArray();
        int[] values = IntStream.range(0, turns.length).toArray();
        int[] counts = new int[turns.length];
        for (int low = 0; low < turns.length; low += 32) {
            for (int turn = 0; turn < 20; turn++) {
                int now = turn;
                int[] left = IntStream.range(low, low + 32).filter(t -> turns[t] > now).toArray();
                int first = left.length == 0 ? 0 : values[left[0]];
                for (int t : left) {
                    values[t] += first + left[left.length - 1] % 32;
                    counts[t] += left.length;
                }
            }
        }
        try (Device device = device(engine, 2); DeviceBuffer in = device.copyOf(turns); DeviceBuffer out = device.allocateInts(turns.length);
                DeviceBuffer seen = device.allocateInts(turns.length)) {
            kernel(device, "leave").grid(blocks).block(threads).launch(in, out, seen);
            assertArrayEquals(values, out.toInts());
            assertArrayEquals(counts, seen.toInts());
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void threadsOfEachWayTakePlacesTogether(CaseEngine engine) throws IOException {
        int blocks = 4;
        int threads = 128;
        int[] words = new Random(6).ints(blocks * threads, 0, 1000).toArray();
        try (Device device = device(engine, 1); DeviceBuffer in = device.copyOf(words); DeviceBuffer odd = device.allocateInts(words.length);
                DeviceBuffer even = device.allocateInts(words.length); DeviceBuffer length = device.allocateInts(1)) {
            kernel(device, "lists").grid(blocks).block(threads).launch(in, odd, even, length);
            int[] expected = Arrays.stream(words).filter(w -> w % 2 != 0).toArray();
            assertEquals(expected.length, length.toInts()[0]);
            assertArrayEquals(Arrays.copyOf(expected, words.length), odd.toInts());
            int[] lists = new int[words.length];
            for (int b = 0; b < blocks; b++) {
                int[] own = Arrays.stream(words, b * threads, (b + 1) * threads).filter(w -> w % 2 == 0).toArray();
                System.arraycopy(own, 0, lists, b * threads, own.length);
            }
            assertArrayEquals(lists, even.toInts());
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void aBarrierTellsTheWay(CaseEngine engine) throws IOException {
        int blocks = 12;
        int threads = 256;
        int[] words = new Random(9).ints(blocks * threads, 0, 903).toArray();
        assertArrayEquals(ways(CaseEngine.INTERPRETER, words, blocks, threads), ways(engine, words, blocks, threads));
    }

    private static int[] ways(CaseEngine engine, int[] words, int blocks, int threads) throws IOException {
        try (Device device = device(engine, 2); DeviceBuffer in = device.copyOf(words); DeviceBuffer out = device.allocateInts(words.length)) {
            kernel(device, "ways").grid(blocks).block(threads).launch(in, out);
            return out.toInts();
        }
    }
}
