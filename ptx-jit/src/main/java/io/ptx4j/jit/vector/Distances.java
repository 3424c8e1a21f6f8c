package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Operands;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which registers hold the same value but for a constant, as the addresses of elements that several registers count: {@code in + 4·i} and {@code in + 4·(i + 32)}. Found along instructions that
 * follow each other.
 */
final class Distances {
    /**
     * A value.
     *
     * @param root what it has in common with others at a constant distance
     * @param distance from others with that root, modulo the width
     * @param index distance of the 32-bit index that it was extended from, up to which the other holds as long as the index does not wrap around
     * @param extended whether there is such an index
     */
    record Value(int root, long distance, int index, boolean extended) {
    }

    private static final int CONSTANT = 0;
    /** Instructions one behind the other that a value is computed by. */
    private static final int DEEPEST = 40;
    private static final Set<SpecialRegister> STEADY = EnumSet.of(SpecialRegister.TID_X, SpecialRegister.TID_Y, SpecialRegister.TID_Z, SpecialRegister.NTID_X, SpecialRegister.NTID_Y, SpecialRegister.NTID_Z,
            SpecialRegister.CTAID_X, SpecialRegister.CTAID_Y, SpecialRegister.CTAID_Z, SpecialRegister.NCTAID_X, SpecialRegister.NCTAID_Y, SpecialRegister.NCTAID_Z, SpecialRegister.LANEID);

    private final Forms forms;
    private final Map<Register, Value> values = new HashMap<>();
    private final Map<List<Object>, Integer> roots = new HashMap<>();
    private final Map<Register, Boolean> steady = new HashMap<>();
    private int next = CONSTANT + 1;

    Distances(Forms forms) {
        this.forms = forms;
    }

    /** What a register of 32 or 64 bits holds behind the instructions so far. */
    Value of(Register register) {
        Value known = values.get(register);
        if (known == null) {
            known = isSteady(register, 0) ? result(forms.maker(register)) : null;
            known = known == null ? new Value(next++, 0, 0, forms.of(register).row() instanceof Form.Affine a && a.index() != null) : known;
            values.put(register, known);
        }
        return known;
    }

    /** Goes on to the next instruction. */
    void next(Instruction i) {
        Value result = i.guard() == null ? result(i) : null;
        Operands.definitions(i, r -> {
            if (!isSteady(r, 0)) {
                values.remove(r);
            }
        });
        if (result != null) {
            values.put(((Operand.Reg) i.operand(0)).register(), result);
        }
    }

    /** Whether a register holds the same in a thread wherever it has been written: what parameters, constants and the thread's place say. */
    private boolean isSteady(Register register, int depth) {
        Boolean known = steady.get(register);
        if (known == null) {
            Instruction maker = depth > DEEPEST ? null : forms.maker(register);
            known = maker != null && (maker.family().isPure() && maker.operands().stream().skip(1).allMatch(o -> isSteady(o, depth)) || maker.opcode() == Opcode.LD && maker.spelling().space() == StateSpace.PARAM
                    && maker.operand(1) instanceof Operand.Address a && a.register() == null && maker.operand(0) instanceof Operand.Reg);
            steady.put(register, known);
        }
        return known;
    }

    private boolean isSteady(Operand operand, int depth) {
        return switch (operand) {
            case Operand.Immediate n -> true;
            case Operand.Reg r -> isSteady(r.register(), depth + 1);
            case Operand.Special s -> STEADY.contains(s.register());
            default -> false;
        };
    }

    private Value result(Instruction i) {
        return !i.operands().isEmpty() && i.operand(0) instanceof Operand.Reg to && isWhole(to) && i.type() != null ? result(i, to.register()) : null;
    }

    private static boolean isWhole(Operand.Reg operand) {
        int bits = operand.register().type().bits();
        return !operand.negated() && operand.type().bits() == bits && (bits == Integer.SIZE || bits == Long.SIZE) && operand.type() != ScalarType.PRED;
    }

