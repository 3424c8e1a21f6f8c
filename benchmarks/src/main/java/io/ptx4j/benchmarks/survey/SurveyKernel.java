package io.ptx4j.benchmarks.survey;

import java.util.List;
import java.util.Random;

/**
 * A kernel of {@code survey/survey.cu} and what it is launched with.
 *
 * @param n threads
 * @param m the other size, which is what the kernel makes of it
 * @param a the first array, in words
 * @param b the second array, in words
 * @param results length of the array of results, in words
 */
record SurveyKernel(String name, int n, int m, Filling a, int aWords, Filling b, int bWords, int results) {
    static final List<SurveyKernel> ALL = List.of(
        floats("particles", 1 << 13, 0, 8, 8),
        floats("normalize", 1 << 14, 0, 3, 3),
        new SurveyKernel("complex", 1 << 14, 0, Filling.FLOATS, 1 << 15, Filling.FLOATS, 1 << 15, 1 << 15),
        new SurveyKernel("transform", 1 << 14, 0, Filling.FLOATS, 1 << 16, Filling.FLOATS, 16, 1 << 16),
        new SurveyKernel("addBig", 1 << 13, 0, Filling.WORDS, 1 << 16, Filling.WORDS, 1 << 16, 1 << 16),
        words("grayBytes", 1 << 16, 0, 1, 1),
        words("grayWords", 1 << 16, 0, 1, 1),
        words("sobel", 1 << 16, 256, 1, 1),
        words("life", 1 << 16, 256, 1, 1),
        words("resize", 1 << 16, 256, 1, 1),
        words("median", 1 << 16, 256, 1, 1),
        words("transpose", 1 << 16, 256, 1, 1),
        new SurveyKernel("gemm", 1 << 12, 64, Filling.FLOATS, 1 << 12, Filling.FLOATS, 1 << 12, 1 << 12),
        new SurveyKernel("bias", 1 << 16, 1 << 10, Filling.FLOATS, 1 << 16, Filling.FLOATS, 1 << 10, 1 << 16),
        new SurveyKernel("channels", 64_000, 0, Filling.FLOATS, 64_000, Filling.FLOATS, 208, 64_000),
        new SurveyKernel("unfold", 9 << 12, 64, Filling.WORDS, 66 * 66, Filling.WORDS, 1, 9 << 12),
        floats("jacobi", 1 << 16, 256, 1, 1),
        new SurveyKernel("filter", 1 << 16, 0, Filling.FLOATS, (1 << 16) + 8, Filling.FLOATS, 9, 1 << 16),
        floats("rowSums", 1 << 11, 64, 64, 1),
        new SurveyKernel("dotBytes", 1 << 12, 16, Filling.WORDS, 1 << 16, Filling.WORDS, 16, 1 << 12),
        new SurveyKernel("sparse", 1 << 12, 4096, Filling.WORDS, 1 << 17, Filling.FLOATS, 1 << 17, 1 << 12),
        new SurveyKernel("horner", 1 << 14, 0, Filling.DOUBLES, 1 << 15, Filling.WORDS, 1, 1 << 15),
        floats("fft", 1 << 13, 0, 8, 8),
        words("gather", 1 << 16, 1 << 16, 1, 1),
        words("scatter", 1 << 16, 16, 1, 1),
        words("strided", 1 << 13, 8, 8, 1),
        new SurveyKernel("search", 1 << 14, 1 << 15, Filling.SORTED, 1 << 15, Filling.WORDS, 1 << 14, 1 << 14),
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
        new SurveyKernel("mulmod", 1 << 13, 0, Filling.WORDS, 1 << 14, Filling.WORDS, 1 << 14, 1 << 14),
        words("dates", 1 << 16, 0, 1, 1),
        words("hex", 1 << 16, 0, 1, 1),
        words("base64", 1 << 16, 0, 1, 1),
        words("fnv", 1 << 13, 0, 8, 1),
        words("sphere", 1 << 14, 128, 1, 1),
        floats("newton", 1 << 14, 0, 1, 1),
        floats("inverse3", 1 << 13, 0, 9, 9),
        new SurveyKernel("rotate", 1 << 14, 0, Filling.FLOATS, 1 << 16, Filling.FLOATS, 3 << 14, 3 << 14),
        floats("cholesky4", 1 << 12, 0, 16, 16),
        words("prefix", 1 << 12, 0, 16, 16),
        words("network", 1 << 13, 0, 8, 8),
        words("chacha", 1 << 12, 0, 16, 16),
        words("siphash", 1 << 13, 0, 8, 1),
        new SurveyKernel("kmeans", 1 << 13, 16, Filling.FLOATS, 1 << 15, Filling.FLOATS, 64, 1 << 13),
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
        new SurveyKernel("tree", 1 << 14, 10, Filling.WORDS, 1 << 14, Filling.WORDS, 1 << 11, 1 << 14),
        new SurveyKernel("forest", 1 << 12, 6, Filling.FLOATS, 1 << 15, Filling.WORDS, 1 << 12, 1 << 12),
        words("morton", 1 << 16, 0, 1, 1),
        words("hilbert", 1 << 14, 0, 1, 1),
        words("binaryNet", 1 << 12, 16, 16, 1),
        words("powmod", 1 << 13, 0, 1, 1),
        new SurveyKernel("kmeansColumns", 1 << 13, 16, Filling.FLOATS, 1 << 15, Filling.FLOATS, 64, 1 << 13),
        floats("columnSums", 1 << 12, 16, 16, 1),
        new SurveyKernel("triangles", 1 << 12, 16, Filling.FLOATS, 1 << 13, Filling.FLOATS, 256, 1 << 12),
        new SurveyKernel("springs", 1 << 13, 0, Filling.FLOATS, 1 << 14, Filling.WORDS, 1 << 15, 1 << 14),
        new SurveyKernel("logistic", 1 << 13, 32, Filling.DOUBLES, 1 << 14, Filling.WORDS, 1, 1 << 14),
        new SurveyKernel("kepler", 1 << 13, 0, Filling.DOUBLES, 1 << 14, Filling.WORDS, 1, 1 << 14));

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
        SORTED {
            @Override
            int word(Random random, int index) {
                return index * (1 << 13);
            }
        };

        abstract int word(Random random, int index);
    }

    private static SurveyKernel words(String name, int n, int m, int a, int results) {
        return new SurveyKernel(name, n, m, Filling.WORDS, a * n, Filling.WORDS, Math.max(n, 1024), results * n);
    }

    private static SurveyKernel floats(String name, int n, int m, int a, int results) {
        return new SurveyKernel(name, n, m, Filling.FLOATS, a * n, Filling.WORDS, 1, results * n);
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
