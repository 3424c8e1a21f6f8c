package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/**
 * How the elements of a matrix lie in registers.
 *
 * @param registerBits width of a register of the fragment
 * @param stride bits from one element to the next
 * @param shift where an element lies within its stride: the four bits of {@code .e2m1} stand in the middle of a byte
 */
record MatrixElement(ScalarType type, int registerBits, int stride, int shift) {
    /** The elements of A, B, C or D of type {@code type} in {@code spelling}. */
    static MatrixElement of(Spelling spelling, ScalarType type) {
        boolean inBytes = spelling.has(Modifier.KIND_F8F6F4) || spelling.has(Modifier.KIND_MXF8F6F4);
        int stride = inBytes && type.bits() < 8 ? 8 : type.bits();
        return new MatrixElement(type, Math.max(32, type.bits()), stride, stride == 8 && type.bits() == 4 ? 2 : 0);
    }

    /** Elements in one register. */
    int each() {
        return registerBits / stride;
    }

    /** Raw bits of element {@code i} of a register. */
    long get(long register, int i) {
        return Bits.field(register, i * stride + shift, type.bits());
    }

    /** The register with element {@code i}, which is zero, set. */
    long with(long register, int i, long bits) {
        return register | bits << i * stride + shift;
    }

    /** The number or infinity that the bits of a floating-point element stand for. */
    Exact decode(long bits) {
        return Format.of(type).decode(bits);
    }
}
