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
 * Makes sums of what compilers write as {@code or}, {@code bfi} or {@code prmt}, knowing that no bit is set in both sources: {@code ctaid * 256 | tid}, {@code warp * 32 + lane}. Only where one source is
 * computed from a thread's number alone: of such sums it is known how they grow from thread to thread. For the same reason bits that are taken from such a number in 64 bits are taken in 32, which it has,
 * and those that {@code bfe} takes by a shift and a mask.
 */
final class ThreadNumbers {
    /** Bits of a number may be taken out in several steps. */
    private static final int ROUNDS = 3;

    private final Graph graph;
    private final BlockShape block;
    private final List<Register> registers;
    /** Null until it is asked for: most kernels have no number of a thread where it would be. */
    private Ranges ranges;
    private final LowBits lowBits;
    private final Writes writes;
    private final Map<Register, Boolean> threads = new HashMap<>();
    private boolean any;

    private ThreadNumbers(Graph graph, BlockShape block) {
        this.graph = graph;
        this.block = block;
        this.registers = new ArrayList<>(graph.registers());
        this.lowBits = new LowBits(graph, s -> null, r -> false);
        this.writes = graph.writes();
    }

    /** @param block the shape of the blocks, or null if they may be any */
    static Graph replace(Graph graph, BlockShape block) {
        Graph replaced = graph;
        for (int round = 0; round < ROUNDS && Operands.any(replaced.blocks(), ThreadNumbers::mayBe); round++) {
            ThreadNumbers numbers = new ThreadNumbers(replaced, block);
            List<BasicBlock> blocks = replaced.blocks().stream().map(numbers::replace).toList();
            if (!numbers.any) {
                break;
            }
            replaced = replaced.with(blocks, numbers.registers);
        }
        return replaced;
    }

    private static boolean mayBe(Instruction i) {
        return switch (i.opcode()) {
            case OR -> i.type() != ScalarType.PRED && i.type().bits() >= Integer.SIZE;
            case BFI -> i.type().bits() == Integer.SIZE && i.operand(3) instanceof Operand.Immediate at && i.operand(4) instanceof Operand.Immediate length
                    && at.bits() > 0 && length.bits() > 0 && at.bits() + length.bits() == Integer.SIZE;
            case PRMT -> Insertion.of(i) != null;
            case BFE -> i.type() == ScalarType.U32 && i.guard() == null && i.operand(2) instanceof Operand.Immediate at && i.operand(3) instanceof Operand.Immediate length
                    && at.bits() >= 0 && length.bits() > 0 && at.bits() + length.bits() <= Integer.SIZE;
            case AND -> i.type().bits() == Long.SIZE && i.operand(2) instanceof Operand.Immediate n && n.bits() == (n.bits() & 0xFFFF_FFFFL);
            case SHR -> i.type().bits() == Long.SIZE && i.operand(2) instanceof Operand.Immediate n && n.bits() >= 0 && n.bits() < Integer.SIZE;
            default -> false;
        };
    }

    /** {@code upper << shift | lower}, of which the lower number should have no more bits than that. */
    private record Insertion(Operand upper, Operand lower, long shift) {
        /** What an instruction that {@link #mayBe} does; null if it is none. */
        static Insertion of(Instruction i) {
            if (i.opcode() == Opcode.BFI) {
                return new Insertion(i.operand(1), i.operand(2), ((Operand.Immediate) i.operand(3)).bits());
            }
            if (i.opcode() != Opcode.PRMT || !i.spelling().modifiers().isEmpty() || !(i.operand(3) instanceof Operand.Immediate bytes)) {
                return null;
            }
            // Numbers of bytes of both sources, that of the result's lowest one first.
            return switch ((int) bytes.bits()) {
                case 0x2104 -> new Insertion(i.operand(1), i.operand(2), 8);
                case 0x1054 -> new Insertion(i.operand(1), i.operand(2), 16);
                case 0x0654 -> new Insertion(i.operand(1), i.operand(2), 24);
                case 0x6540 -> new Insertion(i.operand(2), i.operand(1), 8);
                case 0x5410 -> new Insertion(i.operand(2), i.operand(1), 16);
                case 0x4210 -> new Insertion(i.operand(2), i.operand(1), 24);
                default -> null;
            };
        }
    }

