package io.ptx4j.engine;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

import java.util.Map;

/** Kinds of {@code tcgen05.mma} (manual: "tcgen05.mma", "Kind"). */
public enum TensorKind {
    F16(16, 16), TF32(8, 32), F8F6F4(32, 8), I8(32, 8), MXF8F6F4(32, 8), MXF4(64, 4), MXF4NVF4(64, 4);

    private static final Map<Modifier, TensorKind> BY_NAME = Map.of(Modifier.KIND_F16, F16, Modifier.KIND_TF32, TF32, Modifier.KIND_F8F6F4, F8F6F4, Modifier.KIND_I8, I8,
            Modifier.KIND_MXF8F6F4, MXF8F6F4, Modifier.KIND_MXF4, MXF4, Modifier.KIND_MXF4NVF4, MXF4NVF4);

    private final int k;
    private final int bits;

    TensorKind(int k, int bits) {
        this.k = k;
        this.bits = bits;
    }

    public static TensorKind of(Spelling spelling) {
        return spelling.modifiers().stream().filter(BY_NAME::containsKey).map(BY_NAME::get).findFirst().orElseThrow();
    }

    /** Columns of A. */
    public int k() {
        return k;
    }

    /** From one element of A or B to the next. */
    public int bits() {
        return bits;
    }

    public boolean scales() {
        return this == MXF8F6F4 || this == MXF4 || this == MXF4NVF4;
    }

    /** Scale factors of a row of A or a column of B: 1, 2 or 4; 0 for kinds without. */
    public int parts(Spelling spelling) {
        return !scales() ? 0 : this == MXF8F6F4 ? 1 : spelling.has(Modifier.SCALE_VEC_4X) || spelling.has(Modifier.BLOCK16) ? 4 : 2;
    }
}
