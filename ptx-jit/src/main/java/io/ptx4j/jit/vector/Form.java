package io.ptx4j.jit.vector;

/** How a register's values differ between the lanes of a group. */
sealed interface Form {
    /** One value for all lanes that read it; held as a JVM scalar. */
    record Uniform() implements Form {
    }

    /**
     * Lane {@code l} has the value of lane 0, which is held as a JVM scalar, plus {@code stride * l}.
     *
     * @param index what it is while a 32-bit index does not wrap around; null when it holds modulo the register's width
     * @param aligned whether the value of lane 0 is a multiple of the number of lanes, and not negative
     */
    record Affine(long stride, Index index, boolean aligned) implements Form {
        Affine(long stride, Index index) {
            this(stride, index, false);
        }

        Affine unaligned() {
            return new Affine(stride, index);
        }
    }

    /**
     * The value is {@code scale * extend(i) + u}, with {@code i} an affine 32-bit value, whose lane 0 is held in a local of its own, and
     * {@code u} uniform.
     */
    record Index(int stride, long scale, boolean signed) {
    }

    /** Anything; held in vectors, predicates in the bits of a {@code long}. */
    record Varying() implements Form {
    }

    Form UNIFORM = new Uniform();
    Form VARYING = new Varying();

    static Form affine(long stride) {
        return stride == 0 ? UNIFORM : new Affine(stride, null);
    }

    /** What covers both; null is no value yet. */
    static Form join(Form a, Form b) {
        if (a == null || a.equals(b)) {
            return b;
        }
        boolean same = a instanceof Affine x && b instanceof Affine y && x.unaligned().equals(y.unaligned());
        return b == null ? a : same ? ((Affine) a).unaligned() : VARYING;
    }

    default boolean scalar() {
        return !(this instanceof Varying);
    }
}
