package io.ptx4j.runtime;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Approximations;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.Check;
import io.ptx4j.engine.DeviceFunction;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.MatrixSums;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.ImageDescriptor;
import io.ptx4j.engine.Multicast;
import io.ptx4j.engine.Multicasts;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.ProgramLimits;
import io.ptx4j.ir.Module;
import io.ptx4j.syntax.CompileTime;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A device: memory, workers and an engine that runs kernels. {@snippet lang = java :
 * try (Device device = Device.open()) {
 *     DeviceBuffer x = device.copyOf(1f, 2f, 3f);
 *     Kernel kernel = device.load(Path.of("saxpy.ptx")).kernel("saxpy");
 *     kernel.grid(1).block(32).launch(3, 2f, x, x);
 *     float[] result = x.toFloats();
 * }
 * }
 *
 * <p>Its memory is one stretch of address space that the host commits page by page when it is first touched, so opening a
 * device takes milliseconds. Thread-safe, as is everything that it gives out. Close it: its memory lies outside the Java heap.
 */
public final class Device implements AutoCloseable {
    /** Shared memory that a block may have, static and dynamic, in bytes: 227 KiB, what targets from sm_90 on offer. */
    public static final int SHARED_LIMIT = 227 << 10;

    private static final long MOST_MEMORY = 768L << 30;
    private static final long LARGEST_WINDOW_AREA = 1L << 30;
    private static final long SMALLEST_WINDOW_AREA = 64L << 20;
    private static final long PAGE = 1 << 16;
    private static final int SECONDS_TO_STOP = 10;

    private final MemoryAreas areas;
    private final Windows windows;
    private final Engine engine;
    private final int workers;
    private final Duration timeout;
    private final PrintStream output;
    private final int sharedLimit;
    private final int stackBytes;
    private final CodeCache codeCache;
    private final MatrixSums matrixSums;
    private final Approximations approximations;
    private final long outputBytes;
    private final ModuleReading reading;
    private final ProgramLimits programLimits;
    private final Map<String, DeviceFunction> functions;
    private final Watching watching;
    private final WorkerThreads threads;
    private final LaunchLog launches = new LaunchLog();
    private final MulticastObjects multicasts = new MulticastObjects();
    private volatile boolean closed;

    private Device(Builder wanted, DeviceMemory memory, Watching watching, long windowBytes) {
        this.watching = watching;
        this.areas = new MemoryAreas(memory, watching, windowBytes, wanted.heapBytes);
        this.windows = new Windows(this, wanted.workers);
        this.engine = wanted.engine;
        this.workers = wanted.workers;
        this.timeout = wanted.timeout;
        this.output = wanted.output;
        this.sharedLimit = wanted.sharedLimit;
        this.stackBytes = wanted.stackBytes;
        this.codeCache = wanted.codeCache;
        this.matrixSums = wanted.matrixSums;
        this.approximations = wanted.approximations;
        this.outputBytes = wanted.outputBytes;
        this.programLimits = wanted.program;
        this.reading = new ModuleReading(wanted.textCharacters, wanted.moduleInstructions, programLimits.compiling());
        this.functions = new HashMap<>(Map.of("malloc", areas.heap()::malloc, "free", areas.heap()::free));
        this.functions.putAll(wanted.functions);
        this.threads = new WorkerThreads(workers);
    }

