package io.ptx4j.jit.coarse;

import io.ptx4j.ir.Register;
import io.ptx4j.isa.ScalarType;

import java.util.function.Supplier;

/** What a register of the text holds in the threads of one warp, by lane. */
final class Value {
    private final ScalarType type;
    private final long[] known;
    private final boolean same;
    private Supplier<Register> maker;
    private Register register;

    private Value(ScalarType type, long[] known, boolean same, Register register, Supplier<Register> maker) {
        this.type = type;
        this.known = known;
        this.same = same;
        this.register = register;
        this.maker = maker;
    }

    /** @param same whether all threads of the block have the same */
    static Value computed(Register register, boolean same) {
        return new Value(register.type(), null, same, register, null);
    }

    /**
     * @param bits by lane
     * @param maker makes a register that holds them, at the kernel's begin
     */
    static Value known(ScalarType type, long[] bits, Supplier<Register> maker) {
        boolean same = true;
        for (long b : bits) {
            same &= b == bits[0];
        }
        return new Value(type, bits, same, null, maker);
    }

    ScalarType type() {
        return type;
    }

    boolean isKnown() {
        return known != null;
    }

    /** Its bits in a lane. */
    long bits(int lane) {
        return known[lane];
    }

    /** Whether all lanes hold the same. */
    boolean same() {
        return same;
    }

    /** Whether all lanes hold a number that is known. */
    boolean isConstant() {
        return known != null && same;
    }

    /** The register of the coarse kernel that holds it. */
    Register register() {
        if (register == null) {
            register = maker.get();
            maker = null;
        }
        return register;
    }
}
