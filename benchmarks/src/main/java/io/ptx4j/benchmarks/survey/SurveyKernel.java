package io.ptx4j.benchmarks.survey;

import java.util.List;
import java.util.Random;

/**
 * A kernel of {@code survey/survey.cu} or {@code survey/blocks.cu} and what it is launched with.
 *
 * @param source which of them
 * @param n threads
 * @param m the other size, which is what the kernel makes of it
 * @param a the first array, in words
 * @param b the second array, in words
 * @param results length of the array of results, in words
 */
record SurveyKernel(Source source, String name, int n, int m, Filling a, int aWords, Filling b, int bWords, int results) {
    static final List<SurveyKernel> ALL = List.of(
        floats("particles", 1 << 13, 0, 8, 8),
        floats("normalize", 1 << 14, 0, 3, 3),
        threads("complex", 1 << 14, 0, Filling.FLOATS, 1 << 15, Filling.FLOATS, 1 << 15, 1 << 15),
        threads("transform", 1 << 14, 0, Filling.FLOATS, 1 << 16, Filling.FLOATS, 16, 1 << 16),
        threads("addBig", 1 << 13, 0, Filling.WORDS, 1 << 16, Filling.WORDS, 1 << 16, 1 << 16),
        words("grayBytes", 1 << 16, 0, 1, 1),
        words("grayWords", 1 << 16, 0, 1, 1),
        words("sobel", 1 << 16, 256, 1, 1),
        words("life", 1 << 16, 256, 1, 1),
        words("resize", 1 << 16, 256, 1, 1),
        words("median", 1 << 16, 256, 1, 1),
        words("transpose", 1 << 16, 256, 1, 1),
        threads("gemm", 1 << 12, 64, Filling.FLOATS, 1 << 12, Filling.FLOATS, 1 << 12, 1 << 12),
        threads("bias", 1 << 16, 1 << 10, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1 << 10, 1 << 16),
        threads("channels", 64_000, 0, Filling.FLOATS, 64_000, Filling.FLOATS, 208, 64_000),
        threads("unfold", 9 << 12, 64, Filling.WORDS, 66 * 66, Filling.WORDS, 1, 9 << 12),
        floats("jacobi", 1 << 16, 256, 1, 1),
        threads("filter", 1 << 16, 0, Filling.FLOATS, (1 << 16) + 8, Filling.FLOATS, 9, 1 << 16),
        floats("rowSums", 1 << 11, 64, 64, 1),
        threads("dotBytes", 1 << 12, 16, Filling.WORDS, 1 << 16, Filling.WORDS, 16, 1 << 12),
        threads("sparse", 1 << 12, 4096, Filling.WORDS, 1 << 17, Filling.FLOATS, 1 << 17, 1 << 12),
        threads("horner", 1 << 14, 0, Filling.DOUBLES, 1 << 15, Filling.WORDS, 1, 1 << 15),
        floats("fft", 1 << 13, 0, 8, 8),
        words("gather", 1 << 16, 1 << 16, 1, 1),
        words("scatter", 1 << 16, 16, 1, 1),
        words("strided", 1 << 13, 8, 8, 1),
        threads("search", 1 << 14, 1 << 15, Filling.SORTED, 1 << 15, Filling.WORDS, 1 << 14, 1 << 14),
        words("philox", 1 << 14, 5, 1, 4),
        words("xorshift", 1 << 14, 32, 1, 1),
        words("crc", 1 << 12, 0, 16, 1),
        words("tables", 1 << 13, 0, 4, 4),
        words("primes", 1 << 14, 0, 1, 1),
        words("gcd", 1 << 14, 0, 1, 1),
        words("collatz", 1 << 14, 0, 1, 1),
        words("queens", 1 << 10, 0, 1, 1),
        words("insertionSort", 1 << 11, 0, 16, 16),
        words("hamming", 1 << 13, 0, 8, 1),
        threads("mulmod", 1 << 13, 0, Filling.WORDS, 1 << 14, Filling.WORDS, 1 << 14, 1 << 14),
        words("dates", 1 << 16, 0, 1, 1),
        words("hex", 1 << 16, 0, 1, 1),
        words("base64", 1 << 16, 0, 1, 1),
        words("fnv", 1 << 13, 0, 8, 1),
        words("sphere", 1 << 14, 128, 1, 1),
        floats("newton", 1 << 14, 0, 1, 1),
        floats("inverse3", 1 << 13, 0, 9, 9),
        threads("rotate", 1 << 14, 0, Filling.FLOATS, 1 << 16, Filling.FLOATS, 3 << 14, 3 << 14),
        floats("cholesky4", 1 << 12, 0, 16, 16),
        words("prefix", 1 << 12, 0, 16, 16),
        words("network", 1 << 13, 0, 8, 8),
        words("chacha", 1 << 12, 0, 16, 16),
        words("siphash", 1 << 13, 0, 8, 1),
        threads("kmeans", 1 << 13, 16, Filling.FLOATS, 1 << 15, Filling.FLOATS, 64, 1 << 13),
        floats("bilinear", 1 << 16, 256, 1, 1),
        words("yuv", 1 << 16, 0, 1, 1),
        floats("hsv", 1 << 14, 0, 3, 3),
        words("alpha", 1 << 16, 0, 1, 1),
        floats("heat", 1 << 15, 32, 1, 1),
        floats("lbm", 1 << 13, 0, 9, 9),
        words("fir16", 1 << 16, 0, 1, 1),
        words("levenshtein", 1 << 11, 0, 4, 1),
        words("smith", 1 << 12, 0, 4, 1),
        floats("options", 1 << 12, 0, 1, 1),
        words("floyd", 1 << 16, 256, 1, 1),
        words("privateBins", 1 << 12, 0, 16, 1),
        words("varint", 1 << 13, 0, 4, 1),
        words("utf8", 1 << 12, 0, 8, 1),
        words("itoa", 1 << 13, 0, 1, 3),
        words("decimal", 1 << 13, 0, 2, 1),
        words("runs", 1 << 12, 0, 8, 1),
        words("adpcm", 1 << 13, 0, 4, 1),
        words("galois", 1 << 14, 0, 2, 1),
        threads("tree", 1 << 14, 10, Filling.WORDS, 1 << 14, Filling.WORDS, 1 << 11, 1 << 14),
        threads("forest", 1 << 12, 6, Filling.FLOATS, 1 << 15, Filling.WORDS, 1 << 12, 1 << 12),
        words("morton", 1 << 16, 0, 1, 1),
        words("hilbert", 1 << 14, 0, 1, 1),
        words("binaryNet", 1 << 12, 16, 16, 1),
        words("powmod", 1 << 13, 0, 1, 1),
        threads("kmeansColumns", 1 << 13, 16, Filling.FLOATS, 1 << 15, Filling.FLOATS, 64, 1 << 13),
        floats("columnSums", 1 << 12, 16, 16, 1),
        threads("triangles", 1 << 12, 16, Filling.FLOATS, 1 << 13, Filling.FLOATS, 256, 1 << 12),
        threads("springs", 1 << 13, 0, Filling.FLOATS, 1 << 14, Filling.WORDS, 1 << 15, 1 << 14),
        threads("logistic", 1 << 13, 32, Filling.DOUBLES, 1 << 14, Filling.WORDS, 1, 1 << 14),
        threads("kepler", 1 << 13, 0, Filling.DOUBLES, 1 << 14, Filling.WORDS, 1, 1 << 14));

