package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.SpecialRegister;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives code that reads a thread's number out of a register that something else is written to later a register that has the number for good. Compilers begin the count of
 * a loop in the register that they have read {@code %tid.x} into; of a number that a loop counts, and that threads leave with different values, less is known everywhere.
 */
final class SpecialCopies {
    private static final Set<SpecialRegister> LASTING = EnumSet.of(SpecialRegister.TID_X, SpecialRegister.TID_Y, SpecialRegister.TID_Z, SpecialRegister.NTID_X, SpecialRegister.NTID_Y,
            SpecialRegister.NTID_Z, SpecialRegister.CTAID_X, SpecialRegister.CTAID_Y, SpecialRegister.CTAID_Z, SpecialRegister.NCTAID_X, SpecialRegister.NCTAID_Y, SpecialRegister.NCTAID_Z,
            SpecialRegister.LANEID);

    private final Graph graph;
    /** By register: one of the copies of a number into it, all of which are of the same; it has other definitions too. */
    private final Map<Register, Instruction> copied = new LinkedHashMap<>();
    /** By block: registers that still have that number where it begins. */
    private final List<Set<Register>> given = new ArrayList<>();
    private final Map<Register, Register> numbers = new HashMap<>();
    private final List<Register> registers;

    private SpecialCopies(Graph graph) {
        this.graph = graph;
        this.registers = new ArrayList<>(graph.registers());
    }

    static Graph replace(Graph graph) {
        SpecialCopies copies = new SpecialCopies(graph);
        copies.collect();
        return copies.copied.isEmpty() ? graph : copies.replace();
    }

    private void collect() {
        Map<Register, Integer> definitions = new HashMap<>();
        Set<Register> several = new HashSet<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                Operands.definitions(i, r -> definitions.merge(r, 1, Integer::sum));
                if (isCopy(i)) {
                    Register to = ((Operand.Reg) i.operand(0)).register();
                    Instruction before = copied.putIfAbsent(to, i);
                    if (before != null && !before.operand(1).equals(i.operand(1))) {
                        several.add(to);
                    }
                }
            }
        }
        copied.keySet().removeIf(r -> several.contains(r) || definitions.get(r) == 1);
    }

    /** Whether an instruction copies one of the numbers that a thread has for good into a register of as many bits. */
    private static boolean isCopy(Instruction i) {
        if (i.opcode() != Opcode.MOV || i.guard() != null || !(i.operand(0) instanceof Operand.Reg to) || !(i.operand(1) instanceof Operand.Special from)) {
            return false;
        }
        return LASTING.contains(from.register()) && to.register().type().bits() == Integer.SIZE && i.type().bits() == Integer.SIZE;
    }

    private Graph replace() {
        graph.blocks().forEach(b -> given.add(b.index() == 0 ? new HashSet<>() : new HashSet<>(copied.keySet())));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int b : graph.order()) {
                Set<Register> left = new HashSet<>(given.get(b));
                graph.blocks().get(b).instructions().forEach(i -> pass(i, left));
                for (int s : graph.blocks().get(b).successors()) {
                    changed |= given.get(s).retainAll(left);
                }
            }
        }
        List<List<Instruction>> code = graph.blocks().stream().map(this::replaced).toList();
        if (numbers.isEmpty()) {
            return graph;
        }
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> all = new ArrayList<>();
            if (block.index() == 0) {
                // The same number for the whole of the kernel, read where it begins.
                numbers.keySet().forEach(r -> all.add(Renaming.of(numbers).renamed(copied.get(r))));
            }
            all.addAll(code.get(block.index()));
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(all), block.terminator()));
        }
        return graph.with(blocks, registers);
    }

    private void pass(Instruction i, Set<Register> left) {
        Operands.definitions(i, left::remove);
        if (isCopy(i) && copied.containsKey(((Operand.Reg) i.operand(0)).register())) {
            left.add(((Operand.Reg) i.operand(0)).register());
        }
    }

    private List<Instruction> replaced(BasicBlock block) {
        Set<Register> left = new HashSet<>(given.get(block.index()));
        List<Instruction> all = new ArrayList<>();
        for (Instruction i : block.instructions()) {
            all.add(replaced(i, left));
            pass(i, left);
        }
        return all;
    }

    private Instruction replaced(Instruction i, Set<Register> left) {
        boolean[] reads = {false};
        Operands.uses(i, r -> reads[0] |= left.contains(r));
        if (!reads[0]) {
            return i;
        }
        Renaming numbered = r -> left.contains(r) ? numbers.computeIfAbsent(r, this::another) : r;
        List<Operand> operands = new ArrayList<>();
        for (int o = 0; o < i.operands().size(); o++) {
            boolean result = i.spelling().form().operands().get(o).role() == OperandSpec.Role.DESTINATION || i.operand(o) instanceof Operand.Call;
            operands.add(result ? i.operand(o) : numbered.renamed(i.operand(o)));
        }
        return new Instruction(i.spelling(), i.guard(), List.copyOf(operands), i.location());
    }

    private Register another(Register register) {
        Register number = new Register(registers.size(), register.name(), register.type());
        registers.add(number);
        return number;
    }
}
