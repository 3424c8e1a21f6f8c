package io.ptx4j.runtime;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * A piece of device memory: little-endian bytes that kernels reach by {@link #address()} and Java by copies or by
 * {@link #segment()}.
 *
 * <p>Indices and counts of the typed methods are in elements of the array's type, from the start of the buffer; sizes and
 * addresses are in bytes. An access outside the buffer throws {@link IndexOutOfBoundsException}, any use after {@link #close()}
 * {@link IllegalStateException}. Nothing here waits for running launches: read results after {@code launch()} has returned or
 * the future of {@code launchAsync()} is complete.
 */
public final class DeviceBuffer implements AutoCloseable {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);

    private final Device device;
    private final MemorySegment segment;
    /** Null for a view of a module variable, which the module owns. */
    private final PtxModule owner;
    private Allocation allocation;
    private boolean closed;

    DeviceBuffer(Device device, MemorySegment segment, Allocation allocation, PtxModule owner) {
        this.device = device;
        this.segment = segment;
        this.allocation = allocation;
        this.owner = owner;
    }

    /** Calls the buffer {@code name} in error messages. */
    public synchronized DeviceBuffer named(String name) {
        Objects.requireNonNull(name, "name");
        open();
        if (owner == null) {
            allocation = device.areas().rename(allocation, name);
        }
        return this;
    }

    public synchronized String name() {
        return allocation.name();
    }

    /** The address that kernels use, a multiple of 256. */
    public long address() {
        return open().allocation.address();
    }

    public long byteSize() {
        return open().allocation.bytes();
    }

    public Device device() {
        return device;
    }

    /**
     * The buffer's bytes themselves, without a copy. The segment lives as long as the device; do not use it after {@link #close()}. With
     * {@link io.ptx4j.engine.Check#INITIALIZATION} all of the buffer counts as written from then on.
     */
    public MemorySegment segment() {
        return written(bytes());
    }

    private MemorySegment bytes() {
        return open().segment;
    }

    /** Notes that the host writes all of the buffer. */
    private MemorySegment written(MemorySegment whole) {
        device.written(allocation.offset(), allocation.bytes());
        return whole;
    }

    /** As {@link #range}, for elements that are written now. */
    private MemorySegment target(long index, long count, long elementBytes) {
        MemorySegment whole = range(index, count, elementBytes);
        device.written(allocation.offset() + index * elementBytes, count * elementBytes);
        return whole;
    }

    synchronized boolean closed() {
        return closed || owner != null && owner.closed();
    }

    private synchronized DeviceBuffer open() {
        device.checkOpen();
        if (closed()) {
            throw new IllegalStateException("buffer " + allocation.name() + " is closed"
                    + (owner == null ? "" : ", as its module is"));
        }
        return this;
    }

    /** The segment, once {@code count} elements from {@code index} are known to lie in it. */
    private MemorySegment range(long index, long count, long elementBytes) {
        MemorySegment bytes = bytes();
        long elements = bytes.byteSize() / elementBytes;
        if (index < 0 || count < 0 || index > elements - count) {
            throw new IndexOutOfBoundsException((count == 1 ? "element " + index : count + " elements from " + index)
                    + " of " + elementBytes + (elementBytes == 1 ? " byte" : " bytes") + " is outside buffer " + name() + ", which has "
                    + elements);
        }
        return bytes;
    }

    /** Copies the whole array to the start of the buffer. */
    public DeviceBuffer copyFrom(byte[] source) {
        return copyFrom(source, 0, 0, source.length);
    }

    /** Copies {@code count} elements of {@code source} from {@code from} on to the elements from {@code index} on. */
    public DeviceBuffer copyFrom(byte[] source, int from, long index, int count) {
        MemorySegment.copy(source, from, target(index, count, 1), ValueLayout.JAVA_BYTE, index, count);
        return this;
    }

    /** Copies the whole array to the start of the buffer. */
    public DeviceBuffer copyFrom(short[] source) {
        return copyFrom(source, 0, 0, source.length);
    }

    /** Copies {@code count} elements of {@code source} from {@code from} on to the elements from {@code index} on. */
    public DeviceBuffer copyFrom(short[] source, int from, long index, int count) {
        MemorySegment.copy(source, from, target(index, count, 2), SHORT, index * 2, count);
        return this;
    }

    /** Copies the whole array to the start of the buffer. */
    public DeviceBuffer copyFrom(int[] source) {
        return copyFrom(source, 0, 0, source.length);
    }

    /** Copies {@code count} elements of {@code source} from {@code from} on to the elements from {@code index} on. */
    public DeviceBuffer copyFrom(int[] source, int from, long index, int count) {
        MemorySegment.copy(source, from, target(index, count, 4), INT, index * 4, count);
        return this;
    }

    /** Copies the whole array to the start of the buffer. */
    public DeviceBuffer copyFrom(long[] source) {
        return copyFrom(source, 0, 0, source.length);
    }

    /** Copies {@code count} elements of {@code source} from {@code from} on to the elements from {@code index} on. */
    public DeviceBuffer copyFrom(long[] source, int from, long index, int count) {
        MemorySegment.copy(source, from, target(index, count, 8), LONG, index * 8, count);
        return this;
    }

    /** Copies the whole array to the start of the buffer. */
    public DeviceBuffer copyFrom(float[] source) {
        return copyFrom(source, 0, 0, source.length);
    }

    /** Copies {@code count} elements of {@code source} from {@code from} on to the elements from {@code index} on. */
    public DeviceBuffer copyFrom(float[] source, int from, long index, int count) {
        MemorySegment.copy(source, from, target(index, count, 4), FLOAT, index * 4, count);
        return this;
    }

    /** Copies the whole array to the start of the buffer. */
    public DeviceBuffer copyFrom(double[] source) {
        return copyFrom(source, 0, 0, source.length);
    }

    /** Copies {@code count} elements of {@code source} from {@code from} on to the elements from {@code index} on. */
    public DeviceBuffer copyFrom(double[] source, int from, long index, int count) {
        MemorySegment.copy(source, from, target(index, count, 8), DOUBLE, index * 8, count);
        return this;
    }

    /** Copies all bytes of {@code source} to the bytes from {@code offset} on. */
    public DeviceBuffer copyFrom(MemorySegment source, long offset) {
        MemorySegment.copy(source, 0, target(offset, source.byteSize(), 1), offset, source.byteSize());
        return this;
    }

    /** Copies the start of the buffer into the whole array. */
    public void copyTo(byte[] target) {
        copyTo(target, 0, 0, target.length);
    }

    /** Copies {@code count} elements from {@code index} on to those of {@code target} from {@code to} on. */
    public void copyTo(byte[] target, int to, long index, int count) {
        MemorySegment.copy(range(index, count, 1), ValueLayout.JAVA_BYTE, index, target, to, count);
    }

    /** Copies the start of the buffer into the whole array. */
    public void copyTo(short[] target) {
        copyTo(target, 0, 0, target.length);
    }

    /** Copies {@code count} elements from {@code index} on to those of {@code target} from {@code to} on. */
    public void copyTo(short[] target, int to, long index, int count) {
        MemorySegment.copy(range(index, count, 2), SHORT, index * 2, target, to, count);
    }

    /** Copies the start of the buffer into the whole array. */
    public void copyTo(int[] target) {
        copyTo(target, 0, 0, target.length);
    }

    /** Copies {@code count} elements from {@code index} on to those of {@code target} from {@code to} on. */
    public void copyTo(int[] target, int to, long index, int count) {
        MemorySegment.copy(range(index, count, 4), INT, index * 4, target, to, count);
    }

    /** Copies the start of the buffer into the whole array. */
    public void copyTo(long[] target) {
        copyTo(target, 0, 0, target.length);
    }

    /** Copies {@code count} elements from {@code index} on to those of {@code target} from {@code to} on. */
    public void copyTo(long[] target, int to, long index, int count) {
        MemorySegment.copy(range(index, count, 8), LONG, index * 8, target, to, count);
    }

    /** Copies the start of the buffer into the whole array. */
    public void copyTo(float[] target) {
        copyTo(target, 0, 0, target.length);
    }

    /** Copies {@code count} elements from {@code index} on to those of {@code target} from {@code to} on. */
    public void copyTo(float[] target, int to, long index, int count) {
        MemorySegment.copy(range(index, count, 4), FLOAT, index * 4, target, to, count);
    }

    /** Copies the start of the buffer into the whole array. */
    public void copyTo(double[] target) {
        copyTo(target, 0, 0, target.length);
    }

    /** Copies {@code count} elements from {@code index} on to those of {@code target} from {@code to} on. */
    public void copyTo(double[] target, int to, long index, int count) {
        MemorySegment.copy(range(index, count, 8), DOUBLE, index * 8, target, to, count);
    }

    /** The whole buffer as a new array. */
    public byte[] toBytes() {
        return bytes().toArray(ValueLayout.JAVA_BYTE);
    }

    /** The whole buffer as a new array; {@link IllegalStateException} if its size is no multiple of an element. */
    public short[] toShorts() {
        return bytes().toArray(SHORT);
    }

    /** The whole buffer as a new array; {@link IllegalStateException} if its size is no multiple of an element. */
    public int[] toInts() {
        return bytes().toArray(INT);
    }

    /** The whole buffer as a new array; {@link IllegalStateException} if its size is no multiple of an element. */
    public long[] toLongs() {
        return bytes().toArray(LONG);
    }

    /** The whole buffer as a new array; {@link IllegalStateException} if its size is no multiple of an element. */
    public float[] toFloats() {
        return bytes().toArray(FLOAT);
    }

    /** The whole buffer as a new array; {@link IllegalStateException} if its size is no multiple of an element. */
    public double[] toDoubles() {
        return bytes().toArray(DOUBLE);
    }

    /** Sets every byte. */
    public DeviceBuffer fill(byte value) {
        segment().fill(value);
        return this;
    }

    /** Sets every element of four bytes; those of an incomplete last element stay. */
    public DeviceBuffer fill(int value) {
        MemorySegment bytes = segment();
        for (long i = 0; i < bytes.byteSize() / 4; i++) {
            bytes.set(INT, i * 4, value);
        }
        return this;
    }

    /** Sets every element of eight bytes; those of an incomplete last element stay. */
    public DeviceBuffer fill(long value) {
        MemorySegment bytes = segment();
        for (long i = 0; i < bytes.byteSize() / 8; i++) {
            bytes.set(LONG, i * 8, value);
        }
        return this;
    }

    /** Sets every element of four bytes; those of an incomplete last element stay. */
    public DeviceBuffer fill(float value) {
        return fill(Float.floatToRawIntBits(value));
    }

    /** Sets every element of eight bytes; those of an incomplete last element stay. */
    public DeviceBuffer fill(double value) {
        return fill(Double.doubleToRawLongBits(value));
    }

    /**
     * Gives the memory back; while launches that may use it are still under way, as soon as they have ended. Closing twice does
     * nothing; a view of a module variable stays open as long as its module.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed || owner != null) {
                return;
            }
            closed = true;
        }
        device.release(allocation);
    }

    @Override
    public String toString() {
        return name() + " (" + Amount.bytes(allocation.bytes()) + " at " + Amount.address(allocation.address()) + ")";
    }
}