    /** Kernels whose threads work together. */
    static final List<SurveyKernel> BLOCKS = List.of(
        blocks("softmax", 1 << 14, 0, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1, 1 << 16),
        blocks("layernorm", 1 << 14, 0, Filling.FLOATS, 1 << 17, Filling.FLOATS, 512, 1 << 17),
        blocks("q4", 1 << 14, 64, Filling.WORDS, 512 * 64 * 5, Filling.WORDS, 64 * 9, 512),
        blocks("spmvWarp", 1 << 15, 0, Filling.WORDS, 1 << 16, Filling.FLOATS, 1 << 13, 1 << 10),
        blocks("gemvWarp", 1 << 14, 512, Filling.FLOATS, 1 << 18, Filling.FLOATS, 512, 512),
        blocks("scanShared", 1 << 15, 0, 1, 1),
        blocks("scanWarps", 1 << 15, 0, 1, 1),
        blocks("compact", 1 << 15, 0, Filling.WORDS, 1 << 15, Filling.WORDS, 1, 128 * 257),
        blocks("radixSplit", 1 << 14, 0, Filling.BYTES, 1 << 14, Filling.WORDS, 1, 1 << 14),
        blocks("oddEven", 1 << 14, 0, 1, 1),
        blocks("transposeTile", 1 << 14, 256, 4, 4),
        blocks("convolve", 1 << 16, 256, Filling.FLOATS, 1 << 16, Filling.FLOATS, 25, 1 << 16),
        blocks("march", 1 << 12, 64, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1, 1 << 16),
        blocks("gemm16", 1 << 14, 128, Filling.FLOATS, 1 << 14, Filling.FLOATS, 1 << 14, 1 << 14),
        blocks("gemm64", 1 << 12, 256, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1 << 16, 1 << 16),
        blocks("needleman", 1 << 13, 0, Filling.WORDS, 1 << 13, Filling.WORDS, 1 << 13, 32),
        blocks("lu", 1 << 14, 0, Filling.FLOATS, 1 << 14, Filling.FLOATS, 1, 1 << 14),
        blocks("hotspot", 1 << 16, 16, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1 << 16, 192 * 192),
        blocks("fft512", 1 << 13, 0, Filling.FLOATS, 1 << 15, Filling.ROOTS, 512, 1 << 15),
        blocks("aesShared", 1 << 13, 10, 4, 4),
        blocks("argmax", 1 << 14, 256, Filling.FLOATS, 1 << 17, Filling.FLOATS, 1, 512),
        blocks("bins", 1 << 13, 0, 16, 1),
        blocks("binsMatch", 1 << 14, 0, Filling.WORDS, 1 << 16, Filling.WORDS, 1, 1 << 10),
        blocks("attend", 1 << 11, 64, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1 << 12, 1 << 16),
        blocks("solve8", 1 << 14, 0, Filling.FLOATS, 1 << 17, Filling.FLOATS, 1 << 14, 1 << 14),
        blocks("extremes", 1 << 15, 0, Filling.WORDS, 1 << 15, Filling.WORDS, 1, 256),
        blocks("twister", 1 << 13, 0, Filling.WORDS, 32 * 624, Filling.WORDS, 1, 32 * 624),
        blocks("runLengths", 1 << 15, 0, 1, 1),
        blocks("unpack", 1 << 15, 0, Filling.WORDS, 1 << 13, Filling.WORDS, 1 << 10, 1 << 15),
        blocks("idct", 1 << 15, 0, Filling.FLOATS, 1 << 15, Filling.FLOATS, 64, 1 << 15),
        blocks("warpSort", 1 << 15, 0, 1, 1),
        blocks("addWarp", 1 << 15, 0, 1, 1),
        blocks("keccakWarp", 1 << 13, 24, Filling.WORDS, 256 * 50, Filling.WORDS, 48, 256 * 50),
        blocks("mulWarp", 1 << 15, 0, 1, 1),
        blocks("top4", 1 << 15, 0, Filling.WORDS, 1 << 15, Filling.WORDS, 1, 1024 * 6),
        blocks("knapsack", 1 << 14, 0, 1, 1),
        blocks("segments", 1 << 14, 0, 1, 1),
        blocks("gemm64v", 1 << 12, 256, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1 << 16, 1 << 16),
        blocks("harris", 1 << 12, 1 << 17, Filling.WORDS, 1 << 17, Filling.WORDS, 1, 16),
        blocks("blelloch", 1 << 14, 0, 2, 2),
        blocks("rmsnorm", 1 << 14, 0, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1 << 10, 1 << 16),
        blocks("rope", 1 << 16, 0, Filling.FLOATS, 1 << 17, Filling.FLOATS, 1 << 11, 1 << 17),
        blocks("bitonicPairs", 1 << 13, 0, 2, 2),
        blocks("floydTile", 1 << 14, 0, 1, 1),
        blocks("complexTile", 1 << 14, 0, Filling.FLOATS, 1 << 15, Filling.FLOATS, 1 << 15, 1 << 15),
        blocks("pool", 1 << 16, 512, Filling.FLOATS, 1 << 18, Filling.FLOATS, 1, 1 << 16),
        blocks("motion", 1 << 14, 0, Filling.WORDS, 1 << 12, Filling.WORDS, 576, 1 << 14));