    /** A device with the defaults of {@link Builder}. */
    public static Device open() {
        return builder().open();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** What a device is to have. */
    public static final class Builder {
        private static final long DEFAULT_MEMORY = 64L << 30;
        private static final long LEAST_DEFAULT_MEMORY = 64L << 20;
        static final long ANY_MEMORY = -1;

        private long bytes = ANY_MEMORY;
        private int workers = Runtime.getRuntime().availableProcessors();
        private Engine engine = EngineKind.JIT.create();
        private Duration timeout;
        private PrintStream output = System.out;
        private int sharedLimit = SHARED_LIMIT;
        private int stackBytes = Program.DEFAULT_STACK;
        private long heapBytes = ANY_MEMORY;
        private CodeCache codeCache;
        private long outputBytes = Long.MAX_VALUE;
        private long textCharacters = Long.MAX_VALUE;
        private long moduleInstructions = Long.MAX_VALUE;
        private ProgramLimits program = ProgramLimits.NONE;
        private final Map<String, DeviceFunction> functions = new HashMap<>();
        private final Set<Check> checks = EnumSet.noneOf(Check.class);
        private final Set<String> benign = new HashSet<>();
        private final Set<Integer> benignLines = new HashSet<>();
        private int findings = 1;
        private MatrixSums matrixSums = MatrixSums.FUSED;
        private Approximations approximations = Approximations.PORTABLE;

        private Builder() {
        }

        /**
         * Address space for buffers in bytes; 64 GiB by default, or as much as the host maps. Only what
         * is touched takes memory of the host.
         */
        public Builder memory(long size) {
            if (size < PAGE || size > MOST_MEMORY) {
                throw new IllegalArgumentException("device memory of " + size + " bytes; possible are " + Amount.bytes(PAGE) + " to "
                        + Amount.bytes(MOST_MEMORY));
            }
            bytes = size;
            return this;
        }

        /** Threads that run blocks; one for each processor by default. */
        public Builder workers(int count) {
            if (count < 1 || count > 1 << 14) {
                throw new IllegalArgumentException(count + " workers; possible are 1 to " + (1 << 14));
            }
            workers = count;
            return this;
        }

        /**
         * Shared memory that a block may have, static and dynamic, in bytes; {@link #SHARED_LIMIT} by default. Devices of NVIDIA
         * allow 48 KiB to 227 KiB; this one has no such bounds.
         */
        public Builder sharedLimit(int size) {
            if (size < 0) {
                throw new IllegalArgumentException("shared memory of " + size + " bytes");
            }
            sharedLimit = size;
            return this;
        }

        /**
         * Stack of each thread in bytes, rounded up to a multiple of 16; 32 KiB by default. Kernels have it that use recursion,
         * {@code alloca}, or functions too large to be inlined; a thread that needs more ends its launch with an error.
         */
        public Builder stackBytes(int size) {
            if (size < 0 || size > 1 << 26) {
                throw new IllegalArgumentException("a stack of " + size + " bytes; possible are 0 to " + Amount.bytes(1 << 26));
            }
            stackBytes = (size + 15) / 16 * 16;
            return this;
        }

        /**
         * Bytes from which {@code malloc} of kernels takes memory; 8 MiB by default, at most a quarter of the device's. They are taken
         * from the device's memory when the first module that calls {@code malloc} is loaded; what is allocated is a multiple of 16 bytes.
         */
        public Builder heapBytes(long size) {
            if (size < 0 || size > MOST_MEMORY) {
                throw new IllegalArgumentException("a heap of " + size + " bytes");
            }
            heapBytes = size;
            return this;
        }

        /**
         * Supplies a function that kernels declare {@code .extern .func} and call; it runs on both engines, once for each calling thread.
         * {@snippet lang = java :
         * Device device = Device.builder().function("hypotenuse", call -> call.result(Math.hypot(call.doubleAt(0), call.doubleAt(1)))).open();
         * }
         *
         * @param name in PTX, as the compiler mangled it
         */
        public Builder function(String name, DeviceFunction function) {
            functions.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(function, "function"));
            return this;
        }

        /**
         * Watches kernels for more than bounds and alignment; nothing by default. Kernels run slower then, and the host keeps a byte for
         * each byte of a buffer. What is found ends the launch with a {@link KernelException}.
         */
        public Builder checks(Check... wanted) {
            return checks(List.of(wanted));
        }

        /** As {@link #checks(Check...)}. */
        public Builder checks(Collection<Check> wanted) {
            checks.addAll(wanted);
            return this;
        }

        /**
         * How many errors a launch tells of at once; 1 by default: the first that {@link #checks} find ends it. With more it goes on behind races and reads
         * of bytes that nobody has written, to its end or to an error of another kind, and fails then: {@link KernelException#findings()}. Errors of
         * one kind at the same line, or at the same two lines, count as one.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder findings(int most) {
            if (most < 1) {
                throw new IllegalArgumentException(most + " findings of a launch");
            }
            findings = most;
            return this;
        }

        /** Sets all limits: {@link Limits#UNTRUSTED} for kernels from strangers. Methods called after it change single ones. */
        public Builder limits(Limits all) {
            bytes = all.memory();
            heapBytes = all.heap();
            timeout = all.running();
            return sharedLimit(all.shared()).stackBytes(all.stack()).outputBytes(all.outputBytes()).instructions(all.instructions())
                    .textCharacters(all.textCharacters()).moduleInstructions(all.moduleInstructions()).codeBytes(all.codeBytes())
                    .compiling(all.compiling());
        }

        /** Bytes, in UTF-8, that the kernels of one launch may print; any number by default. What is over it is not printed. */
        public Builder outputBytes(long most) {
            outputBytes = notNegative(most, "bytes of output");
            return this;
        }

        /**
         * Instructions that each thread of a launch may run; any number by default. A thread that enters a straight run of code (no jump
         * out of it, none into it) runs all its instructions, guarded ones too, and the jump or the end behind it counts one more. So the
         * count depends on the thread's way through the text alone, not on engine or workers. Counting costs time, and kernels stay in the
         * scalar shape.
         */
        public Builder instructions(long most) {
            program = new ProgramLimits(notNegative(most, "instructions of a thread"), program.codeBytes(), program.compiling());
            return this;
        }

        /** Characters that the PTX text of a module may have (bytes, of a file); any number by default. */
        public Builder textCharacters(long most) {
            textCharacters = notNegative(most, "characters of a module");
            return this;
        }

        /** Instructions that all kernels and functions of a module may have together, counted as {@link #instructions} are; any number by default. */
        public Builder moduleInstructions(long most) {
            moduleInstructions = notNegative(most, "instructions of a module");
            return this;
        }

        /** Bytes that the class file may have which the JIT makes of a kernel for a block shape; any number by default. */
        public Builder codeBytes(long most) {
            program = new ProgramLimits(program.instructions(), notNegative(most, "bytes of code"), program.compiling());
            return this;
        }

        /** How long a module may be read and checked, and a kernel compiled; any time by default, which null means too. */
        public Builder compiling(Duration most) {
            program = new ProgramLimits(program.instructions(), program.codeBytes(), most);
            return this;
        }

        private static long notNegative(long most, String what) {
            if (most < 0) {
                throw new IllegalArgumentException("at most " + most + " " + what);
            }
            return most;
        }

        /**
         * Races that are not to be reported with {@link Check#RACES}: those on these buffers, variables of modules and variables of
         * shared memory, by their names.
         */
        public Builder benign(String... names) {
            benign.addAll(List.of(names));
            return this;
        }

        /** As {@link #benign(String...)}: races in which an access in one of these lines of a module takes part. */
        public Builder benignLines(int... lines) {
            for (int line : lines) {
                benignLines.add(line);
            }
            return this;
        }

        /**
         * A folder in which the JIT keeps the classes that it generates, so that later processes need not generate them again; none by
         * default. Only its owner may be able to write into it, for what lies there is run. It is made if it does not exist; several
         * processes may share it. Needs a POSIX file system.
         *
         * @param mostBytes what the files in it may take together; those used least lately go first
         * @throws IllegalArgumentException if others may write into the folder
         * @throws UncheckedIOException if the folder cannot be made or written
         */
        public Builder codeCache(Path folder, long mostBytes) {
            try {
                codeCache = new CodeCache(folder, mostBytes);
                return this;
            } catch (IOException unusable) {
                throw new UncheckedIOException(unusable);
            } catch (UnsupportedOperationException noPermissions) {
                throw new IllegalArgumentException("the file system of " + folder + " does not say who may write", noPermissions);
            }
        }

        /** What runs the kernels; the JIT by default. */
        public Builder engine(EngineKind kind) {
            return engine(kind.create());
        }

        /** What runs the kernels; an engine may serve several devices. */
        public Builder engine(Engine runs) {
            engine = Objects.requireNonNull(runs, "engine");
            return this;
        }

        /** How matrix instructions add up floating-point products; {@link MatrixSums#FUSED} by default, {@link MatrixSums#HOPPER} for the bits of an H100. */
        public Builder matrixSums(MatrixSums sums) {
            matrixSums = Objects.requireNonNull(sums, "sums");
            return this;
        }

        /** What approximate instructions give; {@link Approximations#PORTABLE} by default, {@link Approximations#HOPPER} for the bits of an H100. */
        public Builder approximations(Approximations wanted) {
            approximations = Objects.requireNonNull(wanted, "wanted");
            return this;
        }

        /** Where kernels print ({@code printf}); standard output by default. Each call's text is printed whole. */
        public Builder output(PrintStream stream) {
            output = Objects.requireNonNull(stream, "output");
            return this;
        }

        /** Stops launches that run longer; no limit by default. {@link Launch#timeout} overrides it. */
        public Builder timeout(Duration limit) {
            timeout = Objects.requireNonNull(limit, "timeout");
            return this;
        }

        /** @throws OutOfDeviceMemoryException if the host does not map that much memory */
        public Device open() {
            if (bytes >= 0) {
                return open(bytes);
            }
            for (long size = DEFAULT_MEMORY; size > LEAST_DEFAULT_MEMORY; size /= 2) {
                try {
                    return open(size);
                } catch (OutOfDeviceMemoryException tooMuch) {
                    // A smaller device is what the documentation promises.
                }
            }
            return open(LEAST_DEFAULT_MEMORY);
        }

        private Device open(long size) {
            long windowBytes = Math.clamp(size / 4 / PAGE * PAGE, SMALLEST_WINDOW_AREA, LARGEST_WINDOW_AREA);
            long rounded = (size + PAGE - 1) / PAGE * PAGE;
            DeviceMemory memory = DeviceMemory.open(windowBytes + rounded);
            try {
                return new Device(this, memory, new Watching(checks, benign, benignLines, findings, windowBytes + rounded), windowBytes);
            } catch (OutOfDeviceMemoryException noShadow) {
                memory.close();
                throw noShadow;
            }
        }
    }

