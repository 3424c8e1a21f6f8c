package io.ptx4j.runtime;

import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.FilterMode;
import io.ptx4j.engine.ImageDescriptor;
import java.util.Objects;

/**
 * Texels in device memory, for kernels that read them as a {@link Texture} or read and write them as a {@link Surface}. They lie row
 * by row, slice by slice, layer by layer, level by level, the channels of a texel together.
 */
public final class Image implements AutoCloseable {
    private final Device device;
    private final ImageLayout layout;
    private final ChannelType type;
    private final int channels;
    private final int pitch;
    private final DeviceBuffer memory;
    private final boolean owner;

    private Image(Device device, ImageLayout layout, ChannelType type, int channels, int pitch, DeviceBuffer memory, boolean owner) {
        this.device = device;
        this.layout = layout;
        this.type = type;
        this.channels = channels;
        this.pitch = pitch;
        this.memory = memory;
        this.owner = owner;
    }

    static Image allocate(Device device, ImageLayout layout, ChannelType type, int channels) {
        check(channels);
        long bytes = Math.multiplyExact(layout.texels(), (long) channels * type.bytes());
        return new Image(device, layout, type, channels, row(layout, type, channels), device.allocate("image " + layout.shape(), bytes), true);
    }

    static Image over(DeviceBuffer memory, ImageLayout layout, ChannelType type, int channels, int pitch) {
        check(channels);
        int row = row(layout, type, channels);
        if (pitch < row || pitch % (channels * type.bytes()) != 0) {
            throw new IllegalArgumentException("rows of " + row + " bytes do not fit a pitch of " + pitch);
        }
        long needed = (layout.texels() - layout.texels(0)) * channels * type.bytes()
                + (long) pitch * (layout.texels(0) / layout.width() / layout.samples() - 1) + row;
        if (memory.byteSize() < needed) {
            throw new IllegalArgumentException(memory + " has no room for an image of " + needed + " bytes");
        }
        return new Image(memory.device(), layout, type, channels, pitch, memory, false);
    }

    private static void check(int channels) {
        if (channels != 1 && channels != 2 && channels != 4) {
            throw new IllegalArgumentException(channels + " channels; 1, 2 and 4 are possible");
        }
    }

    private static int row(ImageLayout layout, ChannelType type, int channels) {
        return Math.multiplyExact(Math.multiplyExact(layout.width(), layout.samples()), channels * type.bytes());
    }

    public ImageLayout layout() {
        return layout;
    }

    public ChannelType type() {
        return type;
    }

    public int channels() {
        return channels;
    }

    /** Bytes from one row of level 0 to the next. */
    public int pitch() {
        return pitch;
    }

    /** The texels of all levels. */
    public DeviceBuffer memory() {
        return memory;
    }

    /**
     * This image, read as the sampler says. It shares the texels.
     *
     * @throws IllegalArgumentException if the sampler does not fit: linear filters need texels that are read as floats, whole
     *     numbers of 32 bits are not, and only colours of 8 bits can be sRGB
     */
    public Texture texture(Sampler sampler) {
        Objects.requireNonNull(sampler, "sampler");
        boolean narrow = !type.isFloat() && type.bytes() < 4;
        if (sampler.readAsFloat() && !narrow && !type.isFloat()) {
            throw new IllegalArgumentException("texels of " + type + " are not read as floats from 0 to 1");
        }
        boolean floats = type.isFloat() || sampler.readAsFloat();
        if (!floats && (sampler.filter() == FilterMode.LINEAR || sampler.mipFilter() == FilterMode.LINEAR)) {
            throw new IllegalArgumentException("whole numbers are not filtered; read them as floats");
        }
        if (sampler.srgb() && !(type == ChannelType.U8 && sampler.readAsFloat())) {
            throw new IllegalArgumentException("only texels of U8 that are read as floats can be sRGB");
        }
        DeviceBuffer descriptor = describe(ImageDescriptor.TEXTURE, "texture");
        Descriptors.write(descriptor.segment(), sampler);
        return new Texture(this, sampler, descriptor);
    }

    /** As {@link #texture(Sampler)} with {@link Sampler#DEFAULT}. */
    public Texture texture() {
        return texture(Sampler.DEFAULT);
    }

    /** Level 0 of this image for surface instructions. It shares the texels. */
    public Surface surface() {
        return new Surface(this, describe(ImageDescriptor.SURFACE, "surface"));
    }

    private DeviceBuffer describe(long kind, String name) {
        DeviceBuffer descriptor = device.allocate(name, ImageDescriptor.BYTES);
        var fields = descriptor.segment();
        fields.set(Descriptors.LONG, ImageDescriptor.KIND, kind);
        fields.set(Descriptors.LONG, ImageDescriptor.DATA, memory.address());
        int[] numbers = {layout.shape().ordinal(), type.ordinal(), channels, layout.width(), layout.height(), layout.depth(), layout.layers(),
            layout.levels(), layout.samples(), pitch};
        for (int i = 0; i < numbers.length; i++) {
            fields.set(Descriptors.INT, ImageDescriptor.SHAPE + 4L * i, numbers[i]);
        }
        return descriptor;
    }

    /** Gives the texels back, unless they lie in a buffer of the caller's. Textures and surfaces of the image must not be used any more. */
    @Override
    public void close() {
        if (owner) {
            memory.close();
        }
    }

    @Override
    public String toString() {
        return layout.shape() + " image of " + layout.width() + " x " + layout.height() + " x " + layout.depth() + " texels of " + channels + " "
                + type;
    }
}
