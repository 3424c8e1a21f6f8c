package io.ptx4j.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
