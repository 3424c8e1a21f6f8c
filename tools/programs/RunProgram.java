import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.PtxModule;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a CUDA program whose kernels ptx4j runs. Arguments: the PTX of its kernels; the rest of it as a shared library with a function
 * {@code int run(int turn)} that gives the number of wrong results; the library of {@code runtime.c}; {@code scalar}, {@code vector}, {@code auto} or
 * {@code interpreter}; how often it runs. Shows what each kernel took.
 */
public final class RunProgram {
    private static final long MEMORY = 3L << 30;

    private final Device device;
    private final PtxModule module;
    /** By address. */
    private final TreeMap<Long, DeviceBuffer> buffers = new TreeMap<>();
    private final Map<String, Times> times = new TreeMap<>();

    private record Times(int launches, long least, long sum) {
    }

    private RunProgram(Device device, Path ptx) {
        this.device = device;
        this.module = device.load(ptx);
    }

    public static void main(String[] arguments) throws Throwable {
        Device.Builder builder = Device.builder().memory(MEMORY);
        switch (arguments[3]) {
            case "interpreter" -> builder.engine(EngineKind.INTERPRETER);
            default -> builder.engine(new Jit(Jit.Shape.valueOf(arguments[3].toUpperCase())));
        }
        int wrong = 0;
        try (Device device = builder.open()) {
            RunProgram program = new RunProgram(device, Path.of(arguments[0]));
            program.serve(Path.of(arguments[2]));
            MemorySegment run = library(arguments[1]).find("run").orElseThrow();
            MethodHandle main = Linker.nativeLinker().downcallHandle(run, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            for (int turn = 0; turn < Integer.parseInt(arguments[4]); turn++) {
                wrong += (int) main.invoke(turn);
            }
            program.times.forEach((name, t) -> System.out.printf("%6d launches, least %9.3f ms, mean %9.3f ms: %.100s%n", t.launches, t.least / 1e6,
                t.sum / 1e6 / t.launches, name));
        }
        System.out.println(wrong == 0 ? "all right" : wrong + " wrong");
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static SymbolLookup library(String file) {
        return SymbolLookup.libraryLookup(Path.of(file).toAbsolutePath(), Arena.global());
    }

    /** Hands the functions below to the runtime. */
    private void serve(Path runtime) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MemorySegment[] functions = {
            function(linker, "allocate", long.class, long.class), function(linker, "release", int.class, long.class),
            function(linker, "copy", int.class, long.class, long.class, long.class), function(linker, "fill", int.class, long.class, int.class, long.class),
            function(linker, "global", long.class, long.class), function(linker, "launch", int.class, long.class, long.class, long.class, int.class, long.class)};
        FunctionDescriptor six = FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS,
            ValueLayout.ADDRESS);
        linker.downcallHandle(library(runtime.toString()).find("use").orElseThrow(), six).invokeWithArguments((Object[]) functions);
    }

    private MemorySegment function(Linker linker, String name, Class<?> result, Class<?>... parameters) throws ReflectiveOperationException {
        FunctionDescriptor descriptor = FunctionDescriptor.of(layout(result));
        for (Class<?> parameter : parameters) {
            descriptor = descriptor.appendArgumentLayouts(layout(parameter));
        }
        return linker.upcallStub(MethodHandles.lookup().bind(this, name, MethodType.methodType(result, parameters)), descriptor, Arena.global());
    }

    private static ValueLayout layout(Class<?> type) {
        return type == long.class ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
    }

    private long allocate(long bytes) {
        try {
            DeviceBuffer buffer = device.allocate(Math.max(bytes, 1));
            buffers.put(buffer.address(), buffer);
            return buffer.address();
        } catch (RuntimeException none) {
            System.err.println(none.getMessage());
            return 0;
        }
    }

    private int release(long address) {
        DeviceBuffer buffer = buffers.remove(address);
        if (buffer != null) {
            buffer.close();
        }
        return buffer == null ? 1 : 0;
    }

    /** Memory of the device, or else of the host. */
    private MemorySegment memory(long address, long bytes) {
        Map.Entry<Long, DeviceBuffer> buffer = buffers.floorEntry(address);
        return buffer == null || address - buffer.getKey() >= buffer.getValue().byteSize() ? MemorySegment.ofAddress(address).reinterpret(bytes)
            : buffer.getValue().segment().asSlice(address - buffer.getKey(), bytes);
    }

    private int copy(long to, long from, long bytes) {
        memory(to, bytes).copyFrom(memory(from, bytes));
        return 0;
    }

    private int fill(long address, int value, long bytes) {
        memory(address, bytes).fill((byte) value);
        return 0;
    }

    private long global(long name) {
        DeviceBuffer variable = module.global(text(name));
        buffers.put(variable.address(), variable);
        return variable.address();
    }

    private static String text(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    /** Nothing may be thrown into the program. */
    private int launch(long name, long extents, long shared, int cooperative, long arguments) {
        String kernelName = text(name);
        try {
            Kernel kernel = module.kernel(kernelName);
            int[] extent = MemorySegment.ofAddress(extents).reinterpret(24).toArray(ValueLayout.JAVA_INT);
            Launch launch = kernel.grid(extent[0], extent[1], extent[2]).block(extent[3], extent[4], extent[5]).shared((int) shared);
            Object[] values = new Object[kernel.parameters().size()];
            for (int i = 0; i < values.length; i++) {
                long place = MemorySegment.ofAddress(arguments).reinterpret(8L * values.length).getAtIndex(ValueLayout.JAVA_LONG, i);
                values[i] = MemorySegment.ofAddress(place).reinterpret(kernel.parameters().get(i).bytes()).toArray(ValueLayout.JAVA_BYTE);
            }
            long start = System.nanoTime();
            (cooperative != 0 ? launch.cooperative() : launch).launch(values);
            long nanos = System.nanoTime() - start;
            times.merge(kernelName, new Times(1, nanos, nanos), (a, b) -> new Times(a.launches + 1, Math.min(a.least, b.least), a.sum + b.sum));
            return 0;
        } catch (RuntimeException failed) {
            System.err.println(failed.getMessage());
            return 719;
        }
    }
}
