package io.ptx4j.benchmarks.workloads;

import io.ptx4j.runtime.Dim3;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/** The workloads by name. Their data are the same in every run. */
public final class Workloads {
    private static final Map<String, Function<Size, Workload>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("saxpy", size -> saxpy("saxpy", size.of(1 << 16, 1 << 24), 1));
        ALL.put("saxpyL2", size -> saxpy("saxpyL2", 1 << 15, size.of(2, 500)));
        ALL.put("hash", Workloads::hash);
        ALL.put("mandelbrot", Workloads::mandelbrot);
        ALL.put("escape", Workloads::escape);
        ALL.put("matmul", Workloads::matmul);
        ALL.put("sgemm", Workloads::sgemm);
        ALL.put("hgemm", Workloads::hgemm);
        ALL.put("reduction", Workloads::reduction);
        ALL.put("blockSums", Workloads::blockSums);
        ALL.put("histogram", Workloads::histogram);
        ALL.put("montgomery", size -> montgomery("montgomery", "montgomery_chain", size));
        ALL.put("montgomery64", size -> montgomery("montgomery64", "montgomery_chain64", size));
        ALL.put("scan", Workloads::scan);
        ALL.put("bitonic", Workloads::bitonic);
        ALL.put("nbody", Workloads::nbody);
        ALL.put("stencil", Workloads::stencil);
        ALL.put("blackScholes", Workloads::blackScholes);
        ALL.put("sha256", Workloads::sha256);
        ALL.put("keccak", Workloads::keccak);
        ALL.put("modexp", Workloads::modexp);
        ALL.put("bfs", Workloads::bfs);
    }

    /** How much there is to do: {@code SMALL} for tests and for the interpreter, {@code FULL} for measurements of fast code. */
    public enum Size {
        SMALL, FULL;

        private int of(int small, int full) {
            return this == SMALL ? small : full;
        }
    }

    private Workloads() {
    }

    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** @throws IllegalArgumentException if there is none of that name */
    public static Workload named(String name, Size size) {
        Function<Size, Workload> workload = ALL.get(name);
        if (workload == null) {
            throw new IllegalArgumentException("no workload " + name + "; there are " + String.join(", ", ALL.keySet()));
        }
        return workload.apply(size);
    }

    private static Workload exact(String name, String file, Step step, int times, Data result, Consumer<Heap> java) {
        return new Workload(name, file, List.of(step), times, result, 0, java);
    }

    private static String example(String name) {
        return "/examples/" + name + ".sm_75.ptx";
    }

    private static String kernel(String name) {
        return "/kernels/" + name + ".sm_75.ptx";
    }

    /** Multiples of 1/97 from 0 to below 1: sums of few of them are exact. */
    private static Data fractions(String name, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (i * 31 % 97) / 97f;
        }
        return new Data(name, values);
    }

    private static Data uniform(String name, int count, float from, float to, int seed) {
        Random random = new Random(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = from + (to - from) * random.nextFloat();
        }
        return new Data(name, values);
    }

    private static Data randomInts(String name, int count, int seed) {
        return new Data(name, new Random(seed).ints(count).toArray());
    }

    private static Workload saxpy(String name, int n, int times) {
        Data x = fractions("x", n);
        Data y = fractions("y", n);
        float a = 0.5f;
        return exact(name, example("saxpy"), Step.of("saxpy", n / 256, 256, n, a, x, y), times, y,
            heap -> JavaSaxpy.add(n, a, heap.floats(x), heap.floats(y)));
    }

    private static Workload hash(Size size) {
        int n = size.of(1 << 14, 1 << 22);
        Data out = new Data("out", new int[n]);
        return exact("hash", kernel("hash"), Step.of("hash", n / 256, 256, n, out), 1, out, heap -> JavaHash.hash(n, heap.ints(out)));
    }

    private static Workload mandelbrot(Size size) {
        int side = size.of(64, 1024);
        float step = 2.5f / side;
        Data rgb = new Data("rgb", new byte[3 * side * side]);
        Step launch = Step.of("mandelbrot", new Dim3(side / 32, side / 8, 1), new Dim3(32, 8, 1), rgb, side, side, -2f, -1.25f, step, step, 256);
        return exact("mandelbrot", example("mandelbrot"), launch, 1, rgb, heap -> JavaMandelbrot.draw(heap.bytes(rgb), side, -2f, -1.25f, step, 256));
    }

    private static Workload escape(Size size) {
        int side = size.of(64, 2048);
        float step = 2.5f / side;
        Data steps = new Data("steps", new int[side * side]);
        Step launch = Step.of("escape", new Dim3(side / 32, side / 8, 1), new Dim3(32, 8, 1), steps, side, side, -2f, -1.25f, step, step, 256);
        return exact("escape", kernel("escape"), launch, 1, steps, heap -> JavaMandelbrot.escape(heap.ints(steps), side, -2f, -1.25f, step, 256));
    }

    private static Workload matmul(Size size) {
        int n = size.of(64, 1024);
        Data a = fractions("a", n * n);
        Data b = uniform("b", n * n, -1, 1, 5);
        Data c = new Data("c", new float[n * n]);
        Step launch = Step.of("matmul", new Dim3(n / 16, n / 16, 1), new Dim3(16, 16, 1), n, n, n, a, b, c);
        return exact("matmul", example("matmul"), launch, 1, c, heap -> JavaMatmul.multiply(n, heap.floats(a), heap.floats(b), heap.floats(c)));
    }

    private static Workload sgemm(Size size) {
        int n = size.of(64, 1024);
        Data a = fractions("a", n * n);
        Data b = uniform("b", n * n, -1, 1, 6);
        Data c = new Data("c", new float[n * n]);
        Step launch = Step.of("sgemm", new Dim3(n / 64, n / 64, 1), new Dim3(16, 16, 1), n, a, b, c);
        return exact("sgemm", kernel("sgemm"), launch, 1, c, heap -> JavaMatmul.multiply(n, heap.floats(a), heap.floats(b), heap.floats(c)));
    }

    /** On tensor cores; C and Java have none and convert to f32. */
    private static Workload hgemm(Size size) {
        int n = size.of(64, 1024);
        Data a = halves("a", n * n, 7);
        Data b = halves("b", n * n, 8);
        Data c = new Data("c", new float[n * n]);
        Step launch = Step.of("hgemm", new Dim3(n / 64, n / 64, 1), new Dim3(128, 1, 1), n, a, b, c);
        return exact("hgemm", "/kernels/hgemm.sm_80.ptx", launch, 1, c, heap -> JavaMatmul.multiplyHalves(n, heap.ints(a), heap.ints(b), heap.floats(c)));
    }

    /** Numbers of f16 from -1 to 1, two to a word. */
    private static Data halves(String name, int count, long seed) {
        Random random = new Random(seed);
        int[] words = new int[count / 2];
        for (int i = 0; i < words.length; i++) {
            words[i] = Float.floatToFloat16(2 * random.nextFloat() - 1) & 0xffff | Float.floatToFloat16(2 * random.nextFloat() - 1) << 16;
        }
        return new Data(name, words);
    }

    private static Workload reduction(Size size) {
        int n = size.of(1 << 16, 1 << 24);
        int blocks = size.of(16, 1024);
        float[] wholeNumbers = new float[n];
        for (int i = 0; i < n; i++) {
            wholeNumbers[i] = i % 7;
        }
        Data x = new Data("x", wholeNumbers);
        Data partial = new Data("partial", new float[blocks]);
        return exact("reduction", example("reduction"), Step.of("sum_partial_f32", blocks, 256, n, x, partial), 1, partial,
            heap -> JavaReduction.sums(n, blocks, 256, heap.floats(x), heap.floats(partial)));
    }

    private static Workload blockSums(Size size) {
        int n = size.of(1 << 16, 1 << 24);
        Data in = randomInts("in", n, 19);
        Data sums = new Data("sums", new int[n / 256]);
        return exact("blockSums", kernel("block_sums"), Step.of("block_sums", n / 256, 256, in, sums).shared(1024), 1, sums,
            heap -> JavaReduction.runs(256, heap.ints(in), heap.ints(sums)));
    }

    private static Workload histogram(Size size) {
        int n = size.of(1 << 16, 1 << 24);
        byte[] text = new byte[n];
        new Random(6).nextBytes(text);
        Data data = new Data("data", text);
        Data bins = new Data("bins", new int[256]);
        return exact("histogram", example("histogram"), Step.of("histogram_shared", 256, 256, n, data, bins), 1, bins,
            heap -> JavaHistogram.count(heap.bytes(data), heap.ints(bins)));
    }

    private static Workload montgomery(String name, String kernel, Size size) {
        int n = size.of(1 << 9, 1 << 15);
        int times = size.of(2, 16);
        int[] numbers = new Random(7).ints(8 * n).toArray();
        for (int i = 7; i < numbers.length; i += 8) {
            numbers[i] &= 0x0fff_ffff;
        }
        Data a = new Data("a", numbers);
        Data b = new Data("b", numbers);
        Data product = new Data("product", new int[8 * n]);
        return exact(name, example("montgomery"), Step.of(kernel, n / 128, 128, n, times, a, b, product), 1, product,
            heap -> JavaMontgomery.chains(n, times, heap.ints(a), heap.ints(b), heap.ints(product)));
    }

    private static Workload scan(Size size) {
        int n = size.of(1 << 12, 1 << 18);
        Data in = randomInts("in", n, 8);
        Data out = new Data("out", new int[n]);
        Data sums = new Data("sums", new int[n / 512]);
        Data total = new Data("total", new int[1]);
        List<Step> steps = List.of(
            Step.of("scan_blocks", n / 512, 512, n, in, out, sums).shared(4096),
            Step.of("scan_blocks", 1, 512, n / 512, sums, sums, total).shared(4096),
            Step.of("add_offsets", n / 512, 512, n, out, sums));
        return new Workload("scan", example("scan"), steps, 4, out, 0, heap -> JavaSorting.prefixSums(heap.ints(in), heap.ints(out)));
    }

    private static Workload bitonic(Size size) {
        int n = size.of(1 << 12, 1 << 19);
        Data in = randomInts("in", n, 9);
        Data out = new Data("out", new int[n]);
        return exact("bitonic", kernel("bitonic_blocks"), Step.of("bitonic_blocks", n / 512, 256, in, out).shared(2048), 1, out,
            heap -> JavaSorting.sortRuns(512, heap.ints(in), heap.ints(out)));
    }

    private static Workload nbody(Size size) {
        int n = size.of(256, 4096);
        Data bodies = uniform("bodies", 4 * n, -1, 1, 10);
        Data velocities = new Data("velocities", new float[4 * n]);
        Data moved = new Data("moved", new float[4 * n]);
        Step step = Step.of("nbody_step", n / 128, 128, n, 0.001f, 0.25f, bodies, velocities, moved).shared(128 * 16);
        return new Workload("nbody", example("nbody"), List.of(step), 1, moved, 1e-3f,
            heap -> JavaNbody.step(n, 0.001f, 0.25f, heap.floats(bodies), heap.floats(velocities), heap.floats(moved)));
    }

    private static Workload stencil(Size size) {
        int side = size.of(128, 2048);
        Data in = uniform("in", side * side, 0, 1, 11);
        Data out = new Data("out", new float[side * side]);
        Step step = Step.of("stencil", new Dim3(side / 32, side / 8, 1), new Dim3(32, 8, 1), side, side, 0.2f, in, out);
        return exact("stencil", example("stencil"), step, 1, out, heap -> JavaStencil.relax(side, 0.2f, heap.floats(in), heap.floats(out)));
    }

    private static Workload blackScholes(Size size) {
        int n = size.of(1 << 12, 1 << 20);
        Data spot = uniform("spot", n, 5, 30, 12);
        Data strike = uniform("strike", n, 5, 30, 13);
        Data years = uniform("years", n, 0.25f, 10, 14);
        Data call = new Data("call", new float[n]);
        Data put = new Data("put", new float[n]);
        Step step = Step.of("black_scholes", n / 256, 256, n, 0.02f, 0.3f, spot, strike, years, call, put);
        return new Workload("blackScholes", kernel("black_scholes"), List.of(step), 1, call, 1e-4f,
            heap -> JavaBlackScholes.price(n, 0.02f, 0.3f, heap.floats(spot), heap.floats(strike), heap.floats(years), heap.floats(call),
                heap.floats(put)));
    }

    private static Workload sha256(Size size) {
        int n = size.of(1 << 7, 1 << 13);
        int iterations = size.of(4, 32);
        Data digests = new Data("digests", new int[8 * n]);
        return exact("sha256", example("sha256"), Step.of("sha256_chain", n / 128, 128, n, 1, iterations, digests), 1, digests,
            heap -> JavaSha256.chains(n, 1, iterations, heap.ints(digests)));
    }

    private static Workload keccak(Size size) {
        int n = size.of(1 << 8, 1 << 14);
        int times = size.of(1, 8);
        Data states = new Data("states", new Random(15).longs(25L * n).toArray());
        return exact("keccak", kernel("keccak"), Step.of("keccak", n / 128, 128, n, times, states), 1, states,
            heap -> JavaKeccak.permute(n, times, heap.longs(states)));
    }

    private static Workload modexp(Size size) {
        int n = size.of(64, 256);
        int[] modulus = new Random(16).ints(32).toArray();
        modulus[0] |= 1;
        modulus[31] |= 0x8000_0000;
        int[] bases = new Random(17).ints(32 * n).toArray();
        for (int i = 31; i < bases.length; i += 32) {
            bases[i] &= 0x7fff_ffff;
        }
        int inverse = 1;
        for (int bit = 0; bit < 5; bit++) {
            inverse *= 2 - modulus[0] * inverse;
        }
        int minusInverse = -inverse;
        Data m = new Data("modulus", modulus);
        Data b = new Data("bases", bases);
        Data powers = new Data("powers", new int[32 * n]);
        return exact("modexp", kernel("modexp"), Step.of("modexp", n / 64, 64, n, 65537, minusInverse, m, b, powers), 1, powers,
            heap -> JavaModexp.powers(n, 65537, minusInverse, heap.ints(m), heap.ints(b), heap.ints(powers)));
    }

    private static Workload bfs(Size size) {
        int n = size.of(1 << 10, 1 << 17);
        int degree = 8;
        int levels = 8;
        Random random = new Random(18);
        int[] starts = new int[n + 1];
        int[] ends = new int[degree * n];
        for (int v = 0; v < n; v++) {
            starts[v + 1] = starts[v] + 1 + random.nextInt(2 * degree - 1);
            for (int e = starts[v]; e < starts[v + 1] && e < ends.length; e++) {
                ends[e] = random.nextInt(n);
            }
            starts[v + 1] = Math.min(starts[v + 1], ends.length);
        }
        Data offsets = new Data("offsets", starts);
        Data edges = new Data("edges", ends);
        Data depth = new Data("depth", new int[n]);
        List<Step> steps = new ArrayList<>();
        steps.add(Step.of("bfs_start", n / 256, 256, n, depth));
        for (int level = 0; level < levels; level++) {
            steps.add(Step.of("bfs_level", n / 256, 256, n, level, offsets, edges, depth));
        }
        return new Workload("bfs", kernel("bfs"), List.copyOf(steps), 1, depth, 0,
            heap -> JavaBfs.search(n, levels, heap.ints(offsets), heap.ints(edges), heap.ints(depth)));
    }
}
