package io.ptx4j.robustness;

import java.nio.ByteBuffer;

/** Choices that the bytes of an input make, so that a fuzzer can change them one at a time; all zero when the bytes are used up. */
final class Choices {
    private final ByteBuffer bytes;

    Choices(byte[] input) {
        bytes = ByteBuffer.wrap(input);
    }

    private int nextByte() {
        return bytes.hasRemaining() ? bytes.get() & 0xff : 0;
    }

    /** From 0 to {@code bound - 1}. */
    int nextInt(int bound) {
        int value = nextByte();
        for (int covered = 1 << 8; covered < bound && covered > 0; covered <<= 8) {
            value = value << 8 | nextByte();
        }
        return Integer.remainderUnsigned(value, bound);
    }

    int nextInt() {
        return nextByte() << 24 | nextByte() << 16 | nextByte() << 8 | nextByte();
    }

    long nextLong() {
        return (long) nextInt() << 32 | nextInt() & 0xffffffffL;
    }

    boolean nextBoolean() {
        return (nextByte() & 1) != 0;
    }
}