    /**
     * Memory of that many bytes, all zero, at an address that is a multiple of 256.
     *
     * @throws OutOfDeviceMemoryException if there is no room
     */
    public DeviceBuffer allocate(long bytes) {
        return allocate("buffer of " + Amount.bytes(bytes), bytes);
    }

    /** As {@link #allocate(long)}; error messages call it {@code name}. */
    public DeviceBuffer allocate(String name, long bytes) {
        checkOpen();
        if (bytes < 0) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
        }
        Allocation allocation = areas.allocate(Objects.requireNonNull(name, "name"), bytes);
        return new DeviceBuffer(this, areas.slice(allocation), allocation, null);
    }

    /**
     * One multimem address for these buffers; see {@link MulticastBuffer}. Error messages call it "multicast of" the buffers. It takes no memory
     * of the device, and is of no use any more once one of the buffers is closed.
     *
     * @param replicas buffers or variables of modules of this device, all of one size, whose addresses are multiples of 16
     * @throws IllegalArgumentException if there is none, one stands there twice, or they are not so
     */
    public MulticastBuffer multicast(DeviceBuffer... replicas) {
        return multicast(Stream.of(replicas).map(DeviceBuffer::name).collect(Collectors.joining(", ", "multicast of ", "")), replicas);
    }

    /** As {@link #multicast(DeviceBuffer...)}; error messages call it {@code name}. */
    public MulticastBuffer multicast(String name, DeviceBuffer... replicas) {
        checkOpen();
        Objects.requireNonNull(name, "name");
        List<DeviceBuffer> all = List.of(replicas);
        return new MulticastBuffer(this, multicasts.add(name, this, all), all);
    }

    /** The multicast objects that a launch which begins now may use. */
    MatrixSums matrixSums() {
        return matrixSums;
    }

    Approximations approximations() {
        return approximations;
    }

    Multicasts multicasts() {
        return multicasts.current();
    }

    /** Gives up the address of an object as soon as no launch that may know it is under way. */
    void release(Multicast object) {
        launches.afterLaunches(() -> multicasts.forget(object::equals));
    }

    /** An image whose texels are all zero. {@code channels} is 1, 2 or 4. */
    public Image image(ImageLayout layout, ChannelType type, int channels) {
        return Image.allocate(this, layout, type, channels);
    }

    /** An image whose texels lie in {@code memory}, rows of level 0 {@code pitch} bytes apart. */
    public Image image(ImageLayout layout, ChannelType type, int channels, DeviceBuffer memory, int pitch) {
        if (memory.device() != this) {
            throw new IllegalArgumentException("buffer " + memory.name() + " belongs to another device");
        }
        return Image.over(memory, layout, type, channels, pitch);
    }

    /** A sampler for PTX that names samplers apart from textures. */
    public SamplerObject sampler(Sampler sampler) {
        DeviceBuffer descriptor = allocate("sampler", ImageDescriptor.BYTES);
        descriptor.segment().set(Descriptors.LONG, ImageDescriptor.KIND, ImageDescriptor.SAMPLER);
        Descriptors.write(descriptor.segment(), sampler);
        return new SamplerObject(sampler, descriptor);
    }

    /** Memory for that many elements of two bytes, all zero: 16-bit integers, f16 or bf16. */
    public DeviceBuffer allocateShorts(long count) {
        return allocate(bytes(count, 2));
    }

    /** Memory for that many elements of four bytes, all zero. */
    public DeviceBuffer allocateInts(long count) {
        return allocate(bytes(count, 4));
    }

    /** Memory for that many elements of eight bytes, all zero. */
    public DeviceBuffer allocateLongs(long count) {
        return allocate(bytes(count, 8));
    }

    /** Memory for that many elements of four bytes, all zero. */
    public DeviceBuffer allocateFloats(long count) {
        return allocate(bytes(count, 4));
    }

    /** Memory for that many elements of eight bytes, all zero. */
    public DeviceBuffer allocateDoubles(long count) {
        return allocate(bytes(count, 8));
    }

    /** So many bytes that no device has them where a long cannot count them. */
    private static long bytes(long count, int size) {
        if (count < 0) {
            throw new IllegalArgumentException("a buffer of " + count + " elements");
        }
        return count > Long.MAX_VALUE / size ? Long.MAX_VALUE : count * size;
    }

    /** A new buffer with these elements. */
    public DeviceBuffer copyOf(byte... values) {
        return allocate(values.length).copyFrom(values);
    }

    /** A new buffer with these elements. */
    public DeviceBuffer copyOf(short... values) {
        return allocate(values.length * 2L).copyFrom(values);
    }

    /** A new buffer with these elements. */
    public DeviceBuffer copyOf(int... values) {
        return allocate(values.length * 4L).copyFrom(values);
    }

    /** A new buffer with these elements. */
    public DeviceBuffer copyOf(long... values) {
        return allocate(values.length * 8L).copyFrom(values);
    }

    /** A new buffer with these elements. */
    public DeviceBuffer copyOf(float... values) {
        return allocate(values.length * 4L).copyFrom(values);
    }

    /** A new buffer with these elements. */
    public DeviceBuffer copyOf(double... values) {
        return allocate(values.length * 8L).copyFrom(values);
    }

    /**
     * Loads PTX text; errors call it {@code name}.
     *
     * @throws CompilationException if the text is not valid PTX, or needs variables that it does not define
     * @throws LimitException if it is larger, or takes longer to check, than the device allows
     * @throws OutOfDeviceMemoryException if there is no room for its variables
     */
    public PtxModule load(String name, String text) {
        return load(new SourceFile(name, text));
    }

    /**
     * Loads a PTX file.
     *
     * @throws java.io.UncheckedIOException if it cannot be read
     * @throws CompilationException as {@link #load(String, String)}
     * @throws OutOfDeviceMemoryException as {@link #load(String, String)}
     */
    public PtxModule load(Path file) {
        return load(reading.read(file));
    }

    /** Loads PTX text; errors as {@link #load(String, String)}. */
    public PtxModule load(SourceFile source) {
        checkOpen();
        return load(reading.check(source));
    }

    /**
     * Links PTX files to one module and loads it: what one declares {@code .extern} another one defines {@code .visible},
     * {@code .weak} or {@code .common}; names without such a word stay private to their file.
     *
     * @throws java.io.UncheckedIOException if one cannot be read
     * @throws CompilationException if a text is not valid PTX, or a name is defined nowhere, twice, or declared differently
     * @throws OutOfDeviceMemoryException if there is no room for the variables
     */
    public PtxModule link(Path first, Path... more) {
        return link(Stream.concat(Stream.of(first), Stream.of(more)).map(reading::read).toList());
    }

    /**
     * Links PTX texts to one module and loads it; errors as {@link #link(Path, Path...)}.
     *
     * @throws IllegalArgumentException if there is no text
     */
    public PtxModule link(List<SourceFile> sources) {
        checkOpen();
        return load(reading.link(sources));
    }

    /**
     * Loads a checked program.
     *
     * @throws CompilationException if it needs variables that it does not define
     * @throws OutOfDeviceMemoryException if there is no room for its variables
     */
    public PtxModule load(Module module) {
        checkOpen();
        reading.checkInstructions(module);
        return new PtxModule(this, module);
    }

    LimitException tooLong(String what, CompileTime.Exceeded late) {
        return reading.tooLong(what, late);
    }

    /** A new order for launches. */
    public io.ptx4j.runtime.Stream stream() {
        checkOpen();
        return new io.ptx4j.runtime.Stream(this);
    }

    public Engine engine() {
        return engine;
    }

    /** Threads that run blocks, apart from those that call {@code launch()}. */
    public int workers() {
        return workers;
    }

    /** Address space for buffers in bytes. */
    public long memoryBytes() {
        return areas.capacity();
    }

    /** How many of them are in use; each allocation counts as a multiple of 256. */
    public long allocatedBytes() {
        return areas.used();
    }

    /** The functions that a module may call without defining them; takes the heap where it calls {@code malloc}. */
    Map<String, DeviceFunction> functionsFor(Module module) {
        if (module.functions().containsKey("malloc") && module.functions().get("malloc").body() == null) {
            areas.heap().reserve();
        }
        return functions;
    }

    /** What kernels of the device are watched for. */
    public Set<Check> checks() {
        return watching.checks();
    }

    /** Findings of a launch that are told; with one the launch ends there. */
    int mostFindings() {
        return watching.mostFindings();
    }

    Set<Integer> benignLines() {
        return watching.benignLines();
    }

    /** Notes that the host has written bytes of device memory. */
    void written(long offset, long bytes) {
        watching.written(offset, bytes);
    }

    /** As {@link Watching#disown}. */
    void disown(Allocation area) {
        watching.disown(area);
    }

    /** Has a launch watched for what the device is to watch for. */
    void watch(Grid grid) {
        watching.watch(grid, this, areas.inUse());
    }

    /** Where generated code is kept; null for nowhere. */
    CodeCache codeCache() {
        return codeCache;
    }

    int stackBytes() {
        return stackBytes;
    }

    long outputBytes() {
        return outputBytes;
    }

    ProgramLimits programLimits() {
        return programLimits;
    }

    int sharedLimit() {
        return sharedLimit;
    }

    /** What a kernel prints. */
    void print(String text) {
        output.print(text);
        output.flush();
    }

    Duration timeout() {
        return timeout;
    }

    LaunchLog launches() {
        return launches;
    }

    Windows windows() {
        return windows;
    }

    WorkerThreads threads() {
        return threads;
    }

    AwakeWorkers awake() {
        return threads.awake();
    }

    MemoryAreas areas() {
        return areas;
    }

    /** Frees an allocation as soon as no launch that may know its address is under way. */
    void release(Allocation allocation) {
        launches.afterLaunches(() -> {
            if (!closed) {
                areas.ifMapped(() -> releaseNow(allocation));
            }
        });
    }

    void releaseNow(Allocation allocation) {
        multicasts.forget(allocation);
        areas.release(allocation);
    }

    /** The allocation nearest to a generic address; none for an address that no device memory has. */
    Optional<KernelException.Nearest> nearest(long address) {
        if (address >= AddressSpace.MULTICAST) {
            return multicasts.current().nearest(address).map(found ->
                    new KernelException.Nearest(found.name(), found.address(), found.bytes(), address - found.address(), false));
        }
        return areas.nearest(address - AddressSpace.ORIGIN);
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the device is closed");
        }
    }

    /**
     * Stops what is running, waits for its end, and gives memory and threads back. Everything of the device is closed with it.
     * Closing twice does nothing.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        launches.shut().forEach(run -> run.stop(LaunchStoppedException.Reason.DEVICE_CLOSED));
        launches.awaitEnd(SECONDS_TO_STOP);
        threads.close();
        // Generated code does not ask whether its memory is still mapped.
        launches.afterLaunches(areas::close);
    }
}
