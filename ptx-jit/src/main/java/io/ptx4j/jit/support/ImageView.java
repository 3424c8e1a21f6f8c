package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.ImageDescriptor;
import io.ptx4j.engine.ImageShape;
import java.lang.foreign.MemorySegment;

/** A texture's or surface's image as its descriptor says, and where its texels lie. */
final class ImageView {
    private static final ImageShape[] SHAPES = ImageShape.values();
    private static final ChannelType[] TYPES = ChannelType.values();
    private static final int NAN = 0x7fff_ffff;

    final long kind;
    final ImageShape shape;
    final ChannelType type;
    final int channels;
    final int width;
    final int height;
    final int depth;
    final int layers;
    final int levels;
    final int samples;
    final long pitch;
    private final int texelBytes;
    /** Where the first texel lies in device memory. */
    final long data;
    private final MemorySegment memory;

    /** @param descriptor where the descriptor begins in {@code memory} */
    ImageView(MemorySegment memory, long descriptor) {
        this.memory = memory;
        kind = memory.get(Memory.I64, descriptor + ImageDescriptor.KIND);
        data = memory.get(Memory.I64, descriptor + ImageDescriptor.DATA) - AddressSpace.ORIGIN;
        shape = pick(SHAPES, word(descriptor, ImageDescriptor.SHAPE));
        type = pick(TYPES, word(descriptor, ImageDescriptor.TYPE));
        channels = Math.clamp(word(descriptor, ImageDescriptor.CHANNELS), 1, 4);
        width = Math.max(1, word(descriptor, ImageDescriptor.WIDTH));
        height = Math.max(1, word(descriptor, ImageDescriptor.HEIGHT));
        depth = Math.max(1, word(descriptor, ImageDescriptor.DEPTH));
        layers = Math.max(1, word(descriptor, ImageDescriptor.LAYERS));
        levels = Math.clamp(word(descriptor, ImageDescriptor.LEVELS), 1, 31);
        samples = Math.max(1, word(descriptor, ImageDescriptor.SAMPLES));
        pitch = word(descriptor, ImageDescriptor.PITCH);
        texelBytes = channels * type.bytes();
    }

    private int word(long descriptor, int field) {
        return memory.get(Memory.I32, descriptor + field);
    }

    private static <T> T pick(T[] values, int index) {
        if (index < 0 || index >= values.length) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "the handle's descriptor has been overwritten", 0, -1, -1);
        }
        return values[index];
    }

    int texelBytes() {
        return texelBytes;
    }

    int width(int level) {
        return Math.max(1, width >> level);
    }

    int height(int level) {
        return Math.max(1, height >> level);
    }

    int depth(int level) {
        return Math.max(1, depth >> level);
    }

    long rowBytes(int level) {
        return level == 0 ? pitch : (long) width(level) * samples * texelBytes();
    }

    /** Where byte {@code x} of a row lies in device memory. */
    long offset(int level, int layer, int z, int y, long x) {
        long offset = data;
        for (int above = 0; above < level; above++) {
            offset += layers * depth(above) * (height(above) * rowBytes(above));
        }
        return offset + (((long) layer * depth(level) + z) * height(level) + y) * rowBytes(level) + x;
    }

    /** Where a texel lies in device memory. */
    long texelAt(int level, int layer, int z, int y, int x, int sample) {
        return offset(level, layer, z, y, ((long) x * samples + sample) * texelBytes());
    }

    /** Where a texel lies in an image of one level without layers and samples. */
    long texelAt(int z, int y, int x) {
        return data + ((long) z * height + y) * pitch + (long) x * texelBytes;
    }

    /** Puts the four channels of the texel at {@code at} into {@code target}: whole numbers as they are, floats as bits; what is missing is 0. */
    void texel(long at, boolean asFloat, boolean srgb, int[] target) {
        target[1] = 0;
        target[2] = 0;
        target[3] = 0;
        for (int channel = 0; channel < channels; channel++) {
            int value = channel(at + (long) channel * type.bytes());
            target[channel] = asFloat && !type.isFloat() ? Float.floatToRawIntBits(normalized(value, srgb && channel < 3)) : value;
        }
    }

    /** The whole number that stands for a colour from -1 or 0 to 1. */
    int whole(float colour) {
        return switch (type) {
            case U8 -> Math.round(Math.clamp(colour, 0f, 1f) * 255);
            case S8 -> Math.round(Math.clamp(colour, -1f, 1f) * 127);
            case U16 -> Math.round(Math.clamp(colour, 0f, 1f) * 65535);
            default -> Math.round(Math.clamp(colour, -1f, 1f) * 32767);
        };
    }

    /** The channel at {@code at}: a whole number, or the bits of an f32. */
    int channel(long at) {
        return switch (type) {
            case U8 -> Memory.loadI8(memory, at) & 0xff;
            case S8 -> Memory.loadI8(memory, at);
            case U16 -> Memory.loadI16(memory, at) & 0xffff;
            case S16 -> Memory.loadI16(memory, at);
            case U32, S32, F32 -> Memory.loadI32(memory, at);
            case F16 -> wide((short) Memory.loadI16(memory, at));
        };
    }

    private static int wide(short half) {
        float value = Float.float16ToFloat(half);
        return value != value ? NAN : Float.floatToRawIntBits(value);
    }

    private float normalized(int value, boolean srgb) {
        return switch (type) {
            case U8 -> srgb ? linear(value / 255.0) : (float) (value / 255.0);
            case S8 -> (float) Math.max(-1.0, value / 127.0);
            case U16 -> (float) (value / 65535.0);
            case S16 -> (float) Math.max(-1.0, value / 32767.0);
            default -> Float.intBitsToFloat(value);
        };
    }

    private static float linear(double c) {
        return (float) (c <= 0.04045 ? c / 12.92 : StrictMath.pow((c + 0.055) / 1.055, 2.4));
    }
}
