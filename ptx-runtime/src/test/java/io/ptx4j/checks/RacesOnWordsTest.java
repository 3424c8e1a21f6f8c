package io.ptx4j.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Check;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.KernelException.Kind;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Accesses of one word by the threads of a warp, judged by looking at all pairs of them; and words that blocks on several workers go to at once. */
final class RacesOnWordsTest {
    private static final int WARP = 32;
    private static final int LAUNCHES = 400;
    private static final String READ_WORD = "@%p1 ld.global.u32 %r6, [%rd1];";
    private static final String READ_BYTE = "@%p3 ld.global.u8 %r6, [%rd1+3];";
    /** A thread does to the word at its place what its operation says: 1 reads it, 2 writes it, 3 reads a byte, 4 writes a byte. */
    private static final String ACCESS = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry access(.param .u64 out, .param .u64 what, .param .u64 where)
            {
                .reg .b32 %r<8>;
                .reg .b64 %rd<8>;
                .reg .pred %p<5>;
                ld.param.u64 %rd1, [out];
                ld.param.u64 %rd2, [what];
                ld.param.u64 %rd3, [where];
                mov.u32 %r1, %tid.x;
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, %ntid.x;
                mad.lo.u32 %r1, %r2, %r3, %r1;
                mul.wide.u32 %rd4, %r1, 4;
                add.u64 %rd2, %rd2, %rd4;
                add.u64 %rd3, %rd3, %rd4;
                ld.global.u32 %r4, [%rd2];
                ld.global.u32 %r5, [%rd3];
                cvt.u64.u32 %rd5, %r5;
                add.u64 %rd1, %rd1, %rd5;
                add.u32 %r1, %r1, 1;
                setp.eq.u32 %p1, %r4, 1;
                setp.eq.u32 %p2, %r4, 2;
                setp.eq.u32 %p3, %r4, 3;
                setp.eq.u32 %p4, %r4, 4;
                @%p1 ld.global.u32 %r6, [%rd1];
                @%p2 st.global.u32 [%rd1], %r1;
                @%p3 ld.global.u8 %r6, [%rd1];
                @%p4 st.global.u8 [%rd1], %r1;
                ret;
            }
            """;

    @ParameterizedTest
    @EnumSource
    void aRaceIsFoundWhereTwoThreadsOfAWarpHaveOneAndNowhereElse(EngineKind engine) {
        Random random = new Random(7);
        try (Device device = Device.builder().memory(1 << 21).engine(engine).workers(1).checks(Check.RACES).open();
                DeviceBuffer out = device.allocateInts(WARP)) {
            Kernel kernel = device.load("access.ptx", ACCESS).kernel("access");
            for (int launch = 0; launch < LAUNCHES; launch++) {
                int[] what = new int[WARP];
                int[] where = new int[WARP];
                int byteRead = random.nextInt(4);
                int byteWritten = random.nextInt(4);
                boolean bytes = random.nextBoolean();
                int distance = 1 << random.nextInt(5);
                int often = random.nextInt(5);
                for (int t = 0; t < WARP; t++) {
                    boolean reads = random.nextInt(4) < often && t % distance == 0;
                    what[t] = reads ? bytes ? 3 : 1 : 0;
                    where[t] = what[t] == 3 ? byteRead : 0;
                }
                for (int writers = random.nextInt(3); writers > 0; writers--) {
                    int t = random.nextInt(WARP);
                    what[t] = bytes && random.nextBoolean() ? 4 : 2;
                    where[t] = what[t] == 4 ? byteWritten : 0;
                }
                out.copyFrom(new int[WARP]);
                assertEquals(race(what, where), found(device, kernel, out, what, where) != null, "launch " + launch);
            }
        }
    }

    /** A block's first access in a part of memory is looked at with more care than the next ones, so there are words around the one with the race. */
    @ParameterizedTest
    @EnumSource
    void aRaceIsFoundWhereThreadsOfAnyWarpsAndBlocksHaveOneAndNowhereElse(EngineKind engine) {
        int threads = 512;
        int words = 64;
        Random random = new Random(13);
        try (Device device = Device.builder().memory(1 << 21).engine(engine).workers(1).checks(Check.RACES).open();
                DeviceBuffer out = device.allocateInts(words)) {
            Kernel kernel = device.load("access.ptx", ACCESS).kernel("access");
            int races = 0;
            for (int launch = 0; launch < LAUNCHES; launch++) {
                int[] what = new int[threads];
                int[] where = new int[threads];
                int[] readers = new int[words];
                int[] writers = new int[words];
                for (int active = random.nextInt(100); active >= 0; active--) {
                    int t = random.nextInt(threads);
                    if (what[t] == 0) {
                        int word = random.nextInt(words);
                        what[t] = random.nextInt(60) == 0 ? 2 : 1;
                        where[t] = 4 * word;
                        (what[t] == 2 ? writers : readers)[word]++;
                    }
                }
                boolean race = false;
                for (int word = 0; word < words; word++) {
                    race |= writers[word] > 1 || writers[word] == 1 && readers[word] > 0;
                }
                races += race ? 1 : 0;
                out.copyFrom(new int[words]);
                assertEquals(race, found(device, kernel, out, what, where) != null, "launch " + launch);
            }
            assertTrue(races > LAUNCHES / 10 && races < LAUNCHES * 9 / 10, races + " races");
        }
    }

    private static boolean race(int[] what, int[] where) {
        for (int a = 0; a < WARP; a++) {
            for (int b = 0; b < WARP; b++) {
                boolean overlap = what[a] < 3 || what[b] < 3 || where[a] == where[b];
                if (a != b && what[a] != 0 && what[b] != 0 && what[a] % 2 == 0 && overlap) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Threads read the word (8), and behind a barrier the word (1) or a byte of it (4); when all have, though nothing orders it, one writes it (2).
     * What each does is the sum.
     */
    private static final String READ_THEN_WRITE = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry both(.param .u64 out, .param .u64 what)
            {
                .reg .b32 %r<8>;
                .reg .b64 %rd<8>;
                .reg .pred %p<6>;
                ld.param.u64 %rd1, [out];
                ld.param.u64 %rd2, [what];
                mov.u32 %r1, %tid.x;
                mul.wide.u32 %rd4, %r1, 4;
                add.u64 %rd2, %rd2, %rd4;
                ld.global.u32 %r4, [%rd2];
                and.b32 %r5, %r4, 1;
                setp.ne.u32 %p1, %r5, 0;
                and.b32 %r5, %r4, 2;
                setp.ne.u32 %p2, %r5, 0;
                and.b32 %r5, %r4, 4;
                setp.ne.u32 %p3, %r5, 0;
                and.b32 %r5, %r4, 8;
                setp.ne.u32 %p5, %r5, 0;
                add.u32 %r1, %r1, 1;
                @%p5 ld.global.u32 %r6, [%rd1];
                bar.warp.sync -1;
                @%p1 ld.global.u32 %r6, [%rd1];
                @%p3 ld.global.u8 %r6, [%rd1+3];
                vote.sync.any.pred %p4, %p1, -1;
                @%p2 st.global.u32 [%rd1], %r1;
                ret;
            }
            """;

