package io.ptx4j.cases;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.DeviceBuffer;

/** Device memory that a case has a name and an element type for. */
public record CaseBuffer(String name, ScalarType type, long count, DeviceBuffer memory) {
    /** Element {@code index} as its bits. */
    public long bits(long index) {
        return CaseData.get(memory.segment(), type, index);
    }

    /** Element {@code index} as text. */
    public String text(long index) {
        return ElementText.format(type, bits(index));
    }
}