    /** The file that a kernel stands in. */
    enum Source {
        /** Each thread by itself: all results are those of the loop in C to the last bit. */
        THREADS("survey", "sm_75"),
        /** Threads work together: floats are added in another order than in C. */
        BLOCKS("blocks", "sm_80");

        final String text;
        final String ptx;

        Source(String name, String target) {
            this.text = "/survey/" + name + ".cu";
            this.ptx = "/survey/" + name + "." + target + ".ptx";
        }

        /** Whether a result is the one wanted. */
        boolean agree(int result, int wanted) {
            if (result == wanted || this == THREADS) {
                return result == wanted;
            }
            float number = Float.intBitsToFloat(wanted);
            return Math.abs(Float.intBitsToFloat(result) - number) <= 2e-3f * Math.max(1e-3f, Math.abs(number));
        }
    }

    /** What stands in an array at first. */
    enum Filling {
        WORDS {
            @Override
            int word(Random random, int index) {
                return random.nextInt();
            }
        },
        FLOATS {
            @Override
            int word(Random random, int index) {
                return Float.floatToRawIntBits(random.nextFloat());
            }
        },
        /** From 0 to 1, each of two words. */
        DOUBLES {
            @Override
            int word(Random random, int index) {
                return index % 2 == 0 ? random.nextInt() : 0x3FE0_0000 | random.nextInt(1 << 20);
            }
        },
        BYTES {
            @Override
            int word(Random random, int index) {
                return random.nextInt(256);
            }
        },
        /** Of one, 512 of them: pairs of f32. */
        ROOTS {
            @Override
            int word(Random random, int index) {
                double angle = -2 * Math.PI * (index / 2) / 512;
                return Float.floatToRawIntBits((float) (index % 2 == 0 ? Math.cos(angle) : Math.sin(angle)));
            }
        },
        SORTED {
            @Override
            int word(Random random, int index) {
                return index * (1 << 13);
            }
        };

