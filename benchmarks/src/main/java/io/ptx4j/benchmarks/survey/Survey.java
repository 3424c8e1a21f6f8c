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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * CPU time per thread of kernels that nobody has tuned ({@code survey/survey.cu} and {@code survey/blocks.cu}): as a loop in C, by the machine's g++ on one
 * thread, and as PTX in each code shape on one worker. Arguments: names of kernels, {@code blocks} for those whose threads work together, none for all others. What results
 * differ in is reported.
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
        Map<SurveyKernel.Source, SymbolLookup> functions = new EnumMap<>(SurveyKernel.Source.class);
        System.out.printf("%-14s %10s", "ns a thread", "g++");
        for (String shape : SHAPES) {
            System.out.printf(" %17s", shape.toLowerCase());
        }
        System.out.println();
        List<String> wanted = List.of(names);
        for (SurveyKernel kernel : Stream.concat(SurveyKernel.ALL.stream(), SurveyKernel.BLOCKS.stream()).toList()) {
            boolean ofBlocks = kernel.source() == SurveyKernel.Source.BLOCKS;
            if (wanted.contains(kernel.name()) || (ofBlocks ? wanted.contains("blocks") : wanted.isEmpty())) {
                if (!functions.containsKey(kernel.source())) {
                    functions.put(kernel.source(), SymbolLookup.libraryLookup(compile(kernel.source()), Arena.global()));
                }
                compare(kernel, functions.get(kernel.source()));
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
            int[] ofFirst = null;
            for (String shape : SHAPES) {
                try (Device device = Device.builder().engine(new Jit(Jit.Shape.valueOf(shape))).workers(1).memory(1L << 24).open()) {
                    DeviceBuffer out = device.allocateInts(kernel.results());
                    Launch launch = device.load(kernel.name(), text(kernel.source().ptx)).kernel(kernel.name())
                            .grid((kernel.n() + BLOCK - 1) / BLOCK).block(BLOCK);
                    Object[] arguments = {kernel.n(), kernel.m(), device.copyOf(kernel.first()), device.copyOf(kernel.second()), out};
                    String made = launch.launch(arguments).shape();
                    double nanos = measure(() -> launch.launch(arguments), WARM_UP) / kernel.n();
                    boolean inVectors = launch.launch(arguments).shape().equals("vector");
                    System.out.printf(" %10.3f (%4.2f)", nanos, nanos / c);
                    if (inVectors != shape.equals("VECTOR")) {
                        System.out.print(inVectors ? " vector" : made.equals("vector") ? " went back" : " scalar");
                    }
                    int[] found = out.toInts();
                    ofFirst = ofFirst == null ? found : ofFirst;
                    int other = Arrays.mismatch(found, ofFirst);
                    OptionalInt difference = other >= 0 ? OptionalInt.of(other)
                            : IntStream.range(0, found.length).filter(i -> !kernel.source().agree(found[i], expected[i])).findFirst();
                    System.out.print(difference.isEmpty() ? "" : " DIFFERS at " + difference.getAsInt());
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

    private static Path compile(SurveyKernel.Source kernels) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("ptx4j-survey");
        Path source = Files.writeString(folder.resolve("kernels.cu"), text(kernels.text));
        Path library = folder.resolve("kernels.so");
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
