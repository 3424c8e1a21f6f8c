package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class DeviceMemoryTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private Path folder;

    @Test
    void aDeviceWithItsDefaultsOpensInLessThanFiftyMilliseconds() {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long start = System.nanoTime();
            try (Device device = Device.builder().engine(new FakeEngine((worker, block) -> { })).open()) {
                best = Math.min(best, System.nanoTime() - start);
                assertEquals(64 * GIB, device.memoryBytes());
            }
        }
        assertTrue(best < 50_000_000, best + " ns");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void theTestsMayCallNativeCode() {
        assertNotNull(PosixMemory.available());
    }

    @Test
    void mappedMemoryIsZeroFromTheFirstToTheLastByteAndCanBeWritten() throws IOException {
        try (DeviceMemory anonymous = DeviceMemory.open(8 * GIB); DeviceMemory file = DeviceMemory.openFile(folder, 8 * GIB)) {
            for (DeviceMemory memory : new DeviceMemory[] {anonymous, file}) {
                MemorySegment segment = memory.segment();
                assertEquals(8 * GIB, segment.byteSize());
                for (long offset = 0; offset < segment.byteSize(); offset += GIB - 1) {
                    assertEquals(0, segment.get(ValueLayout.JAVA_BYTE, offset));
                }
                segment.set(ValueLayout.JAVA_BYTE, 8 * GIB - 1, (byte) 7);
                assertEquals(7, segment.get(ValueLayout.JAVA_BYTE, 8 * GIB - 1));
                assertThrows(IndexOutOfBoundsException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 8 * GIB));
            }
        }
    }

    @Test
    void clearedMemoryIsZeroAgainAndItsNeighboursStay() throws IOException {
        long[] sizes = {1, 1000, 5L << 20, (64L << 20) + 4097};
        try (DeviceMemory anonymous = DeviceMemory.open(GIB); DeviceMemory file = DeviceMemory.openFile(folder, GIB)) {
            for (DeviceMemory memory : new DeviceMemory[] {anonymous, file}) {
                for (long size : sizes) {
                    MemorySegment around = memory.segment().asSlice(12_288 - 256, size + 512);
                    around.fill((byte) 5);
                    memory.clear(12_288, size);
                    assertEquals(-1, around.asSlice(256, size).mismatch(MemorySegment.ofArray(new byte[(int) size])), "size " + size);
                    assertEquals(5, around.get(ValueLayout.JAVA_BYTE, 255));
                    assertEquals(5, around.get(ValueLayout.JAVA_BYTE, 256 + size));
                }
            }
        }
    }

    @Test
    void theTemporaryFileHasNoNameOnceItIsMapped() throws IOException {
        try (DeviceMemory memory = DeviceMemory.openFile(folder, GIB)) {
            assertEquals(GIB, memory.segment().byteSize());
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(0, files.count());
            }
        }
    }

    @Test
    void memoryCannotBeUsedOnceItIsClosed() {
        DeviceMemory memory = DeviceMemory.open(GIB);
        memory.close();
        assertThrows(IllegalStateException.class, () -> memory.segment().get(ValueLayout.JAVA_BYTE, 0));
    }
}
