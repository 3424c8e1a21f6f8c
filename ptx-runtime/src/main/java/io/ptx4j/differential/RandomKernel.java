package io.ptx4j.differential;

import io.ptx4j.syntax.SourceFile;
import java.util.List;

/**
 * A kernel {@code fuzz(in, out, sums)} with what it is launched on.
 *
 * @param seed what {@link KernelGenerator} made it from
 * @param head lines before the part that a {@link Reducer} may shrink
 * @param body statements, one a line
 * @param tail lines behind it
 * @param input contents of {@code in}
 */
public record RandomKernel(long seed, List<String> head, List<String> body, List<String> tail, int grid, int block, long[] input) {
    /** Bytes of {@code out} for each thread. */
    static final int SLOT = 384;
    /** Bytes of {@code sums}. */
    static final int SUMS = 64;
    /** Eight-byte elements of {@code in}. */
    static final int INPUT = 512;
    static final String NAME = "fuzz";

    public String text() {
        return String.join("\n", head) + "\n" + String.join("\n", body) + "\n" + String.join("\n", tail) + "\n";
    }

    SourceFile source() {
        return new SourceFile("fuzz-" + seed + ".ptx", text());
    }

    int outputWords() {
        return grid * block * SLOT / Integer.BYTES;
    }

    RandomKernel withBody(List<String> lines) {
        return new RandomKernel(seed, head, List.copyOf(lines), tail, grid, block, input);
    }

    RandomKernel withHead(List<String> lines) {
        return new RandomKernel(seed, List.copyOf(lines), body, tail, grid, block, input);
    }

    RandomKernel withTail(List<String> lines) {
        return new RandomKernel(seed, head, body, List.copyOf(lines), grid, block, input);
    }

    RandomKernel launched(int blocks, int threads) {
        return new RandomKernel(seed, head, body, tail, blocks, threads, input);
    }
}
