package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;

/** Accesses that are one to each other: one block writes a place again and again, another never reads parts of two stores there. */
final class OneAccess {
    private OneAccess() {
    }

    /**
     * The kernel. Its place is {@code [%a]}, the number of the turn {@code %i}.
     *
     * @param version of PTX, and the target
     * @param registers declarations
     * @param write what writes the place
     * @param read what reads it, and adds to {@code %torn} where it finds parts of two stores; {@code %p} is free
     */
    static String kernel(String version, String registers, String write, String read) {
        return """
                .version %1$s
                .address_size 64
                .visible .entry k(.param .u64 place, .param .u64 torn, .param .u32 turns)
                {
                    .reg .b64 %%a, %%t;
                    .reg .b32 %%i, %%n, %%torn, %%block;
                    .reg .pred %%p;
                    %2$s
                    ld.param.u64 %%a, [place];
                    ld.param.u64 %%t, [torn];
                    ld.param.u32 %%n, [turns];
                    mov.u32 %%block, %%ctaid.x;
                    mov.u32 %%torn, 0;
                    mov.u32 %%i, 0;
                    setp.eq.u32 %%p, %%block, 1;
                    @%%p bra READ;
                WRITE:
                    %3$s
                    add.u32 %%i, %%i, 1;
                    setp.lt.u32 %%p, %%i, %%n;
                    @%%p bra WRITE;
                    bra END;
                READ:
                    %4$s
                    add.u32 %%i, %%i, 1;
                    setp.lt.u32 %%p, %%i, %%n;
                    @%%p bra READ;
                END:
                    mad.wide.u32 %%t, %%block, 4, %%t;
                    st.global.u32 [%%t], %%torn;
                    ret;
                }
                """.formatted(version, registers, write, read);
    }

    /** Asserts that no parts of two stores are read on any engine; the place holds {@code first} before. */
    static void check(String kernel, long... first) {
        run(new Jit(Jit.Shape.SCALAR), 20_000, kernel, first);
        run(new Jit(Jit.Shape.VECTOR), 10_000, kernel, first);
        run(new Interpreter(), 10_000, kernel, first);
    }

    private static void run(Engine engine, int turns, String kernel, long... first) {
        try (Device device = Device.builder().engine(engine).workers(2).memory(1 << 20).open()) {
            DeviceBuffer place = device.copyOf(first);
            DeviceBuffer torn = device.allocateInts(2);
            device.load("one.ptx", kernel).kernel("k").grid(2).block(1).launch(place, torn.fill(0), turns);
            assertArrayEquals(new int[2], torn.toInts(), () -> engine.getClass().getSimpleName() + ": " + kernel);
        }
    }
}
