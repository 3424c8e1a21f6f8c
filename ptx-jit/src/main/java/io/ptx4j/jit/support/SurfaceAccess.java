package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;
import io.ptx4j.jit.support.SurfaceOperation.Action;
import io.ptx4j.jit.support.SurfaceOperation.Outside;
import io.ptx4j.jit.support.TextureOperation.Geometry;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** {@code suld}, {@code sust} and {@code sured}. */
final class SurfaceAccess {
    private final ImageUnit unit;

    SurfaceAccess(ImageUnit unit) {
        this.unit = unit;
    }

    void access(MemorySegment memory, ImageView image, SurfaceOperation operation) {
        Geometry geometry = operation.geometry();
        ImageUnit.require(image.shape, geometry.fits(image.shape), "a surface instruction for " + geometry);
        int[] words = unit.words;
        int next = ImageUnit.COORDINATES;
        long layer = geometry.layered() ? Integer.toUnsignedLong(words[next++]) : 0;
        int bytes = operation.elements() * operation.bytes();
        int size = operation.action() == Action.STORE_TEXEL ? image.texelBytes()
                : operation.texels() ? Math.max(bytes, image.texelBytes()) : bytes;
        long x = words[next] * (operation.texels() ? (long) image.texelBytes() : 1);
        long y = geometry.coordinates > 1 ? words[next + 1] : 0;
        long z = geometry.coordinates > 2 ? words[next + 2] : 0;
        long row = (long) image.width * image.texelBytes();
        if (outside(x, row - size) || outside(y, image.height - 1L) || outside(z, image.depth - 1L) || outside(layer, image.layers - 1L)) {
            if (operation.outside() == Outside.TRAP) {
                throw Fault.at(Fault.Kind.OUT_OF_BOUNDS, "surface access of " + size + " bytes at byte " + x + " of row " + y + ", slice " + z
                        + ", layer " + layer + " is outside the image of " + row + " bytes, " + image.height + " rows, " + image.depth
                        + " slices, " + image.layers + " layers", 0, -1, -1);
            }
            if (operation.outside() == Outside.ZERO || row < size) {
                Arrays.fill(unit.results, 0);
                return;
            }
        }
        long at = image.offset(0, SamplerView.clamp(layer, image.layers), SamplerView.clamp(z, image.depth), SamplerView.clamp(y, image.height),
                Math.clamp(x, 0, row - size));
        switch (operation.action()) {
            case LOAD -> load(memory, Memory.aligned(memory, at, size), operation);
            case STORE -> store(memory, Memory.aligned(memory, at, size), operation);
            case STORE_TEXEL -> storeTexel(memory, at, image, operation.elements());
            default -> reduce(memory, at, operation, operation.texels() ? image.type.signed() : operation.signed());
        }
    }

    private static boolean outside(long value, long greatest) {
        return value < 0 || value > greatest;
    }

    private void load(MemorySegment memory, long at, SurfaceOperation operation) {
        for (int e = 0; e < operation.elements(); e++) {
            switch (operation.bytes()) {
                case 1 -> unit.results[e] = Memory.loadI8(memory, at + e) & 0xff;
                case 2 -> unit.results[e] = Memory.loadI16(memory, at + 2L * e) & 0xffff;
                case 4 -> unit.results[e] = Memory.loadI32(memory, at + 4L * e);
                default -> {
                    unit.results[2 * e] = Memory.loadI32(memory, at + 8L * e);
                    unit.results[2 * e + 1] = Memory.loadI32(memory, at + 8L * e + 4);
                }
            }
        }
    }

    private void store(MemorySegment memory, long at, SurfaceOperation operation) {
        for (int e = 0; e < operation.elements(); e++) {
            int word = unit.words[ImageUnit.VALUES + e];
            switch (operation.bytes()) {
                case 1 -> Memory.storeI8(memory, at + e, word);
                case 2 -> Memory.storeI16(memory, at + 2L * e, word);
                case 4 -> Memory.storeI32(memory, at + 4L * e, word);
                default -> {
                    Memory.storeI32(memory, at + 8L * e, unit.words[ImageUnit.VALUES + 2 * e]);
                    Memory.storeI32(memory, at + 8L * e + 4, unit.words[ImageUnit.VALUES + 2 * e + 1]);
                }
            }
        }
    }

    /** Words become the image's type: whole numbers the nearest that it has, floats rounded. */
    private void storeTexel(MemorySegment memory, long at, ImageView image, int elements) {
        for (int c = 0; c < Math.min(elements, image.channels); c++) {
            int word = unit.words[ImageUnit.VALUES + c];
            long place = at + (long) c * image.type.bytes();
            switch (image.type) {
                case U8 -> Memory.storeI8(memory, place, (int) Math.min(255, Integer.toUnsignedLong(word)));
                case U16 -> Memory.storeI16(memory, place, (int) Math.min(65535, Integer.toUnsignedLong(word)));
                case S8 -> Memory.storeI8(memory, place, Math.clamp(word, -128, 127));
                case S16 -> Memory.storeI16(memory, place, Math.clamp(word, -32768, 32767));
                case F16 -> {
                    float value = Float.intBitsToFloat(word);
                    Memory.storeI16(memory, place, value != value ? 0x7fff : Float.floatToFloat16(value));
                }
                case U32, S32, F32 -> Memory.storeI32(memory, place, word);
            }
        }
    }

    private void reduce(MemorySegment memory, long at, SurfaceOperation operation, boolean signed) {
        int low = unit.words[ImageUnit.VALUES];
        if (operation.bytes() == 4) {
            switch (operation.action()) {
                case ADD -> Atomics.add32(memory, at, low);
                case MIN -> reduceMin32(memory, at, low, signed);
                case MAX -> reduceMax32(memory, at, low, signed);
                case AND -> Atomics.and32(memory, at, low);
                default -> Atomics.or32(memory, at, low);
            }
            return;
        }
        long value = Integer.toUnsignedLong(low) | (long) unit.words[ImageUnit.VALUES + 1] << 32;
        switch (operation.action()) {
            case ADD -> Atomics.add64(memory, at, value);
            case MIN -> reduceMin64(memory, at, value, signed);
            case MAX -> reduceMax64(memory, at, value, signed);
            case AND -> Atomics.and64(memory, at, value);
            default -> Atomics.or64(memory, at, value);
        }
    }

    private static void reduceMin32(MemorySegment memory, long at, int value, boolean signed) {
        if (signed) {
            Atomics.min32(memory, at, value);
        } else {
            Atomics.minUnsigned32(memory, at, value);
        }
    }

    private static void reduceMax32(MemorySegment memory, long at, int value, boolean signed) {
        if (signed) {
            Atomics.max32(memory, at, value);
        } else {
            Atomics.maxUnsigned32(memory, at, value);
        }
    }

    private static void reduceMin64(MemorySegment memory, long at, long value, boolean signed) {
        if (signed) {
            Atomics.min64(memory, at, value);
        } else {
            Atomics.minUnsigned64(memory, at, value);
        }
    }

    private static void reduceMax64(MemorySegment memory, long at, long value, boolean signed) {
        if (signed) {
            Atomics.max64(memory, at, value);
        } else {
            Atomics.maxUnsigned64(memory, at, value);
        }
    }
}
