package io.ptx4j.benchmarks;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.syntax.SourceFile;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long from PTX text to a checked module, in a heap of 1 GiB? {@code cold} is the first file that a JVM reads, {@code warm} a
 * later one. The text is like that of a compiler: kernels of a thousand instructions, tabs, labels, registers by number.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class FrontEndBenchmark {
    private static final int PER_KERNEL = 1000;
    /** Instructions of one round, {@code N} being its number. */
    private static final String ROUND = """
            $L_N:
            \tmov.u32 \t%r1N, %tid.x;
            \tmad.lo.s32 \t%r2N, %r1N, %r1, 12;
            \tmul.wide.s32 \t%rd1N, %r2N, 4;
            \tadd.s64 \t%rd2N, %rd1, %rd1N;
            \tld.global.f32 \t%f1N, [%rd2N+16];
            \tfma.rn.f32 \t%f2N, %f1N, 0f3F800000, %f1N;
            \tst.global.f32 \t[%rd2N], %f2N;
            \tshl.b32 \t%r3N, %r2N, 3;
            \tsetp.lt.s32 \t%pN, %r3N, 1000;
            \t@%pN bra \t$L_N;
            """;
    private static final int ROUND_LENGTH = 10;

    @Param({"100000", "1000000"})
    public int instructions;

    private SourceFile source;

    @Setup
    public void write() {
        StringBuilder text = new StringBuilder(".version 8.0\n.target sm_80\n.address_size 64\n");
        for (int made = 0; made < instructions; made += PER_KERNEL) {
            text.append("\n.visible .entry k").append(made).append("(\n\t.param .u64 data\n)\n{\n\t.reg .pred \t%p<1000>;\n"
                    + "\t.reg .b32 \t%r<4000>;\n\t.reg .f32 \t%f<3000>;\n\t.reg .b64 \t%rd<3000>;\n\n");
            for (int round = 0; round < PER_KERNEL / ROUND_LENGTH; round++) {
                text.append(ROUND.replace("N", "" + (100 + round)));
            }
            text.append("\tret;\n\n}\n");
        }
        source = new SourceFile("large.ptx", text.toString());
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 0)
    @Measurement(iterations = 1)
    @Fork(value = 5, jvmArgsAppend = "-Xmx1g")
    public CheckedModule cold() {
        return checked();
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @Warmup(iterations = 5, time = 2)
    @Measurement(iterations = 5, time = 2)
    @Fork(value = 1, jvmArgsAppend = "-Xmx1g")
    public CheckedModule warm() {
        return checked();
    }

    private CheckedModule checked() {
        CheckedModule checked = Checker.check(source);
        if (!checked.ok()) {
            throw new IllegalStateException(checked.diagnostics().getFirst().render());
        }
        return checked;
    }
}
