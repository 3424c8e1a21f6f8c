package io.ptx4j.engine.checks;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.Optional;

/**
 * What a load, a store, an atomic or an operation on an mbarrier does to memory.
 *
 * @param operand which operand is the address
 * @param bytes that it touches
 * @param kind a sum of the constants below
 */
public record Access(int operand, Operand.Address address, int bytes, int kind) {
    public static final int READ = 1;
    public static final int WRITE = 2;
    /** Not weak: two such accesses never race (manual: "Memory Consistency Model"), if each is in the other's scope. */
    public static final int STRONG = 4;
    /** A strong access or a fence in a scope beyond the block. */
    public static final int WIDE = 8;
    public static final int ACQUIRE = 16;
    public static final int RELEASE = 32;

    /** The access that {@code instruction} makes; empty for one that makes none, or several, or to constants or parameters. */
    public static Optional<Access> of(Instruction instruction) {
        Family family = instruction.family();
        boolean bulk = instruction.spelling().has(Modifier.BULK);
        boolean accesses = family == Family.ATOMIC || family == Family.MBARRIER || instruction.opcode() == Opcode.LD
                || instruction.opcode() == Opcode.LDU || !bulk && (instruction.opcode() == Opcode.ST || instruction.opcode() == Opcode.RED);
        boolean copyOfCompiler = instruction.opcode() == Opcode.LD && instruction.location().column() == 0;
        if (!accesses || copyOfCompiler) {
            return Optional.empty();
        }
        for (int k = 0; k < instruction.operands().size(); k++) {
            if (instruction.operand(k) instanceof Operand.Address address) {
                return switch (address.space()) {
                    case GLOBAL, GENERIC, SHARED, LOCAL -> Optional.of(new Access(k, address, bytes(instruction, k), kind(instruction)));
                    // Areas of calls are written as parameters, and may be read through pointers.
                    case PARAM -> instruction.opcode() == Opcode.ST
                            ? Optional.of(new Access(k, address, bytes(instruction, k), WRITE)) : Optional.empty();
                    case CONST, TEX, REG, SREG, TENSOR -> Optional.empty();
                };
            }
        }
        return Optional.empty();
    }

    private static int bytes(Instruction instruction, int address) {
        if (instruction.family() == Family.MBARRIER) {
            return Long.BYTES;
        }
        int elements = instruction.spelling().vectorLength();
        for (Operand operand : instruction.operands().subList(address + 1, instruction.operands().size())) {
            elements = operand instanceof Operand.Vector vector && instruction.family() != Family.MEMORY
                    && instruction.type().bits() < 128 ? vector.elements().size() : elements;
        }
        return instruction.type().bytes() * elements;
    }

    /** The sum of constants above that tells what {@code instruction} does to a place in memory. */
    public static int kind(Instruction instruction) {
        return switch (instruction.family()) {
            case MBARRIER -> mbarrier(instruction);
            case ATOMIC -> READ | WRITE | STRONG | scope(instruction) | order(instruction);
            // st.async and red.async.
            case ASYNC_COPY -> instruction.opcode() == Opcode.RED ? READ | WRITE | STRONG | WIDE : WRITE;
            default -> {
                Modifier order = instruction.spelling().one(Modifier.Category.ORDER);
                if (instruction.opcode() == Opcode.MULTIMEM) {
                    yield multimem(instruction, order);
                }
                int way = instruction.opcode() == Opcode.ST ? WRITE : READ;
                yield order == null || order == Modifier.WEAK ? way : way | STRONG | scope(instruction) | order(instruction);
            }
        };
    }

    /** Of the access to each replica; {@code multimem.red} is relaxed for the whole system where it says nothing. */
    private static int multimem(Instruction instruction, Modifier order) {
        boolean loads = instruction.spelling().has(Modifier.LD_REDUCE);
        boolean stores = instruction.spelling().has(Modifier.ST);
        int way = loads ? READ : stores ? WRITE : READ | WRITE;
        boolean weak = (loads || stores) && (order == null || order == Modifier.WEAK);
        return weak ? way : way | STRONG | scope(instruction) | order(instruction);
    }

    private static int mbarrier(Instruction instruction) {
        if (instruction.spelling().has(Modifier.INIT)) {
            return WRITE;
        }
        boolean waits = instruction.spelling().has(Modifier.TEST_WAIT) || instruction.spelling().has(Modifier.TRY_WAIT);
        if (instruction.spelling().has(Modifier.INVAL)) {
            // Weak by the manual; but libcu++ has it done by a lane whom others have told by match.any.sync, which orders no memory.
            return WRITE | STRONG | WIDE;
        }
        return READ | STRONG | WIDE | (waits ? ACQUIRE : WRITE | RELEASE);
    }

    private static int order(Instruction instruction) {
        Modifier order = instruction.spelling().one(Modifier.Category.ORDER);
        boolean both = instruction.spelling().has(Modifier.ACQ_REL);
        return (both || order == Modifier.ACQUIRE ? ACQUIRE : 0) | (both || order == Modifier.RELEASE ? RELEASE : 0);
    }

    /** Without a scope {@code atom} and {@code red} mean the device, and {@code .volatile} the whole system. */
    private static int scope(Instruction instruction) {
        return instruction.spelling().one(Modifier.Category.SCOPE) == Modifier.CTA ? 0 : WIDE;
    }

    public boolean writes() {
        return (kind & WRITE) != 0;
    }

    public boolean strong() {
        return (kind & STRONG) != 0;
    }

    public boolean reads() {
        return (kind & READ) != 0;
    }

    /** Whether an address in shared memory may name any block of the cluster. */
    public static boolean anyBlock(Instruction instruction) {
        return instruction.spelling().has(Modifier.SHARED_CLUSTER) || instruction.family() == Family.ASYNC_COPY;
    }
}
