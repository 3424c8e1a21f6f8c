package io.ptx4j.benchmarks.peers;

import io.ptx4j.benchmarks.workloads.Data;
import io.ptx4j.benchmarks.workloads.Step;
import io.ptx4j.benchmarks.workloads.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kernels in OpenCL C ({@code peers/kernels.cl}) on the machine's first OpenCL device that is a CPU, such as PoCL's. */
final class OpenCl implements Contender.Team {
    private static final long CPU = 2;
    private static final long READ_WRITE_HOST_MEMORY = 1 | 8;
    private static final int DEVICE_NAME = 0x102B;
    private static final int DRIVER_VERSION = 0x102D;
    private static final int BUILD_LOG = 0x1183;

    private final Arena arena = Arena.ofShared();
    private final Map<String, MethodHandle> calls = new HashMap<>();
    private final SymbolLookup library;
    private final String absent;
    private MemorySegment context;
    private MemorySegment queue;
    private MemorySegment program;
    private String device = "";

    OpenCl() {
        SymbolLookup found = null;
        String reason = null;
        try {
            found = SymbolLookup.libraryLookup("libOpenCL.so.1", arena);
        } catch (IllegalArgumentException e) {
            reason = "no OpenCL library";
        }
        library = found;
        if (found != null) {
            try {
                open();
            } catch (IllegalStateException e) {
                reason = e.getMessage();
            }
        }
        absent = reason;
    }

    private void open() {
        MemorySegment platforms = arena.allocate(ValueLayout.ADDRESS, 16);
        MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
        check("clGetPlatformIDs", 16, platforms, count);
        for (int i = 0; i < count.get(ValueLayout.JAVA_INT, 0); i++) {
            MemorySegment devices = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment platform = platforms.getAtIndex(ValueLayout.ADDRESS, i);
            if (status("clGetDeviceIDs", platform, CPU, 1, devices, MemorySegment.NULL) == 0) {
                open(devices);
                return;
            }
        }
        throw new IllegalStateException("no OpenCL device that is a CPU");
    }

    private void open(MemorySegment devices) {
        MemorySegment id = devices.get(ValueLayout.ADDRESS, 0);
        device = text(id, DEVICE_NAME) + ", " + text(id, DRIVER_VERSION);
        MemorySegment error = arena.allocate(ValueLayout.JAVA_INT);
        context = create("clCreateContext", error, MemorySegment.NULL, 1, devices, MemorySegment.NULL, MemorySegment.NULL);
        queue = create("clCreateCommandQueue", error, context, id, 0L);
        MemorySegment sources = arena.allocate(ValueLayout.ADDRESS);
        sources.set(ValueLayout.ADDRESS, 0, arena.allocateFrom(source()));
        program = create("clCreateProgramWithSource", error, context, 1, sources, MemorySegment.NULL);
        MemorySegment options = arena.allocateFrom("-cl-std=CL1.2");
        if (status("clBuildProgram", program, 1, devices, options, MemorySegment.NULL, MemorySegment.NULL) != 0) {
            MemorySegment log = arena.allocate(1 << 16);
            check("clGetProgramBuildInfo", program, id, BUILD_LOG, log.byteSize(), log, MemorySegment.NULL);
            throw new IllegalStateException("OpenCL C: " + log.getString(0));
        }
    }

    private String text(MemorySegment id, int what) {
        MemorySegment value = arena.allocate(1024);
        check("clGetDeviceInfo", id, what, value.byteSize(), value, MemorySegment.NULL);
        return value.getString(0);
    }

