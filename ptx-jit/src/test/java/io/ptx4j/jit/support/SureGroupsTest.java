package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Groups whose lanes' accesses through two registers keep apart. */
final class SureGroupsTest {
    /** Lane by lane: how many groups of 16 lanes keep apart. */
    private static int counted(int groups, long first, long perLane, long low, long high, boolean apartIfEqual) {
        for (int lane = 0; lane < 16 * groups; lane++) {
            long distance = first + lane * perLane;
            boolean equal = apartIfEqual && first == 0 && perLane == 0;
            if (distance > low && distance < high && !equal) {
                return lane / 16;
            }
        }
        return groups;
    }

    @Test
    void noLaneOfAGroupMeetsAnother() {
        for (long first = -300; first <= 300; first += 4) {
            for (long perLane = -8; perLane <= 8; perLane += 4) {
                for (boolean apartIfEqual : new boolean[] {true, false}) {
                    int counted = counted(8, first, perLane, -12, 8, apartIfEqual);
                    int found = SureGroups.apart(8, first, 16 * perLane, -12, 8, apartIfEqual);
                    // The group whose next one begins too near may be left out.
                    boolean exact = perLane == 0 || counted == 0;
                    assertEquals(exact ? counted : Math.max(found, counted - 1), Math.min(found, counted), first + " + " + perLane + " * lane");
                }
            }
        }
    }

    @Test
    void distancesOfAllMemoryCount() {
        assertEquals(1_000, SureGroups.apart(1_000, 1L << 47, 1L << 34, -8, 8, false));
        assertEquals(1_000, SureGroups.apart(1_000, -(1L << 47), -(1L << 34), -8, 8, false));
    }
}
