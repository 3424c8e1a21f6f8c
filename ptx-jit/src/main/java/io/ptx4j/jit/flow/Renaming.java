package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.StateSpace;

import java.util.List;
import java.util.Map;

/** Copies of code with other registers in some places. */
interface Renaming {
    Register register(Register original);

    default Variable variable(Variable original) {
        return original;
    }

    /** Where what the address names lies in the copy. */
    default StateSpace space(Operand.Address original) {
        return original.space();
    }

    static Renaming of(Map<Register, Register> names) {
        return r -> names.getOrDefault(r, r);
    }

    default BasicBlock renamed(BasicBlock block) {
        return new BasicBlock(block.index(), block.label(), block.instructions().stream().map(this::renamed).toList(), renamed(block.terminator()));
    }

    /** Always another instruction. */
    default Instruction renamed(Instruction i) {
        Instruction.Guard guard = i.guard() == null ? null : new Instruction.Guard(register(i.guard().predicate()), i.guard().negated());
        Operand[] operands = new Operand[i.operands().size()];
        for (int o = 0; o < operands.length; o++) {
            Operand operand = i.operands().get(o);
            // Nearly all are registers.
            operands[o] = operand instanceof Operand.Reg r ? renamed(r) : renamed(operand);
        }
        return new Instruction(i.spelling(), guard, List.of(operands), i.location());
    }

    default Terminator renamed(Terminator end) {
        return switch (end) {
            case Terminator.Branch b -> new Terminator.Branch(register(b.predicate()), b.negated(), b.taken(), b.otherwise(), b.uniform(), b.location());
            case Terminator.Switch s -> new Terminator.Switch(register(s.index()), s.targets(), s.location());
            case Terminator.Jump j -> j;
            case Terminator.Return r -> r;
            case Terminator.Exit e -> e;
        };
    }

    default Operand renamed(Operand operand) {
        return switch (operand) {
            case Operand.Reg r -> renamed(r);
            case Operand.Vector v -> new Operand.Vector(v.elements().stream().map(this::renamed).toList());
            case Operand.Address a -> new Operand.Address(space(a), a.register() == null ? null : register(a.register()),
                    a.variable() == null ? null : variable(a.variable()), a.offset());
            case Operand.AddressOf a -> new Operand.AddressOf(variable(a.variable()), a.offset(), a.type());
            case Operand.Call c -> new Operand.Call(c.function(), c.target() == null ? null : register(c.target()), c.prototype(), c.candidates(),
                    c.results().stream().map(this::renamed).toList(), c.arguments().stream().map(this::renamed).toList());
            case Operand.Part p -> new Operand.Part(renamed(p.reg()), p.minus(), p.laneBits(), p.lanes());
            case Operand.Texture t -> new Operand.Texture(renamed(t.object()), renamed(t.sampler()), t.coordinates().stream().map(this::renamed).toList());
            case Operand.Immediate o -> o;
            case Operand.Sink o -> o;
            case Operand.Absent o -> o;
            case Operand.Special o -> o;
            case Operand.FunctionAddress o -> o;
        };
    }

    private Operand.Reg renamed(Operand.Reg reg) {
        return new Operand.Reg(register(reg.register()), reg.type(), reg.negated());
    }
}
