package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;

import java.util.Map;

/** Copies of code with other registers in some places. */
final class Renaming {
    private Renaming() {
    }

    static BasicBlock of(BasicBlock block, Map<Register, Register> names) {
        return new BasicBlock(block.index(), block.label(), block.instructions().stream().map(i -> of(i, names)).toList(), of(block.terminator(), names));
    }

    /** Always another instruction. */
    static Instruction of(Instruction i, Map<Register, Register> names) {
        Instruction.Guard guard = i.guard() == null ? null : new Instruction.Guard(names.getOrDefault(i.guard().predicate(), i.guard().predicate()), i.guard().negated());
        return new Instruction(i.spelling(), guard, i.operands().stream().map(o -> rename(o, names)).toList(), i.location());
    }

    private static Terminator of(Terminator end, Map<Register, Register> names) {
        return switch (end) {
            case Terminator.Branch b -> new Terminator.Branch(names.getOrDefault(b.predicate(), b.predicate()), b.negated(), b.taken(), b.otherwise(), b.uniform(), b.location());
            case Terminator.Switch s -> new Terminator.Switch(names.getOrDefault(s.index(), s.index()), s.targets(), s.location());
            case Terminator.Jump j -> j;
            case Terminator.Return r -> r;
            case Terminator.Exit e -> e;
        };
    }

    private static Operand rename(Operand operand, Map<Register, Register> names) {
        return switch (operand) {
            case Operand.Reg r -> rename(r, names);
            case Operand.Vector v -> new Operand.Vector(v.elements().stream().map(e -> rename(e, names)).toList());
            case Operand.Address a -> a.register() == null ? a
                    : new Operand.Address(a.space(), names.getOrDefault(a.register(), a.register()), a.variable(), a.offset());
            case Operand.Call c -> new Operand.Call(c.function(), c.target() == null ? null : names.getOrDefault(c.target(), c.target()),
                    c.prototype(), c.candidates(), c.results().stream().map(r -> rename(r, names)).toList(),
                    c.arguments().stream().map(a -> rename(a, names)).toList());
            case Operand.Part p -> new Operand.Part(rename(p.reg(), names), p.minus(), p.laneBits(), p.lanes());
            case Operand.Texture t -> new Operand.Texture(rename(t.object(), names), rename(t.sampler(), names),
                    t.coordinates().stream().map(c -> rename(c, names)).toList());
            case Operand.Immediate o -> o;
            case Operand.Sink o -> o;
            case Operand.Absent o -> o;
            case Operand.Special o -> o;
            case Operand.AddressOf o -> o;
            case Operand.FunctionAddress o -> o;
        };
    }

    private static Operand.Reg rename(Operand.Reg reg, Map<Register, Register> names) {
        return new Operand.Reg(names.getOrDefault(reg.register(), reg.register()), reg.type(), reg.negated());
    }
}
