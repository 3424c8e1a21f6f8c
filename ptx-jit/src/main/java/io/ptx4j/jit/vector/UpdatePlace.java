package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;

/**
 * Where a kernel's atomics may update memory, whichever thread comes to them: at {@code root + k * step + offset}, for some k. So the components of a force, {@code f + 12 * i}, {@code f + 12 * i + 4}
 * and {@code f + 12 * i + 8}, are known to be apart.
 *
 * @param root variable in which the place lies, or parameter that holds an address; null if neither is known
 * @param step 0 for one place
 */
record UpdatePlace(Variable root, long step, long offset) {
    /** Instructions one behind the other by which an address may be computed. */
    private static final int DEEPEST = 20;
    private static final UpdatePlace UNKNOWN = new UpdatePlace(null, 1, 0);

    /** Whether two updates, of so many bytes, never have a byte in common. */
    boolean isApart(int bytes, UpdatePlace other, int otherBytes) {
        if (root == null || other.root == null) {
            return false;
        }
        if (!root.equals(other.root)) {
            // An index that leads from one variable into another is undefined.
            return root.space() != StateSpace.PARAM && other.root.space() != StateSpace.PARAM && !root.dynamic() && !other.root.dynamic();
        }
        long common = gcd(step, other.step);
        long distance = other.offset - offset;
        if (common == 0) {
            return distance >= bytes || distance <= -otherBytes;
        }
        long behind = Math.floorMod(distance, common);
        return behind >= bytes && behind + otherBytes <= common;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    static UpdatePlace of(Graph graph, Operand.Address address) {
        UpdatePlace base = address.register() != null ? value(graph, address.register(), 0) : address.variable() != null ? new UpdatePlace(address.variable(), 0, 0) : new UpdatePlace(null, 0, 0);
        return base.plus(address.offset());
    }

    private UpdatePlace plus(long number) {
        return new UpdatePlace(root, step, offset + number);
    }

    private UpdatePlace plus(UpdatePlace other) {
        return root != null && other.root != null ? UNKNOWN : new UpdatePlace(root == null ? other.root : root, gcd(step, other.step), offset + other.offset);
    }

    /** Of a number that is no address, times a constant: exactly, or as far as bits that are lost leave. */
    private UpdatePlace times(long factor, boolean exact) {
        return root != null || factor <= 0 ? UNKNOWN : new UpdatePlace(null, exact ? factor : Long.lowestOneBit(factor), 0);
    }

    private static long signed(Operand.Immediate n) {
        int lost = Math.max(0, Long.SIZE - n.type().bits());
        return n.bits() << lost >> lost;
    }

    private static UpdatePlace value(Graph graph, Operand operand, int depth) {
        return switch (operand) {
            case Operand.Immediate n -> new UpdatePlace(null, 0, signed(n));
            case Operand.AddressOf of -> new UpdatePlace(of.variable(), 0, of.offset());
            case Operand.Reg r when r.register().type().bits() == r.type().bits() -> value(graph, r.register(), depth + 1);
            default -> UNKNOWN;
        };
    }

    private static UpdatePlace value(Graph graph, Register register, int depth) {
        Instruction i = depth > DEEPEST || Operands.isHidden(register) ? null : graph.writes().only(register);
        if (i == null || i.guard() != null || graph.liveness().liveIn(0).contains(register) || !(i.operand(0) instanceof Operand.Reg to) || to.type().bits() != register.type().bits()) {
            return UNKNOWN;
        }
        int bits = register.type().bits();
        return switch (i.opcode()) {
            case MOV -> value(graph, i.operand(1), depth);
            case CVTA -> i.spelling().space() == StateSpace.GLOBAL ? value(graph, i.operand(1), depth) : UNKNOWN;
            case LD -> parameter(graph, i, bits);
            case ADD -> i.type().isInteger() && !i.type().packed() && !i.spelling().has(Modifier.SAT) && i.type().bits() == bits ? value(graph, i.operand(1), depth).plus(value(graph, i.operand(2), depth)) : UNKNOWN;
            case SHL -> i.operand(2) instanceof Operand.Immediate n && n.bits() >= 0 && n.bits() < bits && i.type().bits() == bits ? UNKNOWN.times(1L << n.bits(), false) : UNKNOWN;
            case MUL -> product(graph, i, depth);
            case MAD -> product(graph, i, depth).plus(i.spelling().has(Modifier.WIDE) || i.spelling().has(Modifier.LO) ? value(graph, i.operand(3), depth) : UNKNOWN);
            default -> UNKNOWN;
        };
    }

    private static UpdatePlace product(Graph graph, Instruction i, int depth) {
        boolean wide = i.spelling().has(Modifier.WIDE);
        if (!i.type().isInteger() || i.type().packed() || i.spelling().has(Modifier.SAT) || !wide && !i.spelling().has(Modifier.LO) || !(i.operand(2) instanceof Operand.Immediate n)) {
            return UNKNOWN;
        }
        long number = i.type().signed() || !wide ? signed(n) : n.bits();
        return wide ? UNKNOWN.times(number, true) : value(graph, i.operand(1), depth).times(number, false);
    }

    /** What a launch gives to all threads. */
    private static UpdatePlace parameter(Graph graph, Instruction i, int bits) {
        boolean whole = i.spelling().space() == StateSpace.PARAM && i.type() != null && i.type().bits() == bits && i.operand(1) instanceof Operand.Address a && a.variable() != null && a.offset() == 0;
        boolean fixed = whole && !Operands.any(graph.blocks(), s -> s.opcode() == Opcode.ST && s.spelling().space() == StateSpace.PARAM);
        return fixed ? new UpdatePlace(((Operand.Address) i.operand(1)).variable(), 0, 0) : UNKNOWN;
    }
}
