package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Which power of two a register surely holds a multiple of, by all instructions that write it. */
public final class Multiples {
    private final Map<Register, List<Instruction>> definitions = new HashMap<>();
    private final Map<Register, Integer> known = new HashMap<>();
    private final ToLongFunction<SpecialRegister> special;

    /** @param special the value of a special register; an odd number if it is not known */
    public Multiples(Graph graph, ToLongFunction<SpecialRegister> special) {
        this.special = special;
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                Operands.definitions(i, r -> definitions.computeIfAbsent(r, k -> new ArrayList<>()).add(i));
            }
        }
    }

    /** How many of the lowest bits of an integer operand are surely zero; for one that is 0, 64. */
    public int zeros(Operand operand) {
        return switch (operand) {
            case Operand.Immediate i -> Long.numberOfTrailingZeros(i.bits());
            case Operand.Special s -> Long.numberOfTrailingZeros(special.applyAsLong(s.register()));
            case Operand.Reg r -> zeros(r.register());
            default -> 0;
        };
    }

    private int zeros(Register register) {
        Integer before = known.get(register);
        if (before != null) {
            return before;
        }
        // In a cycle, the register may hold anything.
        known.put(register, 0);
        // Registers begin with 0.
        int zeros = Long.SIZE;
        for (Instruction i : definitions.getOrDefault(register, List.of())) {
            boolean alone = i.operand(0) instanceof Operand.Reg r && r.register() == register;
            zeros = Math.min(zeros, alone ? result(i) : 0);
        }
        known.put(register, zeros);
        return zeros;
    }

    private int result(Instruction i) {
        ScalarType type = i.type();
        if (type == null || type.isFloat() || type.packed() || i.spelling().has(Modifier.SAT) || i.spelling().has(Modifier.CC)) {
            return 0;
        }
        return switch (i.opcode()) {
            case MOV, NEG -> zeros(i.operand(1));
            case CVT -> i.spelling().modifiers().isEmpty() && i.spelling().lastType().isInteger() ? zeros(i.operand(1)) : 0;
            case ADD, SUB, OR, XOR -> Math.min(zeros(i.operand(1)), zeros(i.operand(2)));
            case AND -> Math.max(zeros(i.operand(1)), zeros(i.operand(2)));
            case SHL -> i.operand(2) instanceof Operand.Immediate n ? sum(zeros(i.operand(1)), n.bits() & 0xFFFF_FFFFL) : zeros(i.operand(1));
            case MUL -> product(i);
            case MAD -> Math.min(product(i), zeros(i.operand(3)));
            default -> 0;
        };
    }

    private int product(Instruction i) {
        return i.spelling().has(Modifier.LO) || i.spelling().has(Modifier.WIDE) ? sum(zeros(i.operand(1)), zeros(i.operand(2))) : 0;
    }

    private static int sum(int a, long b) {
        return (int) Math.min(Long.SIZE, a + b);
    }
}
