package io.ptx4j.jit.matrix;

import io.ptx4j.engine.Fault;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.HalfOps;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.SmallFloats;
import io.ptx4j.jit.support.WarpWords;

/**
 * The scale factors of A and B (manual: "Block Scaling for mma.sync"). The operands are the data of A, its byte and thread selector,
 * then those of B.
 *
 * @param slot of the first of these operands
 * @param parts of each row of A and column of B
 */
record ScaleFactors(int slot, int parts, boolean powers) {
    static ScaleFactors of(Spelling spelling, int slot) {
        int parts = spelling.has(Modifier.SCALE_VEC_4X) ? 4 : spelling.has(Modifier.KIND_MXF8F6F4) ? 1 : 2;
        return new ScaleFactors(slot, parts, spelling.lastType() == ScalarType.UE8M0);
    }

    /** By row and part. */
    double[] ofA(Point point, Frame frame, int low, WarpWords words) {
        int firstByte = selector(point, frame, low, words, slot + 1, 4 / parts, parts, "byte-id-a");
        int pair = selector(point, frame, low, words, slot + 2, 2, 1, "thread-id-a");
        double[] factors = new double[16 * parts];
        for (int row = 0; row < 16; row++) {
            int word = words.operands[words.at(slot) + (row & 7) * 4 + pair * 2 + (row >> 3)];
            read(factors, row, word >>> 8 * firstByte);
        }
        return factors;
    }

    /** By column and part. */
    double[] ofB(Point point, Frame frame, int low, WarpWords words) {
        int firstByte = selector(point, frame, low, words, slot + 4, 4 / parts, parts, "byte-id-b");
        int thread = selector(point, frame, low, words, slot + 5, 4, 1, "thread-id-b");
        double[] factors = new double[8 * parts];
        for (int column = 0; column < 8; column++) {
            read(factors, column, words.operands[words.at(slot + 3) + column * 4 + thread] >>> 8 * firstByte);
        }
        return factors;
    }

    private void read(double[] factors, int line, int bytes) {
        for (int part = 0; part < parts; part++) {
            int code = bytes >>> 8 * part & 0xff;
            factors[line * parts + part] = !powers ? HalfOps.fromF16(SmallFloats.e4m3ToF16(code & 0x7f))
                    : code == 0xff ? Double.NaN : Math.scalb(1.0, code - 127);
        }
    }

    private static int selector(Point point, Frame frame, int low, WarpWords words, int slot, int values, int step, String name) {
        int value = words.operands[words.at(slot)];
        if (value % step != 0 || value / step >= values) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, name + " " + value + " of '" + point.text() + "' is not one of 0 to "
                    + (values - 1) * step + (step == 1 ? "" : " in steps of " + step), point.line(), frame.block, low);
        }
        return value;
    }
}
