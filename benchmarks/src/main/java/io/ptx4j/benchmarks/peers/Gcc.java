package io.ptx4j.benchmarks.peers;

import io.ptx4j.benchmarks.workloads.Data;
import io.ptx4j.benchmarks.workloads.Step;
import io.ptx4j.benchmarks.workloads.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The kernels in C ({@code peers/kernels.c}), compiled by the machine's gcc and called in this process. Products and sums are not
 * contracted, so that results have the kernels' bits.
 */
final class Gcc {
    static final List<String> COMMAND = List.of("gcc", "-O3", "-march=native", "-fopenmp", "-ffp-contract=off", "-shared", "-fPIC");

    private final SymbolLookup functions;
    private final String absent;

    Gcc() {
        SymbolLookup found = _ -> Optional.empty();
        String reason = null;
        try {
            // OpenMP's threads outlive the last call: the library must stay.
            found = SymbolLookup.libraryLookup(compile(), Arena.global());
        } catch (IOException | IllegalArgumentException e) {
            reason = e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reason = "interrupted";
        }
        functions = found;
        absent = reason;
    }

    private static Path compile() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("ptx4j-peers");
        Path source = folder.resolve("kernels.c");
        Path library = folder.resolve("kernels.so");
        folder.toFile().deleteOnExit();
        source.toFile().deleteOnExit();
        library.toFile().deleteOnExit();
        try (InputStream text = Gcc.class.getResourceAsStream("/peers/kernels.c")) {
            Files.copy(text, source);
        }
        List<String> command = new ArrayList<>(COMMAND);
        command.addAll(List.of("-o", library.toString(), source.toString(), "-lm"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("gcc failed: " + output);
        }
        return library;
    }

    /** Plain loops, or with prefix {@code avx512_} those written with intrinsics. */
    Contender.Team team(String name, String prefix) {
        return new Contender.Team() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Optional<String> absent() {
                return Optional.ofNullable(absent);
            }

            @Override
            public Optional<Contender> enter(Workload workload) {
                boolean written = workload.steps().stream().allMatch(step -> functions.find(prefix + step.kernel()).isPresent());
                return written ? Optional.of(new Loops(workload, prefix)) : Optional.empty();
            }
        };
    }

    private final class Loops implements Contender {
        private final Workload workload;
        private final Arena data = Arena.ofShared();
        private final Native memory = new Native(data);
        private final List<MethodHandle> calls = new ArrayList<>();

        Loops(Workload workload, String prefix) {
            this.workload = workload;
            for (Step step : workload.steps()) {
                List<Object> values = new ArrayList<>(List.of(step.grid().x(), step.grid().y(), step.block().x(), step.block().y()));
                List<MemoryLayout> types = new ArrayList<>();
                for (Object argument : step.arguments()) {
                    values.add(argument instanceof Data array ? memory.of(array) : argument);
                }
                for (Object value : values) {
                    types.add(value instanceof MemorySegment ? ValueLayout.ADDRESS : Native.layout(value));
                }
                MemorySegment function = functions.find(prefix + step.kernel()).orElseThrow();
                MethodHandle call = Linker.nativeLinker()
                    .downcallHandle(function, FunctionDescriptor.ofVoid(types.toArray(MemoryLayout[]::new)));
                calls.add(MethodHandles.insertArguments(call, 0, values.toArray()));
            }
        }

        @Override
        public void run() {
            try {
                for (int time = 0; time < workload.times(); time++) {
                    for (MethodHandle call : calls) {
                        call.invokeExact();
                    }
                }
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Object result() {
            return memory.result(workload);
        }

        @Override
        public void close() {
            data.close();
        }
    }
}
