package io.ptx4j.agreement.folded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Test;

/** What ptxas computed of constants ({@link FoldSet}), on every engine: ptxas knows the bits that the hardware gives. */
final class FoldedTest {
    private static final Path RECORDED = Path.of("src/test/resources/folded/ptxas-13.0.gz");
    private static final int INSTRUCTIONS = 40;
    private static final int UNITS = 4;

    /** Instructions with sources and results, tuple by tuple. */
    private record Folded(Instructions instructions, List<long[]> sources, List<long[]> results) {
    }

    private static List<Folded> recorded() throws IOException {
        List<Folded> all = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(RECORDED)), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(": ")) {
                    all.add(new Folded(Instructions.parsed(line.substring(2)), new ArrayList<>(), new ArrayList<>()));
                } else if (!line.startsWith("#")) {
                    String[] sides = line.split("=");
                    all.getLast().sources().add(numbers(sides[0]));
                    all.getLast().results().add(numbers(sides[1]));
                }
            }
        }
        return all;
    }

    private static long[] numbers(String words) {
        return Arrays.stream(words.trim().split(" ")).mapToLong(word -> Long.parseUnsignedLong(word, 16)).toArray();
    }

    @Test
    void enginesGiveWhatPtxasComputes() throws IOException {
        List<Folded> all = recorded();
        List<String> differences = new ArrayList<>();
        long results = 0;
        try (Device interpreter = device(new Interpreter()); Device scalar = device(new Jit(Jit.Shape.SCALAR));
                Device vector = device(new Jit(Jit.Shape.VECTOR))) {
            for (int from = 0; from < all.size(); from += INSTRUCTIONS) {
                List<Folded> some = all.subList(from, Math.min(all.size(), from + INSTRUCTIONS));
                int threads = some.stream().mapToInt(one -> one.sources().size()).max().orElseThrow();
                CheckedModule checked = Checker.check(new SourceFile("folded.ptx", kernel(some)));
                assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + kernel(some));
                results += compare(some, run(interpreter, checked.module(), some, threads), "the interpreter", differences);
                compare(some, run(scalar, checked.module(), some, threads), "the scalar shape", differences);
                compare(some, run(vector, checked.module(), some, threads), "the vector shape", differences);
            }
        }
        assertEquals("", String.join("\n", differences), () -> differences.size() + " differences");
        assertTrue(results > 30_000, results + " results");
    }

    private static int sources(List<Folded> some) {
        return some.stream().mapToInt(one -> one.instructions().sources().size()).sum();
    }

    private static int results(List<Folded> some) {
        return some.stream().mapToInt(one -> one.instructions().results().size()).sum();
    }

    private static String kernel(List<Folded> some) {
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry folded(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %%t; .reg .b64 %%in, %%out, %%a;
                ld.param.u64 %%in, [sources]; ld.param.u64 %%out, [results];
                mov.u32 %%t, %%tid.x;
                mul.wide.u32 %%a, %%t, %d; add.u64 %%in, %%in, %%a;
                mul.wide.u32 %%a, %%t, %d; add.u64 %%out, %%out, %%a;
                """.formatted(8 * sources(some), 8 * results(some)));
        int source = 0;
        int result = 0;
        for (int i = 0; i < some.size(); i++) {
            Instructions one = some.get(i).instructions();
            text.append(one.ofLoaded("i" + i, 8 * source, 8 * result));
            source += one.sources().size();
            result += one.results().size();
        }
        return text.append("exit;\n}\n").toString();
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).workers(1).memory(64 << 20).open();
    }

    private static long[] run(Device device, Module module, List<Folded> some, int threads) {
        long[] sources = new long[threads * sources(some)];
        int place = 0;
        for (int t = 0; t < threads; t++) {
            for (Folded one : some) {
                long[] tuple = one.sources().get(t % one.sources().size());
                System.arraycopy(tuple, 0, sources, place, tuple.length);
                place += tuple.length;
            }
        }
        try (PtxModule loaded = device.load(module); DeviceBuffer in = device.copyOf(sources);
                DeviceBuffer out = device.allocateLongs((long) threads * results(some))) {
            loaded.kernel("folded").grid(1).block(threads).launch(in, out);
            return out.toLongs();
        }
    }

    /** Approximations may differ: by as much as the manual allows each of them, in all at most {@link #UNITS} in the last place. */
    private static boolean agree(Folded one, int tuple, long found, long computed) {
        String text = one.instructions().text();
        if (found == computed || !text.contains(".approx") && !text.contains(".full")) {
            return found == computed;
        }
        float a = Float.intBitsToFloat((int) found);
        float b = Float.intBitsToFloat((int) computed);
        if (text.startsWith("sin") || text.startsWith("cos")) {
            // The manual bounds no errors beyond 100 pi.
            return Math.abs(Float.intBitsToFloat((int) one.sources().get(tuple)[0])) > 314 || Math.abs(a - b) <= 0x1p-14;
        }
        return Math.abs(a - b) <= (text.startsWith("lg2") ? Math.max(UNITS * Math.ulp(a), 0x1p-21) : UNITS * Math.ulp(a));
    }

    private static int compare(List<Folded> some, long[] found, String engine, List<String> differences) {
        int compared = 0;
        int first = 0;
        for (Folded one : some) {
            for (int t = 0; t < one.results().size(); t++) {
                for (int k = 0; k < one.results().get(t).length; k++) {
                    long result = found[t * results(some) + first + k];
                    compared++;
                    if (!agree(one, t, result, one.results().get(t)[k])) {
                        differences.add("%s of %s gives %x on %s, ptxas computes %x".formatted(one.instructions().text(),
                                LongStream.of(one.sources().get(t)).mapToObj(Long::toHexString).toList(), result, engine, one.results().get(t)[k]));
                    }
                }
            }
            first += one.instructions().results().size();
        }
        return compared;
    }
}
