package io.ptx4j.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.CompilationException;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchException;
import io.ptx4j.runtime.LaunchStoppedException;
import io.ptx4j.runtime.LimitException;
import io.ptx4j.runtime.Limits;
import io.ptx4j.runtime.OutOfDeviceMemoryException;
import io.ptx4j.runtime.PtxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is over a limit of its device ends in an error that says which, and the device goes on. */
@Timeout(60)
final class LimitsTest {
    private static final String HEAD = """
            .version 8.6
            .target sm_90
            .address_size 64
            .extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
            .extern .func (.param .b64 r) malloc (.param .b64 n);
            .global .align 8 .b8 hello[9] = {37, 42, 100, 226, 130, 172, 33, 10, 0};
            """;

    private static String kernel(String body) {
        return HEAD + """
                .visible .entry k(.param .u64 p)
                {
                .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<4>;
                .local .align 8 .b8 args[16];
                ld.param.u64 %d0, [p];
                """ + body + "\nret;\n}\n";
    }

    /** Prints {@code "%*d€!\n"} with a width and a number. */
    private static final String PRINTS = kernel("""
            ld.global.u32 %r1, [%d0];
            st.local.u32 [args], %r1;
            st.local.u32 [args+4], 5;
            mov.u64 %d1, args;
            cvta.local.u64 %d1, %d1;
            ld.global.u64 %d2, [%d0+8];
            { .param .b64 f; .param .b64 a; .param .b32 r;
            st.param.b64 [f], %d2;
            st.param.b64 [a], %d1;
            call (r), vprintf, (f, a); }""");

