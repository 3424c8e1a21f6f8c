package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stands before all other tests, so that random kernels are compared beside them; {@link LaboratoryTest} looks at the end what was found. */
@Order(Integer.MIN_VALUE)
@Tag("thorough")
final class LaboratoryStartTest {
    @Test
    void laboratoriesStart() throws IOException {
        assertFalse(Laboratories.running().all().isEmpty());
    }
}
