package io.ptx4j.runtime;

import java.time.Duration;

/**
 * What modules and kernels may take at most of a device, and so of its host. {@link Device.Builder#limits} sets all of them at once;
 * each has a method of its own in {@link Device.Builder}, and the last word counts.
 *
 * @param memory address space for buffers in bytes, as {@link Device.Builder#memory}
 * @param shared shared memory of a block in bytes: more is a {@link LaunchException}
 * @param stack of each thread in bytes: more is a {@link KernelException}
 * @param heap of {@code malloc} in bytes: {@code malloc} gives null beyond it
 * @param outputBytes that the kernels of one launch may print, in UTF-8: more is a {@link KernelException}
 * @param instructions that each thread of a launch may run: more is a {@link KernelException}. See {@link Device.Builder#instructions}
 * @param textCharacters of the PTX text of a module (bytes of a file): more is a {@link LimitException}
 * @param moduleInstructions of all kernels and functions of a module together: more is a {@link LimitException}
 * @param codeBytes of the class file that the JIT makes of a kernel for a block shape: more is a {@link LimitException}
 * @param compiling how long one module may be read and checked, and one kernel compiled: more is a {@link LimitException}; null for any time
 * @param running how long a launch may run: more is a {@link LaunchStoppedException}; null for any time
 */
public record Limits(
        long memory, int shared, int stack, long heap, long outputBytes, long instructions, long textCharacters, long moduleInstructions,
        long codeBytes, Duration compiling, Duration running) {
    private static final long ANY = Long.MAX_VALUE;

    /** What a device has unless told otherwise: as much memory as {@link Device.Builder#memory} says, and no limit on what is not memory. */
    public static final Limits NONE = new Limits(Device.Builder.ANY_MEMORY, Device.SHARED_LIMIT, io.ptx4j.engine.Program.DEFAULT_STACK,
            Device.Builder.ANY_MEMORY, ANY, ANY, ANY, ANY, ANY, null, null);

    /**
     * For kernels from strangers: 1 GiB of memory, a heap of 1 MiB, 1 MiB of printed text, modules of 4 Mi characters and 100,000
     * instructions, 16 MiB of code, 20 s to compile and 10 s to run; shared memory and stack as always. Instructions are not counted, since
     * time is limited and counting costs some.
     */
    public static final Limits UNTRUSTED = new Limits(1L << 30, Device.SHARED_LIMIT, io.ptx4j.engine.Program.DEFAULT_STACK, 1L << 20, 1L << 20,
            ANY, 4L << 20, 100_000, 16L << 20, Duration.ofSeconds(20), Duration.ofSeconds(10));
}
