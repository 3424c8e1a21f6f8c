package io.ptx4j.checks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Check;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.KernelException.Kind;
import io.ptx4j.runtime.OutOfDeviceMemoryException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checked mode from Java: what the host does to memory, and what errors say. */
final class CheckedModeTest {
    /** Thread i of the only block copies element i of x to element i of y. */
    private static final String COPY = """
            .version 8.0
            .target sm_80
            .address_size 64
            .file 1 "copy.cu"
            .visible .entry copy(.param .u64 x, .param .u64 y)
            {
                .reg .b32 %r<4>;
                .reg .b64 %rd<8>;
                ld.param.u64 %rd1, [x];
                ld.param.u64 %rd2, [y];
                mov.u32 %r1, %tid.x;
                mul.wide.u32 %rd3, %r1, 4;
                add.u64 %rd4, %rd1, %rd3;
                add.u64 %rd5, %rd2, %rd3;
                .loc 1 7 3
                ld.global.u32 %r2, [%rd4];
                st.global.u32 [%rd5], %r2;
                ret;
            }
            """;

    private static Device device(EngineKind engine, Check... checks) {
        return Device.builder().memory(1 << 20).engine(engine).checks(checks).open();
    }

    private static Kernel copy(Device device) {
        return device.load("copy.ptx", COPY).kernel("copy");
    }

    private static KernelException fails(Kernel kernel, int threads, Object... arguments) {
        return assertThrows(KernelException.class, () -> kernel.grid(1).block(threads).launch(arguments));
    }

    @ParameterizedTest
    @EnumSource
    void aReadBehindABufferSaysWhereItLies(EngineKind engine) {
        try (Device device = device(engine, Check.MEMORY)) {
            DeviceBuffer x = device.allocateInts(60).named("x");
            DeviceBuffer y = device.allocateInts(64).named("y");
            KernelException failed = fails(copy(device), 64, x, y);
            assertEquals(Kind.OUT_OF_BOUNDS, failed.kind());
            assertEquals("copy.ptx:16: kernel copy, block (0,0,0), thread (60,0,0): ld.global.u32 of 4 bytes at 0x"
                    + Long.toHexString(x.address() + 240) + " is out of bounds; 0 bytes past the end of x (240 bytes at 0x"
                    + Long.toHexString(x.address()) + ")\n  16 | ld.global.u32 %r2, [%rd4];\n  compiled from copy.cu:7", failed.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBufferIsNotReadAfterItWasGivenBack(EngineKind engine) {
        try (Device device = device(engine, Check.MEMORY)) {
            DeviceBuffer x = device.allocateInts(64).named("x");
            DeviceBuffer y = device.allocateInts(64).named("y");
            Kernel copy = copy(device);
            copy.grid(1).block(64).launch(x, y);
            long address = x.address();
            x.close();
            device.allocateInts(64).named("another");
            KernelException failed = fails(copy, 64, address, y);
            assertEquals(Kind.USE_AFTER_FREE, failed.kind());
            assertTrue(failed.access().orElseThrow().nearest().freed());
            assertTrue(failed.getMessage().contains("is an access to freed memory; at byte 0 of x (256 bytes at 0x" + Long.toHexString(address)
                    + ", given back)"), failed.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasGivenBackIsGivenOutAgainBeforeMemoryRunsOut(EngineKind engine) {
        try (Device device = device(engine, Check.MEMORY)) {
            for (int i = 0; i < 100; i++) {
                device.allocate(200 << 10).close();
            }
            DeviceBuffer most = device.allocate(900 << 10);
            assertThrows(OutOfDeviceMemoryException.class, () -> device.allocate(200 << 10));
            assertEquals(0, most.toBytes()[100]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void copiesAndFillsOfTheHostAreWrites(EngineKind engine) {
        try (Device device = device(engine, Check.INITIALIZATION)) {
            Kernel copy = copy(device);
            DeviceBuffer y = device.allocateInts(64);
            DeviceBuffer x = device.allocateInts(64).copyFrom(new int[] {1, 2, 3}, 0, 0, 3);
            copy.grid(1).block(3).launch(x, y);
            KernelException failed = fails(copy, 4, x, y);
            assertEquals(Kind.UNINITIALIZED, failed.kind());
            assertEquals(3, failed.thread().orElseThrow().x());
            assertTrue(failed.getMessage().contains("is a read of bytes that nobody has written; at byte 12 of"), failed.getMessage());
            copy.grid(1).block(3).launch(y, x);
            assertEquals(Kind.UNINITIALIZED, fails(copy, 4, y, x).kind());
            copy.grid(1).block(64).launch(x.fill(7), y);
            assertArrayEquals(x.toInts(), y.toInts());
            DeviceBuffer z = device.allocateInts(64);
            z.toInts();
            assertEquals(Kind.UNINITIALIZED, fails(copy, 1, z, y).kind());
            z.segment();
            copy.grid(1).block(64).launch(z, y);
        }
    }

    @ParameterizedTest
    @EnumSource
    void memoryThatIsGivenOutAgainIsUnwrittenAgain(EngineKind engine) {
        try (Device device = device(engine, Check.INITIALIZATION)) {
            DeviceBuffer y = device.allocateInts(64);
            DeviceBuffer x = device.allocateInts(64).fill(1);
            x.close();
            assertEquals(Kind.UNINITIALIZED, fails(copy(device), 1, device.allocateInts(64), y).kind());
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutChecksTheSameLaunchesRun(EngineKind engine) {
        try (Device device = device(engine)) {
            DeviceBuffer x = device.allocateInts(60);
            copy(device).grid(1).block(64).launch(x, device.allocateInts(64));
        }
    }

    @ParameterizedTest
    @EnumSource
    void variablesOfModulesAreWrittenFromTheStart(EngineKind engine) {
        try (Device device = device(engine, Check.values())) {
            Kernel k = device.load("v.ptx", """
                    .version 8.0
                    .target sm_80
                    .address_size 64
                    .global .u32 v[4];
                    .const .u32 c = 3;
                    .visible .entry k(.param .u64 y)
                    {
                        .reg .b32 %r<4>;
                        .reg .b64 %rd<4>;
                        ld.param.u64 %rd1, [y];
                        ld.global.u32 %r1, [v+12];
                        ld.const.u32 %r2, [c];
                        add.u32 %r1, %r1, %r2;
                        st.global.u32 [%rd1], %r1;
                        ret;
                    }
                    """).kernel("k");
            DeviceBuffer y = device.allocateInts(1);
            k.grid(1).block(1).launch(y);
            assertEquals(3, y.toInts()[0]);
        }
    }
}
