package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.FilterMode;
import io.ptx4j.engine.ImageDescriptor;
import java.lang.foreign.MemorySegment;

/** How a texture is read, as a descriptor says. */
final class SamplerView {
    final boolean normalized;
    final boolean asFloat;
    final boolean srgb;
    final boolean linear;
    final boolean linearLevels;
    final AddressMode[] modes = new AddressMode[3];
    final float bias;
    final float least;
    final float greatest;
    final float[] border = new float[4];

    SamplerView(MemorySegment memory, long at) {
        normalized = memory.get(Memory.I32, at + ImageDescriptor.NORMALIZED) != 0;
        asFloat = memory.get(Memory.I32, at + ImageDescriptor.READ_AS_FLOAT) != 0;
        srgb = memory.get(Memory.I32, at + ImageDescriptor.SRGB) != 0;
        linear = memory.get(Memory.I32, at + ImageDescriptor.FILTER) == FilterMode.LINEAR.ordinal();
        linearLevels = memory.get(Memory.I32, at + ImageDescriptor.MIP_FILTER) == FilterMode.LINEAR.ordinal();
        AddressMode[] all = AddressMode.values();
        for (int d = 0; d < 3; d++) {
            modes[d] = all[Math.clamp(memory.get(Memory.I32, at + ImageDescriptor.ADDRESS_MODES + 4L * d), 0, all.length - 1)];
        }
        bias = number(memory, at + ImageDescriptor.LOD_BIAS);
        least = number(memory, at + ImageDescriptor.LOD_MIN);
        greatest = number(memory, at + ImageDescriptor.LOD_MAX);
        for (int c = 0; c < 4; c++) {
            border[c] = memory.get(Memory.F32, at + ImageDescriptor.BORDER + 4L * c);
        }
    }

    private static float number(MemorySegment memory, long at) {
        float value = memory.get(Memory.F32, at);
        return Float.isNaN(value) ? 0 : value;
    }

    /** The texel that stands for index {@code i} of {@code size}; −1 for the border. */
    int place(int dimension, long i, int size, boolean repeats) {
        if (i >= 0 && i < size) {
            return (int) i;
        }
        return switch (modes[dimension]) {
            case WRAP -> repeats ? (int) Math.floorMod(i, (long) size) : clamp(i, size);
            case MIRROR -> repeats ? mirror(Math.floorMod(i, 2L * size), size) : clamp(i, size);
            case CLAMP -> clamp(i, size);
            case BORDER -> -1;
        };
    }

    /** Whether colours may be the border's, in channels too that an image does not have. */
    boolean borders() {
        return modes[0] == AddressMode.BORDER || modes[1] == AddressMode.BORDER || modes[2] == AddressMode.BORDER;
    }

    static int clamp(long i, int size) {
        return (int) Math.clamp(i, 0L, size - 1L);
    }

    private static int mirror(long i, int size) {
        return (int) (i < size ? i : 2L * size - 1 - i);
    }

    int query(int field) {
        return switch (field) {
            case ImageQuery.FILTER_MODE -> linear ? 1 : 0;
            case ImageQuery.FORCE_UNNORMALIZED -> normalized ? 0 : 1;
            default -> switch (modes[field - ImageQuery.ADDRESS_MODE]) {
                case WRAP -> 0;
                case MIRROR -> 1;
                case CLAMP -> 3;
                case BORDER -> 4;
            };
        };
    }
}
