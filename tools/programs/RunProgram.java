import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a CUDA program whose kernels ptx4j runs. Arguments: the program as a shared library that has its PTX packed in as text, with a function
 * {@code int run(int turn)} that gives the number of wrong results; the library of {@code runtime.c}; {@code scalar}, {@code vector}, {@code auto} or
 * {@code interpreter}; how often it runs. Shows what each kernel took.
 */
public final class RunProgram {
    private static final long MEMORY = 3L << 30;

    private final Device device;
    /** By number. */
    private final Map<Integer, PtxModule> modules = new TreeMap<>();
    /** By address. */
    private final TreeMap<Long, DeviceBuffer> buffers = new TreeMap<>();
    private final Map<String, Times> times = new TreeMap<>();

    private record Times(int launches, long least, long sum) {
    }

    private RunProgram(Device device) {
        this.device = device;
    }

    public static void main(String[] arguments) throws Throwable {
        Device.Builder builder = Device.builder().memory(MEMORY);
        switch (arguments[2]) {
            case "interpreter" -> builder.engine(EngineKind.INTERPRETER);
            default -> builder.engine(new Jit(Jit.Shape.valueOf(arguments[2].toUpperCase())));
        }
        int wrong = 0;
        try (Device device = builder.open()) {
            RunProgram program = new RunProgram(device);
            program.serve(Path.of(arguments[1]));
            MemorySegment run = library(arguments[0]).find("run").orElseThrow();
            MethodHandle main = Linker.nativeLinker().downcallHandle(run, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            for (int turn = 0; turn < Integer.parseInt(arguments[3]); turn++) {
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
            function(linker, "load", int.class, int.class, long.class, long.class), function(linker, "allocate", long.class, long.class), function(linker, "release", int.class, long.class),
            function(linker, "copy", int.class, long.class, long.class, long.class), function(linker, "fill", int.class, long.class, int.class, long.class),
            function(linker, "global", long.class, int.class, long.class),
            function(linker, "launch", int.class, int.class, long.class, long.class, long.class, int.class, long.class)};
        FunctionDescriptor seven = FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS,
            ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        linker.downcallHandle(library(runtime.toString()).find("use").orElseThrow(), seven).invokeWithArguments((Object[]) functions);
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

    private int load(int number, long text, long bytes) {
        byte[] ptx = MemorySegment.ofAddress(text).reinterpret(bytes).toArray(ValueLayout.JAVA_BYTE);
        try {
            modules.put(number, device.load(new SourceFile("module " + number, new String(ptx, StandardCharsets.UTF_8))));
            return 0;
        } catch (RuntimeException failed) {
            System.err.println(failed.getMessage());
            return 218;
        }
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

    private long global(int number, long name) {
        DeviceBuffer variable = modules.get(number).global(text(name));
        buffers.put(variable.address(), variable);
        return variable.address();
    }

    private static String text(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    /** Nothing may be thrown into the program. */
    private int launch(int number, long name, long extents, long shared, int cooperative, long arguments) {
        String kernelName = text(name);
        try {
            Kernel kernel = modules.get(number).kernel(kernelName);
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
