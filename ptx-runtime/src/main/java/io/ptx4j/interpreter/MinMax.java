package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;

/** Minimum and maximum of two or three values (manual: "Floating Point Instructions: min", "max" and their half precision forms). */
record MinMax(Format format, boolean maximum, boolean ftz, boolean propagatesNaN, boolean xorSign, boolean absolute)
        implements Arithmetic {
    static MinMax of(Spelling spelling) {
        return new MinMax(Format.of(spelling.type()), spelling.opcode() == Opcode.MAX, spelling.has(Modifier.FTZ),
                spelling.has(Modifier.NAN), spelling.has(Modifier.XORSIGN), spelling.has(Modifier.ABS));
    }

    @Override
    public long apply(Spelling spelling, long[] sources) {
        long result = prepared(sources[0]);
        for (int i = 1; i < sources.length; i++) {
            result = select(result, prepared(sources[i]));
        }
        boolean keepsSign = !xorSign || format.decode(result).isNaN();
        return keepsSign ? result : result | (sources[0] ^ sources[1]) & format.signBit();
    }

    private long prepared(long bits) {
        long flushed = ftz ? format.flushed(bits) : bits;
        return absolute && !format.decode(bits).isNaN() ? flushed & ~format.signBit() : flushed;
    }

    private long select(long a, long b) {
        Exact x = format.decode(a);
        Exact y = format.decode(b);
        if (x.isNaN() && y.isNaN() || propagatesNaN && (x.isNaN() || y.isNaN())) {
            return format == Format.F64 ? b | 1L << 51 : format.nan();
        }
        if (x.isNaN() || y.isNaN()) {
            return x.isNaN() ? b : a;
        }
        return ExactArithmetic.compare(x, y) > 0 == maximum ? a : b;
    }
}
