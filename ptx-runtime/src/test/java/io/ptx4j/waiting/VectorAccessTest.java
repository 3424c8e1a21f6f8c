package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Vector accesses that are not weak are one access to each other, as on GPUs, though the manual takes them for several: scans that look back
 * at the blocks before write a state and its sum that way. One block writes vectors of equal elements, another never reads parts of two.
 */
@Timeout(120)
final class VectorAccessTest {
    private static final String KERNEL = """
            .version 8.8
            .target sm_100
            .address_size 64
            .visible .entry k(.param .u64 place, .param .u64 torn, .param .u32 turns)
            {
                .reg .b64 %%a, %%t;
                .reg .%4$s %%x<8>, %%v;
                .reg .b32 %%i, %%n, %%torn, %%block;
                .reg .b64 %%w, %%v0;
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
                cvt.u64.u32 %%w, %%i;
                cvt.%5$s.u64 %%v, %%w;
                st.%1$s.%3$s [%%a], {%6$s};
                add.u32 %%i, %%i, 1;
                setp.lt.u32 %%p, %%i, %%n;
                @%%p bra WRITE;
                bra END;
            READ:
                ld.%2$s.%3$s {%7$s}, [%%a];
            %8$s    add.u32 %%i, %%i, 1;
                setp.lt.u32 %%p, %%i, %%n;
                @%%p bra READ;
            END:
                mad.wide.u32 %%t, %%block, 4, %%t;
                st.global.u32 [%%t], %%torn;
                ret;
            }
            """;

    private static String kernel(String write, String read, String vector) {
        int n = vector.charAt(1) - '0';
        String bits = vector.substring(4);
        String type = bits.equals("8") ? "u16" : "u" + bits;
        String compared = IntStream.range(1, n).mapToObj(e -> "    setp.ne.%1$s %%p, %%x0, %%x%2$d;\n    @%%p add.u32 %%torn, %%torn, 1;\n".formatted(type, e))
                .collect(Collectors.joining());
        return KERNEL.formatted(write, read, vector, type, type, String.join(", ", Collections.nCopies(n, "%v")),
                IntStream.range(0, n).mapToObj(e -> "%x" + e).collect(Collectors.joining(", ")), compared);
    }

    @ParameterizedTest
    @CsvSource({"relaxed.gpu.global, relaxed.gpu.global, v2.b32", "release.sys.global, acquire.sys.global, v2.u32", "volatile.global, volatile.global, v4.b16",
        "relaxed.cluster, acquire.gpu, v2.b16", "volatile, volatile.global, v8.b8", "relaxed.gpu, relaxed.gpu, v4.u8", "relaxed.sys, acquire.gpu, v2.b8",
        "relaxed.gpu.global, relaxed.gpu.global, v2.b64", "release.gpu, acquire.gpu, v4.b32", "relaxed.gpu.global, relaxed.gpu.global, v4.b64",
        "release.gpu.global, acquire.gpu.global, v8.b32"})
    void partsOfTwoStoresAreNeverSeen(String write, String read, String vector) {
        String kernel = kernel(write, read, vector);
        run(new Jit(Jit.Shape.SCALAR), 20_000, kernel);
        run(new Jit(Jit.Shape.VECTOR), 10_000, kernel);
        run(new Interpreter(), 10_000, kernel);
    }

    private static void run(Engine engine, int turns, String kernel) {
        try (Device device = Device.builder().engine(engine).workers(2).memory(1 << 20).open()) {
            DeviceBuffer place = device.allocate(64);
            DeviceBuffer torn = device.allocateInts(2);
            device.load("vectors.ptx", kernel).kernel("k").grid(2).block(1).launch(place.fill(0), torn, turns);
            assertArrayEquals(new int[2], torn.toInts(), () -> engine.getClass().getSimpleName() + ": " + kernel);
        }
    }
}
