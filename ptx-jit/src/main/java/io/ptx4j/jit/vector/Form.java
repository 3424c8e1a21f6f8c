package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;

/** How a register's values differ between the lanes of a group. */
sealed interface Form {
    /** One value for all lanes that read it; held as a JVM scalar. */
    record Uniform() implements Form {
    }

    /**
     * Lane {@code l} has the value of lane 0, which is held as a JVM scalar, plus {@code stride * l}.
     *
     * @param second what a second local holds that tells more, or null when this is all, modulo the register's width
     * @param aligned whether the value of lane 0 is a multiple of the number of lanes, and not negative
     */
    record Affine(long stride, Second second, boolean aligned) implements Form {
        Affine(long stride, Second second) {
            this(stride, second, false);
        }

        Affine unaligned() {
            return new Affine(stride, second);
        }

        boolean plain() {
            return second == null;
        }

        Index index() {
            return second instanceof Index index ? index : null;
        }

        Bits bits() {
            return second instanceof Bits bits ? bits : null;
        }
    }

    /** What a second local of an affine register holds. */
    sealed interface Second {
    }

    /**
     * The value is {@code scale * extend(i) + u} and so affine while {@code i} does not wrap around, an affine 32-bit value whose lane 0 the second
     * local holds; {@code u} is uniform.
     */
    record Index(int stride, long scale, boolean signed) implements Second {
    }

    /**
     * Lane {@code l} has {@code factor * (l & m)} more, with {@code m} in the second local: where {@code t} is a thread's number, {@code t & m},
     * {@code t | m} and {@code t ^ m} are such, and with them the places of many sorts and transforms.
     *
     * @param origin the register with {@code m} first; two values with one origin have the same {@code m}
     */
    record Bits(int factor, Register origin) implements Second {
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
