package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes instructions of tensor memory ones that all shapes have code for: its addresses become words like others, and what a warp does together becomes a matrix instruction.
 */
final class TensorAddresses {
    private final List<Register> registers;
    private final Map<Spelling, Spelling> ofWarps = new HashMap<>();

    private TensorAddresses(Graph graph) {
        this.registers = new ArrayList<>(graph.registers());
    }

    static Graph rewrite(Graph graph) {
        if (!Operands.any(graph.blocks(), i -> i.family() == Family.TENSOR_CORE_5)) {
            return graph;
        }
        TensorAddresses addresses = new TensorAddresses(graph);
        return graph.with(graph.blocks().stream().map(addresses::rewrite).toList(), addresses.registers);
    }

    /** Whether all threads of a warp do it together. */
    static boolean isOfWarp(Instruction i) {
        Spelling s = i.spelling();
        return s.has(Modifier.ALLOC) || s.has(Modifier.DEALLOC) || s.has(Modifier.LD) || s.has(Modifier.ST);
    }

    private BasicBlock rewrite(BasicBlock block) {
        List<Instruction> code = new ArrayList<>();
        for (Instruction i : block.instructions()) {
            if (i.family() != Family.TENSOR_CORE_5) {
                code.add(i);
                continue;
            }
            List<Operand> operands = new ArrayList<>();
            for (Operand operand : i.operands()) {
                operands.add(operand instanceof Operand.Address address && address.space() == StateSpace.TENSOR ? word(address, i, code) : operand);
            }
            Spelling spelling = isOfWarp(i) ? ofWarps.computeIfAbsent(i.spelling(), WarpgroupProducts::ofWarps) : i.spelling();
            code.add(new Instruction(spelling, i.guard(), operands, i.location()));
        }
        return new BasicBlock(block.index(), block.label(), code, block.terminator());
    }

    private Operand word(Operand.Address address, Instruction at, List<Instruction> code) {
        Operand offset = new Operand.Immediate(ScalarType.U32, address.offset() & 0xffff_ffffL);
        if (address.register() == null) {
            return offset;
        }
        Operand base = new Operand.Reg(address.register(), ScalarType.U32, false);
        if (address.offset() == 0) {
            return base;
        }
        Register sum = new Register(registers.size(), "%tensor" + registers.size(), ScalarType.B32);
        registers.add(sum);
        Operand word = new Operand.Reg(sum, ScalarType.U32, false);
        code.add(Instruction.of("add.u32", at.location(), word, base, offset));
        return word;
    }
}
