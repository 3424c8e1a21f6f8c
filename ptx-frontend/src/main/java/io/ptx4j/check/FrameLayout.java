package io.ptx4j.check;

import io.ptx4j.ir.Variable;
import io.ptx4j.isa.StateSpace;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the variables of a body lie in the thread's frame.
 *
 * @param bytes a multiple of 16 and of all alignments; {@link #TOO_LARGE} where no frame is large enough
 */
record FrameLayout(Map<Variable, Integer> offsets, int bytes) {
    static final int TOO_LARGE = -1;
    private static final int ALIGNMENT = 16;

    static FrameLayout of(List<Variable> variables) {
        Map<Variable, Integer> offsets = new LinkedHashMap<>();
        long end = 0;
        int alignment = ALIGNMENT;
        for (Variable variable : variables) {
            if (variable.space() == StateSpace.LOCAL || variable.space() == StateSpace.PARAM) {
                end = aligned(end, variable.alignment());
                offsets.put(variable, (int) end);
                end += variable.bytes();
                alignment = Math.max(alignment, variable.alignment());
            }
        }
        end = aligned(end, alignment);
        return new FrameLayout(Map.copyOf(offsets), end > Integer.MAX_VALUE ? TOO_LARGE : (int) end);
    }

    static long aligned(long offset, int alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }
}
