package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Sha256Test {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 54, 55, 56, 63, 64, 65, 119, 120, 200})
    void messagesOfEveryPaddingAreHashed(int length) {
        ExampleRun.onBothEngines("sha256", run -> checkMessages(run, 5, length, 2, 3));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "3, -2, 2", "7, 1000, 1"})
    void digestsAreHashedAgain(int count, int first, int iterations) {
        ExampleRun.onBothEngines("sha256", run -> checkChain(run, count, first, iterations, 2, 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 100})
    void thousandsOfMessagesAreHashed(int length) {
        ExampleRun.onTheJit("sha256", run -> checkMessages(run, 5000, length, 80, 64));
        ExampleRun.onTheJit("sha256", run -> checkChain(run, 1001, length, 5, 11, 96));
    }

    private static void checkMessages(ExampleRun run, int count, int length, int blocks, int threads) {
        byte[] messages = new byte[count * length + 1];
        new Random(length).nextBytes(messages);
        var digests = run.upload(new byte[32 * count]);
        run.kernel("sha256").grid(blocks).block(threads).launch(count, length, run.upload(messages), digests);
        byte[] expected = new byte[32 * count];
        for (int i = 0; i < count; i++) {
            byte[] digest = sha256(Arrays.copyOfRange(messages, i * length, (i + 1) * length));
            System.arraycopy(digest, 0, expected, 32 * i, 32);
        }
        assertArrayEquals(expected, digests.toBytes());
    }

    private static void checkChain(ExampleRun run, int count, int first, int iterations, int blocks, int threads) {
        var digests = run.upload(new int[8 * count]);
        run.kernel("sha256_chain").grid(blocks).block(threads).launch(count, first, iterations, digests);
        int[] expected = new int[8 * count];
        for (int i = 0; i < count; i++) {
            ByteBuffer message = ByteBuffer.allocate(64);
            while (message.hasRemaining()) {
                message.putInt(first + i);
            }
            byte[] digest = sha256(message.array());
            for (int iteration = 1; iteration < iterations; iteration++) {
                digest = sha256(ByteBuffer.allocate(64).put(digest).put(digest).array());
            }
            ByteBuffer.wrap(digest).asIntBuffer().get(expected, 8 * i, 8);
        }
        assertArrayEquals(expected, digests.toInts());
    }

    private static byte[] sha256(byte[] message) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(message);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
