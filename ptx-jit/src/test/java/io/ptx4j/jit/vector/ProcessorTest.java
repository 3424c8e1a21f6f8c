package io.ptx4j.jit.vector;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProcessorTest {
    private static final String AMD = "vendor_id\t: AuthenticAMD";
    private static final String INTEL = "vendor_id\t: GenuineIntel";

    @Test
    void factorsStayUncutWhereWholeVectorsOf64BitsAreMultipliedAtOnce() {
        assertFalse(Processor.cutsFactors(null, 512, AMD));
        assertFalse(Processor.cutsFactors(null, 512, "AMD64 Family 25 Model 17 Stepping 1, AuthenticAMD"));
    }

    @Test
    void factorsAreCutElsewhere() {
        assertTrue(Processor.cutsFactors(null, 512, INTEL));
        assertTrue(Processor.cutsFactors(null, 256, AMD));
        assertTrue(Processor.cutsFactors(null, 512, ""));
    }

    @Test
    void anOptionDecidesBeforeTheProcessor() {
        assertTrue(Processor.cutsFactors("true", 512, AMD));
        assertFalse(Processor.cutsFactors("false", 256, INTEL));
    }
}
