package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What a register holds at most, as an unsigned number, by all instructions that write it: masks, shifts, and sums and products of such. */
public final class Bounds {
    /** Of numbers that are not known to be below it. */
    private static final long NONE = 1L << 32;

    private final Map<Register, List<Instruction>> definitions;
    private final Map<Register, Long> known = new HashMap<>();
    private final ToLongFunction<Operand.AddressOf> addresses;

    /** @param addresses gives the address of a variable; a negative number if it is not known */
    public Bounds(Graph graph, ToLongFunction<Operand.AddressOf> addresses) {
        this.addresses = addresses;
        this.definitions = Writes.all(graph);
    }

    /** The largest number that the register may hold; 2^32 if that is not known to be less. Registers begin with 0. */
    public long most(Register register) {
        Long bound = known.get(register);
        if (bound != null) {
            return bound;
        }
        long any = any(register.type().bits());
        // In a cycle, the register may hold anything.
        known.put(register, any);
        long most = 0;
        for (Instruction i : definitions.getOrDefault(register, List.of())) {
            most = Math.max(most, i.operand(0) instanceof Operand.Reg r && r.register() == register ? Math.min(any, result(i, register.type().bits())) : any);
        }
        known.put(register, most);
        return most;
    }

    private static long any(int bits) {
        return bits < 32 ? (1L << bits) - 1 : bits == 32 ? NONE - 1 : NONE;
    }

    private long most(Operand operand) {
        long most = switch (operand) {
            case Operand.Immediate i -> i.bits();
            case Operand.AddressOf a -> addresses.applyAsLong(a);
            case Operand.Special special -> Math.min(any(special.type().bits()), most(special.register()));
            case Operand.Reg r -> r.type().bits() == r.register().type().bits() ? most(r.register()) : any(r.type().bits());
            default -> NONE;
        };
        return most < 0 || most > NONE ? NONE : most;
    }

    private long result(Instruction i, int bits) {
        ScalarType type = i.type();
        if (type == null || type.isFloat() || type.packed() || bits != type.bits() * (i.spelling().has(Modifier.WIDE) ? 2 : 1)
                || i.spelling().has(Modifier.CC) || i.spelling().has(Modifier.SAT)) {
            return NONE;
        }
        long most = switch (i.opcode()) {
            case MOV -> most(i.operand(1));
            case AND -> Math.min(most(i.operand(1)), most(i.operand(2)));
            case SHR -> shifted(i, type);
            case SHL -> i.operand(2) instanceof Operand.Immediate n && n.bits() >= 0 && n.bits() < 31 ? most(i.operand(1)) << n.bits() : NONE;
            case ADD -> most(i.operand(1)) + most(i.operand(2));
            case MUL -> i.spelling().has(Modifier.HI) ? NONE : product(i);
            case MAD -> i.spelling().has(Modifier.HI) ? NONE : product(i) + most(i.operand(3));
            case CVT -> i.spelling().lastType().isInteger() && !i.spelling().lastType().signed() ? most(i.operand(1)) : NONE;
            default -> NONE;
        };
        // What passes the type wraps around.
        return most <= any(type.bits()) || i.spelling().has(Modifier.WIDE) ? Math.min(most, NONE) : NONE;
    }

    private static long most(SpecialRegister register) {
        return switch (register) {
            case TID_X, TID_Y, TID_Z -> BlockShape.MOST_THREADS - 1;
            case NTID_X, NTID_Y, NTID_Z -> BlockShape.MOST_THREADS;
            default -> NONE;
        };
    }

    /** Whether a shift to the right gives 0. */
    boolean leavesNothing(Instruction i) {
        return shifted(i, i.type()) == 0;
    }

    private long shifted(Instruction i, ScalarType type) {
        long most = most(i.operand(1));
        boolean fits = i.operand(2) instanceof Operand.Immediate n && n.bits() >= 0 && n.bits() < 32 && most < (type.signed() ? 1L << type.bits() - 1 : NONE);
        return fits ? most >> ((Operand.Immediate) i.operand(2)).bits() : NONE;
    }

    private long product(Instruction i) {
        long a = most(i.operand(1));
        long b = most(i.operand(2));
        // As signed numbers the sources would be others.
        boolean same = !i.type().signed() || Math.max(a, b) < 1L << i.type().bits() - 1;
        return same && a < NONE && b < NONE && (a == 0 || b <= NONE / a) ? a * b : NONE;
    }
}
