package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.jvm.OtherJvm;
import io.ptx4j.programs.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HotSpot's first compiler must take every method of the vector shape, or it may never leave the interpreter. A JVM that has this compiler alone,
 * and compiles at once what has run a few times, tells which ones it gives up: a few examples in each build, all cases in the long run
 * ({@code -Dptx4j.part=K/N} for a part of them).
 */
@Tag("thorough")
final class FirstCompilerTest {
    static final String FILE = "first compiler: ";
    private static final List<String> SHORT = List.of("reduction", "nbody", "saxpy", "stencil", "histogram", "matmul");
    private static final int TIMES = 45;

    /**
     * Methods of which it is known that this compiler gives them up. {@code mandelbrot} in blocks of 16 by 4 is one region of 3,800 bytecodes with 725
     * inlined methods; regions of matrix multiplication with as many bytecodes and more methods are taken, and would be slower in pieces.
     */
    private static final List<String> EXCUSED = List.of("mandelbrot_16x4x1v::region0 ");

    @Test
    void theFirstCompilerTakesAllMethods(@TempDir Path folder) throws IOException, InterruptedException {
        List<String> files = new ArrayList<>(files());
        files.add(sorts(folder).toString());
        List<String> command = OtherJvm.command(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=3", "-XX:Tier3InvocationThreshold=40",
                "-XX:Tier3MinInvocationThreshold=10", "-XX:Tier3CompileThreshold=60", "-Xbatch", "-XX:+PrintCompilation"));
        command.addAll(List.of(FirstCompilerRuns.class.getName(), String.valueOf(TIMES)));
        command.addAll(files);
        Process process = OtherJvm.start(command);
        String output = OtherJvm.output(process);
        assertEquals(0, process.exitValue(), () -> String.join(" ", command) + "\n" + output.substring(Math.max(0, output.length() - 3000)));
        Set<String> refused = new TreeSet<>();
        int compiled = 0;
        String file = "";
        for (String line : output.split("\\R")) {
            if (line.startsWith(FILE)) {
                file = line.substring(FILE.length());
            } else if (line.contains("ptx4j.kernels.")) {
                compiled++;
                if (line.contains("COMPILE SKIPPED") && EXCUSED.stream().noneMatch(line::contains)) {
                    refused.add(file + ": " + line.substring(line.indexOf("ptx4j.kernels.")));
                }
            }
        }
        assertTrue(output.contains(FILE + "\n"), "ended early");
        assertTrue(compiled > 3 * files.size(), compiled + " methods of kernels compiled, too few to say anything");
        assertTrue(refused.isEmpty(), () -> String.join("\n", refused));
    }

    /** CUB's sorts: many registers live from barrier to barrier, and regions are cut into pieces. */
    private static Path sorts(Path folder) throws IOException {
        String launches = Stream.of("radix_sort", "merge_sort").map(kernel -> """
                // launch: KERNEL grid=2 block=128
                // arg: of_KERNEL: buffer u32[2048] = random 7
                // arg: by_KERNEL: buffer u32[2048] = zero
                """.replace("KERNEL", kernel)).collect(Collectors.joining());
        return Files.writeString(folder.resolve("blocks.ptx"), launches + Texts.of("blocks.sm_80"));
    }

    private static List<String> files() throws IOException {
        List<String> files = new ArrayList<>();
        for (Path folder : List.of(Path.of("../examples"), Path.of("src/test/resources/cases"))) {
            try (Stream<Path> found = Files.walk(folder)) {
                found.map(Path::toString).filter(f -> f.endsWith(".ptx")).sorted().forEach(files::add);
            }
        }
        if (!Boolean.getBoolean("ptx4j.long")) {
            return files.stream().filter(f -> f.endsWith("many_values.ptx") || f.endsWith("sorting_network.ptx") || SHORT.stream().anyMatch(s -> f.endsWith(s + ".sm_75.ptx"))).toList();
        }
        String[] part = System.getProperty("ptx4j.part", "1/1").split("/");
        int of = Integer.parseInt(part[1]);
        List<String> some = new ArrayList<>();
        for (int k = Integer.parseInt(part[0]) - 1; k < files.size(); k += of) {
            some.add(files.get(k));
        }
        return some;
    }
}
