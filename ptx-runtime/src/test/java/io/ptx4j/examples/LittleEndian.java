package io.ptx4j.examples;

import java.math.BigInteger;
import java.util.List;

/** Big numbers of one size, least byte first, one after the other. */
record LittleEndian(int bytesEach) {
    byte[] bytes(List<BigInteger> numbers) {
        byte[] bytes = new byte[numbers.size() * bytesEach];
        for (int i = 0; i < numbers.size(); i++) {
            byte[] big = numbers.get(i).toByteArray();
            for (int k = 0; k < Math.min(big.length, bytesEach); k++) {
                bytes[i * bytesEach + k] = big[big.length - 1 - k];
            }
        }
        return bytes;
    }
}
