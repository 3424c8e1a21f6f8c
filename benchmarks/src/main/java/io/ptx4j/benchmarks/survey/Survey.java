package io.ptx4j.benchmarks.survey;

import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * CPU time per thread of kernels that nobody has tuned ({@code survey/survey.cu}): the same source as a loop in C, by the machine's g++ on one
 * thread, and as PTX in each code shape on one worker. Arguments: names of kernels, none for all. What results differ in is reported.
 */
public final class Survey {
    private static final List<String> COMMAND = List.of("g++", "-x", "c++", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC");
    private static final String[] SHAPES = System.getProperty("ptx4j.shapes", "SCALAR,VECTOR").split(",");
    private static final long WARM_UP = 1_000_000L * Integer.getInteger("ptx4j.warmup", 6_000);
    private static final long ROUND = 1_000_000L * Integer.getInteger("ptx4j.round", 50);
    private static final int ROUNDS = Integer.getInteger("ptx4j.rounds", 7);
    private static final int BLOCK = Integer.getInteger("ptx4j.block", 256);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Survey() {
    }

    public static void main(String[] names) throws IOException, InterruptedException {
        SymbolLookup functions = SymbolLookup.libraryLookup(compile(), Arena.global());
        System.out.printf("%-14s %10s", "ns a thread", "g++");
        for (String shape : SHAPES) {
            System.out.printf(" %17s", shape.toLowerCase());
        }
        System.out.println();
        for (SurveyKernel kernel : SurveyKernel.ALL) {
            if (names.length == 0 || Arrays.asList(names).contains(kernel.name())) {
                compare(kernel, functions);
            }
        }
    }

    private static void compare(SurveyKernel kernel, SymbolLookup functions) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment results = arena.allocate(4L * kernel.results(), 64);
            Runnable loop = loop(functions.findOrThrow(kernel.name()), kernel, arena, results);
            double c = measure(loop, WARM_UP / 20) / kernel.n();
            System.out.printf("%-14s %10.3f", kernel.name(), c);
            int[] expected = results.toArray(ValueLayout.JAVA_INT);
            for (String shape : SHAPES) {
                try (Device device = Device.builder().engine(new Jit(Jit.Shape.valueOf(shape))).workers(1).memory(1L << 24).open()) {
                    DeviceBuffer out = device.allocateInts(kernel.results());
                    Launch launch = device.load("survey.ptx", text("/survey/survey.sm_75.ptx")).kernel(kernel.name())
                            .grid((kernel.n() + BLOCK - 1) / BLOCK).block(BLOCK);
                    Object[] arguments = {kernel.n(), kernel.m(), device.copyOf(kernel.first()), device.copyOf(kernel.second()), out};
                    String made = launch.launch(arguments).shape();
                    double nanos = measure(() -> launch.launch(arguments), WARM_UP) / kernel.n();
                    boolean inVectors = launch.launch(arguments).shape().equals("vector");
                    System.out.printf(" %10.3f (%4.2f)", nanos, nanos / c);
                    if (inVectors != shape.equals("VECTOR")) {
                        System.out.print(inVectors ? " vector" : made.equals("vector") ? " went back" : " scalar");
                    }
                    int difference = Arrays.mismatch(out.toInts(), expected);
                    System.out.print(difference < 0 ? "" : " DIFFERS at " + difference);
                }
            }
            System.out.println();
        }
    }

    private static Runnable loop(MemorySegment function, SurveyKernel kernel, Arena arena, MemorySegment results) {
        MethodHandle call = Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        MemorySegment a = copy(arena, kernel.first());
        MemorySegment b = copy(arena, kernel.second());
        return () -> {
            try {
                call.invokeExact(kernel.n(), kernel.m(), a, b, results);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static MemorySegment copy(Arena arena, int[] words) {
        return arena.allocate(4L * words.length, 64).copyFrom(MemorySegment.ofArray(words));
    }

    /** Nanoseconds of CPU time a run, of the fastest round. */
    private static double measure(Runnable run, long warmUp) {
        for (long start = System.nanoTime(); System.nanoTime() - start < warmUp;) {
            run.run();
        }
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            long end;
            int runs = 0;
            do {
                run.run();
                runs++;
                end = THREADS.getCurrentThreadCpuTime();
            } while (end - start < ROUND);
            best = Math.min(best, (double) (end - start) / runs);
        }
        return best;
    }

    private static Path compile() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("ptx4j-survey");
        Path source = Files.writeString(folder.resolve("survey.cu"), text("/survey/survey.cu"));
        Path library = folder.resolve("survey.so");
        folder.toFile().deleteOnExit();
        source.toFile().deleteOnExit();
        library.toFile().deleteOnExit();
        List<String> command = new ArrayList<>(COMMAND);
        command.addAll(List.of("-o", library.toString(), source.toString()));
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("g++ failed");
        }
        return library;
    }

    private static String text(String resource) {
        try (InputStream in = Survey.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