    private Value result(Instruction i, Register to) {
        ScalarType type = i.type();
        if (type.isFloat() || type.packed() || type.bits() != Integer.SIZE && type.bits() != Long.SIZE) {
            return null;
        }
        int bits = to.type().bits();
        Set<Modifier> modifiers = i.spelling().modifiers();
        boolean wide = modifiers.equals(Set.of(Modifier.WIDE));
        boolean plain = modifiers.isEmpty() && type.bits() == bits;
        boolean low = modifiers.equals(Set.of(Modifier.LO)) && type.bits() == bits;
        return switch (i.opcode()) {
            case MOV -> plain ? value(i.operand(1), bits) : null;
            case ADD -> plain ? sum(value(i.operand(1), bits), value(i.operand(2), bits), bits) : null;
            case SUB -> plain ? sum(value(i.operand(1), bits), product(value(i.operand(2), bits), constant(-1, bits), bits), bits) : null;
            case SHL -> plain && i.operand(2) instanceof Operand.Immediate n && n.bits() >= 0 && n.bits() < bits ? product(value(i.operand(1), bits), constant(1L << n.bits(), bits), bits) : null;
            case CVT -> modifiers.isEmpty() && bits == Long.SIZE && type.bits() == Long.SIZE && i.spelling().lastType().isInteger() && i.spelling().lastType().bits() == Integer.SIZE
                    ? extended(i.operand(1), i.spelling().lastType().signed()) : null;
            case MUL -> wide ? wideProduct(i) : low ? product(value(i.operand(1), bits), value(i.operand(2), bits), bits) : null;
            case MAD -> wide ? sum(wideProduct(i), value(i.operand(3), bits), bits)
                    : low ? sum(product(value(i.operand(1), bits), value(i.operand(2), bits), bits), value(i.operand(3), bits), bits) : null;
            default -> null;
        };
    }

    private Value wideProduct(Instruction i) {
        boolean signed = i.type().signed();
        return product(extended(i.operand(1), signed), extended(i.operand(2), signed), Long.SIZE);
    }

    /** Null for what is no number of that width. */
    private Value value(Operand operand, int bits) {
        return switch (operand) {
            case Operand.Immediate n -> constant(n.bits(), bits);
            case Operand.Reg r -> isWhole(r) && r.register().type().bits() == bits ? of(r.register()) : null;
            default -> null;
        };
    }

    private static Value constant(long number, int bits) {
        return new Value(CONSTANT, cut(number, bits), 0, false);
    }

    private static long cut(long number, int bits) {
        return bits == Integer.SIZE ? (int) number : number;
    }

    private Value extended(Operand operand, boolean signed) {
        Value value = value(operand, Integer.SIZE);
        if (value == null) {
            return null;
        }
        if (value.root == CONSTANT) {
            return constant(signed ? value.distance : value.distance & 0xFFFF_FFFFL, Long.SIZE);
        }
        // Whether the index of an affine address wraps around is tested, others are not.
        return operand instanceof Operand.Reg r && forms.of(r.register()).row() instanceof Form.Affine ? new Value(root("extend", signed, value.root), value.distance, (int) value.distance, true)
                : new Value(root("extend exactly", signed, exact(value)), 0, 0, false);
    }

    private Value sum(Value a, Value b, int bits) {
        if (a == null || b == null || a.extended && b.extended) {
            return null;
        }
        int root = a.root == CONSTANT ? b.root : b.root == CONSTANT ? a.root : root("sum", Math.min(a.root, b.root), Math.max(a.root, b.root));
        return new Value(root, cut(a.distance + b.distance, bits), a.index + b.index, a.extended || b.extended);
    }

    private Value product(Value a, Value b, int bits) {
        if (a == null || b == null) {
            return null;
        }
        if (a.root != CONSTANT && b.root != CONSTANT) {
            return a.extended || b.extended ? null : new Value(root("product", Math.min(exact(a), exact(b)), Math.max(exact(a), exact(b))), 0, 0, false);
        }
        Value factor = a.root == CONSTANT ? a : b;
        Value other = a.root == CONSTANT ? b : a;
        int root = other.root == CONSTANT ? CONSTANT : root("times", factor.distance, other.root);
        return new Value(root, cut(factor.distance * other.distance, bits), other.index, other.extended);
    }

    /** A number for a value with its distance. */
    private int exact(Value value) {
        return value.distance == 0 && value.index == 0 ? value.root : root("exactly", value.root, value.distance);
    }

    private int root(Object... of) {
        return roots.computeIfAbsent(List.of(of), k -> next++);
    }
}
