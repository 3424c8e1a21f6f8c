package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import javax.management.JMException;
import javax.management.ObjectName;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * NaNs in code that HotSpot's second compiler has made: it may exchange the sources of a sum or product, keep either source's bits or fold
 * operations, and must not be seen to. Every triple of NaNs of several kinds, infinities, zeros and numbers, straight on and in loops, before
 * compiling and after it, held against the interpreter ({@code docs/numerics.md}, "NaN results").
 */
@Tag("thorough")
final class CompiledNansTest {
    private static final int ALL = 99;
    private static final int BLOCK = 128;
    private static final long PATIENCE_NANOSECONDS = 300_000_000_000L;
    /** C2's code for the middle of a loop, which is made first, is not what all calls come to; that for calls is made soon after. */
    private static final long LONGER_NANOSECONDS = 2_000_000_000L;
    /** A line of the code cache's list about code of C2 for a region: the compiler's level, then class and name. */
    private static final Pattern COMPILED_BY_C2 = Pattern.compile("(?m)^\\s*\\d+\\s+4\\s.*\\bptx4j\\.kernels\\.(\\w+)\\.region\\d");

    private static final long[] DOUBLES = {0x7ff8000000000123L, 0xfff8000000000456L, 0x7ff0000000000789L, 0xfff4000000000abcL, 0x7ff8000000000000L,
        0x7ff0000000000000L, 0xfff0000000000000L, 0, Long.MIN_VALUE, 0x3ff0000000000000L, 0xc008000000000000L, 0x0000000000000001L};
    private static final long[] FLOATS = {0x7fc00123, 0xffc00456L, 0x7f800789, 0xffa00abcL, 0x7fffffff, 0x7f800000, 0xff800000L, 0, 0x80000000L,
        0x3f800000, 0xc0400000L, 1};
    private static final long[] HALVES = {0x7e01_fe03L, 0xfe03_7e01L, 0x7c01_fd55L, 0xfcaa_7fffL, 0x7fff_7fffL, 0x7c00_fc00L, 0xfc00_7c00L, 0, 0x8000_0000L,
        0x3c00_bc00L, 0xc200_0001L, 0x7fc1_ffc3L};

    private static final List<String> OF_DOUBLES = List.of("add.f64 D, A, B", "mul.f64 D, B, A", "fma.rn.f64 D, A, B, C", "sub.f64 D, B, A",
            "add.f64 D, A, B; mul.f64 D, D, A; add.f64 D, B, D; mul.f64 D, D, D; sub.f64 D, D, A; mul.f64 D, A, D", "mul.f64 D, A, 0d3ff0000000000000",
            "add.f64 D, B, A", "mul.f64 D, A, B", "div.rn.f64 D, A, B", "sub.f64 D, A, B", "fma.rn.f64 D, C, A, B", "fma.rn.f64 D, B, C, A", "min.f64 D, A, B",
            "max.f64 D, B, A", "sqrt.rn.f64 D, A", "rcp.rn.f64 D, A", "neg.f64 D, A", "abs.f64 D, A", "add.rz.f64 D, A, B", "mul.rp.f64 D, A, B",
            "fma.rm.f64 D, A, B, C", "cvt.rn.f32.f64 %f, A; cvt.f64.f32 D, %f", "cvt.rni.f64.f64 D, A", "cvt.rn.f16.f64 %h, A; mov.b64 D, {%h, %h, %h, %h}");
    private static final List<String> OF_FLOATS = List.of("add.f32 D, A, B", "sub.f32 D, B, A", "mul.f32 D, A, B", "div.rn.f32 D, A, B", "fma.rn.f32 D, A, B, C",
            "fma.rn.f32 D, C, B, A", "min.f32 D, A, B", "max.NaN.f32 D, A, B", "sqrt.rn.f32 D, A", "rcp.rn.f32 D, A", "neg.f32 D, A", "abs.f32 D, A",
            "add.rz.f32 D, A, B", "add.rm.f32 D, A, B", "mul.rp.f32 D, A, B", "fma.rz.f32 D, A, B, C", "fma.rp.f32 D, A, B, C", "add.ftz.f32 D, A, B",
            "cvt.rni.f32.f32 D, A", "cvt.f64.f32 %g, A; cvt.rn.f32.f64 D, %g", "cvt.rn.f16.f32 %h, A; cvt.f32.f16 D, %h",
            "cvt.rn.bf16.f32 %h, A; cvt.f32.bf16 D, %h", "copysign.f32 D, A, B", "ex2.approx.ftz.f32 D, A", "mov.b32 D, A");
    private static final List<String> OF_HALVES = List.of("add.f16x2 D, A, B", "sub.f16x2 D, B, A", "mul.f16x2 D, A, B", "fma.rn.f16x2 D, A, B, C",
            "fma.rn.ftz.f16x2 D, A, B, C", "min.f16x2 D, A, B", "max.NaN.f16x2 D, A, B", "neg.f16x2 D, A", "abs.f16x2 D, A", "fma.rn.bf16x2 D, A, B, C",
            "fma.rn.relu.bf16x2 D, A, B, C", "add.bf16x2 D, A, B", "min.bf16x2 D, A, B", "mul.bf16x2 D, A, B",
            "mov.b32 {%h, %k}, A; cvt.f32.f16 %f, %h; mov.b32 D, %f", "mov.b32 {%h, %k}, A; cvt.f64.f16 %g, %k; cvt.rn.f16.f64 %h, %g; mov.b32 D, {%h, %k}",
            "mov.b32 {%h, %k}, A; cvt.f32.bf16 %f, %h; mov.b32 D, %f");

