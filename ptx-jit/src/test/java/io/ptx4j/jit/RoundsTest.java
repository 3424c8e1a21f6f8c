package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class RoundsTest {
    private final Rounds rounds = new Rounds();

    private void add(int count, double ratio) {
        for (int i = 0; i < count; i++) {
            rounds.add(ratio, false);
        }
    }

    @Test
    void threeRoundsOfATenthLessAreWon() {
        add(2, 0.8);
        assertFalse(rounds.won());
        add(1, 0.8);
        assertTrue(rounds.won());
        assertFalse(rounds.near());
        add(1, 0.95);
        assertFalse(rounds.won());
    }

    @Test
    void manyRoundsOfAboutTheSameTimeAreNear() {
        add(6, 1.1);
        add(5, 0.95);
        assertFalse(rounds.near());
        add(1, 1.1);
        assertTrue(rounds.near());
        assertFalse(rounds.won());
        add(1, 1.4);
        assertFalse(rounds.near());
    }

    @Test
    void codeThatIsYetToBeCompiledIsNotNear() {
        add(11, 1.1);
        rounds.add(1.1, true);
        assertFalse(rounds.near());
        add(11, 1.1);
        assertFalse(rounds.near());
        add(1, 1.1);
        assertTrue(rounds.near());
    }

    @Test
    void roundsOfAnotherPartDoNotCount() {
        add(20, 0.8);
        rounds.begin();
        assertFalse(rounds.won());
        assertFalse(rounds.near());
    }
}
