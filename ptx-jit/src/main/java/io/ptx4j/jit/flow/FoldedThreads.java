package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Blocks of one dimension as blocks of two, in kernels whose threads find their row and their column of a tile in their number: {@code row = threadIdx.x / 16; column = threadIdx.x % 16}. In the
 * folded graph the row is {@code %tid.y} and the column {@code %tid.x} of a block of so many columns; a thread's place in the block is what it was.
 */
public final class FoldedThreads {
    private static final long WORD = 0xFFFF_FFFFL;

    private final Graph graph;
    private final BlockShape block;
    private final int width;
    private final int shift;
    private final List<Register> registers;
    /** Registers that hold, for good, what is known of a thread's number. */
    private final Map<Register, Number> numbers;
    private Register column;
    private Register row;

    /** {@code (t + distance) << scale}, of a thread's number {@code t}; where the scale is negative, {@code (t + distance) >> -scale}. It has far less than 32 bits. */
    private record Number(int scale, long distance) {
        /** What an instruction makes of it and of a constant; null if it is no such number. */
        Number then(Opcode opcode, long constant) {
            return switch (opcode) {
                case SHL -> constant >= 0 && scale >= 0 && scale + constant <= 8 ? new Number(scale + (int) constant, distance) : null;
                case SHR -> constant >= 0 && constant - scale <= 8 ? new Number(scale - (int) constant, distance) : null;
                case ADD -> constant == (constant & 0xFFFF) && up(down(constant)) == constant && distance < 1 << 16 ? new Number(scale, distance + down(constant)) : null;
                default -> null;
            };
        }

        /** The bits that the thread's number has where this one has these. */
        long down(long bits) {
            return scale < 0 ? bits << -scale & WORD : bits >>> scale;
        }

        /** The bits that this number has where the thread's has these. */
        long up(long bits) {
            return scale < 0 ? bits >>> -scale : bits << scale;
        }
    }

    private FoldedThreads(Graph graph, BlockShape block, int width) {
        this.graph = graph;
        this.block = block;
        this.width = width;
        this.shift = Integer.numberOfTrailingZeros(width);
        this.registers = new ArrayList<>(graph.registers());
        this.numbers = numbers(graph);
    }

    /** Widths of rows that a kernel works with, all of them powers of two, the smallest first; none where blocks have several dimensions or are no multiple of it. */
    public static Set<Integer> widths(Graph graph, BlockShape block) {
        Set<Integer> widths = new TreeSet<>();
        if (block.x() != block.threads() || !Operands.any(graph.blocks(), FoldedThreads::takesApart)) {
            return widths;
        }
        Map<Register, Number> numbers = numbers(graph);
        for (BasicBlock b : graph.blocks()) {
            for (Instruction i : b.instructions()) {
                if (takesApart(i) && of(i.operand(1), numbers) instanceof Number number) {
                    long parts = number.down(taken(i));
                    long width = i.opcode() == Opcode.SHR ? 1L << Math.clamp(constant(i) - number.scale, 0, Integer.SIZE) : (parts & parts + 1) == 0 ? parts + 1 : Long.lowestOneBit(parts);
                    if (width > 1 && width < block.x() && block.x() % width == 0) {
                        widths.add((int) width);
                    }
                }
            }
        }
        return widths;
    }

    /** The folded graph, of blocks of {@code (width, x / width, 1)} threads; null if the kernel reads its number in another way. */
    public static Graph fold(Graph graph, BlockShape block, int width) {
        return new FoldedThreads(graph, block, width).fold();
    }

    /** The blocks of the folded graph. */
    public static BlockShape shape(BlockShape block, int width) {
        return new BlockShape(width, block.x() / width, 1);
    }

    private static boolean takesApart(Instruction i) {
        boolean takes = i.opcode() == Opcode.AND || i.opcode() == Opcode.OR || i.opcode() == Opcode.SHR;
        return takes && i.guard() == null && i.type().bits() == Integer.SIZE && i.operand(2) instanceof Operand.Immediate;
    }

    private static long constant(Instruction i) {
        return ((Operand.Immediate) i.operand(2)).bits() & WORD;
    }

    /** The bits that are left of the number: {@code x | c} is {@code (x & ~c) + c}. */
    private static long taken(Instruction i) {
        return i.opcode() == Opcode.OR ? ~constant(i) & WORD : constant(i);
    }

    private static Map<Register, Number> numbers(Graph graph) {
        Map<Register, Number> numbers = new HashMap<>();
        Map<Register, List<Instruction>> written = graph.writes().all();
        boolean more = true;
        while (more) {
            more = false;
            for (BasicBlock block : graph.blocks()) {
                for (Instruction i : block.instructions()) {
                    if (i.guard() == null && !i.operands().isEmpty() && i.operand(0) instanceof Operand.Reg to && is32(to) && !numbers.containsKey(to.register()) && written.get(to.register()).size() == 1) {
                        Number number = number(i, numbers);
                        if (number != null) {
                            numbers.put(to.register(), number);
                            more = true;
                        }
                    }
                }
            }
        }
        return numbers;
    }

    private static Number number(Instruction i, Map<Register, Number> numbers) {
        if (i.opcode() == Opcode.MOV && i.operand(1) instanceof Operand.Special s && s.register() == SpecialRegister.TID_X) {
            return new Number(0, 0);
        }
        Number source = i.operands().size() > 1 ? of(i.operand(1), numbers) : null;
        if (source == null || i.type() == null || i.type().bits() != Integer.SIZE || !i.type().isInteger() || i.type().packed() || !i.spelling().modifiers().isEmpty()) {
            return null;
        }
        return i.opcode() == Opcode.MOV ? source : i.operands().size() == 3 && i.operand(2) instanceof Operand.Immediate n ? source.then(i.opcode(), n.bits()) : null;
    }

