package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PollsTest {
    /** With a call in such a loop HotSpot keeps the vectors that its turns hand on in memory: modexp then takes 1.4 times as long. */
    @Test
    void groupsGoThrough32WordsOfANumberWithoutAQuestion() {
        int instructions = 20;
        assertTrue(32 * (instructions + 1) * Polls.GROUP <= Polls.INTERVAL);
    }
}
