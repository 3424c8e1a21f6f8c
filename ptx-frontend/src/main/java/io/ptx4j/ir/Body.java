package io.ptx4j.ir;

import java.util.List;
import java.util.Map;

/**
 * The code of a kernel or function.
 *
 * @param registers all virtual registers of all scopes, {@code registers.get(i).index() == i}
 * @param variables variables of all its scopes: local, shared, global, const, and {@code .param} areas of calls
 * @param blocks in text order; block 0 is the entry; every block is reachable
 * @param localOffsets where each {@code LOCAL} and call {@code PARAM} variable of this body lies in the thread's frame, in bytes
 * @param frameBytes size of that frame, a multiple of its alignment
 */
public record Body(
        List<Register> registers, List<Variable> variables, List<BasicBlock> blocks, Map<Variable, Integer> localOffsets,
        int frameBytes) {
    private static final int LEAST_ALIGNMENT = 16;

    /** Bytes that the address of a frame must be a multiple of: 16, or more where a variable asks for it. */
    public int frameAlignment() {
        return localOffsets.keySet().stream().mapToInt(Variable::alignment).reduce(LEAST_ALIGNMENT, Math::max);
    }
}
