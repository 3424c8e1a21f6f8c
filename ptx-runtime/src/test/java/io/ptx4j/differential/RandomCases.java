package io.ptx4j.differential;

import io.ptx4j.check.Checker;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes random kernels as cases for {@code ptx record}: those whose results the manual defines, or that an H100's approximations define. Arguments are the folder, the first seed,
 * how many to write and of how many statements, and {@code hopper} for such that approximate.
 */
final class RandomCases {
    private static final Pattern APPROXIMATE = Pattern.compile("approx|\\.full");
    /** Clocks, and what only a launch with more than buffers can have; undefined policies and flags; scalar video instructions, which ptxas writes out otherwise. */
    private static final Pattern LEFT_OUT = Pattern.compile("%clock|%smid|%nsmid|%warpid|%nwarpid|%gridid|%globaltimer|%envreg|%pm|cluster|multimem|\\bmma|wmma|%total_smem|%dynamic_smem"
            + "|mbarrier|cache_hint|addc|subc|madc|\\bv(add|sub|absdiff|min|max|shl|shr|mad|set|avrg)[24.]|\\b(tex|sul?d|sust|txq|tld4)\\b|activemask|nanosleep|\\[%k");
    /**
     * What ptxas 13.0 does not translate as it stands (docs/exactness.md): converted results of guarded comparisons, the minimum of a register and itself, the order of the sources of f64, which
     * shows where several are NaN, signs of constants, stores of eight narrow values, roundings of bf16, products of sm_1x.
     */
    private static final Pattern OTHERWISE_IN_PTXAS = Pattern.compile("\\bset\\.[\\w.]*\\.(f32|f16|f16x2|bf16|bf16x2)\\.|\\bset\\.[\\w.]*\\.[su]32\\.[bsu]16 |\\b(min|max)\\.\\S* \\S+, (\\S+), \\3;"
            + "|\\b(add|sub|mul|fma|mad|min|max|div)\\.[\\w.]*f64|\\b(abs|neg)\\.[\\w.]*f(16|16x2|32|64)|\\.v8\\.[bsuf](8|16)\\b|fma\\.r[zmp]\\.[\\w.]*bf16|\\bmad(\\.ftz)?(\\.sat)?\\.f32");

    private RandomCases() {
    }

    private static boolean readsUnwritten(RandomKernel kernel) {
        List<String> lines = Stream.of(kernel.head(), kernel.body(), kernel.tail()).flatMap(List::stream).filter(line -> !line.startsWith(".reg")).toList();
        return !KernelGenerator.written(lines).containsAll(KernelGenerator.used(lines));
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Files.createDirectories(folder);
        int wanted = Integer.parseInt(arguments[2]);
        long seed = Long.parseLong(arguments[1]);
        boolean hopper = arguments.length > 4 && arguments[4].equals("hopper");
        for (int written = 0; written < wanted; seed++) {
            RandomKernel kernel = KernelGenerator.generate(seed, Integer.parseInt(arguments[3]));
            if (kernel.mayFail() || kernel.ordered() || kernel.hasSecond() || !kernel.images().isEmpty() || kernel.tensor() != null || !kernel.replicas().isEmpty()
                    || APPROXIMATE.matcher(kernel.text()).find() != hopper || LEFT_OUT.matcher(kernel.text()).find() || OTHERWISE_IN_PTXAS.matcher(kernel.text()).find() || readsUnwritten(kernel)) {
                continue;
            }
            String text = CaseText.of(kernel, "seed " + seed, null).replaceFirst("\\.target sm_100a?", ".target sm_90").replace(".version 9.1", ".version 9.0");
            if (Checker.check(new SourceFile("random.ptx", text)).ok()) {
                Files.writeString(folder.resolve("random-" + seed + ".ptx"), hopper ? "// approximations: hopper\n" + text : text);
                written++;
            }
        }
    }
}
