package io.ptx4j.engine.checks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The words through which threads tell each other how far they are, by releases and acquires (manual: "Memory Consistency Model"). */
final class SyncWords {
    /** What was released to a word: to all threads of the device, and to those of one block. */
    private static final class Word {
        private Clock wide;
        private Clock own;
        private long block = -1;
    }

    /** What a thread sees that reads a word. */
    record Seen(Clock wide, Clock own) {
    }

    private final Map<Long, Word> words = new ConcurrentHashMap<>();
    private volatile boolean empty = true;

    void clear() {
        words.clear();
        empty = true;
    }

    boolean isEmpty() {
        return empty;
    }

    /** @param wide what is released to all; null for nothing, as {@code own}, which is for threads of {@code block} */
    void publish(long offset, long block, Clock wide, Clock own) {
        empty = false;
        Word word = words.computeIfAbsent(offset >>> 2, ignored -> new Word());
        synchronized (word) {
            word.wide = Clock.join(word.wide, wide);
            word.own = word.block == block ? Clock.join(word.own, own) : own;
            word.block = block;
        }
    }

    /** What a thread of {@code block} sees there; null for nothing. */
    Seen seen(long offset, long block) {
        Word word = words.get(offset >>> 2);
        if (word == null) {
            return null;
        }
        synchronized (word) {
            return new Seen(word.wide, word.block == block ? word.own : null);
        }
    }
}
