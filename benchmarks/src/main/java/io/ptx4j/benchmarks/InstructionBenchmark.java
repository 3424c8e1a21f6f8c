package io.ptx4j.benchmarks;

import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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

/**
 * What does an instruction of each family cost? One worker, a loop of independent chains: with few, instructions wait for results, with
 * many only for the processor's units. The time is that of one instruction of one thread.
 * {@link #main} prints the same in rounds, as CPU time, which other load disturbs less.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
@State(Scope.Benchmark)
public class InstructionBenchmark {
    private static final int THREADS = 4096;
    /** Instructions in a turn of the loop, spread over the chains: so many that what a turn costs does not show. */
    private static final int UNROLLED = Integer.getInteger("ptx4j.unrolled", 64);
    /** The same of instructions that are made of many operations, which HotSpot would else find too many for a loop. */
    private static final int UNROLLED_LONG = Integer.getInteger("ptx4j.unrolled", 16);
    private static final Pattern LONG = Pattern.compile("ex2|sin|fma.*f16x2|fma.rz.f64|prmt.*C$|vabsdiff4|dp4a");
    private static final int IN_A_THREAD = 512;
    /** Rounds of {@link #main} before those that count: compiling vector code takes seconds. */
    private static final int WARMUPS = Integer.getInteger("ptx4j.warmups", 12);
    /** CPU time of one round, set in milliseconds; the clock of many systems has steps of 10 ms. */
    private static final long ROUND_NANOSECONDS = 1_000_000L * Long.getLong("ptx4j.round", 200);
    /** Halves between 1 and 2 have these bits, and random ones of {@link #HALVES}. */
    private static final long ONES = 0x3c00_3c00_3c00_3c00L;
    private static final long HALVES = 0x03ff_03ff_03ff_03ffL;
    private static final int INSTRUCTIONS = THREADS * IN_A_THREAD;

    /** How registers of a chain are held, and how the words that threads load become their values. */
    enum Holding {
        FLOAT("float", "Float.intBitsToFloat((int) bits)", "Float.floatToRawIntBits(X)"),
        DOUBLE("double", "Double.longBitsToDouble(bits)", "Double.doubleToRawLongBits(X)"),
        INT("int", "(int) bits", "X"),
        LONG("long", "bits", "X");

        final String java;
        final String fromBits;
        final String toBits;

        Holding(String java, String fromBits, String toBits) {
            this.java = java;
            this.fromBits = fromBits;
            this.toBits = toBits;
        }
    }

    /**
     * {@code X} is the chain's register and {@code Y} the next chain's; {@code B} and {@code C} are sources that do not change, {@code S} one
     * of 32 bits beside a chain of 64; {@code T} is another register and {@code Q} a predicate.
     */
    @Param({"add.rn.f32 X, X, B", "add.rz.f32 X, X, B", "add.rm.f32 X, X, B", "add.rp.f32 X, X, B", "fma.rn.f32 X, X, B, C",
        "fma.rz.f32 X, X, B, C", "fma.rm.f32 X, X, B, C", "fma.rp.f32 X, X, B, C", "mul.rn.f32 X, X, B", "mul.rz.f32 X, X, B",
        "add.rn.f64 X, X, B", "add.rn.f64 X, X, Y", "mul.rn.f64 X, X, B", "mul.rn.f64 X, X, Y", "add.rz.f64 X, X, B",
        "fma.rn.f64 X, X, B, C", "fma.rz.f64 X, X, B, C", "min.f32 X, X, Y", "div.rn.f32 X, B, X", "sqrt.rn.f32 X, X", "ex2.approx.ftz.f32 X, X", "sin.approx.f32 X, X", "fma.rn.f16x2 X, X, B, C",
        "add.u32 X, X, Y", "mul.hi.u32 X, X, B", "mad.lo.u32 X, X, B, C", "cvt.u32.u64 T, X; mad.wide.u32 X, T, S, Y",
        "mad.lo.cc.u32 X, X, B, C; addc.u32 X, X, C", "add.cc.u64 X, X, B; addc.u64 X, X, C", "div.u32 X, X, B", "rem.u32 X, C, X",
        "popc.b32 X, Y", "bfe.u32 T, X, 5, 24; add.u32 X, T, Y", "dp4a.u32.u32 X, X, B, C", "lop3.b32 X, X, Y, C, 0x96", "prmt.b32 X, X, Y, 0x2143",
        "prmt.b32 X, X, Y, C", "shf.l.wrap.b32 X, X, Y, 7", "shf.l.wrap.b32 X, X, X, 7", "setp.lt.u32 Q, X, Y; selp.b32 T, B, C, Q; add.u32 X, X, T",
        "vadd.u32.u32.u32.sat X, X.h0, Y.b1", "vabsdiff4.u32.u32.u32 X, X, B, C", "cvt.rni.s32.f32 T, X; cvt.rn.f32.s32 X, T"})
    public String instruction;

    @Param({"SCALAR", "VECTOR"})
    public Jit.Shape shape;

    /** 0 for 16 of floating-point numbers and 4 of integers: enough to keep the processor's units busy, few enough for its registers. */
    @Param("0")
    public int chains;

    private Device device;
    private Launch launch;
    private DeviceBuffer data;

    @Setup
    public void open() {
        device = Device.builder().engine(new Jit(shape)).workers(1).open();
        PtxModule module = device.load(new SourceFile("instruction.ptx", text(instruction, chains(), unrolled())));
        launch = module.kernel("k").grid(THREADS / 256).block(256);
        data = device.allocateLongs(2 * THREADS);
        data.copyFrom(values(), 0, 0, 2 * THREADS);
    }

    @TearDown
    public void close() {
        device.close();
    }

    @Benchmark
    @OperationsPerInvocation(INSTRUCTIONS)
    public void jit() {
        launch.launch(data, turns());
    }

    private int unrolled() {
        return LONG.matcher(instruction).lookingAt() ? UNROLLED_LONG : UNROLLED;
    }

    private int turns() {
        return IN_A_THREAD / unrolled();
    }

    private int chains() {
        boolean floating = holding() == Holding.FLOAT || holding() == Holding.DOUBLE;
        return chains > 0 ? chains : floating ? 16 : 4;
    }

    private Holding holding() {
        boolean wide = instruction.contains("64");
        return instruction.contains("f64") ? Holding.DOUBLE : wide ? Holding.LONG : instruction.contains("f32") ? Holding.FLOAT : Holding.INT;
    }

    /** What threads load, two each: numbers a little above 0.7; of integers random bits, so that carries and comparisons fall either way. */
    private long[] values() {
        if (holding() == Holding.INT || holding() == Holding.LONG) {
            return new SplittableRandom(1).longs(2 * THREADS).map(bits -> instruction.contains("f16x2") ? bits & HALVES | ONES : bits).toArray();
        }
        boolean single = holding() == Holding.FLOAT;
        return IntStream.range(0, 2 * THREADS).mapToDouble(i -> 0.7 + i * 1e-5)
                .mapToLong(value -> single ? Float.floatToRawIntBits((float) value) : Double.doubleToRawLongBits(value)).toArray();
    }

    private static String text(String instruction, int chains, int unrolled) {
        boolean wide = instruction.contains("64");
        int width = wide ? 64 : 32;
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry k(.param .u64 data, .param .u32 turns)
                {
                .reg .pred %%p, %%q, %%e; .reg .b32 %%t, %%i, %%n, %%u, %%s; .reg .b64 %%a; .reg .b%1$d %%x<%2$d>, %%b, %%c, %%z;
                ld.param.u64 %%a, [data]; ld.param.u32 %%n, [turns];
                mov.u32 %%t, %%tid.x; mov.u32 %%i, %%ctaid.x; mad.lo.u32 %%t, %%i, 256, %%t; mad.wide.u32 %%a, %%t, 16, %%a;
                ld.global.b%1$d %%b, [%%a]; ld.global.b%1$d %%c, [%%a+8]; ld.global.b32 %%s, [%%a];
                mov.u32 %%i, 0;
                """.formatted(width, chains));
        for (int k = 0; k < chains; k++) {
            text.append("mov.b%d %%x%d, %%b;\n".formatted(width, k));
        }
        text.append("LOOP:\n");
        for (int k = 0; k < unrolled; k++) {
            text.append(instruction.replace("X", "%x" + k % chains).replace("B", "%b").replace("C", "%c")
                    .replace("Y", "%x" + (k + 1) % chains).replace("T", "%u").replace("Q", "%q").replace("S", "%s")).append(";\n");
        }
        text.append("add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra LOOP;\n");
        text.append("mov.b%1$d %%z, 0;\n".formatted(width));
        for (int k = 0; k < chains; k++) {
            text.append("xor.b%1$d %%z, %%z, %%x%2$d;\n".formatted(width, k));
        }
        return text.append("""
                setp.eq.b%1$d %%e, %%z, 12345; @%%e st.global.b%1$d [%%a], %%z;
                exit;
                }
                """.formatted(width)).toString();
    }

    private static List<String> instructions() throws NoSuchFieldException {
        return List.of(InstructionBenchmark.class.getField("instruction").getAnnotation(Param.class).value());
    }

    /**
     * Prints the median cost of each instruction over rounds, of the same in Java, and the median of the quotients: each round measures one
     * after the other. Arguments are shape, number of rounds, number of chains and a regular expression that instructions must begin with.
     */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
        System.out.println("| instruction | ptx4j, ns | Java, ns | ptx4j / Java |\n|---|---|---|---|");
        for (String instruction : instructions()) {
            if (args.length > 3 && !Pattern.compile(args[3]).matcher(instruction).lookingAt()) {
                continue;
            }
            InstructionBenchmark one = new InstructionBenchmark();
            one.instruction = instruction;
            one.shape = args.length > 0 ? Jit.Shape.valueOf(args[0]) : Jit.Shape.SCALAR;
            one.chains = args.length > 2 ? Integer.parseInt(args[2]) : 0;
            one.open();
            PlainInstructions.Loop plain = PlainInstructions.loop(instruction, one.holding(), one.chains(), one.unrolled());
            long[] values = one.values();
            double[] jit = new double[rounds];
            double[] java = new double[rounds];
            double[] quotients = new double[rounds];
            for (int round = -WARMUPS; round < rounds; round++) {
                double[] times = {round(one::jit), round(() -> kept += plain.run(values, one.turns()))};
                if (round >= 0) {
                    jit[round] = times[0];
                    java[round] = times[1];
                    quotients[round] = times[0] / times[1];
                }
            }
            System.out.printf("| `%s` | %.3f | %.3f | %.2f |%n", instruction, median(jit), median(java), median(quotients));
            one.close();
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static long kept;

    /** CPU time of the process for one instruction of one thread. */
    private static double round(Runnable run) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        int launches = 0;
        long start = system.getProcessCpuTime();
        long used = 0;
        while (used < ROUND_NANOSECONDS) {
            run.run();
            launches++;
            used = system.getProcessCpuTime() - start;
        }
        return used / (double) launches / INSTRUCTIONS;
    }
}
