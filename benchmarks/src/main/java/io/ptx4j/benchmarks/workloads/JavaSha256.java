package io.ptx4j.benchmarks.workloads;

import java.util.Arrays;
import java.util.stream.IntStream;

/** What the kernel {@code sha256_chain} computes, in plain Java loops over a parallel stream. */
final class JavaSha256 {
    private static final int[] ROUND = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    };
    private static final int[] FIRST = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };

    private JavaSha256() {
    }

    static void chains(int count, int first, int iterations, int[] digests) {
        IntStream.range(0, count).parallel().forEach(i -> {
            int[] digest = new int[8];
            int[] w = new int[64];
            Arrays.fill(digest, first + i);
            for (int iteration = 0; iteration < iterations; iteration++) {
                System.arraycopy(digest, 0, w, 0, 8);
                System.arraycopy(digest, 0, w, 8, 8);
                System.arraycopy(FIRST, 0, digest, 0, 8);
                compress(digest, w);
                Arrays.fill(w, 0, 16, 0);
                w[0] = 0x80000000;
                w[15] = 512;
                compress(digest, w);
            }
            System.arraycopy(digest, 0, digests, 8 * i, 8);
        });
    }

    private static void compress(int[] digest, int[] w) {
        for (int t = 16; t < 64; t++) {
            int s0 = Integer.rotateRight(w[t - 15], 7) ^ Integer.rotateRight(w[t - 15], 18) ^ w[t - 15] >>> 3;
            int s1 = Integer.rotateRight(w[t - 2], 17) ^ Integer.rotateRight(w[t - 2], 19) ^ w[t - 2] >>> 10;
            w[t] = w[t - 16] + s0 + w[t - 7] + s1;
        }
        int a = digest[0];
        int b = digest[1];
        int c = digest[2];
        int d = digest[3];
        int e = digest[4];
        int f = digest[5];
        int g = digest[6];
        int h = digest[7];
        for (int t = 0; t < 64; t++) {
            int choice = e & f ^ ~e & g;
            int majority = a & b ^ a & c ^ b & c;
            int t1 = h + (Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25)) + choice + ROUND[t] + w[t];
            int t2 = (Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22)) + majority;
            h = g;
            g = f;
            f = e;
            e = d + t1;
            d = c;
            c = b;
            b = a;
            a = t1 + t2;
        }
        digest[0] += a;
        digest[1] += b;
        digest[2] += c;
        digest[3] += d;
        digest[4] += e;
        digest[5] += f;
        digest[6] += g;
        digest[7] += h;
    }
}
