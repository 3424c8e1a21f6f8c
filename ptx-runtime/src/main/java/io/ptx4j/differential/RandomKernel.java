package io.ptx4j.differential;

import io.ptx4j.runtime.Dim3;
import io.ptx4j.syntax.SourceFile;
import java.util.ArrayList;
import java.util.List;

/**
 * A kernel {@code fuzz(in, out, sums)} with what it is launched on.
 *
 * @param seed what {@link KernelGenerator} made it from
 * @param head lines before the part that a {@link Reducer} may shrink
 * @param body statements, one a line
 * @param tail lines behind it
 * @param ordered whether a result may depend on the order in which the threads of a warp come
 * @param slot bytes of {@code out} for each thread
 * @param input contents of {@code in}
 * @param images what the parameters behind {@code sums} are
 * @param tensor a tensor over {@code in}, whose map is a parameter; null if there is none. Where it is stored too, {@code boxes} and the map of a tensor over them follow
 * @param replicas what the buffers of a multicast buffer hold at first, whose address is the last parameter; empty if there is none
 */
public record RandomKernel(long seed, List<String> head, List<String> body, List<String> tail, boolean ordered, int grid, Dim3 block, int slot,
        long[] input, List<RandomImage> images, RandomTensor tensor, List<long[]> replicas) {
    /** Bytes of {@code sums}. */
    static final int SUMS = 64;
    /** Eight-byte elements of {@code in}. */
    static final int INPUT = 1024;
    static final String NAME = "fuzz";
    /** A kernel that may follow in the same module, and then is launched behind it. */
    static final String SECOND = "next";

    public String text() {
        return String.join("\n", head) + "\n" + String.join("\n", body) + "\n" + String.join("\n", tail) + "\n";
    }

    /** Whether a statement was planted that may fail. */
    boolean mayFail() {
        return body.stream().anyMatch(line -> line.contains(PlantedFault.ADDRESS));
    }

    SourceFile source() {
        return new SourceFile("fuzz-" + seed + ".ptx", text());
    }

    /** Of a block. */
    int threads() {
        return block.x() * block.y() * block.z();
    }

    int outputWords() {
        return grid * threads() * slot / Integer.BYTES;
    }

    /** How it is launched, on memory of its own each time. */
    KernelLaunch launch() {
        List<Object> arguments = new ArrayList<>(List.of(input, new int[outputWords()], new int[SUMS / Integer.BYTES]));
        images.forEach(image -> arguments.add(image.argument()));
        if (tensor != null) {
            arguments.add(new KernelLaunch.Tensor(input, tensor::of));
            if (!tensor.operations().isEmpty()) {
                long[] boxes = new long[INPUT];
                arguments.addAll(List.of(boxes, new KernelLaunch.Tensor(boxes, tensor::of)));
            }
        }
        if (!replicas.isEmpty()) {
            arguments.add(new KernelLaunch.Multicast(List.copyOf(replicas)));
        }
        return new KernelLaunch(NAME, new Dim3(grid, 1, 1), block, 0, arguments);
    }

    /** Whether the module has another kernel. */
    boolean hasSecond() {
        return tail.stream().anyMatch(line -> line.contains(".entry " + SECOND));
    }

    /** The launches of all its kernels: they share what they read and {@code sums}, and each has its own {@code out}. */
    List<KernelLaunch> launches() {
        KernelLaunch first = launch();
        return !hasSecond() ? List.of(first)
                : List.of(first, new KernelLaunch(SECOND, first.grid(), block, 0, List.of(first.arguments().get(0), new int[outputWords()], first.arguments().get(2))));
    }

    /** Without the other kernel. */
    RandomKernel alone() {
        return withTail(tail.subList(0, tail.indexOf("}") + 1));
    }

    RandomKernel withBody(List<String> lines) {
        return new RandomKernel(seed, head, List.copyOf(lines), tail, ordered, grid, block, slot, input, images, tensor, replicas);
    }

    RandomKernel withHead(List<String> lines) {
        return new RandomKernel(seed, List.copyOf(lines), body, tail, ordered, grid, block, slot, input, images, tensor, replicas);
    }

    RandomKernel withTail(List<String> lines) {
        return new RandomKernel(seed, head, body, List.copyOf(lines), ordered, grid, block, slot, input, images, tensor, replicas);
    }

    RandomKernel launched(int blocks, int threads) {
        return new RandomKernel(seed, head, body, tail, ordered, blocks, new Dim3(threads, 1, 1), slot, input, images, tensor, replicas);
    }
}
