package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;
import io.ptx4j.isa.ScalarType;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/** What {@code cp.reduce.async.bulk} does to each element: operation and type. Each element is updated atomically. */
public enum BulkReduction {
    ADD_U32(AtomicUpdates::add32), ADD_S32(AtomicUpdates::add32), ADD_U64(AtomicUpdates::add64),
    ADD_F32(AtomicUpdates::addFlushedF32), ADD_F64(AtomicUpdates::addF64), ADD_F16(HalfOps::addF16, 2), ADD_BF16(HalfOps::addBf16, 2),
    MIN_U32(AtomicUpdates::minUnsigned32), MIN_S32(AtomicUpdates::min32), MIN_U64(AtomicUpdates::minUnsigned64),
    MIN_S64(AtomicUpdates::min64), MIN_F16(HalfOps::minF16, 2), MIN_BF16(HalfOps::minBf16, 2),
    MAX_U32(AtomicUpdates::maxUnsigned32), MAX_S32(AtomicUpdates::max32), MAX_U64(AtomicUpdates::maxUnsigned64),
    MAX_S64(AtomicUpdates::max64), MAX_F16(HalfOps::maxF16, 2), MAX_BF16(HalfOps::maxBf16, 2),
    INC_U32(AtomicUpdates::increment32), DEC_U32(AtomicUpdates::decrement32),
    AND_B32(AtomicUpdates::and32), AND_B64(AtomicUpdates::and64), OR_B32(AtomicUpdates::or32), OR_B64(AtomicUpdates::or64),
    XOR_B32(AtomicUpdates::xor32), XOR_B64(AtomicUpdates::xor64);

    private final IntBinaryOperator narrow;
    private final LongBinaryOperator wide;
    private final int bytes;

    BulkReduction(IntBinaryOperator operation) {
        this(operation, 4);
    }

    BulkReduction(IntBinaryOperator operation, int bytes) {
        this.narrow = operation;
        this.wide = null;
        this.bytes = bytes;
    }

    BulkReduction(LongBinaryOperator operation) {
        this.narrow = null;
        this.wide = operation;
        this.bytes = 8;
    }

    /** @throws Fault if elements of that type are not reduced so */
    static BulkReduction of(String operation, ScalarType type) {
        boolean bitwise = operation.equals("AND") || operation.equals("OR") || operation.equals("XOR");
        String name = operation + "_" + (bitwise ? "B" + type.bits() : operation.equals("ADD") && type == ScalarType.S64 ? "U64" : type.name());
        for (BulkReduction reduction : values()) {
            if (reduction.name().equals(name)) {
                return reduction;
            }
        }
        throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "a tensor of " + type + " has no reduction " + operation.toLowerCase(Locale.ROOT), 0,
                -1, -1);
    }

    int bytes() {
        return bytes;
    }

    void update(MemorySegment memory, long target, long source) {
        switch (bytes) {
            case 2 -> Atomics.update16(memory, target, Memory.loadI16(memory, source) & 0xFFFF, narrow);
            case 4 -> Atomics.update32(memory, target, Memory.loadI32(memory, source), narrow);
            default -> Atomics.update64(memory, target, Memory.loadI64(memory, source), wide);
        }
    }
}
