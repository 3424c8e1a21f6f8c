package io.ptx4j.benchmarks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.Launch;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What launches leave to the garbage collector. */
final class LaunchAllocationTest {
    private static final String STORE = """
        .version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 out)
        {
          .reg .b32 %r<3>;
          .reg .b64 %d<3>;
          ld.param.u64 %d0, [out];
          mov.u32 %r0, %tid.x;
          mul.wide.u32 %d1, %r0, 4;
          add.s64 %d2, %d0, %d1;
          BARRIER
          st.global.u32 [%d2], %r0;
          ret;
        }
        """;

    @Test
    void aBlockAllocatesNothingWithAndWithoutBarriers() {
        var counter = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (String barrier : new String[] {"", "bar.sync 0;"}) {
            try (Device device = Device.builder().memory(1 << 20).workers(1).engine(new Jit(Jit.Shape.SCALAR)).open()) {
                Kernel kernel = device.load("k.ptx", STORE.replace("BARRIER", barrier)).kernel("k");
                DeviceBuffer out = device.allocateInts(64);
                long[] bytes = new long[2];
                for (int turn = 0; turn < 4; turn++) {
                    for (int size = 0; size < 2; size++) {
                        Launch launch = kernel.grid(size == 0 ? 10 : 20_010).block(64);
                        long before = counter.getCurrentThreadAllocatedBytes();
                        launch.launch(out);
                        bytes[size] = counter.getCurrentThreadAllocatedBytes() - before;
                    }
                }
                assertTrue(bytes[1] - bytes[0] < 20_000, bytes[0] + " bytes for 10 blocks, " + bytes[1] + " for 20,010; " + barrier);
                assertTrue(bytes[0] < 8_192, "a launch allocates " + bytes[0] + " bytes; " + barrier);
            }
        }
    }
}
