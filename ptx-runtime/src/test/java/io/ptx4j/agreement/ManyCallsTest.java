package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import org.junit.jupiter.api.Test;

/** A function that calls itself, called in so many places that its return, a jump to any of them, fits into no method that HotSpot compiles. */
final class ManyCallsTest {
    private static final int CALLS = 200;
    private static final int THREADS = 40;

    @Test
    void aFunctionThatCallsItselfReturnsToHundredsOfPlaces() {
        StringBuilder text = new StringBuilder("""
                .version 8.0
                .target sm_80
                .address_size 64
                .func (.reg .u32 s) sum(.reg .u32 n)
                {
                .reg .u32 %m, %t; .reg .pred %p;
                mov.u32 s, n;
                setp.lt.u32 %p, n, 2;
                @%p ret;
                sub.u32 %m, n, 1;
                call (%t), sum, (%m);
                add.u32 s, %t, n;
                ret;
                }
                .visible .entry k(.param .u64 out)
                {
                .reg .b32 %t, %a, %b; .reg .b64 %p;
                ld.param.u64 %p, [out];
                mov.u32 %t, %tid.x; mad.wide.u32 %p, %t, 4, %p;
                and.b32 %a, %t, 3; mov.u32 %b, 0;
                """);
        for (int i = 0; i < CALLS; i++) {
            text.append("call (%a), sum, (%a); mad.lo.u32 %b, %b, 31, %a; add.u32 %a, %a, %b; and.b32 %a, %a, ").append(3 + 4 * (i % 2)).append(";\n");
        }
        text.append("st.global.u32 [%p], %b; ret;\n}\n");
        CheckedModule checked = Checker.check(new SourceFile("calls.ptx", text.toString()));
        assertTrue(checked.ok(), () -> checked.diagnostics().toString());
        int[] expected = run(new Interpreter(), checked.module());
        assertArrayEquals(expected, run(new Jit(Jit.Shape.SCALAR), checked.module()));
        assertArrayEquals(expected, run(new Jit(Jit.Shape.VECTOR), checked.module()));
    }

    private static int[] run(Engine engine, Module module) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(1 << 20).open(); PtxModule loaded = device.load(module);
                DeviceBuffer out = device.allocateInts(THREADS)) {
            loaded.kernel("k").grid(1).block(THREADS).launch(out);
            return out.toInts();
        }
    }
}
