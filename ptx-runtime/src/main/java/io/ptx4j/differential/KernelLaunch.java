package io.ptx4j.differential;

import io.ptx4j.engine.ChannelType;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Dim3;
import io.ptx4j.runtime.ImageLayout;
import io.ptx4j.runtime.Sampler;
import io.ptx4j.runtime.TensorMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A launch to compare engines on.
 *
 * @param kernel its name
 * @param sharedBytes dynamic shared memory of each block in bytes
 * @param arguments as {@link io.ptx4j.runtime.Launch} takes them, but for buffers: a {@link Buffer}, an {@link Image}, a {@link Tensor}, a {@link Multicast}, or an {@code int[]}, {@code long[]},
 *     {@code float[]}, {@code double[]} or {@code short[]}, stands for device memory that holds its elements at first. The same
 *     object in several places stands for the same memory, which keeps its contents from launch to launch. The array itself
 *     is never written
 */
public record KernelLaunch(String kernel, Dim3 grid, Dim3 block, int sharedBytes, List<Object> arguments) {
    /** Device memory that holds these bytes at first; compared by identity. */
    public static final class Buffer {
        private final byte[] contents;

        public Buffer(byte... contents) {
            this.contents = contents.clone();
        }

        byte[] contents() {
            return contents;
        }
    }

    /**
     * An image that holds these texels at first, as a parameter of a kernel takes it; compared by identity where it stands in several places.
     *
     * @param sampler how {@code tex} reads it; null to pass it as a surface
     */
    public record Image(ImageLayout layout, ChannelType type, int channels, Sampler sampler, byte[] texels) {
    }

    /**
     * A tensor map by value.
     *
     * @param memory the argument before it in whose memory the tensor lies, the same object
     * @param map makes the map
     */
    public record Tensor(Object memory, Function<DeviceBuffer, TensorMap> map) {
    }

    /**
     * A multicast buffer; compared by identity where it stands in several places.
     *
     * @param replicas what stands for the buffers, in their order: each a {@link Buffer} or an array, all of as many bytes. What stands among the arguments too is the same memory
     */
    public record Multicast(List<Object> replicas) {
        /** @throws NullPointerException if anything is null */
        public Multicast {
            replicas = List.copyOf(replicas);
        }
    }

    /** @throws NullPointerException if anything is null, an argument too */
    public KernelLaunch {
        Objects.requireNonNull(kernel, "kernel");
        Objects.requireNonNull(grid, "grid");
        Objects.requireNonNull(block, "block");
        arguments = List.copyOf(arguments);
    }

    /** A launch of {@code grid} blocks of {@code block} threads without dynamic shared memory. */
    public static KernelLaunch of(String kernel, int grid, int block, Object... arguments) {
        return new KernelLaunch(kernel, new Dim3(grid, 1, 1), new Dim3(block, 1, 1), 0, List.of(arguments));
    }

    /** The bytes that memory of {@code argument} holds at first; null if it stands for none. */
    static byte[] contents(Object argument) {
        return switch (argument) {
            case Buffer buffer -> buffer.contents();
            case Image image -> image.texels();
            case int[] values -> bytes(values.length * 4L, bytes -> bytes.asIntBuffer().put(values));
            case long[] values -> bytes(values.length * 8L, bytes -> bytes.asLongBuffer().put(values));
            case float[] values -> bytes(values.length * 4L, bytes -> bytes.asFloatBuffer().put(values));
            case double[] values -> bytes(values.length * 8L, bytes -> bytes.asDoubleBuffer().put(values));
            case short[] values -> bytes(values.length * 2L, bytes -> bytes.asShortBuffer().put(values));
            default -> null;
        };
    }

    @FunctionalInterface
    private interface Filling {
        void fill(ByteBuffer bytes);
    }

    private static byte[] bytes(long count, Filling filling) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(count)).order(ByteOrder.LITTLE_ENDIAN);
        filling.fill(bytes);
        return bytes.array();
    }
}
