package io.ptx4j.benchmarks;

import com.sun.management.ThreadMXBean;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.LaunchResult;
import java.lang.management.ManagementFactory;
import java.util.Random;

/**
 * How fast kernels of any size become, and when: prints the CPU time of the process up to the first result, and then each time that a thread's
 * instruction has become notably cheaper. Arguments: number of instructions, shape ({@code SCALAR}, {@code VECTOR} or {@code AUTO}),
 * seconds of CPU time, and {@code function} to have them in a function. Run sizes in JVMs of their own, and compare the last lines.
 */
public final class LargeKernels {
    private static final int LIVE = 24;
    private static final int THREADS = 128;
    private static final int DECLARED = 137_000;

    private LargeKernels() {
    }

    public static void main(String[] args) {
        int instructions = Integer.parseInt(args[0]);
        long limit = 1_000L * Integer.parseInt(args[2]);
        var clock = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        String text = text(instructions, args.length > 3);
        long start = cpuMillis();
        try (Device device = Device.builder().workers(1).engine(new Jit(Jit.Shape.valueOf(args[1]))).memory(1 << 24).open()) {
            DeviceBuffer out = device.allocateInts(THREADS);
            Kernel kernel = device.load("large.ptx", text).kernel("k");
            LaunchResult result = kernel.grid(1).block(32).launch(out, 1);
            System.out.printf("%d instructions: first result after %d ms%n", instructions, cpuMillis() - start);
            int turns = Math.max(1, 200_000 / instructions);
            double least = Double.MAX_VALUE;
            while (cpuMillis() - start < limit) {
                long before = clock.getCurrentThreadCpuTime();
                result = kernel.grid(1).block(THREADS).launch(out, turns);
                double each = (clock.getCurrentThreadCpuTime() - before) / (double) THREADS / turns / instructions;
                if (each < 0.93 * least) {
                    System.out.printf("%8d ms: %.3f ns, %s%n", cpuMillis() - start, each, result.shape());
                }
                least = Math.min(least, each);
            }
            System.out.printf("   least: %.3f ns, %s%n", least, result.shape());
        }
    }

    private static long cpuMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    }

    /** A loop of mixed integer instructions over as many live values, each into a register of its own. */
    private static String text(int instructions, boolean inFunction) {
        Random random = new Random(7);
        StringBuilder code = new StringBuilder();
        String[] live = new String[LIVE];
        StringBuilder begin = new StringBuilder();
        for (int i = 0; i < LIVE; i++) {
            live[i] = "%r" + i;
            begin.append("mad.lo.u32 %r").append(i).append(", %x, ").append(2 * i + 3).append(", ").append(i).append(";\n");
        }
        for (int k = 0; k < instructions; k++) {
            String a = live[random.nextInt(LIVE)];
            String b = live[random.nextInt(LIVE)];
            int changed = random.nextInt(LIVE);
            String c = live[changed];
            live[changed] = "%r" + (LIVE + k);
            String instruction = switch (random.nextInt(6)) {
                case 0 -> "mad.lo.u32 D, A, B, C;\n";
                case 1 -> "xor.b32 D, A, C;\n";
                case 2 -> "add.u32 D, B, C;\n";
                case 3 -> "shf.l.wrap.b32 D, C, A, 7;\n";
                case 4 -> "sub.u32 D, C, B;\n";
                default -> "lop3.b32 D, A, B, C, 0x96;\n";
            };
            code.append(instruction.replace("D", live[changed]).replace("A", a).replace("B", b).replace("C", c));
        }
        String registers = ".reg .b32 %r<" + Math.max(LIVE + instructions, DECLARED) + ">;\n";
        StringBuilder back = new StringBuilder();
        for (int i = 0; i < LIVE; i++) {
            back.append("mov.u32 %r").append(i).append(", ").append(live[i]).append(";\n");
        }
        String function = inFunction ? ".func (.reg .b32 %res) f(.reg .b32 %x) {\n" + registers + begin + code + "xor.b32 %res, " + live[0] + ", "
                + live[1] + "; ret; }\n" : "";
        String body = inFunction ? "call.uni (%r0), f, (%r0);\n" : code.toString() + back;
        return """
                .version 9.0
                .target sm_90
                .address_size 64
                """ + function + """
                .visible .entry k(.param .u64 out, .param .u32 turns) {
                .reg .pred %p; .reg .b64 %d<3>; .reg .b32 %x, %i, %n;
                """ + registers + """
                ld.param.u64 %d0, [out]; ld.param.u32 %n, [turns]; mov.u32 %x, %tid.x; mov.u32 %i, 0;
                """ + begin + "LOOP:\n" + body + """
                add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra LOOP;
                mul.wide.u32 %d1, %x, 4; add.u64 %d2, %d0, %d1; xor.b32 %r0, %r0, %r1; st.global.u32 [%d2], %r0; ret; }
                """;
    }
}
