package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code %clock64} and {@code %globaltimer} never go back, and the latter tells the time of day. */
final class TimeTest {
    /** Looks at both for ten milliseconds; p[0]: times that one went back, p[1]: what %globaltimer was at the end. */
    private static final String KERNEL = """
            .version 8.6
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 p)
            {
            .reg .pred %p<3>; .reg .b64 %d<10>;
            ld.param.u64 %d0, [p];
            mov.u64 %d1, %globaltimer;
            mov.u64 %d2, %clock64;
            add.u64 %d3, %d1, 10000000;
            mov.u64 %d4, 0;
            AGAIN:
            mov.u64 %d5, %globaltimer;
            mov.u64 %d6, %clock64;
            setp.lt.u64 %p0, %d5, %d1;
            @%p0 add.u64 %d4, %d4, 1;
            sub.s64 %d7, %d6, %d2;
            setp.lt.s64 %p0, %d7, 0;
            @%p0 add.u64 %d4, %d4, 1;
            mov.b64 %d1, %d5;
            mov.b64 %d2, %d6;
            setp.lt.u64 %p0, %d5, %d3;
            @%p0 bra AGAIN;
            st.global.u64 [%d0], %d4;
            st.global.u64 [%d0+8], %d5;
            ret;
            }
            """;

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void goesOn(CaseEngine engine) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 20).timeout(Duration.ofSeconds(30)).open();
                PtxModule module = device.load("k.ptx", KERNEL);
                DeviceBuffer p = device.allocate("p", 16)) {
            module.kernel("k").grid(1).block(1).launch(p);
            long[] found = p.toLongs();
            assertEquals(0, found[0]);
            Duration off = Duration.between(Instant.now(), Instant.ofEpochSecond(0, found[1])).abs();
            assertTrue(off.compareTo(Duration.ofSeconds(20)) < 0, off::toString);
        }
    }
}
