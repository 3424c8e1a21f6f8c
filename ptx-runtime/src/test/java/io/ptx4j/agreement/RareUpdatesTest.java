package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Searches that count what they find and store it at that place ({@code RareUpdates}): their blocks run on vectors until a thread finds something, and then begin anew in the scalar shape. What is found stands in
 * the order in which threads come to it there.
 */
final class RareUpdatesTest {
    private static final int BLOCK = 96;
    private static final int BLOCKS = 24;
    private static final int WORDS = 4096;

    /** Each thread tries numbers and keeps those whose hash has some bits clear; {@code HIT} stores one. */
    private static final String SEARCH = """
            .version 9.0
            .target sm_80
            .address_size 64
            .visible .entry search(.param .u64 found, .param .u32 mask, .param .u32 tries)
            {
            .reg .b32 %t, %r, %i, %n, %m, %h, %x; .reg .b64 %p, %q, %o; .reg .pred %hit, %more, %first;
            .shared .align 4 .b8 seeds[384];
            ld.param.u64 %p, [found]; ld.param.u32 %m, [mask]; ld.param.u32 %n, [tries];
            mov.u32 %t, %tid.x; mov.u32 %r, %ctaid.x; mad.lo.u32 %r, %r, 96, %t;
            SETUP
            mov.u32 %i, 1;
            LOOP:
            mad.lo.u32 %h, %r, 0x9e3779b1, %i; shr.u32 %x, %h, 15; xor.b32 %h, %h, %x; mul.lo.u32 %h, %h, 0x85ebca77; shr.u32 %x, %h, 13; xor.b32 %h, %h, %x;
            and.b32 %x, %h, %m; setp.ne.u32 %hit, %x, 0;
            HIT
            NEXT:
            add.u32 %i, %i, 1; setp.lt.u32 %more, %i, %n; @%more bra LOOP;
            END
            exit;
            }
            """;
    private static final String COUNTED = """
            @%hit bra NEXT;
            atom.global.add.u32 %x, [%p], 1; and.b32 %x, %x, 2047; add.u32 %x, %x, 1; mul.wide.u32 %q, %x, 4; add.u64 %q, %p, %q; st.global.u32 [%q], %h;""";
    private static final String GUARDED = """
            @!%hit atom.global.exch.b32 %x, [%p], %h;
            @!%hit atom.global.max.u32 %x, [%p+4], %x;
            @!%hit add.u32 %r, %r, %x;""";
    private static final String ONCE = """
            @%hit bra NEXT;
            atom.global.exch.b32 %x, [%p+16380], 1; setp.ne.u32 %first, %x, 0; @%first bra NEXT;
            atom.global.add.u32 %x, [%p], 1; st.global.u32 [%p+4], %h; st.global.u32 [%p+8], %t;""";

    private static Module module(String setup, String hit, String end) {
        CheckedModule checked = Checker.check(new SourceFile("search.ptx", SEARCH.replace("SETUP", setup).replace("HIT", hit).replace("END", end)));
        assertTrue(checked.ok(), () -> checked.diagnostics().toString());
        return checked.module();
    }

    private static Optional<String> reason(Module module) {
        return new Jit(Jit.Shape.VECTOR).notVectorizable(new Program(module, new long[module.variableCount()], 0), module.kernels().get("search"), new BlockShape(BLOCK, 1, 1));
    }

    private static int[] run(Engine engine, Module module, int mask, int tries) {
        // One worker: blocks in order.
        try (Device device = Device.builder().engine(engine).workers(1).memory(16 << 20).open(); PtxModule loaded = device.load(module); DeviceBuffer found = device.allocateInts(WORDS)) {
            loaded.kernel("search").grid(BLOCKS).block(BLOCK).launch(found, mask, tries);
            return found.toInts();
        }
    }

