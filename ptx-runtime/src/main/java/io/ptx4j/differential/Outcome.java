package io.ptx4j.differential;

import io.ptx4j.ir.Module;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Image;
import io.ptx4j.runtime.ImageObject;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.MulticastBuffer;
import io.ptx4j.runtime.PtxException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.runtime.UnsupportedPtxException;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What launches left on an engine.
 *
 * @param engine the engine, with the shape of its code
 * @param memory contents of all buffers ({@code "argument 2 of launch 1"}, {@code "replica 1 of argument 3 of launch 1"}) and variables of the module (their names) after the last
 *     launch that ran; empty if the module did not load
 * @param failure what a launch failed with, so that the ones behind it did not run; null if none did
 */
public record Outcome(String engine, Map<String, byte[]> memory, Throwable failure) {
    static Outcome of(String engine, Device device, Module module, List<KernelLaunch> launches) {
        Map<Object, DeviceBuffer> buffers = new IdentityHashMap<>();
        Map<Object, MulticastBuffer> multicasts = new IdentityHashMap<>();
        Map<String, DeviceBuffer> named = new LinkedHashMap<>();
        Map<String, byte[]> memory = new LinkedHashMap<>();
        Throwable failure = null;
        try (PtxModule loaded = device.load(module)) {
            try {
                for (int i = 0; i < launches.size(); i++) {
                    launch(device, loaded, launches.get(i), i + 1, buffers, named, multicasts);
                }
            } catch (Exception | LinkageError | AssertionError | StackOverflowError failed) {
                failure = failed;
            }
            named.forEach((name, buffer) -> memory.put(name, buffer.toBytes()));
            loaded.globals().forEach(name -> memory.put(name, loaded.global(name).toBytes()));
        } catch (PtxException failed) {
            failure = failed;
        } finally {
            multicasts.values().forEach(MulticastBuffer::close);
            buffers.values().forEach(DeviceBuffer::close);
        }
        return new Outcome(engine, memory, failure);
    }

    private static void launch(Device device, PtxModule loaded, KernelLaunch launch, int number, Map<Object, DeviceBuffer> buffers,
            Map<String, DeviceBuffer> named, Map<Object, MulticastBuffer> multicasts) {
        Object[] arguments = launch.arguments().toArray();
        for (int k = 0; k < arguments.length; k++) {
            Object argument = arguments[k];
            String name = "argument " + (k + 1) + " of launch " + number;
            arguments[k] = switch (argument) {
                case KernelLaunch.Tensor tensor -> tensor.map().apply(buffers.get(tensor.memory())).bytes();
                case KernelLaunch.Multicast multicast -> multicasts.computeIfAbsent(multicast, made -> device.multicast(IntStream.range(0, multicast.replicas().size())
                        .mapToObj(r -> buffer(device, "replica " + (r + 1) + " of " + name, multicast.replicas().get(r), buffers, named)).toArray(DeviceBuffer[]::new)));
                default -> {
                    DeviceBuffer buffer = buffer(device, name, argument, buffers, named);
                    yield buffer == null ? argument : argument instanceof KernelLaunch.Image image ? handle(device, image, buffers) : buffer;
                }
            };
        }
        Kernel kernel = loaded.kernel(launch.kernel());
        kernel.grid(launch.grid().x(), launch.grid().y(), launch.grid().z()).block(launch.block().x(), launch.block().y(), launch.block().z())
                .shared(launch.sharedBytes()).launch(arguments);
    }

    /** The memory that {@code argument} stands for, with its contents where it is new; null if it stands for none. */
    private static DeviceBuffer buffer(Device device, String name, Object argument, Map<Object, DeviceBuffer> buffers, Map<String, DeviceBuffer> named) {
        byte[] contents = buffers.containsKey(argument) ? null : KernelLaunch.contents(argument);
        if (contents != null) {
            DeviceBuffer buffer = device.allocate(name, contents.length);
            buffers.put(argument, buffer);
            named.put(name, buffer);
            buffer.copyFrom(contents);
        }
        return buffers.get(argument);
    }

    /** What a kernel takes for an image whose texels lie in its buffer. */
    private static ImageObject handle(Device device, KernelLaunch.Image image, Map<Object, DeviceBuffer> buffers) {
        Image made = device.image(image.layout(), image.type(), image.channels(), buffers.get(image), image.layout().width() * image.channels() * image.type().bytes());
        ImageObject handle = image.sampler() == null ? made.surface() : made.texture(image.sampler());
        buffers.put(handle, handle.descriptor());
        return handle;
    }

    private boolean unsupported() {
        return failure instanceof UnsupportedPtxException;
    }

    private boolean internal() {
        return failure != null && (!(failure instanceof PtxException) && !(failure instanceof IllegalArgumentException)
                || failure instanceof KernelException failed && failed.kind() == KernelException.Kind.INTERNAL);
    }

    /** How {@code found} differs from this, the reference; null if it does not. */
    Difference differenceTo(Outcome found) {
        if (internal() || found.internal()) {
            return internal() ? ofInternal() : found.ofInternal();
        }
        if (unsupported() || found.unsupported()) {
            return new Difference(found.engine, Difference.Kind.UNSUPPORTED, "", (unsupported() ? failure : found.failure).getMessage());
        }
        String wanted = message();
        String got = found.message();
        if (!wanted.equals(got)) {
            return new Difference(found.engine, Difference.Kind.FAILURE, "", "expected " + wanted + "\nfound " + got);
        }
        // What blocks behind a failing one have written depends on who ran first.
        return failure != null ? null : memory.keySet().stream().map(name -> ofMemory(name, found)).filter(some -> some != null).findFirst().orElse(null);
    }

    private Difference ofMemory(String name, Outcome found) {
        byte[] expected = memory.get(name);
        byte[] actual = found.memory.get(name);
        int at = Arrays.mismatch(expected, actual);
        return at < 0 ? null : new Difference(found.engine, Difference.Kind.MEMORY, "",
                "%s: byte %d is 0x%02x, expected 0x%02x".formatted(name, at, actual[at], expected[at]));
    }

    private Difference ofInternal() {
        Throwable cause = failure;
        while (cause instanceof PtxException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        StackTraceElement[] trace = cause.getStackTrace();
        String where = trace.length == 0 ? "" : " at " + trace[0];
        return new Difference(engine, Difference.Kind.INTERNAL, cause.getClass().getName() + where, cause + where);
    }

    private String message() {
        return failure == null ? "no failure" : failure.getMessage();
    }
}
