package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Accesses of {@code .b128} that are not weak are each one access to all others of that kind (manual: "Memory Consistency Model", "Vector
 * Data-types": only vectors are several): one block writes numbers and their complements, another never reads halves of two.
 */
@Timeout(120)
final class WideAccessTest {
    private static final String KERNEL = """
            .version 8.4
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 place, .param .u64 torn, .param .u32 turns)
            {
                .reg .b64 %%a, %%t, %%x, %%y, %%z;
                .reg .b128 %%q, %%old;
                .reg .b32 %%i, %%n, %%torn, %%block;
                .reg .pred %%p;
                ld.param.u64 %%a, [place];
                ld.param.u64 %%t, [torn];
                ld.param.u32 %%n, [turns];
                mov.u32 %%block, %%ctaid.x;
                mov.u32 %%torn, 0;
                mov.u32 %%i, 0;
                setp.eq.u32 %%p, %%block, 1;
                @%%p bra READ;
            WRITE:
                cvt.u64.u32 %%x, %%i;
                not.b64 %%y, %%x;
                mov.b128 %%q, {%%x, %%y};
                %1$s;
                add.u32 %%i, %%i, 1;
                setp.lt.u32 %%p, %%i, %%n;
                @%%p bra WRITE;
                bra END;
            READ:
                %2$s;
                mov.b128 {%%x, %%y}, %%q;
                not.b64 %%z, %%x;
                setp.ne.u64 %%p, %%y, %%z;
                @%%p add.u32 %%torn, %%torn, 1;
                add.u32 %%i, %%i, 1;
                setp.lt.u32 %%p, %%i, %%n;
                @%%p bra READ;
            END:
                mad.wide.u32 %%t, %%block, 4, %%t;
                st.global.u32 [%%t], %%torn;
                ret;
            }
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            st.relaxed.gpu.global.b128 [%a], %q             | ld.relaxed.gpu.global.b128 %q, [%a]
            st.release.sys.b128 [%a], %q                    | ld.acquire.sys.b128 %q, [%a]
            st.volatile.global.b128 [%a], %q                | ld.volatile.b128 %q, [%a]
            st.mmio.relaxed.sys.global.b128 [%a], %q        | ld.mmio.relaxed.sys.global.b128 %q, [%a]
            atom.relaxed.gpu.global.exch.b128 %old, [%a], %q | ld.relaxed.gpu.global.b128 %q, [%a]
            st.relaxed.gpu.global.b128 [%a], %q             | atom.relaxed.gpu.global.cas.b128 %q, [%a], %old, %old
            """)
    void noHalvesOfTwoStoresAreSeen(String write, String read) {
        run(new Jit(Jit.Shape.SCALAR), 20_000, write, read);
        run(new Jit(Jit.Shape.VECTOR), 10_000, write, read);
        run(new Interpreter(), 10_000, write, read);
    }

    private static void run(Engine engine, int turns, String write, String read) {
        try (Device device = Device.builder().engine(engine).workers(2).memory(1 << 20).open()) {
            DeviceBuffer place = device.copyOf(new long[] {0, -1});
            DeviceBuffer torn = device.allocateInts(2);
            device.load("wide.ptx", KERNEL.formatted(write.strip(), read.strip())).kernel("k").grid(2).block(1).launch(place, torn, turns);
            assertArrayEquals(new int[2], torn.toInts(), () -> engine.getClass().getSimpleName() + ": " + write + " and " + read);
        }
    }
}
