package io.ptx4j.runtime;

import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Variable;

/** Size of a block's shared memory. */
final class SharedLayout {
    private SharedLayout() {
    }

    /** Static and dynamic bytes together; the dynamic ones begin at the alignment of the strictest dynamic variable. */
    static long bytes(Kernel kernel, long dynamicBytes) {
        int alignment = 1;
        for (Variable variable : kernel.sharedOffsets().keySet()) {
            alignment = variable.dynamic() ? Math.max(alignment, variable.alignment()) : alignment;
        }
        return ((long) kernel.sharedBytes() + alignment - 1) / alignment * alignment + dynamicBytes;
    }
}
