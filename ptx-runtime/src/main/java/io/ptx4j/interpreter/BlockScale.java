package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.List;

/**
 * The scale factors of one matrix (manual: "Block Scaling for mma.sync"). Its rows, or columns for B, are cut into one, two or four parts,
 * each with a factor of its own.
 *
 * @param parts of a row of A or a column of B
 * @param selectors byte-id and thread-id
 */
record BlockScale(Spelling spelling, boolean ofA, int parts, Source data, List<Source> selectors) {
    static BlockScale of(Spelling spelling, boolean ofA, Source data, List<Source> selectors) {
        int parts = spelling.has(Modifier.SCALE_VEC_4X) ? 4 : spelling.has(Modifier.KIND_MXF8F6F4) ? 1 : 2;
        return new BlockScale(spelling, ofA, parts, data, selectors);
    }

    /** Factors by row of A or column of B, and part. The selectors are those of lane 0. */
    Exact[][] factors(Warp warp) {
        ThreadState first = warp.threads.getFirst();
        int byteId = selector(first, 0, 4 / parts, parts);
        int threadId = selector(first, 1, ofA ? 2 : 4, 1);
        Exact[][] factors = new Exact[ofA ? 16 : 8][parts];
        for (int line = 0; line < factors.length; line++) {
            int lane = line % 8 * 4 + (ofA ? 2 * threadId + line / 8 : threadId);
            long word = data.bits(warp.threads.get(lane));
            for (int part = 0; part < parts; part++) {
                factors[line][part] = decode(Bits.field(word, 8 * (byteId + part), 8));
            }
        }
        return factors;
    }

    private int selector(ThreadState thread, int which, int values, int step) {
        long value = selectors.get(which).bits(thread);
        if (value % step != 0 || value / step >= values) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, (which == 0 ? "byte-id-" : "thread-id-") + (ofA ? "a " : "b ") + value + " of '"
                    + spelling + "' is not one of 0 to " + (values - 1) * step + (step == 1 ? "" : " in steps of " + step));
        }
        return (int) value;
    }

    private Exact decode(long code) {
        return spelling.lastType() == ScalarType.UE8M0 ? ScaleFactor.decode(code) : Format.E4M3.decode(code & 0x7f);
    }
}