    private static String failure(Device device, String text, int grid, Object... arguments) {
        Launch launch = device.load("limits.ptx", text).kernel("k").grid(grid).block(1);
        return assertThrows(PtxException.class, () -> launch.launch(arguments)).getMessage().lines().findFirst().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void whatALaunchMayPrintIsLimited(CaseEngine engine) {
        var out = new ByteArrayOutputStream();
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 20).workers(1).outputBytes(3 * 9)
                .output(new PrintStream(out, true, StandardCharsets.UTF_8)).open(); DeviceBuffer p = device.allocate(64)) {
            var module = device.load("limits.ptx", PRINTS);
            p.copyFrom(new long[] {4, module.global("hello").address()});
            module.kernel("k").grid(3).block(1).launch(p);
            module.kernel("k").grid(3).block(1).launch(p);
            out.reset();
            var over = assertThrows(KernelException.class, () -> module.kernel("k").grid(5).block(1).launch(p));
            assertEquals(KernelException.Kind.OUTPUT_LIMIT, over.kind());
            assertEquals("limits.ptx:21: kernel k, block (3,0,0), thread (0,0,0): the launch prints more than 27 bytes, which is the device's limit",
                    over.getMessage().lines().findFirst().orElseThrow());
            assertEquals("   5\u20ac!\n".repeat(3), out.toString(StandardCharsets.UTF_8));
            module.kernel("k").grid(3).block(1).launch(p);
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void noFormatTakesTheHostsMemoryOrReadsOutsideTheDevices(CaseEngine engine) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 20).workers(1).open(); DeviceBuffer p = device.allocate("p", 64)) {
            var module = device.load("limits.ptx", PRINTS);
            for (long width : new long[] {4096, -4096, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                p.copyFrom(new long[] {width & 0xffffffffL, module.global("hello").address()});
                String message = failure(device, PRINTS, 1, p);
                assertTrue(message.endsWith("thread (0,0,0): vprintf with a width or precision of " + width + "; at most 4095 is possible"), message);
            }
            p.copyFrom(new long[] {4, 0});
            assertEquals("limits.ptx:21: kernel k, block (0,0,0), thread (0,0,0): vprintf of 1 byte at 0x0 is out of bounds; that is null",
                    failure(device, PRINTS, 1, p));
        }
    }

    @Test
    void whatIsTooLongToReadIsRefused(@TempDir Path folder) throws IOException {
        String text = kernel("");
        Path file = Files.writeString(folder.resolve("long.ptx"), text);
        try (Device device = Device.builder().memory(1 << 20).textCharacters(text.length() - 1).open()) {
            String end = String.format(" has %d characters; at most %d are allowed", text.length(), text.length() - 1);
            assertLimit(LimitException.Kind.TEXT, "a.ptx" + end, () -> device.load("a.ptx", text));
            assertLimit(LimitException.Kind.TEXT, file + end, () -> device.load(file));
            assertLimit(LimitException.Kind.TEXT, file + end, () -> device.link(file));
        }
        try (Device device = Device.builder().memory(1 << 20).textCharacters(text.length()).open()) {
            device.load(file).kernel("k");
        }
    }

    @Test
    void whatHasTooManyInstructionsIsRefused() {
        String text = kernel("add.u32 %r1, %r1, 1;\n".repeat(1198));
        try (Device device = Device.builder().memory(1 << 20).moduleInstructions(1199).open()) {
            assertLimit(LimitException.Kind.MODULE, "a.ptx has 1,200 instructions; at most 1,199 are allowed", () -> device.load("a.ptx", text));
            assertEquals(0, device.allocatedBytes());
        }
        try (Device device = Device.builder().memory(1 << 20).moduleInstructions(1200).open()) {
            device.load("a.ptx", text).kernel("k");
        }
    }

    @ParameterizedTest
    @EnumSource(value = CaseEngine.class, names = {"JIT_SCALAR", "JIT_VECTOR"})
    void aKernelThatNeedsTooMuchCodeIsRefused(CaseEngine engine) {
        // What repeats itself becomes a loop.
        String sums = IntStream.range(0, 3000).mapToObj(i -> "add.u32 %r1, %r1, " + i % 7 * i + ";\n").collect(Collectors.joining());
        String text = kernel(sums + "st.global.u32 [%d0], %r1;");
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 20).codeBytes(10_000).open(); DeviceBuffer p = device.allocate(64)) {
            var over = assertThrows(LimitException.class, () -> device.load("a.ptx", text).kernel("k").grid(1).block(32).launch(p));
            assertEquals(LimitException.Kind.CODE, over.kind());
            assertTrue(over.getMessage().matches("a.ptx: kernel k needs \\d\\d,\\d{3} bytes of code; at most 10,000 are allowed"), over.getMessage());
            device.load("b.ptx", kernel("st.global.u32 [%d0], 7;")).kernel("k").grid(1).block(32).launch(p);
            assertEquals(7, p.toInts()[0]);
        }
    }

    @Test
    void whatTakesTooLongToCompileIsGivenUpInTime() {
        String text = kernel("LOOP:\n" + "add.u32 %r1, %r1, 1;\nsetp.eq.u32 %p1, %r1, 77;\n@%p1 bra LOOP;\n".repeat(20_000));
        Duration most = Duration.ofMillis(60);
        try (Device device = Device.builder().memory(1 << 20).compiling(most).open()) {
            long start = System.nanoTime();
            assertLimit(LimitException.Kind.COMPILE_TIME, "a.ptx takes longer to compile than 60.0 ms, which is what is allowed",
                    () -> device.load("a.ptx", text));
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(5).toNanos());
        }
        var checked = io.ptx4j.check.Checker.check(new io.ptx4j.syntax.SourceFile("a.ptx", text)).module();
        try (Device device = Device.builder().memory(1 << 20).compiling(most).open(); DeviceBuffer p = device.allocate(64)) {
            Launch launch = device.load(checked).kernel("k").grid(1).block(32);
            for (int i = 0; i < 2; i++) {
                long start = System.nanoTime();
                assertLimit(LimitException.Kind.COMPILE_TIME, "a.ptx: kernel k takes longer to compile than 60.0 ms, which is what is allowed",
                        () -> launch.launch(p));
                assertTrue(System.nanoTime() - start < Duration.ofSeconds(5).toNanos());
            }
            device.load("b.ptx", kernel("st.global.u32 [%d0], 7;")).kernel("k").grid(1).block(32).launch(p);
        }
    }

    private static void assertLimit(LimitException.Kind kind, String message, Runnable action) {
        LimitException over = assertThrows(LimitException.class, action::run);
        assertEquals(message, over.getMessage());
        assertEquals(kind, over.kind());
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void thePresetForStrangersLimitsEverything(CaseEngine engine) {
        try (Device device = Device.builder().engine(engine.create()).limits(Limits.UNTRUSTED).workers(1)
                .output(new PrintStream(PrintStream.nullOutputStream())).open(); DeviceBuffer p = device.allocate(64)) {
            assertEquals(1L << 30, device.memoryBytes());
            assertThrows(OutOfDeviceMemoryException.class, () -> device.allocate(1L << 30));
            var module = device.load("limits.ptx", PRINTS);
            p.copyFrom(new long[] {4095, module.global("hello").address()});
            assertTrue(failure(device, PRINTS, 300, p).contains("the launch prints more than 1,048,576 bytes"));
            assertTrue(failure(device, kernel(".reg .b64 %x; alloca.u64 %x, 33000;"), 1, p).contains("stack"));
            assertThrows(LaunchException.class, () -> module.kernel("k").grid(1).block(1).shared(228 << 10).launch(p));
            module.device().load("m.ptx", kernel("""
                    { .param .b64 n; .param .b64 r;
                    st.param.b64 [n], 2000000;
                    call (r), malloc, (n);
                    ld.param.b64 %d1, [r]; }
                    st.global.u64 [%d0], %d1;""")).kernel("k").grid(1).block(1).launch(p);
            assertEquals(0, p.toLongs()[0]);
            assertEquals(LimitException.Kind.TEXT, assertThrows(LimitException.class,
                    () -> device.load("t.ptx", kernel("ret;\n".repeat(1 << 20)))).kind());
            assertEquals(LimitException.Kind.MODULE, assertThrows(LimitException.class,
                    () -> device.load("t.ptx", kernel("trap;\n".repeat(100_001)))).kind());
            assertThrows(CompilationException.class, () -> device.load("t.ptx", kernel("add.u32 1;")));
        }
    }

    @Test
    void thePresetForStrangersLimitsTime() {
        assertEquals(Duration.ofSeconds(10), Limits.UNTRUSTED.running());
        try (Device device = Device.builder().limits(Limits.UNTRUSTED).timeout(Duration.ofMillis(50)).open(); DeviceBuffer p = device.allocate(64)) {
            assertEquals(LaunchStoppedException.Reason.TIMED_OUT, assertThrows(LaunchStoppedException.class, () -> device.load("a.ptx",
                    kernel("LOOP: add.u32 %r1, %r1, 1;\nbra LOOP;")).kernel("k").grid(1).block(1).launch(p)).reason());
        }
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Device.builder().instructions(-1));
        assertThrows(IllegalArgumentException.class, () -> Device.builder().outputBytes(-1));
    }
}
