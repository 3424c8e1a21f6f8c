package io.ptx4j.jit.coarse;

import java.util.HashMap;
import java.util.Map;

/** Which register has each word of shared memory, by its address. */
final class SharedWords {
    /** @param value what the word was stored from, in a lane */
    record Word(Value value, int lane) {
    }

    private final Map<Long, Word> words = new HashMap<>();
    /** All have one size; 0 until it is known. */
    private int bytes;
    private long end;

    /** Notes an access; words neither overlap nor are misaligned. */
    void access(long address, int size) {
        if (bytes != 0 && bytes != size || address % size != 0) {
            throw new NotCoarse("words of shared memory overlap");
        }
        bytes = size;
        end = Math.max(end, address + size);
    }

    void store(long address, Value value, int lane) {
        words.put(address, new Word(value, lane));
    }

    Word load(long address) {
        Word word = words.get(address);
        if (word == null) {
            throw new NotCoarse("a word of shared memory is read that none has stored");
        }
        return word;
    }

    /** Bytes of shared memory that a block needs for the words that it accesses. */
    long end() {
        return end;
    }
}
