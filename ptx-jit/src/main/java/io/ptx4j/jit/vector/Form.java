package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.flow.LowBits.Low;

/** How a register's values differ between the lanes of a group. */
sealed interface Form {
    /** One value for all lanes that read it; held as a JVM scalar. */
    record Uniform() implements Form {
    }

    /**
     * Lane {@code x} of row {@code y} of the group has the value of lane 0, which is held as a JVM scalar, plus {@code stride * x + step * y}. Of a group
     * that lies within one row of the block, all lanes are of row 0.
     *
     * @param second what a second local holds that tells more, or null when this is all, modulo the register's width
     * @param low the lowest bits of lane 0 of each row
     */
    record Affine(long stride, long step, Second second, Low low) implements Form {
        Affine(long stride, Second second) {
            this(stride, 0, second, Low.NONE);
        }

        Affine unaligned() {
            return new Affine(stride, step, second, Low.NONE);
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

    /**
     * The lanes of each row have values of that form by themselves; held as scalars for each row.
     *
     * @param each uniform or affine
     */
    record Rows(Form each) implements Form {
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
        return affine(stride, 0);
    }

    static Form affine(long stride, long step) {
        return stride == 0 && step == 0 ? UNIFORM : new Affine(stride, step, null, Low.NONE);
    }

    /** What covers both; null is no value yet. */
    static Form join(Form a, Form b) {
        if (a == null || a.equals(b)) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (a instanceof Affine x && b instanceof Affine y && x.unaligned().equals(y.unaligned())) {
            return x.withLow(x.low.or(y.low));
        }
        return a.byRow() || b.byRow() ? ofRows(join(a.row(), b.row())) : VARYING;
    }

    /** Of values that have a form in each row. */
    static Form ofRows(Form each) {
        return each.scalar() ? new Rows(each) : VARYING;
    }

    /** How the values of one row's lanes differ. */
    default Form row() {
        return switch (this) {
            case Uniform u -> u;
            case Affine a -> a.step == 0 ? a : a.stride == 0 ? UNIFORM : new Affine(a.stride, 0, a.second, a.low);
            case Rows r -> r.each;
            case Varying v -> v;
        };
    }

    /** This form with such bits in lane 0, where that is all there is to tell of it. */
    default Form withLow(Low low) {
        return this instanceof Affine a && a.plain() ? new Affine(a.stride, a.step, null, low) : this;
    }

    /** Whether lane 0 of one row has another value than that of another, and both are known as scalars. */
    default boolean byRow() {
        return this instanceof Rows || this instanceof Affine a && a.step != 0;
    }

    default boolean scalar() {
        return !(this instanceof Varying);
    }
}
