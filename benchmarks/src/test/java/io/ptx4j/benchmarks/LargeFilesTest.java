package io.ptx4j.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.syntax.SourceFile;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.antlr.v4.runtime.Parser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work and memory grow with the file, not with its square. */
@Tag("thorough")
final class LargeFilesTest {
    private static final int FEW = 2_000;
    private static final int TIMES = 8;
    private static final String HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n";

    /** What a file may have much of. */
    enum Much {
        INSTRUCTIONS(n -> kernel("k", ".reg .b32 %r<8>;", lines(n, i -> "mad.lo.s32 %r1, %r2, %r3, " + i + ";"))),
        REGISTERS(n -> kernel("k", ".reg .b32 %r<" + n + ">;", lines(n, i -> "add.s32 %r" + i + ", %r" + (n - 1 - i) + ", 1;"))),
        DECLARATIONS(n -> kernel("k", "", lines(n, i -> ".reg .b32 a" + i + "; mov.b32 a" + i + ", 1;"))),
        BRANCHES(n -> kernel("k", ".reg .pred p;", lines(n, i -> "L" + i + ": @p bra L" + (i + 1) + ";") + "L" + n + ":")),
        SCOPES(n -> kernel("k", "", lines(n, i -> "{ .reg .b32 a; mov.b32 a, 1; }"))),
        KERNELS(n -> lines(n, i -> kernel("k" + i, "", "exit;"))),
        VARIABLES(n -> lines(n, i -> ".global .u32 v" + i + " = " + i + ";")),
        CALLS(n -> ".func f() { ret; }\n" + kernel("k", "", lines(n, i -> "call f;"))),
        FUNCTIONS(n -> ".func f0() { ret; }\n" + lines(n, i -> ".func f" + (i + 1) + "() { call f" + i + "; ret; }")),
        INITIAL_VALUES(n -> ".global .u32 t[" + n + "] = {" + IntStream.range(0, n).mapToObj(String::valueOf).collect(Collectors.joining(",")) + "};");

        private final IntFunction<String> text;

        Much(IntFunction<String> text) {
            this.text = text;
        }
    }

    private static String lines(int count, IntFunction<String> line) {
        return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n"));
    }

    private static String kernel(String name, String declarations, String body) {
        return ".visible .entry " + name + "() {\n" + declarations + "\n" + body + "\nret;\n}\n";
    }

    /** Bytes allocated: work that is the same in each run, however busy the machine is. */
    private static long work(Much much, int count) {
        SourceFile source = new SourceFile("large.ptx", HEAD + much.text.apply(count));
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        CheckedModule checked = Checker.check(source);
        long after = thread.getCurrentThreadAllocatedBytes();
        assertEquals(List.of(), checked.diagnostics());
        return after - before;
    }

    @ParameterizedTest
    @EnumSource
    void workGrowsWithTheFile(Much much) {
        work(much, FEW);
        double growth = (double) work(much, FEW * TIMES) / work(much, FEW);
        assertTrue(growth < 1.4 * TIMES, () -> TIMES + " times as much text is " + growth + " times as much work");
    }

    /** Checked in a JVM of its own, since the heap of this one is larger. */
    @Test
    @EnabledIfSystemProperty(named = "ptx4j.long", matches = "true")
    void aMillionInstructionsFitIntoAGibibyte() throws IOException, InterruptedException {
        String path = Stream.of(Checker.class, FrontEndBenchmark.class, LargeFilesTest.class, Parser.class).map(LargeFilesTest::place)
                .distinct().collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-cp", path,
                Million.class.getName()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(5, TimeUnit.MINUTES), "still running");
        assertEquals("1000 kernels", said.strip());
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What the other JVM runs. */
    static final class Million {
        private Million() {
        }

        public static void main(String[] arguments) {
            var benchmark = new FrontEndBenchmark();
            benchmark.instructions = 1_000_000;
            benchmark.write();
            System.out.println(benchmark.cold().module().kernels().size() + " kernels");
        }
    }
}
