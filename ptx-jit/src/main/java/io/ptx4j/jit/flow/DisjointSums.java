package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes sums of what compilers write as {@code or} or {@code bfi}, knowing that no bit is set in both sources: {@code ctaid * 256 | tid}, {@code warp * 32 + lane}. Only where one source is computed
 * from a thread's number alone: of such sums it is known how they grow from thread to thread.
 */
final class DisjointSums {
    private final List<Register> registers;
    private final Ranges ranges;
    private final LowBits lowBits;
    private final Writes writes;
    private final Map<Register, Boolean> threads = new HashMap<>();
    private boolean any;

    private DisjointSums(Graph graph, BlockShape block) {
        this.registers = new ArrayList<>(graph.registers());
        this.ranges = Ranges.ofReads(graph, block);
        this.lowBits = new LowBits(graph, s -> null, r -> false);
        this.writes = graph.writes();
    }

    /** @param block the shape of the blocks, or null if they may be any */
    static Graph replace(Graph graph, BlockShape block) {
        if (!Operands.any(graph.blocks(), DisjointSums::mayBe)) {
            return graph;
        }
        DisjointSums sums = new DisjointSums(graph, block);
        List<BasicBlock> blocks = graph.blocks().stream().map(sums::replace).toList();
        return sums.any ? graph.with(blocks, sums.registers) : graph;
    }

    private static boolean mayBe(Instruction i) {
        return switch (i.opcode()) {
            case OR -> i.type() != ScalarType.PRED && i.type().bits() >= Integer.SIZE;
            case BFI -> i.type().bits() == Integer.SIZE && i.operand(3) instanceof Operand.Immediate at && i.operand(4) instanceof Operand.Immediate length
                    && at.bits() > 0 && length.bits() > 0 && at.bits() + length.bits() == Integer.SIZE;
            default -> false;
        };
    }

    private BasicBlock replace(BasicBlock block) {
        List<Instruction> code = new ArrayList<>();
        for (Instruction i : block.instructions()) {
            boolean sum = mayBe(i) && (i.opcode() == Opcode.OR ? isSum(i, i.operand(1), i.operand(2)) : isOfThread(i.operand(2)) && most(i.operand(2)) < 1L << ((Operand.Immediate) i.operand(3)).bits());
            any |= sum;
            if (!sum) {
                code.add(i);
            } else if (i.opcode() == Opcode.OR) {
                code.add(Instruction.of("add.u" + i.type().bits(), i.guard(), i.location(), i.operand(0), i.operand(1), i.operand(2)));
            } else {
                Operand upper = new Operand.Reg(register(), ScalarType.U32, false);
                code.add(Instruction.of("shl.b32", i.location(), upper, i.operand(1), i.operand(3)));
                code.add(Instruction.of("add.u32", i.guard(), i.location(), i.operand(0), upper, i.operand(2)));
            }
        }
        return new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator());
    }

    private boolean isSum(Instruction i, Operand a, Operand b) {
        return fits(i, a) && fits(i, b) && (isOfThread(a) || isOfThread(b)) && (isBelow(a, b) || isBelow(b, a));
    }

    private static boolean fits(Instruction i, Operand operand) {
        return operand instanceof Operand.Immediate || operand instanceof Operand.Reg r && r.register().type().bits() == i.type().bits();
    }

    private boolean isBelow(Operand low, Operand high) {
        int zeros = Math.min(lowBits.of(high).zeros(), Integer.SIZE - 1);
        return most(low) < 1L << zeros;
    }

    private long most(Operand operand) {
        return switch (operand) {
            case Operand.Immediate n -> n.bits() < 0 ? Long.MAX_VALUE : n.bits();
            case Operand.Reg r -> ranges.most(r.register());
            default -> Long.MAX_VALUE;
        };
    }

    private boolean isOfThread(Operand operand) {
        return operand instanceof Operand.Reg r && !r.negated() && isOfThread(r.register());
    }

    private boolean isOfThread(Register register) {
        Boolean known = threads.get(register);
        if (known == null) {
            threads.put(register, false);
            known = writes.only(register) instanceof Instruction i && isOfThread(i);
            threads.put(register, known);
        }
        return known;
    }

    private boolean isOfThread(Instruction i) {
        boolean plain = switch (i.opcode()) {
            case MOV, ADD, SUB, AND, OR, SHL, SHR, MUL, MAD, CVT, BFE -> i.guard() == null && i.operand(0) instanceof Operand.Reg;
            default -> false;
        };
        boolean thread = false;
        for (int k = 1; plain && k < i.operands().size(); k++) {
            Operand source = i.operand(k);
            boolean of = source instanceof Operand.Special s && isThread(s.register()) || isOfThread(source);
            thread |= of;
            plain = of || source instanceof Operand.Immediate;
        }
        return plain && thread;
    }

    private static boolean isThread(SpecialRegister register) {
        return switch (register) {
            case TID_X, TID_Y, TID_Z, LANEID -> true;
            default -> false;
        };
    }

    private Register register() {
        Register register = new Register(registers.size(), "%upper" + registers.size(), ScalarType.U32);
        registers.add(register);
        return register;
    }
}
