package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.syntax.SourceFile;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In a program of several texts every error names the text and its own line. */
@Timeout(60)
final class LinkedFaultTest {
    private static final SourceFile MAIN = new SourceFile("main.ptx", """
            .version 8.0
            .target sm_80
            .address_size 64
            .extern .func (.param .b32 r) work(.param .b64 p);
            .visible .entry wait(.param .u64 p)
            {
            .reg .pred %p; .reg .b32 %r<4>;
            mov.u32 %r1, %tid.x;
            setp.ge.u32 %p, %r1, 32;
            @%p bra OTHER;
            barrier.sync 1;
            bra DONE;
            OTHER:
            barrier.sync 2;
            DONE: ret;
            }
            .visible .entry access(.param .u64 p)
            {
            .reg .b32 %r; .reg .b64 %d; .param .b32 r; .param .b64 a;
            ld.param.u64 %d, [p];
            st.param.b64 [a], %d;
            call (r), work, (a);
            ret;
            }
            """);
    private static final SourceFile SECOND = new SourceFile("second.ptx", """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .func (.param .b32 r) work(.param .b64 p)
            {
            .reg .b32 %r; .reg .b64 %d;
            ld.param.u64 %d, [p];
            ld.global.u32 %r, [%d+4096];
            st.param.b32 [r], %r;
            ret;
            }
            """);

    private static String failure(CaseEngine engine, String kernel, List<SourceFile> order) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 20).timeout(Duration.ofSeconds(30)).open();
                DeviceBuffer p = device.allocate("p", 64)) {
            Launch launch = device.link(order).kernel(kernel).grid(1).block(64);
            return assertThrows(KernelException.class, () -> launch.launch(p)).getMessage();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsWhereIsSaidByFile(CaseEngine engine) {
        String message = failure(engine, "wait", List.of(SECOND, MAIN));
        assertTrue(message.startsWith("main.ptx:11: kernel wait"), message);
        assertTrue(message.contains("threads 0-31 at main.ptx:11: barrier.sync 1 (32 of 64 threads have come); "
                + "threads 32-63 at main.ptx:14: barrier.sync 2 (32 of 64 threads have come)"), message);
    }

    @ParameterizedTest
    @EnumSource
    void anAccessInAFunctionOfAnotherFileIsFoundThere(CaseEngine engine) {
        for (List<SourceFile> order : List.of(List.of(MAIN, SECOND), List.of(SECOND, MAIN))) {
            String message = failure(engine, "access", order);
            assertTrue(message.startsWith("second.ptx:8: kernel access, block (0,0,0), thread (0,0,0): ld.global.u32 of 4 bytes"), message);
            assertEquals("  8 | ld.global.u32 %r, [%d+4096];", message.lines().skip(1).findFirst().orElseThrow());
        }
    }
}
