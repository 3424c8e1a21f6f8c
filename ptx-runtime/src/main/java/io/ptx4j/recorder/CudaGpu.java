package io.ptx4j.recorder;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.ptx4j.runtime.Dim3;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The first GPU of this machine, through the CUDA driver API. One thread uses it. */
public final class CudaGpu implements Gpu {
    /** Where the driver is looked for. */
    public static final String LIBRARY = System.getProperty("os.name").startsWith("Windows") ? "nvcuda.dll" : "libcuda.so.1";

    /** CUDA_ERROR_NO_DEVICE. */
    private static final int NO_DEVICE = 100;
    private static final int MAJOR = 75;
    private static final int MINOR = 76;
    private static final int DYNAMIC_SHARED_BYTES = 8;
    /** CU_JIT_ERROR_LOG_BUFFER and its size. */
    private static final int ERROR_LOG = 5;
    private static final int ERROR_LOG_BYTES = 6;
    private static final int SHARED_WITHOUT_ASKING = 48 << 10;
    private static final int LONGEST_TEXT = 4096;
    private static final long POINTER = 1;
    private static final long SIZE = 2;

    private final Arena arena = Arena.ofConfined();
    private final SymbolLookup library;
    private final Map<String, MethodHandle> functions = new HashMap<>();
    private final String name;

    /**
     * Opens the driver and the first GPU.
     *
     * @param library file name or path of the driver
     * @throws GpuException if there is no driver or no GPU
     */
    @SuppressWarnings("restricted")
    public CudaGpu(String library) {
        this(library, arena -> {
            try {
                return SymbolLookup.libraryLookup(library, arena);
            } catch (IllegalArgumentException missing) {
                throw new GpuException("there is no CUDA driver: " + library + " cannot be loaded; recording needs an NVIDIA GPU and its driver");
            }
        });
    }

    /**
     * @param file name of the driver for messages
     * @param open finds the driver's functions
     */
    CudaGpu(String file, Function<Arena, SymbolLookup> open) {
        try {
            this.library = open.apply(arena);
            this.name = start(file);
        } catch (RuntimeException failed) {
            arena.close();
            throw failed;
        }
    }

    /** Makes the first GPU that of this thread and says its name. */
    private String start(String file) {
        if (library.find("cuInit").isEmpty()) {
            throw new GpuException(file + " is no CUDA driver: it has no function cuInit");
        }
        int status = invoke("cuInit", 0);
        if (status == NO_DEVICE) {
            throw new GpuException("the CUDA driver " + file + " finds no GPU (cuInit: " + text(status) + ")");
        }
        succeeded("cuInit", status);
        int device = integer("cuDeviceGet", 0);
        MemorySegment text = arena.allocate(256);
        call("cuDeviceGetName", text, 256, device);
        int version = integer("cuDriverGetVersion");
        String described = "%s (compute capability %d.%d), driver %d.%d".formatted(text.getString(0), integer("cuDeviceGetAttribute", MAJOR, device),
                integer("cuDeviceGetAttribute", MINOR, device), version / 1000, version % 1000 / 10);
        call("cuCtxSetCurrent", MemorySegment.ofAddress(handle("cuDevicePrimaryCtxRetain", device)));
        return described;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long load(String ptx) {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment log = memory.allocate(LONGEST_TEXT);
            MemorySegment module = memory.allocate(JAVA_LONG);
            int status = invoke("cuModuleLoadDataEx", module, memory.allocateFrom(ptx), 2, memory.allocateFrom(JAVA_INT, ERROR_LOG, ERROR_LOG_BYTES),
                    memory.allocateFrom(JAVA_LONG, log.address(), LONGEST_TEXT));
            String said = log.getString(0).strip();
            if (status != 0 && !said.isEmpty()) {
                throw new GpuException("cuModuleLoadDataEx failed: " + text(status) + "\n" + said);
            }
            succeeded("cuModuleLoadDataEx", status);
            return module.get(JAVA_LONG, 0);
        }
    }

    @Override
    public void unload(long module) {
        call("cuModuleUnload", MemorySegment.ofAddress(module));
    }