    private static void agree(Module module, int mask, int tries, boolean finds) {
        assertEquals(Optional.empty(), reason(module));
        int[] expected = run(new Interpreter(), module, mask, tries);
        assertEquals(finds, Arrays.stream(expected).anyMatch(word -> word != 0));
        for (Jit.Shape shape : Jit.Shape.values()) {
            assertArrayEquals(expected, run(new Jit(shape), module, mask, tries), shape.name());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x3f, 0xfff, 0xffff, 0x7fff_ffff})
    void whatIsFoundStandsInTheOrderOfThreads(int mask) {
        for (String hit : new String[] {COUNTED, GUARDED, ONCE}) {
            agree(module("", hit, ""), mask, 40, mask < 0x1_0000);
        }
    }

    /** What a block has left in shared memory before a thread finds something, it leaves anew. */
    @Test
    void blocksWithBarriersBeginAnew() {
        String setup = """
                shl.b32 %x, %t, 2; mov.u32 %h, seeds; add.u32 %x, %h, %x; st.shared.u32 [%x], %r; bar.sync 0;
                atom.shared.add.u32 %h, [seeds], 3;
                bar.sync 0; xor.b32 %x, %t, 1; shl.b32 %x, %x, 2; mov.u32 %h, seeds; add.u32 %x, %h, %x; ld.shared.u32 %r, [%x]; bar.sync 0;
                """;
        agree(module(setup, COUNTED, "bar.sync 0;"), 0xff, 40, true);
    }

    /** Whoever counts in each turn, or stores before, keeps the order of the scalar shape all the time. */
    @Test
    void othersStayScalar() {
        assertTrue(reason(module("", "atom.global.add.u32 %x, [%p], 1; and.b32 %x, %x, 1023; mul.wide.u32 %q, %x, 4; add.u64 %q, %p, %q; st.global.u32 [%q], %h;", "")).isPresent());
        assertTrue(reason(module("st.global.u32 [%p+8], %t;", COUNTED, "")).isPresent());
        assertTrue(reason(module("", COUNTED, "mul.wide.u32 %o, %r, 4; add.u64 %o, %p, %o; st.global.u32 [%o], %h;")).isPresent());
        assertTrue(reason(module("red.global.add.u32 [%p+8], 1;", COUNTED, "")).isPresent());
    }

    /** Threads that fail in a block in which another one finds something: what comes first in the order of threads is told. */
    @Test
    void failuresComeInTheOrderOfThreads() {
        String failing = "setp.eq.u32 %first, %t, 7; mov.b64 %o, 0; @%first ld.global.u32 %x, [%o];";
        for (String text : new String[] {failing + COUNTED, COUNTED + "\n" + failing}) {
            Module module = module("", text, "");
            assertEquals(Optional.empty(), reason(module));
            String expected = failure(new Interpreter(), module);
            assertEquals(expected, failure(new Jit(Jit.Shape.SCALAR), module));
            assertEquals(expected, failure(new Jit(Jit.Shape.VECTOR), module));
        }
    }

    /** Code from the cache begins blocks anew as well. */
    @Test
    void codeThatIsKept(@TempDir Path folder) {
        Module module = module("", COUNTED, "");
        int[] expected = run(new Interpreter(), module, 0xff, 40);
        for (int n = 0; n < 2; n++) {
            try (Device device = Device.builder().engine(new Jit(Jit.Shape.VECTOR)).workers(1).memory(16 << 20).codeCache(folder, 1 << 20).open();
                    PtxModule loaded = device.load(module); DeviceBuffer found = device.allocateInts(WORDS)) {
                loaded.kernel("search").grid(BLOCKS).block(BLOCK).launch(found, 0xff, 40);
                assertArrayEquals(expected, found.toInts());
            }
        }
    }

    private static String failure(Engine engine, Module module) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(16 << 20).open(); PtxModule loaded = device.load(module); DeviceBuffer found = device.allocateInts(WORDS)) {
            try {
                loaded.kernel("search").grid(BLOCKS).block(BLOCK).launch(found, 0x3f, 40);
                return "none";
            } catch (KernelException failed) {
                return failed.getMessage().lines().findFirst().orElseThrow() + Arrays.toString(found.toInts());
            }
        }
    }
}