    static {
        // The tests run as part of the module io.ptx4j.runtime, which has no need of this one.
        CompiledNansTest.class.getModule().addReads(ModuleLayer.boot().findModule("java.management").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"f64, SCALAR, 14", "f64, VECTOR, 4", "f32, SCALAR, 12"})
    void nansAreTheInterpretersBeforeAndAfterCompiling(String type, Jit.Shape shape, int instructions) {
        check(type, shape, instructions);
    }

    /** All of them, which takes HotSpot a minute or more. */
    @ParameterizedTest
    @EnabledIfSystemProperty(named = "ptx4j.long", matches = "true")
    @CsvSource({"f64, SCALAR", "f64, VECTOR", "f32, SCALAR", "f32, VECTOR", "f16x2, SCALAR", "f16x2, VECTOR"})
    void nansOfAllInstructions(String type, Jit.Shape shape) {
        check(type, shape, ALL);
    }

    private static void check(String type, Jit.Shape shape, int count) {
        List<String> all = type.equals("f64") ? OF_DOUBLES : type.equals("f32") ? OF_FLOATS : OF_HALVES;
        List<String> instructions = all.subList(0, Math.min(count, all.size()));
        String name = "nans_" + count + "_" + type + "_" + shape.name().toLowerCase(Locale.ROOT);
        String text = text(type, name, instructions);
        CheckedModule checked = Checker.check(new SourceFile(name + ".ptx", text));
        assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + text);
        long[] sources = triples(type);
        long[] expected = run(Device.builder().engine(new Interpreter()).open(), checked.module(), name, instructions, sources, null);
        run(Device.builder().engine(new Jit(shape)).workers(1).open(), checked.module(), name, instructions, sources, expected);
    }

    private static long[] triples(String type) {
        long[] some = type.equals("f64") ? DOUBLES : type.equals("f32") ? FLOATS : HALVES;
        int all = some.length * some.length * some.length;
        long[] triples = new long[3 * (all + BLOCK - 1) / BLOCK * BLOCK + 3 * BLOCK];
        for (int i = 0; i < triples.length / 3; i++) {
            triples[3 * i] = some[i % some.length];
            triples[3 * i + 1] = some[i / some.length % some.length];
            triples[3 * i + 2] = some[i / some.length / some.length % some.length];
        }
        return triples;
    }

    /** Each instruction on the sources as they are; then twice in a loop, on its own result. */
    private static String text(String type, String name, List<String> instructions) {
        int width = type.equals("f64") ? 64 : 32;
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry %1$s(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %%t, %%n, %%i; .reg .b16 %%h, %%k; .reg .f32 %%f; .reg .f64 %%g; .reg .b64 %%p, %%q; .reg .pred %%x;
                .reg .b%2$d %%a, %%b, %%c, %%y, %%d<%3$d>;
                ld.param.u64 %%p, [sources]; ld.param.u64 %%q, [results];
                mov.u32 %%t, %%tid.x; mov.u32 %%n, %%ctaid.x; mad.lo.u32 %%t, %%n, %4$d, %%t;
                mad.wide.u32 %%p, %%t, 24, %%p; mad.wide.u32 %%q, %%t, %5$d, %%q;
                ld.global.b%2$d %%a, [%%p]; ld.global.b%2$d %%b, [%%p+8]; ld.global.b%2$d %%c, [%%p+16];
                """.formatted(name, width, instructions.size(), BLOCK, 16 * instructions.size()));
        for (int k = 0; k < instructions.size(); k++) {
            text.append(instructions.get(k).replace("D", "%y").replace("A", "%a").replace("B", "%b").replace("C", "%c"))
                    .append("; st.global.b%d [%%q+%d], %%y; mov.b%1$d %%d%d, %%a;\n".formatted(width, 16 * k, k));
        }
        text.append("mov.u32 %i, 0; LOOP:\n");
        for (int k = 0; k < instructions.size(); k++) {
            text.append(instructions.get(k).replace("D", "%d" + k).replace("A", "%d" + k).replace("B", "%b").replace("C", "%c")).append(";\n");
        }
        text.append("add.u32 %i, %i, 1; setp.lt.u32 %x, %i, 2; @%x bra LOOP;\n");
        for (int k = 0; k < instructions.size(); k++) {
            text.append("st.global.b%d [%%q+%d], %%d%d;\n".formatted(width, 16 * k + 8, k));
        }
        return text.append("exit;\n}\n").toString();
    }

    /** What one launch gives. With {@code expected}, which launches must give until a region is compiled, and again then. */
    private static long[] run(Device device, Module module, String name, List<String> instructions, long[] sources, long[] expected) {
        int threads = sources.length / 3;
        try (device; PtxModule loaded = device.load(module); DeviceBuffer in = device.copyOf(sources);
                DeviceBuffer out = device.allocateLongs(2L * threads * instructions.size())) {
            Launch launch = loaded.kernel(name).grid(threads / BLOCK).block(BLOCK);
            launch.launch(in, out);
            long[] found = out.toLongs();
            if (expected == null) {
                return found;
            }
            same(expected, found, instructions, sources, "before it was compiled");
            long end = System.nanoTime() + PATIENCE_NANOSECONDS;
            long compiled = Long.MAX_VALUE;
            while (compiled == Long.MAX_VALUE || System.nanoTime() - compiled < LONGER_NANOSECONDS) {
                if (compiled == Long.MAX_VALUE && compiled(name)) {
                    compiled = System.nanoTime();
                }
                assertTrue(System.nanoTime() < end, () -> name + " was not compiled in time");
                for (int i = 0; i < 40; i++) {
                    launch.launch(in, out);
                }
                same(expected, out.toLongs(), instructions, sources, "while it is compiled");
            }
            launch.launch(in, out);
            same(expected, out.toLongs(), instructions, sources, "compiled");
            return expected;
        }
    }

    private static void same(long[] expected, long[] found, List<String> instructions, long[] sources, String when) {
        int stride = 2 * instructions.size();
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != found[i]) {
                int thread = i / stride;
                assertArrayEquals(expected, found, "%s: %s%s of %x %x %x gives %x instead of %x".formatted(when, instructions.get(i % stride / 2),
                        i % 2 == 0 ? "" : " in a loop", sources[3 * thread], sources[3 * thread + 1], sources[3 * thread + 2], found[i], expected[i]));
            }
        }
    }

    /** Whether code of C2 for a region of the kernel is in the code cache. */
    private static boolean compiled(String name) {
        return COMPILED_BY_C2.matcher(codeCache()).results().anyMatch(method -> method.group(1).startsWith(name));
    }

    private static String codeCache() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "compilerCodelist", new Object[0], new String[0]);
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }
}
