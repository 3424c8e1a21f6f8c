package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PollsTest {
    /** When asking was a call, over which no vector stays in a register, modexp took 1.4 times as long where such a loop asked. */
    @Test
    void groupsGoThrough32WordsOfANumberWithoutAQuestion() {
        int instructions = 20;
        assertTrue(32 * (instructions + 1) * Polls.GROUP <= Polls.INTERVAL);
    }
}