    @Override
    public long function(long module, String kernel) {
        return handle("cuModuleGetFunction", MemorySegment.ofAddress(module), arena.allocateFrom(kernel));
    }

    @Override
    public long global(long module, String variable) {
        MemorySegment size = arena.allocate(JAVA_LONG);
        return handle("cuModuleGetGlobal_v2", size, MemorySegment.ofAddress(module), arena.allocateFrom(variable));
    }

    @Override
    public long allocate(long bytes) {
        return handle("cuMemAlloc_v2", Math.max(1, bytes));
    }

    @Override
    public void free(long address) {
        call("cuMemFree_v2", address);
    }

    @Override
    public void write(long address, MemorySegment from) {
        if (from.byteSize() > 0) {
            call("cuMemcpyHtoD_v2", address, from, from.byteSize());
        }
    }

    @Override
    public void read(long address, MemorySegment to) {
        if (to.byteSize() > 0) {
            call("cuMemcpyDtoH_v2", to, address, to.byteSize());
        }
    }

    @Override
    public void launch(long function, Dim3 grid, Dim3 block, int shared, byte[] parameters) {
        MemorySegment kernel = MemorySegment.ofAddress(function);
        if (shared > SHARED_WITHOUT_ASKING) {
            call("cuFuncSetAttribute", kernel, DYNAMIC_SHARED_BYTES, shared);
        }
        try (Arena data = Arena.ofConfined()) {
            MemorySegment bytes = data.allocate(Math.max(1, parameters.length), 16);
            MemorySegment.copy(parameters, 0, bytes, JAVA_BYTE, 0, parameters.length);
            MemorySegment size = data.allocateFrom(JAVA_LONG, parameters.length);
            MemorySegment extra = data.allocateFrom(JAVA_LONG, POINTER, bytes.address(), SIZE, size.address(), 0);
            call("cuLaunchKernel", kernel, grid.x(), grid.y(), grid.z(), block.x(), block.y(), block.z(), shared, MemorySegment.NULL,
                    MemorySegment.NULL, parameters.length == 0 ? MemorySegment.NULL : extra);
            call("cuCtxSynchronize");
        }
    }

    @Override
    public boolean works() {
        return invoke("cuCtxSynchronize") == 0;
    }

    @Override
    public void close() {
        arena.close();
    }

    /** Calls a function whose first parameter says where its {@code int} result goes. */
    private int integer(String function, Object... arguments) {
        MemorySegment result = arena.allocate(JAVA_INT);
        call(function, first(result, arguments));
        return result.get(JAVA_INT, 0);
    }

    /** Calls a function whose first parameter says where a handle or an address of 64 bits goes. */
    private long handle(String function, Object... arguments) {
        MemorySegment result = arena.allocate(JAVA_LONG);
        call(function, first(result, arguments));
        return result.get(JAVA_LONG, 0);
    }

    private static Object[] first(MemorySegment result, Object... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = result;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }

    private void call(String function, Object... arguments) {
        succeeded(function, invoke(function, arguments));
    }

    private void succeeded(String function, int status) {
        if (status != 0) {
            throw new GpuException(function + " failed: " + text(status));
        }
    }

    @SuppressWarnings("restricted")
    private String text(int status) {
        MemorySegment text = arena.allocate(ADDRESS);
        boolean known = invoke("cuGetErrorString", status, text) == 0;
        return known ? text.get(ADDRESS, 0).reinterpret(LONGEST_TEXT).getString(0) : "error " + status;
    }

    @SuppressWarnings("restricted")
    private int invoke(String function, Object... arguments) {
        MethodHandle handle = functions.computeIfAbsent(function, name -> Linker.nativeLinker().downcallHandle(
                library.find(name).orElseThrow(() -> new GpuException("the CUDA driver has no " + name)), descriptor(arguments)));
        try {
            return (int) handle.invokeWithArguments(arguments);
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The driver takes 32-bit numbers, 64-bit numbers and pointers, and returns a status. */
    private static FunctionDescriptor descriptor(Object[] arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = switch (arguments[i]) {
                case Integer number -> JAVA_INT;
                case Long number -> JAVA_LONG;
                default -> ADDRESS;
            };
        }
        return FunctionDescriptor.of(JAVA_INT, layouts);
    }
}
