package io.ptx4j.interpreter;

import io.ptx4j.isa.ScalarType;

/** Instructions on packed types do the same in every lane (manual: "Packed Data Types"). */
final class Lanes {
    private Lanes() {
    }

    /** {@code scalar} applied to each lane of the packed {@code type}, or {@code scalar} itself for a plain type. */
    static Arithmetic each(ScalarType type, Arithmetic scalar) {
        if (!type.packed()) {
            return scalar;
        }
        return (spelling, sources) -> {
            long result = 0;
            long[] lane = new long[sources.length];
            for (int i = 0; i < type.lanes(); i++) {
                for (int k = 0; k < sources.length; k++) {
                    lane[k] = lane(type, sources[k], i);
                }
                result |= inLane(type, scalar.apply(spelling, lane), i);
            }
            return result;
        };
    }

    /** Lane {@code index} of {@code packed}; lane 0 is the lowest. */
    static long lane(ScalarType type, long packed, int index) {
        return packed >>> index * width(type) & (1L << width(type)) - 1;
    }

    /** {@code bits} moved to lane {@code index}. */
    static long inLane(ScalarType type, long bits, int index) {
        return bits << index * width(type);
    }

    private static int width(ScalarType type) {
        return type.bits() / type.lanes();
    }
}