        abstract int word(Random random, int index);
    }

    private static SurveyKernel threads(String name, int n, int m, Filling a, int aWords, Filling b, int bWords, int results) {
        return new SurveyKernel(Source.THREADS, name, n, m, a, aWords, b, bWords, results);
    }

    private static SurveyKernel blocks(String name, int n, int m, Filling a, int aWords, Filling b, int bWords, int results) {
        return new SurveyKernel(Source.BLOCKS, name, n, m, a, aWords, b, bWords, results);
    }

    private static SurveyKernel blocks(String name, int n, int m, int a, int results) {
        return blocks(name, n, m, Filling.WORDS, a * n, Filling.WORDS, n, results * n);
    }

    private static SurveyKernel words(String name, int n, int m, int a, int results) {
        return threads(name, n, m, Filling.WORDS, a * n, Filling.WORDS, Math.max(n, 1024), results * n);
    }

    private static SurveyKernel floats(String name, int n, int m, int a, int results) {
        return threads(name, n, m, Filling.FLOATS, a * n, Filling.WORDS, 1, results * n);
    }

    int[] first() {
        return fill(a, aWords, 1);
    }

    int[] second() {
        return fill(b, bWords, 2);
    }

    private static int[] fill(Filling filling, int words, long seed) {
        Random random = new Random(seed);
        int[] array = new int[words];
        for (int i = 0; i < words; i++) {
            array[i] = filling.word(random, i);
        }
        return array;
    }
}
