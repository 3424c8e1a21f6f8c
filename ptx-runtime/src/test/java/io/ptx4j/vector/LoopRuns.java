package io.ptx4j.vector;

import io.ptx4j.check.Checker;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.syntax.SourceFile;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;

/** Runs loops in the vector shape until a launch makes next to no objects; started by {@link LoopClassesTest}. */
final class LoopRuns {
    static final String MADE = "made at least ";
    private static final int THREADS = 256;
    private static final int TURNS = 2_000;
    /** A launch with a vector for each of its operations makes some megabytes. */
    static final long FEW = 100_000;

    private static final String HEAD = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry k(.param .u32 n, .param .u64 x)
            {
              .reg .pred %p<9>;
              .reg .b32 %r<20>;
              .reg .f32 %f<20>;
              .reg .b64 %d<20>;
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [x];
              mov.u32 %r1, %tid.x;
              mul.wide.u32 %d1, %r1, 4;
              add.s64 %d2, %d0, %d1;
              mov.u32 %r2, 0;
            """;

    /** Floats and integers of neighbours, each of which goes on for as many turns as the others. */
    private static final String FLOATS = HEAD + """
              cvt.rn.f32.u32 %f0, %r1;
              mov.f32 %f1, 0f3F800000;
              mov.f32 %f2, 0f3F7FF000;
            LOOP:
              fma.rn.f32 %f3, %f0, %f2, %f1;
              sub.f32 %f1, %f1, %f0;
              mul.f32 %f0, %f3, %f2;
              xor.b32 %r1, %r1, %r2;
              mad.lo.u32 %r1, %r1, %r1, %r2;
              add.u32 %r2, %r2, 1;
              setp.lt.u32 %p0, %r2, %r0;
              @%p0 bra LOOP;
              add.f32 %f0, %f0, %f1;
              cvt.rzi.s32.f32 %r3, %f0;
              add.u32 %r3, %r3, %r1;
              st.global.u32 [%d2], %r3;
              ret;
            }
            """;

    /** Lanes leave one after the other, and wait with what they have. */
    private static final String PARTING = HEAD + """
              cvt.rn.f32.u32 %f0, %r1;
              mov.f32 %f1, 0f3F800000;
              mov.f32 %f2, 0f3F7FF000;
              add.u32 %r4, %r0, %r1;
            LOOP:
              mul.f32 %f3, %f0, %f2;
              add.f32 %f0, %f3, %f1;
              add.u32 %r2, %r2, 1;
              setp.lt.u32 %p0, %r2, %r4;
              @%p0 bra LOOP;
              st.global.f32 [%d2], %f3;
              ret;
            }
            """;

    /** Turns that are sure: sums of neighbours, one block of threads after the other. */
    private static final String SUMS = HEAD + """
              mov.f32 %f0, 0f00000000;
              mov.u64 %d3, %d2;
            LOOP:
              ld.global.f32 %f1, [%d3];
              add.f32 %f0, %f0, %f1;
              add.s64 %d3, %d3, 1024;
              add.u32 %r2, %r2, 1;
              setp.lt.u32 %p0, %r2, %r0;
              @%p0 bra LOOP;
              st.global.f32 [%d2], %f0;
              ret;
            }
            """;

    /** 64-bit lanes, of which a group has twice as many vectors. */
    private static final String WIDE = HEAD + """
              cvt.u64.u32 %d4, %r1;
            LOOP:
              mul.lo.u64 %d5, %d4, %d4;
              add.u64 %d4, %d5, 12345;
              add.u32 %r2, %r2, 1;
              setp.lt.u32 %p0, %r2, %r0;
              @%p0 bra LOOP;
              cvt.u32.u64 %r3, %d4;
              st.global.u32 [%d2], %r3;
              ret;
            }
            """;

    /** A few turns with numbers that all lanes share, which end where the buffer does: more turns would be sure of neighbours alone. */
    private static final String WEIGHTS = HEAD + """
              mov.f32 %f0, 0f00000000;
              mov.u64 %d3, %d2;
              mul.wide.u32 %d4, %r0, 1024;
              add.s64 %d5, %d0, %d4;
              sub.s64 %d6, %d5, 32;
            LOOP:
              ld.global.f32 %f1, [%d3];
              ld.global.f32 %f2, [%d6];
              fma.rn.f32 %f0, %f1, %f2, %f0;
              add.s64 %d3, %d3, 4;
              add.s64 %d6, %d6, 4;
              add.u32 %r2, %r2, 1;
              setp.ne.u32 %p0, %r2, 8;
              @%p0 bra LOOP;
              st.global.f32 [%d2], %f0;
              ret;
            }
            """;

    /** No loop but that over groups: some lanes keep what they have while others compute the same register. */
    private static final String SIDES = HEAD + """
              and.b32 %r3, %r1, 31;
              setp.gt.u32 %p0, %r3, 0;
              add.s64 %d3, %d2, 1024;
              @%p0 bra INNER;
              ld.global.f32 %f3, [%d3];
              bra END;
            INNER:
              ld.global.f32 %f1, [%d3+-4];
              ld.global.f32 %f2, [%d3+4];
              add.f32 %f1, %f1, %f2;
              mul.f32 %f3, %f1, 0f3F000000;
            END:
              st.global.f32 [%d2], %f3;
              ret;
            }
            """;

    /** @param blocks of a launch, so that it has turns enough */
    record Run(String text, int blocks) {
    }

    static final Map<String, Run> KERNELS = Map.of("floats", new Run(FLOATS, 1), "parting", new Run(PARTING, 1), "sums", new Run(SUMS, 1), "wide", new Run(WIDE, 1),
            "weights", new Run(WEIGHTS, 200), "sides", new Run(SIDES, 2_000));

    private LoopRuns() {
    }

    /** @param arguments seconds for each kernel */
    public static void main(String[] arguments) throws JMException {
        long most = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        for (Map.Entry<String, Run> kernel : KERNELS.entrySet()) {
            System.out.println(kernel.getKey() + ": " + MADE + least(kernel.getValue(), most));
        }
    }

    /** Bytes of objects that a launch makes, in all threads, when it makes fewest. */
    private static long least(Run run, long most) throws JMException {
        long end = System.nanoTime() + most;
        long least = Long.MAX_VALUE;
        try (Device device = Device.builder().engine(new Jit(Jit.Shape.VECTOR)).workers(1).open();
                DeviceBuffer data = device.allocateInts(THREADS * TURNS)) {
            Kernel kernel = device.load(Checker.check(new SourceFile("k.ptx", run.text())).module()).kernel("k");
            while (least > FEW && System.nanoTime() < end) {
                long before = allocated();
                kernel.grid(run.blocks()).block(THREADS).launch(TURNS, data);
                least = Math.min(least, allocated() - before);
            }
        }
        return least;
    }

    private static long allocated() throws JMException {
        return (Long) ManagementFactory.getPlatformMBeanServer().getAttribute(new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME), "TotalThreadAllocatedBytes");
    }
}
