package io.ptx4j.benchmarks.workloads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the kernels are measured against must itself be right. */
final class PlainJavaTest {
    private static final BigInteger P =
        new BigInteger("21888242871839275222246405745257275088696311157297823662689037894645226208583");

    @Test
    void sha256AgreesWithThePlatform() throws Exception {
        int[] digests = new int[16];
        JavaSha256.chains(2, 7, 2, digests);
        for (int i = 0; i < 2; i++) {
            ByteBuffer message = ByteBuffer.allocate(64);
            while (message.hasRemaining()) {
                message.putInt(7 + i);
            }
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] digest = sha.digest(message.array());
            sha.update(digest);
            int[] expected = new int[8];
            ByteBuffer.wrap(sha.digest(digest)).asIntBuffer().get(expected);
            assertArrayEquals(expected, Arrays.copyOfRange(digests, 8 * i, 8 * i + 8));
        }
    }

    @Test
    void montgomeryChainsAgreeWithBigIntegers() {
        int n = 50;
        int times = 3;
        int[] a = new Random(1).ints(8 * n).toArray();
        int[] b = new Random(2).ints(8 * n).toArray();
        for (int i = 0; i < n; i++) {
            store(number(a, i).mod(P), a, i);
            store(number(b, i).mod(P), b, i);
        }
        store(P.subtract(BigInteger.ONE), a, 0);
        store(P.subtract(BigInteger.ONE), b, 0);
        int[] product = new int[8 * n];
        JavaMontgomery.chains(n, times, a, b, product);
        BigInteger inverse = BigInteger.TWO.pow(256).modInverse(P);
        for (int i = 0; i < n; i++) {
            BigInteger factor = number(b, i).multiply(inverse).modPow(BigInteger.valueOf(times), P);
            assertEquals(number(a, i).multiply(factor).mod(P), number(product, i));
        }
    }

    @Test
    void matricesAreMultipliedRowByColumn() {
        float[] c = new float[4];
        JavaMatmul.multiply(2, new float[] {1, 2, 3, 4}, new float[] {5, 6, 7, 8}, c);
        assertArrayEquals(new float[] {19, 22, 43, 50}, c);
    }

    @Test
    void saxpyAddsToY() {
        float[] y = {10, 20, 30};
        JavaSaxpy.add(2, 0.5f, new float[] {2, 4, 6}, y);
        assertArrayEquals(new float[] {11, 22, 30}, y);
    }

    private static BigInteger number(int[] words, int index) {
        BigInteger number = BigInteger.ZERO;
        for (int k = 7; k >= 0; k--) {
            number = number.shiftLeft(32).or(BigInteger.valueOf(Integer.toUnsignedLong(words[8 * index + k])));
        }
        return number;
    }

    private static void store(BigInteger number, int[] words, int index) {
        for (int k = 0; k < 8; k++) {
            words[8 * index + k] = number.shiftRight(32 * k).intValue();
        }
    }
}
