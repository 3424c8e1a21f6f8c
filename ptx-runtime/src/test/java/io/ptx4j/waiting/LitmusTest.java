package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.EngineKind;
import io.ptx4j.runtime.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The litmus shapes of the memory model (manual: "Memory Consistency Model"): what each forbids never happens to threads of different
 * blocks, which different workers run. Each run has places of its own, so blocks race through an array of runs; before each a block looks
 * up to 200 times whether the next block has come as far. (With the fences of SB taken out, 10^6 runs show what they forbid.)
 */
@Timeout(300)
final class LitmusTest {
    /** Runs of each shape on the JIT: these many in one launch. */
    private static final int RUNS = 1 << 14;
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int RESULTS = 2;

    /** What each thread of a shape does with x and y, and which results it must not have. */
    private enum Shape {
        /** The flag is seen, the message is not. */
        MP("W x 1; Wrel y 1", "Racq 0 y; R 1 x") {
            @Override
            boolean forbidden(int[] r, int x, int y) {
                return r[2] == 1 && r[3] == 0;
            }
        },
        MP_FENCES("W x 1; F; W y 1", "R 0 y; F; R 1 x") {
            @Override
            boolean forbidden(int[] r, int x, int y) {
                return r[2] == 1 && r[3] == 0;
            }
        },
        /** An atomic carries the message. */
        MP_ATOMIC("W x 1; A y 1", "A+ 0 y; R 1 x") {
            @Override
            boolean forbidden(int[] r, int x, int y) {
                return r[2] == 1 && r[3] == 0;
            }
        },
        SB("W x 1; SC; R 0 y", "W y 1; SC; R 0 x") {
            @Override
            boolean forbidden(int[] r, int x, int y) {
                return r[0] == 0 && r[2] == 0;
            }
        },
        LB("Racq 0 x; Wrel y 1", "Racq 0 y; Wrel x 1") {
            @Override
            boolean forbidden(int[] r, int x, int y) {
                return r[0] == 1 && r[2] == 1;
            }
        },
        CO_RR("W x 1; W x 2", "R 0 x; R 1 x") {
            @Override
            boolean forbidden(int[] r, int x, int y) {
                return r[2] > r[3] || x != 2;
            }
        },
        TWO_WRITES("W x 1; SC; W y 2", "W y 1; SC; W x 2") {
            @Override
            boolean forbidden(int[] r, int x, int y) {
                return x == 1 && y == 1;
            }
        },
        IRIW("W x 1", "W y 1", "R 0 x; SC; R 1 y", "R 0 y; SC; R 1 x") {
            @Override
            boolean forbidden(int[] r, int x, int y) {
                return r[4] == 1 && r[5] == 0 && r[6] == 1 && r[7] == 0;
            }
        };

        private final String[] threads;

        Shape(String... threads) {
            this.threads = threads;
        }

        /** @param r result {@code k} of thread {@code t} at {@code 2 t + k} */
        abstract boolean forbidden(int[] r, int x, int y);
    }

    private record Litmus(Shape shape, String scope, EngineKind engine) {
    }

    static Stream<Litmus> all() {
        List<Litmus> all = new ArrayList<>();
        for (EngineKind engine : EngineKind.values()) {
            for (Shape shape : Shape.values()) {
                for (String scope : List.of("gpu", "sys", "cluster")) {
                    all.add(new Litmus(shape, scope, engine));
                }
                // Volatile and memory-mapped accesses are relaxed ones of the system's scope; they have no release and acquire.
                if (LONG && String.join(";", shape.threads).matches("((W|R|F|SC)( \\w)*[; ]*)+")) {
                    all.add(new Litmus(shape, "volatile", engine));
                    all.add(new Litmus(shape, "mmio", engine));
                }
            }
        }
        return IntStream.range(0, all.size()).filter(Part::has).mapToObj(all::get);
    }

    private static String instruction(String step, String access) {
        String[] words = step.trim().split(" ");
        boolean plain = List.of("gpu", "sys", "cluster").contains(access);
        String scope = plain ? access : "sys";
        String relaxed = plain ? ".relaxed." + scope : access.equals("mmio") ? ".mmio.relaxed.sys" : ".volatile";
        return switch (words[0]) {
            case "W" -> "st" + relaxed + ".global.u32 [%" + words[1] + "], " + words[2] + ";";
            case "Wrel" -> "st.release." + scope + ".global.u32 [%" + words[1] + "], " + words[2] + ";";
            case "R" -> "ld" + relaxed + ".global.u32 %r" + words[1] + ", [%" + words[2] + "];";
            case "Racq" -> "ld.acquire." + scope + ".global.u32 %r" + words[1] + ", [%" + words[2] + "];";
            case "A" -> "red.release." + scope + ".global.add.u32 [%" + words[1] + "], " + words[2] + ";";
            case "A+" -> "atom.acquire." + scope + ".global.add.u32 %r" + words[1] + ", [%" + words[2] + "], 0;";
            case "F" -> "fence.acq_rel." + scope + ";";
            case "SC" -> "fence.sc." + scope + ";";
            default -> throw new AssertionError(step);
        } + "\n";
    }

