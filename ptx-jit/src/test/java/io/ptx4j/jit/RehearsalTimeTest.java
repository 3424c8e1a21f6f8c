package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class RehearsalTimeTest {
    private final RehearsalTime time = new RehearsalTime(2);

    @Test
    void aKernelHasHalfOfWhatItsLaunchesTake() {
        assertTrue(time.left(50, 100));
        time.rehearsed(51);
        time.launched(100);
        assertFalse(time.left(51, 100));
    }

    @Test
    void aShortKernelTakesWhatIsLeftOfTheOthersWithinBounds() {
        time.launched(1_000);
        assertTrue(time.left(80, 10));
        assertFalse(time.left(81, 10));
        time.rehearsed(501);
        assertFalse(time.left(80, 10));
        assertTrue(time.left(5, 10));
    }

    @Test
    void othersGoFirst() {
        time.launched(1_000);
        Runnable other = time.task(() -> assertFalse(time.left(80, 10)));
        assertFalse(time.left(80, 10));
        assertTrue(time.left(5, 10));
        other.run();
        assertTrue(time.left(80, 10));
    }
}
