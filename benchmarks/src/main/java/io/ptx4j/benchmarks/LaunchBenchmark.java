package io.ptx4j.benchmarks;

import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.PtxModule;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What does a launch cost, and what each of its blocks, when there is next to nothing to do? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class LaunchBenchmark {
    private static final int BLOCKS = 1 << 20;
    static final String TEXT = """
        .version 8.0
        .target sm_75
        .address_size 64
        .visible .entry empty()
        {
          ret;
        }
        .visible .entry store(.param .u64 out)
        {
          .reg .b32 %r<2>;
          .reg .b64 %d<3>;
          ld.param.u64 %d0, [out];
          mov.u32 %r0, %tid.x;
          mul.wide.u32 %d1, %r0, 4;
          add.s64 %d2, %d0, %d1;
          st.global.u32 [%d2], %r0;
          ret;
        }
        """;

    @Param({"1", "2"})
    public int workers;

    private Device device;
    private Kernel empty;
    private Kernel store;
    private DeviceBuffer out;

    @Setup
    public void open() {
        device = Device.builder().workers(workers).open();
        PtxModule module = device.load("launch.ptx", TEXT);
        empty = module.kernel("empty");
        store = module.kernel("store");
        out = device.allocateInts(32);
    }

    @TearDown
    public void close() {
        device.close();
    }

    /** One block of one thread that ends at once. */
    @Benchmark
    public void emptyLaunch() {
        empty.grid(1).block(1).launch();
    }

    /** The cost of each of a million blocks of 32 threads that store a word. */
    @Benchmark
    @OperationsPerInvocation(BLOCKS)
    public void block() {
        store.grid(BLOCKS).block(32).launch(out);
    }
}