    @ParameterizedTest
    @EnumSource
    void aWriteBehindReadsRacesWithThoseOfOthersAndNamesOneOfThem(EngineKind engine) {
        Random random = new Random(11);
        try (Device device = Device.builder().memory(1 << 21).engine(engine).workers(1).checks(Check.RACES).open();
                DeviceBuffer out = device.allocateInts(WARP); DeviceBuffer operations = device.allocateInts(WARP)) {
            Kernel kernel = device.load("both.ptx", READ_THEN_WRITE).kernel("both");
            for (int launch = 0; launch < LAUNCHES; launch++) {
                int read = random.nextBoolean() ? 1 : 4;
                int distance = 1 << random.nextInt(5);
                int first = random.nextInt(WARP);
                int readers = random.nextInt(4);
                int[] what = new int[WARP];
                for (int t = first; t < WARP && readers > 0; t += distance, readers--) {
                    what[t] = read;
                }
                int writer = random.nextBoolean() ? first : random.nextInt(WARP);
                what[writer] |= 2;
                boolean race = false;
                for (int t = 0; t < WARP; t++) {
                    race |= t != writer && what[t] != 0;
                }
                what[random.nextBoolean() ? first : random.nextInt(WARP)] |= random.nextBoolean() ? 8 : 0;
                out.copyFrom(new int[WARP]);
                operations.copyFrom(what);
                KernelException failed = null;
                try {
                    kernel.grid(1).block(WARP).launch(out, operations);
                } catch (KernelException found) {
                    failed = found;
                }
                assertEquals(race, failed != null, "launch " + launch);
                if (failed != null) {
                    assertEquals(writer, failed.thread().orElseThrow().x());
                    KernelException.Rival rival = failed.rival().orElseThrow();
                    assertEquals(read, what[rival.thread().x()] & 5, failed.getMessage());
                    assertEquals(read == 1 ? READ_WORD : READ_BYTE, rival.sourceLine().strip());
                }
            }
        }
    }

    /** A word has room for lines up to 8191. */
    @ParameterizedTest
    @EnumSource
    void aRaceNamesTheLineOfTheOtherAccessHoweverFarDownItStands(EngineKind engine) {
        int store = (int) ACCESS.substring(0, ACCESS.indexOf("@%p2 st")).lines().count();
        try (Device device = Device.builder().memory(1 << 21).engine(engine).workers(1).checks(Check.RACES).open();
                DeviceBuffer out = device.allocateInts(WARP)) {
            for (int above : new int[] {0, 600, 5000, 8150, 9000, 70_000}) {
                Kernel kernel = device.load("access.ptx", "\n".repeat(above) + ACCESS).kernel("access");
                out.copyFrom(new int[WARP]);
                KernelException.Rival rival = found(device, kernel, out, new int[] {2, 2}, new int[2]).rival().orElseThrow();
                assertEquals(above + store, rival.line(), "lines above the module: " + above);
            }
        }
    }

    private static KernelException found(Device device, Kernel kernel, DeviceBuffer out, int[] what, int[] where) {
        try (DeviceBuffer operations = device.allocateInts(what.length); DeviceBuffer places = device.allocateInts(where.length)) {
            operations.copyFrom(what);
            places.copyFrom(where);
            kernel.grid((what.length + 255) / 256).block(Math.min(256, what.length)).launch(out, operations, places);
            return null;
        } catch (KernelException failed) {
            assertEquals(Kind.RACE, failed.kind(), failed.getMessage());
            return failed;
        }
    }

    @Test
    void workersThatGoToTheSameWordsAtOnceMissNoneOfThem() {
        int words = 1 << 14;
        int[] what = new int[2 * words];
        int[] where = new int[2 * words];
        for (int i = 0; i < 2 * words; i++) {
            what[i] = 2;
            where[i] = 4 * (i / 512 * 256 + i % 256);
        }
        try (Device device = Device.builder().memory(1 << 21).workers(4).checks(Check.RACES).findings(10).open();
                DeviceBuffer out = device.allocateInts(words)) {
            Kernel kernel = device.load("access.ptx", ACCESS).kernel("access");
            for (int time = 0; time < 10; time++) {
                out.copyFrom(new int[words]);
                assertEquals(words, found(device, kernel, out, what, where).findings().stream().mapToLong(one -> one.times()).sum());
            }
        }
    }
}
