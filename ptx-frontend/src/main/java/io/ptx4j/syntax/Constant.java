package io.ptx4j.syntax;

/** The value of a constant expression (manual: "Constants"). */
public sealed interface Constant {
    /** A 64-bit integer, signed (.s64) or unsigned (.u64). */
    record Whole(long value, boolean unsigned) implements Constant {
        public boolean isTrue() {
            return value != 0;
        }
    }

    /** A double: a decimal floating literal, {@code 0d} with 16 digits, or what was computed from them. */
    record Real(double value) implements Constant {
    }

    /** {@code 0f} with 8 digits: exact single-precision bits, which take no part in arithmetic. */
    record Single(int bits) implements Constant {
    }
}