    private static String source() {
        try (InputStream text = OpenCl.class.getResourceAsStream("/peers/kernels.cl")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The device and its driver. */
    String device() {
        return device;
    }

    @Override
    public String name() {
        return "OpenCL";
    }

    @Override
    public Optional<String> absent() {
        return Optional.ofNullable(absent);
    }

    @Override
    public Optional<Contender> enter(Workload workload) {
        List<MemorySegment> kernels = new ArrayList<>();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment error = call.allocate(ValueLayout.JAVA_INT);
            for (Step step : workload.steps()) {
                kernels.add((MemorySegment) invoke("clCreateKernel", ValueLayout.ADDRESS, program, call.allocateFrom(step.kernel()), error));
                if (error.get(ValueLayout.JAVA_INT, 0) != 0) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(new Kernels(workload, kernels));
    }

    @Override
    public void close() {
        arena.close();
    }

    private MemorySegment create(String function, MemorySegment error, Object... arguments) {
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.add(error);
        MemorySegment made = (MemorySegment) invoke(function, ValueLayout.ADDRESS, all.toArray());
        require(function, error.get(ValueLayout.JAVA_INT, 0));
        return made;
    }

    private void check(String function, Object... arguments) {
        require(function, status(function, arguments));
    }

    private static void require(String function, int status) {
        if (status != 0) {
            throw new IllegalStateException(function + " gives " + status);
        }
    }

    private int status(String function, Object... arguments) {
        return (int) invoke(function, ValueLayout.JAVA_INT, arguments);
    }

    /** Each OpenCL function is always called with the same types, so its handle is made at its first call. */
    private Object invoke(String function, MemoryLayout returned, Object... arguments) {
        MethodHandle call = calls.computeIfAbsent(function, name -> {
            MemoryLayout[] types = new MemoryLayout[arguments.length];
            for (int i = 0; i < types.length; i++) {
                types[i] = arguments[i] instanceof MemorySegment ? ValueLayout.ADDRESS : Native.layout(arguments[i]);
            }
            MethodHandle handle = Linker.nativeLinker()
                .downcallHandle(library.find(name).orElseThrow(), FunctionDescriptor.of(returned, types));
            return handle.asSpreader(Object[].class, types.length);
        });
        try {
            return call.invoke(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Kernels implements Contender {
        private final Workload workload;
        private final List<MemorySegment> kernels;
        private final Arena data = Arena.ofShared();
        private final Native memory = new Native(data);
        private final Map<Data, MemorySegment> buffers = new HashMap<>();
        private final List<MemorySegment> globalSizes = new ArrayList<>();
        private final List<MemorySegment> localSizes = new ArrayList<>();

        Kernels(Workload workload, List<MemorySegment> kernels) {
            this.workload = workload;
            this.kernels = kernels;
            for (int k = 0; k < kernels.size(); k++) {
                Step step = workload.steps().get(k);
                for (int i = 0; i < step.arguments().size(); i++) {
                    set(kernels.get(k), i, step.arguments().get(i));
                }
                globalSizes.add(data.allocateFrom(ValueLayout.JAVA_LONG,
                    (long) step.grid().x() * step.block().x(), (long) step.grid().y() * step.block().y()));
                localSizes.add(data.allocateFrom(ValueLayout.JAVA_LONG, step.block().x(), step.block().y()));
            }
        }

        private void set(MemorySegment kernel, int index, Object argument) {
            MemorySegment value = switch (argument) {
                case Data array -> data.allocateFrom(ValueLayout.ADDRESS, buffers.computeIfAbsent(array, this::buffer));
                case Integer number -> data.allocateFrom(ValueLayout.JAVA_INT, number);
                case Float number -> data.allocateFrom(ValueLayout.JAVA_FLOAT, number);
                default -> data.allocateFrom(ValueLayout.JAVA_LONG, (Long) argument);
            };
            check("clSetKernelArg", kernel, index, value.byteSize(), value);
        }

        private MemorySegment buffer(Data array) {
            MemorySegment segment = memory.of(array);
            return create("clCreateBuffer", data.allocate(ValueLayout.JAVA_INT), context, READ_WRITE_HOST_MEMORY, segment.byteSize(), segment);
        }

        @Override
        public void run() {
            for (int time = 0; time < workload.times(); time++) {
                for (int k = 0; k < kernels.size(); k++) {
                    check("clEnqueueNDRangeKernel", queue, kernels.get(k), 2, MemorySegment.NULL, globalSizes.get(k), localSizes.get(k), 0,
                        MemorySegment.NULL, MemorySegment.NULL);
                }
            }
            check("clFinish", queue);
        }

        @Override
        public Object result() {
            return memory.result(workload);
        }

        @Override
        public void close() {
            buffers.values().forEach(buffer -> check("clReleaseMemObject", buffer));
            kernels.forEach(kernel -> check("clReleaseKernel", kernel));
            data.close();
        }
    }
}