    /** A kernel whose block {@code t} is thread {@code t} of the shape, over and over. */
    private static String kernel(Litmus litmus) {
        StringBuilder text = new StringBuilder("""
                .version 8.2
                .target sm_90
                .address_size 64
                .visible .entry litmus(.param .u64 xs, .param .u64 ys, .param .u64 out, .param .u64 pace, .param .u32 runs)
                {
                    .reg .b64 %x, %y, %o, %own, %next;
                    .reg .b32 %t, %i, %n, %m, %k, %r0, %r1;
                    .reg .pred %p, %q;
                    ld.param.u64 %x, [xs];
                    ld.param.u64 %y, [ys];
                    ld.param.u64 %o, [out];
                    ld.param.u32 %n, [runs];
                    mov.u32 %t, %ctaid.x;
                    mov.u32 %i, 0;
                    ld.param.u64 %next, [pace];
                    mad.wide.u32 %own, %t, 64, %next;
                    add.u32 %m, %t, 1;
                    mov.u32 %k, %nctaid.x;
                    rem.u32 %m, %m, %k;
                    mad.wide.u32 %next, %m, 64, %next;
                """);
        for (int t = 1; t < litmus.shape.threads.length; t++) {
            text.append("setp.eq.u32 %p, %t, ").append(t).append(";\n@%p bra T").append(t).append(";\n");
        }
        for (int t = 0; t < litmus.shape.threads.length; t++) {
            text.append("""
                    T%1$d:
                    st.relaxed.gpu.u32 [%%own], %%i;
                    mov.u32 %%k, 0;
                    P%1$d:
                    ld.relaxed.gpu.u32 %%m, [%%next];
                    add.u32 %%k, %%k, 1;
                    setp.lt.u32 %%p, %%m, %%i;
                    setp.lt.and.u32 %%q, %%k, 200, %%p;
                    @%%q bra P%1$d;
                    mov.u32 %%r0, 0;
                    mov.u32 %%r1, 0;
                    """.formatted(t));
            for (String step : litmus.shape.threads[t].split(";")) {
                text.append(instruction(step, litmus.scope));
            }
            text.append("""
                    st.global.v2.u32 [%%o+%1$d], {%%r0, %%r1};
                    add.u64 %%o, %%o, %2$d;
                    add.u64 %%x, %%x, 16;
                    add.u64 %%y, %%y, 16;
                    add.u32 %%i, %%i, 1;
                    setp.lt.u32 %%p, %%i, %%n;
                    @%%p bra T%3$d;
                    ret;
                    """.formatted(8 * t, 8 * litmus.shape.threads.length, t));
        }
        return text.append("}\n").toString();
    }

    @ParameterizedTest
    @MethodSource("all")
    void whatTheModelForbidsDoesNotHappen(Litmus litmus) {
        int threads = litmus.shape.threads.length;
        boolean jit = litmus.engine == EngineKind.JIT;
        int runs = jit ? RUNS : RUNS / 2;
        int launches = !LONG ? 1 : jit ? 64 : 128;
        try (Device device = Device.builder().engine(litmus.engine).memory(1 << 26).workers(threads).open()) {
            Kernel kernel = device.load("litmus.ptx", kernel(litmus)).kernel("litmus");
            DeviceBuffer x = device.allocateInts(4L * runs);
            DeviceBuffer y = device.allocateInts(4L * runs);
            DeviceBuffer pace = device.allocateInts(16L * threads);
            DeviceBuffer out = device.allocateInts((long) RESULTS * threads * runs);
            for (int launch = 0; launch < launches; launch++) {
                x.fill(0);
                y.fill(0);
                pace.fill(0);
                kernel.grid(threads).block(1).launch(x, y, out, pace, runs);
                assertEquals(0, forbidden(litmus.shape, x.toInts(), y.toInts(), out.toInts()), litmus + " in launch " + launch);
            }
        }
    }

    private static int forbidden(Shape shape, int[] x, int[] y, int[] out) {
        int width = RESULTS * shape.threads.length;
        int found = 0;
        int[] results = new int[width];
        for (int i = 0; i < out.length / width; i++) {
            System.arraycopy(out, i * width, results, 0, width);
            found += shape.forbidden(results, x[4 * i], y[4 * i]) ? 1 : 0;
        }
        return found;
    }
}
