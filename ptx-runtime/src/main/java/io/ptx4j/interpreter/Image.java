package io.ptx4j.interpreter;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.ImageDescriptor;
import io.ptx4j.engine.ImageShape;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What a handle names: the descriptor of a texture, surface or sampler, read field by field. */
record Image(ThreadState thread, long descriptor) {
    /**
     * What {@code handle} names, or the variable that it is the address of.
     *
     * @param kind of {@link ImageDescriptor}; 0 for any
     */
    static Image named(ThreadState thread, long handle, long kind) {
        Image direct = new Image(thread, handle);
        if (direct.is(kind)) {
            return direct;
        }
        Image behind = new Image(thread, direct.readable(8) ? direct.field64(0) : 0);
        if (behind.is(kind)) {
            return behind;
        }
        throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "0x" + Long.toHexString(handle) + " is no handle of a "
                + (kind == ImageDescriptor.TEXTURE ? "texture" : kind == ImageDescriptor.SURFACE ? "surface" : "texture, surface or sampler"));
    }

    /** Whether the handle, or the variable that it is the address of, is of that kind. */
    static boolean isKind(ThreadState thread, long handle, long kind) {
        Image direct = new Image(thread, handle);
        return direct.is(kind) || direct.readable(8) && new Image(thread, direct.field64(0)).is(kind);
    }

    private boolean is(long kind) {
        if (!readable(ImageDescriptor.BYTES)) {
            return false;
        }
        long found = field64(ImageDescriptor.KIND);
        return kind != 0 ? found == kind
                : found == ImageDescriptor.TEXTURE || found == ImageDescriptor.SURFACE || found == ImageDescriptor.SAMPLER;
    }

    private MemorySegment memory() {
        return thread.block.worker.memory;
    }

    private boolean readable(int bytes) {
        long offset = descriptor - AddressSpace.ORIGIN;
        return offset >= 0 && offset + bytes <= memory().byteSize() && offset % 8 == 0;
    }

    private long field64(int field) {
        return memory().get(ValueLayout.JAVA_LONG, descriptor - AddressSpace.ORIGIN + field);
    }

    int field(int field) {
        return memory().get(ValueLayout.JAVA_INT, descriptor - AddressSpace.ORIGIN + field);
    }

    float number(int field) {
        float value = memory().get(ValueLayout.JAVA_FLOAT, descriptor - AddressSpace.ORIGIN + field);
        return value == value ? value : 0;
    }

    <T> T choice(T[] values, int field) {
        int index = field(field);
        if (index < 0 || index >= values.length) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "the handle's descriptor has been overwritten");
        }
        return values[index];
    }

    ImageShape shape() {
        return choice(ImageShape.values(), ImageDescriptor.SHAPE);
    }

    ChannelType type() {
        return choice(ChannelType.values(), ImageDescriptor.TYPE);
    }

    int channels() {
        return Math.clamp(field(ImageDescriptor.CHANNELS), 1, 4);
    }

    int texelBytes() {
        return channels() * type().bytes();
    }

    /** Texels, rows or slices of a level. */
    int size(int dimension, int level) {
        int size = field(ImageDescriptor.WIDTH + 4 * dimension);
        return Math.max(1, Math.max(1, size) >> level);
    }

    int layers() {
        return Math.max(1, field(ImageDescriptor.LAYERS));
    }

    int levels() {
        return Math.clamp(field(ImageDescriptor.LEVELS), 1, 31);
    }

    int samples() {
        return Math.max(1, field(ImageDescriptor.SAMPLES));
    }

    private long levelBytes(int level) {
        return size(2, level) * (size(1, level) * rowBytes(level));
    }

    private long rowBytes(int level) {
        return level == 0 ? field(ImageDescriptor.PITCH) : (long) size(0, level) * samples() * texelBytes();
    }

    /** Generic address of byte {@code x} of a row. */
    long address(int level, int layer, int z, int y, long x) {
        long address = field64(ImageDescriptor.DATA);
        for (int above = 0; above < level; above++) {
            address += layers() * levelBytes(above);
        }
        return address + layer * levelBytes(level) + ((long) z * size(1, level) + y) * rowBytes(level) + x;
    }

    /** One channel of a texel, extended to 32 bits as its type says. */
    int channel(long address) {
        ChannelType type = type();
        long offset = new Place(Window.GENERIC, null, false, 0).checked(thread, address, type.bytes(), "texture");
        long bits = MemoryOrder.WEAK.read(memory(), offset, type.bytes());
        return (int) (type.signed() ? Bits.signed(bits, 8 * type.bytes()) : bits);
    }
}
