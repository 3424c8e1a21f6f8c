package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MontgomeryTest {
    private static final BigInteger P =
        new BigInteger("21888242871839275222246405745257275088696311157297823662689037894645226208583");
    private static final BigInteger R = BigInteger.TWO.pow(256);
    private static final BigInteger R_INVERSE = R.modInverse(P);
    private static final LittleEndian NUMBERS = new LittleEndian(32);

    @ParameterizedTest
    @CsvSource({"montgomery_mul, 60, 2, 32", "montgomery_mul, 37, 3, 17", "montgomery_mul64, 60, 2, 32", "montgomery_mul64, 37, 3, 17"})
    void productsAreReducedByP(String kernel, int n, int blocks, int threads) {
        ExampleRun.onBothEngines("montgomery", run -> checkProducts(run, kernel, n, blocks, threads));
    }

    @ParameterizedTest
    @CsvSource({"montgomery_chain, 9, 0", "montgomery_chain, 9, 7", "montgomery_chain64, 9, 0", "montgomery_chain64, 9, 7"})
    void chainsMultiplyAgainAndAgain(String kernel, int n, int times) {
        ExampleRun.onBothEngines("montgomery", run -> checkChains(run, kernel, n, times, 2, 5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "64"})
    void thousandsOfProductsAreReduced(String limbs) {
        ExampleRun.onTheJit("montgomery", run -> checkProducts(run, "montgomery_mul" + limbs, 5003, 40, 128));
        ExampleRun.onTheJit("montgomery", run -> checkChains(run, "montgomery_chain" + limbs, 1000, 100, 16, 64));
    }

    private static void checkProducts(ExampleRun run, String kernel, int n, int blocks, int threads) {
        List<BigInteger> a = numbers(n, 5);
        List<BigInteger> b = numbers(n, 6);
        var product = run.upload(new byte[32 * n]);
        run.kernel(kernel).grid(blocks).block(threads).launch(n, run.upload(NUMBERS.bytes(a)), run.upload(NUMBERS.bytes(b)), product);
        assertArrayEquals(NUMBERS.bytes(chained(a, b, 1)), product.toBytes());
    }

    private static void checkChains(ExampleRun run, String kernel, int n, int times, int blocks, int threads) {
        List<BigInteger> a = numbers(n, 7);
        List<BigInteger> b = numbers(n, 8);
        var product = run.upload(new byte[32 * n]);
        run.kernel(kernel).grid(blocks).block(threads).launch(n, times, run.upload(NUMBERS.bytes(a)), run.upload(NUMBERS.bytes(b)), product);
        assertArrayEquals(NUMBERS.bytes(chained(a, b, times)), product.toBytes());
    }

    private static List<BigInteger> chained(List<BigInteger> a, List<BigInteger> b, int times) {
        List<BigInteger> results = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            BigInteger factor = b.get(i).multiply(R_INVERSE).modPow(BigInteger.valueOf(times), P);
            results.add(a.get(i).multiply(factor).mod(P));
        }
        return results;
    }

    /** All pairs of edge values from two seeds of different parity, then random numbers. */
    private static List<BigInteger> numbers(int n, long seed) {
        List<BigInteger> edges = List.of(BigInteger.ZERO, BigInteger.ONE, P.subtract(BigInteger.ONE), R.mod(P),
            BigInteger.TWO.pow(253), BigInteger.TWO.pow(253).subtract(BigInteger.ONE), BigInteger.TWO.pow(64));
        Random random = new Random(seed);
        List<BigInteger> numbers = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int index = seed % 2 == 0 ? i % edges.size() : i / edges.size();
            numbers.add(i < edges.size() * edges.size() ? edges.get(index) : new BigInteger(300, random).mod(P));
        }
        return numbers;
    }
}
