package io.ptx4j.checks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseSession;
import io.ptx4j.engine.Check;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.KernelException.Finding;
import io.ptx4j.runtime.KernelException.Kind;
import io.ptx4j.runtime.LaunchStoppedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Several errors of one launch: what is told of them, in which order, and that it is the same on both engines with any number of workers. */
@Tag("thorough")
final class FindingsTest {
    /**
     * Blocks from 2 on read shared memory that nobody has written (line 25), thread 1 of each block reads what thread 0 writes (18 and 21) and thread 3
     * what thread 2 does (18 and 30), and where a flag is set a thread of block 5 writes to null. Block 0 is so slow that others come before it.
     */
    private static final String WRONG = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry wrong(.param .u64 out, .param .u32 fails)
            {
                .reg .b32 %r<12>;
                .reg .b64 %rd<8>;
                .reg .pred %p<8>;
                .shared .align 4 .b8 s[512];
                ld.param.u64 %rd1, [out];
                ld.param.u32 %r9, [fails];
                mov.u32 %r1, %tid.x;
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, %ntid.x;
                mad.lo.u32 %r4, %r2, %r3, %r1;
                shl.b32 %r5, %r1, 2;
                mov.u32 %r7, s;
                add.u32 %r6, %r7, %r5;   st.shared.u32 [%r6], %r4;
                mov.u32 %r8, 0;         mov.u64 %rd4, 8; mov.u32 %r11, 0; BUSY:
                setp.lt.u32 %p6, %r11, 100000; add.u32 %r11, %r11, 1; setp.eq.and.u32 %p6, %r2, 0, %p6; @%p6 bra BUSY; setp.eq.u32 %p1, %r1, 1;
                @%p1 ld.shared.u32 %r8, [%r6+-4];
                setp.gt.u32 %p2, %r2, 1;
                setp.lt.u32 %p3, %r1, 8;
                and.pred %p2, %p2, %p3;
                @%p2 ld.shared.u32 %r10, [%r6+256];
                setp.eq.u32 %p4, %r2, 5;
                setp.eq.and.u32 %p4, %r9, 1, %p4;
                @%p4 st.global.u32 [%rd4], %r9;
                setp.eq.u32 %p5, %r1, 3;
                @%p5 ld.shared.u32 %r8, [%r6+-4];
                mul.wide.u32 %rd2, %r4, 4;
                add.u64 %rd3, %rd1, %rd2;
                st.global.u32 [%rd3], %r4;
                ret;
            }
            """;
    private static final int BLOCKS = 8;
    private static final int THREADS = 64;

    private static Device device(EngineKind engine, int workers, int findings) {
        return Device.builder().memory(1 << 21).engine(engine).workers(workers).checks(Check.INITIALIZATION, Check.RACES).findings(findings).open();
    }

    private static KernelException failure(Device device, DeviceBuffer out, int fails) {
        return assertThrows(KernelException.class, () -> device.load("wrong.ptx", WRONG).kernel("wrong").grid(BLOCKS).block(THREADS).launch(out, fails));
    }

    private static String places(KernelException failed) {
        return String.join(", ", failed.findings().stream().map(FindingsTest::place).toList());
    }

    private static String place(Finding one) {
        KernelException first = one.first();
        return first.kind() + " " + first.line().orElseThrow() + first.rival().map(rival -> "/" + rival.line()).orElse("") + " block "
                + first.block().orElseThrow().x() + " thread " + first.thread().orElseThrow().x() + " x" + one.times();
    }

    @ParameterizedTest
    @EnumSource
    void aLaunchGoesOnAndTellsOfAllThatWasFound(EngineKind engine) {
        try (Device device = device(engine, 1, 10); DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
            KernelException failed = failure(device, out, 0);
            assertEquals("RACE 21/18 block 0 thread 1 x8, RACE 30/18 block 0 thread 3 x8, UNINITIALIZED 25 block 2 thread 0 x48", places(failed));
            assertEquals(Kind.RACE, failed.kind());
            assertEquals(21, failed.line().orElseThrow());
            assertEquals(18, failed.rival().orElseThrow().line());
            assertTrue(failed.getMessage().contains("  and 7 times more\nwrong.ptx:30: kernel wrong"), failed.getMessage());
            assertTrue(failed.getMessage().endsWith("  and 47 times more"), failed.getMessage());
            int[] expected = new int[BLOCKS * THREADS];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = i;
            }
            assertArrayEquals(expected, out.toInts());
        }
    }

    @Test
    void bothEnginesTellTheSameWithAnyNumberOfWorkers() {
        Set<String> told = new HashSet<>();
        for (EngineKind engine : EngineKind.values()) {
            for (int workers : new int[] {1, 2, 8}) {
                try (Device device = device(engine, workers, 10); DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
                    for (int run = 0; run < 5; run++) {
                        told.add(failure(device, out, 0).getMessage());
                    }
                }
            }
        }
        assertEquals(1, told.size(), String.join("\n\n", told));
    }

    @ParameterizedTest
    @EnumSource
    void racesAreFoundInMemoryThatIsAddedBetweenLaunches(EngineKind engine) {
        String text = """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry last(.param .u64 end)
                {
                    .reg .b64 %rd<2>;
                    .reg .b32 %r<2>;
                    ld.param.u64 %rd1, [end];
                    mov.u32 %r1, %ctaid.x;
                    st.global.u32 [%rd1+-4], %r1;
                    ret;
                }
                """;
        try (Device device = Device.builder().memory(256 << 20).engine(engine).checks(Check.RACES).open()) {
            var last = device.load("last.ptx", text).kernel("last");
            for (int mebibytes = 1; mebibytes <= 64; mebibytes *= 8) {
                DeviceBuffer buffer = device.allocate((long) mebibytes << 20);
                long end = buffer.address() + buffer.byteSize();
                last.grid(1).block(1).launch(end);
                KernelException failed = assertThrows(KernelException.class, () -> last.grid(2).block(1).launch(end));
                assertEquals(Kind.RACE, failed.kind());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatEndsTheLaunchComesLast(EngineKind engine) {
        try (Device device = device(engine, 1, 10); DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
            assertEquals("RACE 21/18 block 0 thread 1 x5, RACE 30/18 block 0 thread 3 x5, UNINITIALIZED 25 block 2 thread 0 x25, OUT_OF_BOUNDS 28 block 5 "
                    + "thread 0 x1", places(failure(device, out, 1)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void noMoreIsToldThanWasAskedFor(EngineKind engine) {
        try (Device device = device(engine, 1, 2); DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
            KernelException failed = failure(device, out, 0);
            assertEquals("RACE 21/18 block 0 thread 1 x8, RACE 30/18 block 0 thread 3 x8", places(failed));
            assertTrue(failed.getMessage().endsWith("and 1 more kinds of errors"), failed.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void unlessMoreIsAskedForTheFirstErrorEndsTheLaunch(EngineKind engine) {
        try (Device device = Device.builder().memory(1 << 21).engine(engine).workers(1).checks(Check.INITIALIZATION, Check.RACES).open();
                DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
            KernelException failed = failure(device, out, 0);
            assertEquals("RACE 21/18 block 0 thread 1 x1", places(failed));
            assertEquals(List.of(new Finding(failed, 1)), failed.findings());
            assertArrayEquals(new int[BLOCKS * THREADS], out.toInts());
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasFoundBeforeALaunchIsStoppedIsNotLost(EngineKind engine) {
        String endless = WRONG.replace("    ret;", "    bar.sync 0;\nLOOP:\n    bra LOOP;").replace("100000", "10");
        try (Device device = device(engine, 1, 10); DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
            var launch = device.load("endless.ptx", endless).kernel("wrong").grid(1).block(2).timeout(Duration.ofMillis(300));
            LaunchStoppedException stopped = assertThrows(LaunchStoppedException.class, () -> launch.launch(out, 0));
            assertEquals("RACE 21/18 block 0 thread 1 x1", places((KernelException) stopped.getSuppressed()[0]));
        }
    }

    /** Thread 1 writes at line 14 what thread 0 has read at line 15, and reads at line 15 what thread 0 has written at line 14. */
    @ParameterizedTest
    @EnumSource
    void aRacesTwoLinesAreOneFindingInEitherOrder(EngineKind engine) {
        String text = """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k()
                {
                    .reg .b32 %r<8>;
                    .shared .align 4 .b8 s[8];
                    mov.u32 %r1, %tid.x;
                    shl.b32 %r2, %r1, 2;
                    xor.b32 %r3, %r2, 4;
                    mov.u32 %r4, s;
                    add.u32 %r2, %r2, %r4;
                    add.u32 %r3, %r3, %r4;
                    st.shared.u32 [%r2], %r1;
                    ld.shared.u32 %r5, [%r3];
                    ret;
                }
                """;
        try (Device device = Device.builder().memory(1 << 20).engine(engine).workers(1).checks(Check.RACES).findings(9).open()) {
            KernelException failed = assertThrows(KernelException.class, () -> device.load("k.ptx", text).kernel("k").grid(1).block(2).launch());
            assertEquals("RACE 14/15 block 0 thread 1 x2", places(failed));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatAnExceptionKnowsIsSerializedWithIt(EngineKind engine) throws Exception {
        try (Device device = device(engine, 1, 10); DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
            KernelException failed = failure(device, out, 1);
            var bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(failed);
            var copy = (KernelException) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
            assertEquals(failed.getMessage(), copy.getMessage());
            assertEquals(places(failed), places(copy));
            assertEquals(failed.rival(), copy.rival());
            KernelException last = failed.findings().getLast().first();
            KernelException lastCopy = copy.findings().getLast().first();
            assertTrue(last.access().isPresent());
            assertEquals(last.access(), lastCopy.access());
            assertSame(lastCopy, lastCopy.findings().getFirst().first());
        }
    }

    /** The last four bytes of the second load are nobody's, though what is said of it is what its first byte lacks. */
    @Test
    void anAccessThatMissesMoreThanAWriteEndsTheLaunch() {
        String text = """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 x)
                {
                    .reg .b64 %rd<4>;
                    ld.param.u64 %rd1, [x];
                    ld.global.u64 %rd2, [%rd1];
                    ld.global.u64 %rd3, [%rd1+8];
                    ld.global.u64 %rd3, [%rd1];
                    ret;
                }
                """;
        for (EngineKind engine : EngineKind.values()) {
            try (Device device = Device.builder().memory(1 << 20).engine(engine).checks(Check.MEMORY, Check.INITIALIZATION).findings(9).open();
                    DeviceBuffer x = device.allocate(12); DeviceBuffer behind = device.allocate(64)) {
                assertTrue(behind.address() > x.address());
                KernelException failed = assertThrows(KernelException.class, () -> device.load("k.ptx", text).kernel("k").grid(1).block(1).launch(x));
                assertEquals("UNINITIALIZED 8 block 0 thread 0 x1, UNINITIALIZED 9 block 0 thread 0 x1", places(failed));
            }
        }
    }

    @Test
    void thereIsNoLaunchWithoutFindings() {
        assertThrows(IllegalArgumentException.class, () -> Device.builder().findings(0));
    }

    @ParameterizedTest
    @EnumSource
    void racesOfALineThatIsDeclaredBenignAreNotTold(EngineKind engine) {
        Device.Builder builder = Device.builder().memory(1 << 21).engine(engine).workers(1).checks(Check.INITIALIZATION, Check.RACES).findings(10);
        String unwritten = "UNINITIALIZED 25 block 2 thread 0 x48";
        try (Device device = builder.benignLines(30).open(); DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
            assertEquals("RACE 21/18 block 0 thread 1 x8, " + unwritten, places(failure(device, out, 0)));
        }
        try (Device device = builder.benignLines(18).open(); DeviceBuffer out = device.allocateInts(BLOCKS * THREADS)) {
            assertEquals(unwritten, places(failure(device, out, 0)));
        }
    }

    /** A write in a benign line hides neither the thread's earlier write nor whether another one, of the value that was there, has changed the word. */
    @ParameterizedTest
    @EnumSource
    void anAccessInABenignLineIsAsIfItWereNotThere(EngineKind engine) {
        String text = """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 x, .param .u32 last)
                {
                    .reg .b64 %rd<4>;
                    .reg .b32 %r<6>;
                    .reg .pred %p<4>;
                    ld.param.u64 %rd1, [x];
                    ld.param.u32 %r2, [last];
                    mov.u32 %r1, %tid.x;
                    setp.le.u32 %p1, %r1, %r2;
                    setp.eq.u32 %p2, %r1, %r2;
                    @%p1 st.global.u32 [%rd1], 7;
                    @%p2 st.global.u32 [%rd1], 9;
                    @%p2 st.global.relaxed.gpu.u32 [%rd1], 9;
                    @!%p1 ld.global.u32 %r3, [%rd1];
                    st.global.u32 [%rd1+64], 1;
                    ret;
                }
                """;
        try (Device device = Device.builder().memory(1 << 20).engine(engine).workers(1).checks(Check.RACES).benignLines(15, 16).findings(9).open();
                DeviceBuffer x = device.allocateInts(32)) {
            Launch launch = device.load("k.ptx", text).kernel("k").grid(1).block(2);
            assertEquals("RACE 17/14 block 0 thread 1 x1", places(assertThrows(KernelException.class, () -> launch.launch(x, 0))));
            launch.launch(x, 1);
        }
    }

    static List<Path> wrong() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/cases/checks/wrong"))) {
            return files.sorted().toList();
        }
    }

    /** The first finding is the error that ends the launch otherwise, and behind it both engines find the same. */
    @ParameterizedTest
    @MethodSource("wrong")
    void everyWrongKernelIsToldOfAlikeByBothEngines(Path path) throws IOException {
        CaseFile file = CaseReader.read(path);
        KernelException ends = run(file, EngineKind.JIT, 1);
        KernelException goesOn = run(file, EngineKind.JIT, 100);
        Finding first = goesOn.findings().getFirst();
        assertEquals(ends.getMessage(), first.first().getMessage());
        assertEquals(goesOn.getMessage(), run(file, EngineKind.INTERPRETER, 100).getMessage());
    }

    private static KernelException run(CaseFile file, EngineKind engine, int findings) {
        try (Device device = Device.builder().engine(engine).workers(1).checks(file.checks()).benign(file.benign().toArray(String[]::new))
                .findings(findings).open(); CaseSession session = new CaseSession(file, device)) {
            return assertThrows(KernelException.class, () -> file.launches().forEach(launch -> session.prepare(launch).run()));
        }
    }
}