    private BasicBlock replace(BasicBlock block) {
        List<Instruction> code = new ArrayList<>();
        for (Instruction i : block.instructions()) {
            boolean done = mayBe(i) && switch (i.opcode()) {
                case OR -> sum(i, code);
                case BFI, PRMT -> insertion(i, Insertion.of(i), code);
                case BFE -> field(i, code);
                default -> bitsOfWord(i, code);
            };
            any |= done;
            if (!done) {
                code.add(i);
            }
        }
        return new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator());
    }

    private boolean sum(Instruction i, List<Instruction> code) {
        if (!isSum(i, i.operand(1), i.operand(2))) {
            return false;
        }
        code.add(Instruction.of("add.u" + i.type().bits(), i.guard(), i.location(), i.operand(0), i.operand(1), i.operand(2)));
        return true;
    }

    private boolean insertion(Instruction i, Insertion of, List<Instruction> code) {
        if (!isOfThread(of.lower) || most(of.lower) >= 1L << of.shift) {
            return false;
        }
        Operand shifted = new Operand.Reg(register(), ScalarType.U32, false);
        code.add(Instruction.of("shl.b32", i.location(), shifted, of.upper, new Operand.Immediate(ScalarType.U32, of.shift)));
        code.add(Instruction.of("add.u32", i.guard(), i.location(), i.operand(0), shifted, of.lower));
        return true;
    }

    /** Bits of a number as a shift and a mask. */
    private boolean field(Instruction i, List<Instruction> code) {
        if (!isOfThread(i.operand(1))) {
            return false;
        }
        Operand shifted = new Operand.Reg(register(), ScalarType.U32, false);
        code.add(Instruction.of("shr.u32", i.location(), shifted, i.operand(1), i.operand(2)));
        code.add(Instruction.of("and.b32", i.location(), i.operand(0), shifted, new Operand.Immediate(ScalarType.U32, (1L << ((Operand.Immediate) i.operand(3)).bits()) - 1)));
        return true;
    }

    /** Bits of a number of 32 bits that has been extended to 64. */
    private boolean bitsOfWord(Instruction i, List<Instruction> code) {
        if (i.guard() != null || !(i.operand(0) instanceof Operand.Reg to) || to.register().type().bits() != Long.SIZE || !(i.operand(1) instanceof Operand.Reg wide)
                || !(writes.only(wide.register()) instanceof Instruction extension) || extension.opcode() != Opcode.CVT || !isOfThread(wide.register())
                || !(extension.operand(1) instanceof Operand.Reg word) || word.register().type().bits() != Integer.SIZE || !isOfThread(word) || !extension.spelling().modifiers().isEmpty()
                || extension.spelling().lastType().bits() != Integer.SIZE || extension.spelling().lastType().signed() && most(word) > Integer.MAX_VALUE) {
            return false;
        }
        Operand bits = new Operand.Reg(register(), ScalarType.U32, false);
        Operand number = new Operand.Reg(word.register(), ScalarType.U32, false);
        code.add(Instruction.of(i.opcode() == Opcode.AND ? "and.b32" : "shr.u32", i.location(), bits, number, new Operand.Immediate(ScalarType.U32, ((Operand.Immediate) i.operand(2)).bits())));
        code.add(Instruction.of("cvt.u64.u32", i.location(), i.operand(0), bits));
        return true;
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
            case Operand.Reg r -> most(r.register());
            default -> Long.MAX_VALUE;
        };
    }

    private long most(Register register) {
        if (ranges == null) {
            ranges = Ranges.ofReads(graph, block);
        }
        return ranges.most(register);
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
