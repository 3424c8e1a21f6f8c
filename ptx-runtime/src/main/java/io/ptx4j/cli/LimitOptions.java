package io.ptx4j.cli;

import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.Limits;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** What a program may take of the host, as options. */
final class LimitOptions {
    @Option(names = "--untrusted", description = "Limits for kernels from strangers (Limits.UNTRUSTED); the options below change single ones.")
    private boolean untrusted;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "Stops a launch that runs longer.")
    private Double timeout;

    @Option(names = "--max-memory", paramLabel = "BYTES", description = "Device memory.")
    private Long memory;

    @Option(names = "--max-shared", paramLabel = "BYTES", description = "Shared memory of a block.")
    private Integer shared;

    @Option(names = "--max-stack", paramLabel = "BYTES", description = "Stack of a thread.")
    private Integer stack;

    @Option(names = "--max-heap", paramLabel = "BYTES", description = "Heap of malloc.")
    private Long heap;

    @Option(names = "--max-output", paramLabel = "BYTES", description = "Text that the kernels of a launch print.")
    private Long output;

    @Option(names = "--max-instructions", paramLabel = "N", description = "Instructions that a thread runs; counting them costs time.")
    private Long instructions;

    @Option(names = "--max-text", paramLabel = "BYTES", description = "PTX text.")
    private Long text;

    @Option(names = "--max-module", paramLabel = "N", description = "Instructions of all kernels and functions together.")
    private Long module;

    @Option(names = "--max-code", paramLabel = "BYTES", description = "Class file that a kernel is compiled to.")
    private Long code;

    @Option(names = "--max-compile", paramLabel = "SECONDS", description = "Time to check the program, and to compile a kernel.")
    private Double compile;

    /** @throws IllegalArgumentException if a limit makes no sense */
    void apply(Device.Builder builder) {
        if (untrusted) {
            builder.limits(Limits.UNTRUSTED);
        }
        set(seconds("--timeout", timeout), builder::timeout);
        set(memory, builder::memory);
        set(shared, builder::sharedLimit);
        set(stack, builder::stackBytes);
        set(heap, builder::heapBytes);
        set(output, builder::outputBytes);
        set(instructions, builder::instructions);
        set(text, builder::textCharacters);
        set(module, builder::moduleInstructions);
        set(code, builder::codeBytes);
        set(seconds("--max-compile", compile), builder::compiling);
    }

    private static <T> void set(T limit, Function<T, Device.Builder> setter) {
        if (limit != null) {
            setter.apply(limit);
        }
    }

    private static Duration seconds(String option, Double seconds) {
        if (seconds != null && !(seconds > 0)) {
            throw new IllegalArgumentException(option + " must be more than 0");
        }
        return seconds == null ? null : Duration.ofNanos((long) (seconds * 1e9));
    }
}
