package io.ptx4j.runtime;

import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Variable;

/** Size of a block's shared memory. */
final class SharedLayout {
    private SharedLayout() {
    }

    /** Static and dynamic bytes together; the dynamic ones begin at the alignment of the strictest dynamic variable. */
    static long bytes(Kernel kernel, long dynamicBytes) {
        int alignment = kernel.sharedOffsets().keySet().stream().filter(Variable::dynamic).mapToInt(Variable::alignment)
                .max().orElse(1);
        return ((long) kernel.sharedBytes() + alignment - 1) / alignment * alignment + dynamicBytes;
    }
}