    private static Number of(Operand operand, Map<Register, Number> numbers) {
        return operand instanceof Operand.Reg r && is32(r) ? numbers.get(r.register()) : null;
    }

    private static boolean is32(Operand.Reg r) {
        return !r.negated() && r.register().type().bits() == Integer.SIZE;
    }

    private Graph fold() {
        column = register();
        row = register();
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock b : graph.blocks()) {
            List<Instruction> code = new ArrayList<>();
            if (b.index() == 0) {
                Location at = b.instructions().isEmpty() ? b.terminator().location() : b.instructions().getFirst().location();
                code.add(Instruction.of("mov.u32", at, reg(column), special(SpecialRegister.TID_X)));
                code.add(Instruction.of("mov.u32", at, reg(row), special(SpecialRegister.TID_Y)));
            }
            for (Instruction i : b.instructions()) {
                if (!fold(i, code)) {
                    return null;
                }
            }
            blocks.add(new BasicBlock(b.index(), b.label(), List.copyOf(code), b.terminator()));
        }
        return graph.with(blocks, registers);
    }

    /** Adds what stands for an instruction; false if there is nothing. */
    private boolean fold(Instruction i, List<Instruction> code) {
        for (Operand operand : i.operands()) {
            if (operand instanceof Operand.Special s && isOfBlock(s.register())) {
                if (i.opcode() != Opcode.MOV || i.type().bits() != Integer.SIZE || !(i.operand(0) instanceof Operand.Reg to) || !is32(to)) {
                    return false;
                }
                code.add(s.register() == SpecialRegister.TID_X ? threadOf(i.location(), i.guard(), i.operand(0), reg(row))
                        : Instruction.of("mov.b32", i.guard(), i.location(), i.operand(0), immediate(of(s.register()))));
                return true;
            }
        }
        Number number = takesApart(i) && i.operand(0) instanceof Operand.Reg to && is32(to) ? of(i.operand(1), numbers) : null;
        if (number == null || number.distance % width != 0 || !(i.opcode() == Opcode.SHR ? shifted(i, number, constant(i) - number.scale, code) : masked(i, number, number.down(taken(i)), code))) {
            code.add(i);
        }
        return true;
    }

    private boolean shifted(Instruction i, Number number, long by, List<Instruction> code) {
        if (by < shift || by >= Integer.SIZE) {
            return false;
        }
        code.add(Instruction.of("shr.u32", i.location(), i.operand(0), rowOf(i, number, code), immediate(by - shift)));
        return true;
    }

    private boolean masked(Instruction i, Number number, long mask, List<Instruction> code) {
        long low = mask & width - 1;
        boolean whole = low == 0 || number.scale >= 0 && (low == mask || low == width - 1);
        if (!whole) {
            return false;
        }
        Operand result = i.opcode() == Opcode.OR ? reg(register()) : i.operand(0);
        Operand bits = number.scale > 0 ? reg(register()) : result;
        if (low == mask) {
            code.add(low == width - 1 ? Instruction.of("mov.b32", i.location(), bits, reg(column)) : Instruction.of("and.b32", i.location(), bits, reg(column), immediate(mask)));
        } else {
            Operand rows = reg(register());
            code.add(Instruction.of("and.b32", i.location(), rows, rowOf(i, number, code), immediate(mask >>> shift)));
            if (low != 0) {
                code.add(threadOf(i.location(), null, bits, rows));
            } else {
                int left = shift + Math.min(number.scale, 0);
                code.add(left == 0 ? Instruction.of("mov.b32", i.location(), bits, rows) : Instruction.of(left < 0 ? "shr.u32" : "shl.b32", i.location(), bits, rows, immediate(Math.abs(left))));
            }
        }
        if (number.scale > 0) {
            code.add(Instruction.of("shl.b32", i.location(), result, bits, immediate(number.scale)));
        }
        if (i.opcode() == Opcode.OR) {
            code.add(Instruction.of("add.u32", i.location(), i.operand(0), result, immediate(constant(i))));
        }
        return true;
    }

    private Operand rowOf(Instruction i, Number number, List<Instruction> code) {
        if (number.distance == 0) {
            return reg(row);
        }
        Operand sum = reg(register());
        code.add(Instruction.of("add.u32", i.location(), sum, reg(row), immediate(number.distance >> shift)));
        return sum;
    }

    /** The number of the thread in that row and the thread's column. */
    private Instruction threadOf(Location at, Instruction.Guard guard, Operand result, Operand ofRow) {
        return Instruction.of("mad.lo.u32", guard, at, result, ofRow, immediate(width), reg(column));
    }

    private static boolean isOfBlock(SpecialRegister register) {
        return switch (register) {
            case TID_X, TID_Y, TID_Z, NTID_X, NTID_Y, NTID_Z -> true;
            default -> false;
        };
    }

    private int of(SpecialRegister register) {
        return switch (register) {
            case NTID_X -> block.x();
            case NTID_Y, NTID_Z -> 1;
            default -> 0;
        };
    }

    private Register register() {
        Register register = new Register(registers.size(), "%fold" + registers.size(), ScalarType.U32);
        registers.add(register);
        return register;
    }

    private static Operand special(SpecialRegister register) {
        return new Operand.Special(register, 0, ScalarType.U32);
    }

    private static Operand immediate(long bits) {
        return new Operand.Immediate(ScalarType.U32, bits);
    }

    private static Operand reg(Register register) {
        return new Operand.Reg(register, ScalarType.U32, false);
    }
}
