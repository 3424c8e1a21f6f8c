package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BigintTest {
    private static final BigInteger SIZE = BigInteger.TWO.pow(1024);
    private static final LittleEndian NUMBERS = new LittleEndian(128);
    private static final LittleEndian PRODUCTS = new LittleEndian(256);
    private static final LittleEndian FLAGS = new LittleEndian(4);

    @ParameterizedTest
    @CsvSource({"add32, 30, 2, 16", "add32, 7, 3, 3", "add64, 30, 2, 16", "add64, 7, 3, 3"})
    void sumsCarryThroughEveryLimb(String kernel, int n, int blocks, int threads) {
        ExampleRun.onBothEngines("bigint", run -> checkSums(run, kernel, n, blocks, threads));
    }

    @ParameterizedTest
    @CsvSource({"sub32, 30, 2, 16", "sub32, 7, 3, 3", "sub64, 30, 2, 16", "sub64, 7, 3, 3"})
    void differencesBorrowThroughEveryLimb(String kernel, int n, int blocks, int threads) {
        ExampleRun.onBothEngines("bigint", run -> checkDifferences(run, kernel, n, blocks, threads));
    }

    @ParameterizedTest
    @CsvSource({"mul32, 30, 2, 16", "mul64, 30, 2, 16", "mul64, 7, 3, 3"})
    void productsHaveTwiceTheLimbs(String kernel, int n, int blocks, int threads) {
        ExampleRun.onBothEngines("bigint", run -> checkProducts(run, kernel, n, blocks, threads));
    }

    @ParameterizedTest
    @ValueSource(strings = {"32", "64"})
    void thousandsOfNumbersAreDoneSideBySide(String limbs) {
        ExampleRun.onTheJit("bigint", run -> checkSums(run, "add" + limbs, 2001, 32, 64));
        ExampleRun.onTheJit("bigint", run -> checkDifferences(run, "sub" + limbs, 2001, 32, 64));
        ExampleRun.onTheJit("bigint", run -> checkProducts(run, "mul" + limbs, 1001, 16, 64));
    }

    private static void checkSums(ExampleRun run, String kernel, int n, int blocks, int threads) {
        checkWithFlag(run, kernel, n, blocks, threads, (a, b) -> a.add(b).mod(SIZE), (a, b) -> a.add(b).shiftRight(1024));
    }

    private static void checkDifferences(ExampleRun run, String kernel, int n, int blocks, int threads) {
        checkWithFlag(run, kernel, n, blocks, threads, (a, b) -> a.subtract(b).mod(SIZE),
            (a, b) -> a.compareTo(b) < 0 ? BigInteger.ONE : BigInteger.ZERO);
    }

    private static void checkWithFlag(ExampleRun run, String kernel, int n, int blocks, int threads,
            BinaryOperator<BigInteger> number, BinaryOperator<BigInteger> flag) {
        List<BigInteger> a = numbers(n, 11);
        List<BigInteger> b = numbers(n, 12);
        var result = run.upload(new byte[128 * n]);
        var flags = run.upload(new byte[4 * n]);
        run.kernel(kernel).grid(blocks).block(threads).launch(n, run.upload(NUMBERS.bytes(a)), run.upload(NUMBERS.bytes(b)), result, flags);
        assertArrayEquals(NUMBERS.bytes(pairwise(a, b, number)), result.toBytes());
        assertArrayEquals(FLAGS.bytes(pairwise(a, b, flag)), flags.toBytes());
    }

    private static void checkProducts(ExampleRun run, String kernel, int n, int blocks, int threads) {
        List<BigInteger> a = numbers(n, 13);
        List<BigInteger> b = numbers(n, 14);
        var product = run.upload(new byte[256 * n]);
        run.kernel(kernel).grid(blocks).block(threads).launch(n, run.upload(NUMBERS.bytes(a)), run.upload(NUMBERS.bytes(b)), product);
        assertArrayEquals(PRODUCTS.bytes(pairwise(a, b, BigInteger::multiply)), product.toBytes());
    }

    private static List<BigInteger> pairwise(List<BigInteger> a, List<BigInteger> b, BinaryOperator<BigInteger> operation) {
        List<BigInteger> results = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            results.add(operation.apply(a.get(i), b.get(i)));
        }
        return results;
    }

    /** All pairs of edge values from two seeds of different parity, then random ones. */
    private static List<BigInteger> numbers(int n, long seed) {
        BigInteger top = SIZE.subtract(BigInteger.ONE);
        List<BigInteger> edges = List.of(BigInteger.ZERO, BigInteger.ONE, top, BigInteger.TWO.pow(512), BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
        Random random = new Random(seed);
        List<BigInteger> numbers = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int index = seed % 2 == 0 ? i % edges.size() : i / edges.size();
            numbers.add(i < edges.size() * edges.size() ? edges.get(index) : new BigInteger(1024, random));
        }
        return numbers;
    }
}
