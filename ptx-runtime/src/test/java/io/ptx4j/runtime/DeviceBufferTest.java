package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DeviceBufferTest {
    private final Device device = Device.builder().engine(new FakeEngine((worker, block) -> { })).memory(1L << 30).open();

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void arraysOfEveryTypeComeBackAsTheyWent() {
        assertArrayEquals(new byte[] {1, -2}, device.copyOf((byte) 1, (byte) -2).toBytes());
        assertArrayEquals(new short[] {1, -2}, device.copyOf((short) 1, (short) -2).toShorts());
        assertArrayEquals(new short[3], device.allocateShorts(3).toShorts());
        assertArrayEquals(new int[] {1, -2}, device.copyOf(1, -2).toInts());
        assertArrayEquals(new long[] {1, -2}, device.copyOf(1L, -2L).toLongs());
        assertArrayEquals(new float[] {1, -2.5f}, device.copyOf(1f, -2.5f).toFloats());
        assertArrayEquals(new double[] {1, -2.5}, device.copyOf(1.0, -2.5).toDoubles());
    }

    @Test
    void partsAreCopiedByElementIndex() {
        DeviceBuffer buffer = device.allocateInts(6);
        buffer.copyFrom(new int[] {9, 1, 2, 3}, 1, 2, 3);
        assertArrayEquals(new int[] {0, 0, 1, 2, 3, 0}, buffer.toInts());
        int[] part = new int[4];
        buffer.copyTo(part, 1, 3, 2);
        assertArrayEquals(new int[] {0, 2, 3, 0}, part);
        double[] pair = new double[1];
        buffer.copyTo(pair, 0, 1, 1);
        assertEquals(Double.longBitsToDouble(2L << 32 | 1), pair[0]);
    }

    @Test
    void anIndexOutsideIsNamedWithTheBuffer() {
        DeviceBuffer buffer = device.allocateFloats(10).named("x");
        var over = assertThrows(IndexOutOfBoundsException.class, () -> buffer.copyFrom(new float[4], 0, 8, 4));
        assertEquals("4 elements from 8 of 4 bytes is outside buffer x, which has 10", over.getMessage());
        var single = assertThrows(IndexOutOfBoundsException.class, () -> buffer.copyTo(new byte[1], 0, 40, 1));
        assertEquals("element 40 of 1 byte is outside buffer x, which has 40", single.getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.copyFrom(new float[1], 0, -1, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.copyFrom(new float[1], 0, Long.MAX_VALUE, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.copyFrom(new float[1], 1, 0, 1));
    }

    @Test
    void theSegmentIsTheMemoryItself() {
        DeviceBuffer buffer = device.copyOf(1, 2, 3);
        buffer.segment().setAtIndex(ValueLayout.JAVA_INT, 1, 42);
        assertArrayEquals(new int[] {1, 42, 3}, buffer.toInts());
        assertEquals(12, buffer.segment().byteSize());
        buffer.copyFrom(MemorySegment.ofArray(new int[] {7}), 8);
        assertArrayEquals(new int[] {1, 42, 7}, buffer.toInts());
    }

    @Test
    void fillSetsEveryElement() {
        DeviceBuffer buffer = device.allocate(16);
        assertArrayEquals(new int[] {5, 5, 5, 5}, buffer.fill(5).toInts());
        assertArrayEquals(new float[] {1.5f, 1.5f, 1.5f, 1.5f}, buffer.fill(1.5f).toFloats());
        assertArrayEquals(new long[] {-3, -3}, buffer.fill(-3L).toLongs());
        assertArrayEquals(new double[] {0.1, 0.1}, buffer.fill(0.1).toDoubles());
        assertArrayEquals(new int[] {0x02020202, 0x02020202, 0x02020202, 0x02020202}, buffer.fill((byte) 2).toInts());
    }

    @Test
    void aClosedBufferSaysSo() {
        DeviceBuffer buffer = device.allocate("scratch", 4);
        buffer.close();
        buffer.close();
        var closed = assertThrows(IllegalStateException.class, buffer::toInts);
        assertEquals("buffer scratch is closed", closed.getMessage());
        assertThrows(IllegalStateException.class, buffer::address);
        assertEquals(0, device.allocatedBytes());
    }

    @Test
    void memoryGivenOutAgainIsZero() {
        DeviceBuffer first = device.allocateInts(1000).fill(-1);
        long address = first.address();
        first.close();
        DeviceBuffer second = device.allocateInts(1000);
        assertEquals(address, second.address());
        assertArrayEquals(new int[1000], second.toInts());
    }

    @Test
    void nothingOfAClosedDeviceCanBeUsed() {
        DeviceBuffer buffer = device.allocate(4);
        device.close();
        device.close();
        assertEquals("the device is closed", assertThrows(IllegalStateException.class, buffer::toInts).getMessage());
        assertEquals("the device is closed", assertThrows(IllegalStateException.class, () -> device.allocate(4)).getMessage());
        buffer.close();
    }

    @Test
    void sizesThatMakeNoSenseAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> device.allocate(-1));
        assertThrows(OutOfDeviceMemoryException.class, () -> device.allocateLongs(Long.MAX_VALUE / 4));
        assertThrows(IllegalArgumentException.class, () -> device.allocateFloats(-1));
        assertThrows(OutOfDeviceMemoryException.class, () -> device.allocate(1L << 31));
        assertEquals(0, device.allocate(0).byteSize());
    }
}
