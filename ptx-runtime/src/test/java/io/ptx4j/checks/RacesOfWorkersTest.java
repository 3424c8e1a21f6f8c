package io.ptx4j.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseSession;
import io.ptx4j.engine.Check;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Races between blocks that several threads of the host run at once: found each time, and only where there are any. */
final class RacesOfWorkersTest {
    private static final Path CASES = Path.of("src/test/resources/cases/checks");
    private static final int WORKERS = 4;
    private static final int TIMES = 10;
    private static final int SECONDS = 20;

    @ParameterizedTest
    @ValueSource(strings = {"blocks", "scope", "flag_without_fence", "flag_without_acquire", "flag_without_release", "fence_of_block",
        "last_block_without_fence", "grid_barrier_of_one", "cluster"})
    void everyRunFindsTheRace(String name) throws IOException {
        CaseFile file = CaseReader.read(CASES.resolve("wrong/race_" + name + ".ptx"));
        for (int time = 0; time < TIMES; time++) {
            try (Device device = device(file); CaseSession session = new CaseSession(file, device)) {
                CaseSession.Prepared launch = session.prepare(file.launches().getFirst());
                KernelException failed = assertThrows(KernelException.class, launch::run);
                assertEquals(KernelException.Kind.RACE, failed.kind(), failed.getMessage());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"flags", "lock", "last_block", "counters", "same_value", "bytes", "grid_barrier", "cluster", "cluster_same_value"})
    void noRunFindsARaceThatIsNone(String name) throws IOException {
        CaseFile file = CaseReader.read(CASES.resolve("right/" + name + ".ptx"));
        try (Device device = device(file); CaseSession session = new CaseSession(file, device)) {
            List<CaseSession.Prepared> launches = file.launches().stream().map(session::prepare).toList();
            for (int time = 0; time < TIMES; time++) {
                session.reset();
                launches.forEach(CaseSession.Prepared::run);
                assertEquals(List.of(), session.mismatches());
            }
        }
    }

    /** Block 0 writes and then leaves for the host, by {@code stay} or by printing; block 1 writes next to it meanwhile. */
    private static final String LEAVES = """
            .version 8.0
            .target sm_80
            .address_size 64
            .extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);
            .extern .func stay();
            .extern .func begin();
            .extern .func wrote();
            .global .align 1 .b8 text[2] = {120, 0};
            .visible .entry k(.param .u64 out, .param .u32 prints)
            {
                .reg .b32 %r<4>;
                .reg .b64 %rd<6>;
                .reg .pred %p<4>;
                ld.param.u64 %rd1, [out];
                ld.param.u32 %r1, [prints];
                mov.u32 %r2, %ctaid.x;
                setp.eq.u32 %p1, %r2, 1;
                setp.ne.u32 %p2, %r1, 0;
                mul.wide.u32 %rd2, %r2, 4;
                add.u64 %rd2, %rd1, %rd2;
                @%p1 call begin;
                st.global.u32 [%rd2], 7;
                @%p1 bra LAST;
                @%p2 bra PRINT;
                call stay;
                ret;
            PRINT:
                mov.u64 %rd3, text;
                cvta.global.u64 %rd3, %rd3;
                {
                .param .b64 format;
                .param .b64 arguments;
                .param .b32 r;
                st.param.b64 [format], %rd3;
                st.param.b64 [arguments], 0;
                call (r), vprintf, (format, arguments);
                }
                ret;
            LAST:
                call wrote;
                ret;
            }
            """;

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aBlockThatIsInCodeOfTheHostKeepsNoMemoryFromOthers(int prints) {
        var left = new CountDownLatch(1);
        var wrote = new CountDownLatch(1);
        var output = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) {
                left.countDown();
                await(wrote);
            }
        }, true);
        try (Device device = Device.builder().workers(2).memory(1 << 20).checks(Check.RACES).output(output)
                .function("begin", call -> await(left)).function("wrote", call -> wrote.countDown()).function("stay", call -> {
                    left.countDown();
                    await(wrote);
                }).open(); DeviceBuffer out = device.allocateInts(2)) {
            device.load("leaves.ptx", LEAVES).kernel("k").grid(2).block(1).launch(out, prints);
            assertEquals(7, out.toInts()[1]);
        }
        assertTrue(wrote.getCount() == 0);
    }

    /** @throws IllegalStateException if it takes longer than any right run */
    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("waited in vain");
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static Device device(CaseFile file) {
        return Device.builder().workers(WORKERS).memory(1 << 20).checks(file.checks()).open();
    }
}
