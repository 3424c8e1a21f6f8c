package io.ptx4j.agreement;

import io.ptx4j.isa.ScalarType;

import java.util.List;
import java.util.SplittableRandom;

/** Sources for exact models: each value of a narrow type, an even sample of a single word, all tuples of edges, random values. */
final class Sources {
    /** Edges that one of three sources has. */
    private static final int FEW = 40;

    private Sources() {
    }

    /**
     * Fills {@code sources} with tuples {@code from} and following of {@code all}.
     *
     * @param sources one value for each type, tuple by tuple
     */
    static void fill(List<ScalarType> types, long from, long all, long[] sources) {
        int n = types.size();
        int count = sources.length / Math.max(1, n);
        if (n == 1 && types.getFirst().bits() <= 32) {
            single(types.getFirst(), from, all, sources);
            return;
        }
        long[][] edges = new long[n][];
        long combinations = 1;
        for (int k = 0; k < n; k++) {
            edges[k] = SourceValues.edges(types.get(k), n > 2 ? FEW : Integer.MAX_VALUE);
            combinations *= edges[k].length;
        }
        SplittableRandom random = new SplittableRandom(from * 31 + types.hashCode());
        for (int i = 0; i < count; i++) {
            long rest = from + i;
            boolean known = rest < combinations && combinations <= all;
            for (int k = 0; k < n; k++) {
                sources[i * n + k] = known ? edges[k][(int) (rest % edges[k].length)]
                        : combinations > all && (i & 1) == 0 ? edges[k][random.nextInt(edges[k].length)] : SourceValues.random(types.get(k), random);
                rest /= edges[k].length;
            }
        }
    }

    /** Upper bits, which the instruction must not see, are random. */
    private static void single(ScalarType type, long from, long all, long[] sources) {
        SplittableRandom random = new SplittableRandom(from);
        long[] edges = SourceValues.edges(type, Integer.MAX_VALUE);
        long step = (1L << type.bits()) / all;
        for (int i = 0; i < sources.length; i++) {
            long place = from + i;
            // Of a sample each value is anywhere within its step; the last ones are the edges.
            long value = step <= 1 ? place : place >= all - edges.length ? edges[(int) (all - 1 - place)] : place * step + random.nextLong(step);
            sources[i] = value & Model.mask(type.bits()) | (type.bits() < 64 ? random.nextLong() << type.bits() : 0);
        }
    }
}
