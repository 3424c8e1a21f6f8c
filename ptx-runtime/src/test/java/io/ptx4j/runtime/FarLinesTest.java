package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that a class file has no number for: it has 16 bits. */
final class FarLinesTest {
    /** Six lines, then those between, then the kernel, which calls a function at the beginning of the text. */
    private static String text(int between) {
        return """
                .version 7.0
                .target sm_70
                .address_size 64
                .func near(.param .u64 p)
                { .reg .u64 %a; .reg .u32 %v;
                    ld.param.u64 %a, [p];
                    st.global.u32 [%a+4], 1; ret; }
                """ + "\n".repeat(between) + """
                .visible .entry k(.param .u64 p, .param .u32 which)
                {
                    .reg .pred %q; .reg .u32 %r<4>; .reg .u64 %a, %b;
                    ld.param.u64 %a, [p];
                    ld.param.u32 %r1, [which];
                    mov.u32 %r2, %tid.x;
                    mad.wide.u32 %a, %r2, 4, %a;
                    setp.eq.u32 %q, %r1, 0;
                    @%q bra CALL;
                    setp.eq.u32 %q, %r1, 1;
                    @%q st.global.u32 [%a+4], %r2;
                    ld.global.u32 %r3, [%a+4];
                    ret;
                CALL:
                    { .param .u64 x; st.param.u64 [x], %a; call near, (x); }
                    ret;
                }
                """;
    }

    private static String failure(Device device, String text, int which) {
        try (DeviceBuffer p = device.allocateInts(1); PtxModule module = device.load("far.ptx", text)) {
            var failure = assertThrows(KernelException.class, () -> module.kernel("k").grid(1).block(64).launch(p, which));
            return failure.getMessage().lines().filter(line -> line.contains(" | ")).findFirst().orElse(failure.getMessage()).strip();
        }
    }

    @Test
    void failuresFarDownTheTextHaveTheirLines(@TempDir Path folder) {
        for (int between : new int[] {0, 65_515, 65_520, 200_000}) {
            String text = text(between);
            for (Engine engine : List.of(new Interpreter(), new Jit(Jit.Shape.SCALAR), new Jit(Jit.Shape.VECTOR))) {
                for (int time = 0; time < 2; time++) {
                    // The second time the code comes from the folder.
                    try (Device device = Device.builder().engine(engine).workers(1).memory(1 << 20).codeCache(folder, 1 << 24).open()) {
                        assertEquals("7 | st.global.u32 [%a+4], 1; ret; }", failure(device, text, 0));
                        assertEquals(between + 18 + " | @%q st.global.u32 [%a+4], %r2;", failure(device, text, 1));
                        assertEquals(between + 19 + " | ld.global.u32 %r3, [%a+4];", failure(device, text, 2));
                    }
                }
            }
        }
    }
}
