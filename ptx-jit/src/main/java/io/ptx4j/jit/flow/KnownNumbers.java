package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/** What instructions give whose operands are known. */
public final class KnownNumbers {
    private static final Set<Modifier> MULTIPLIES = EnumSet.of(Modifier.LO, Modifier.WIDE);

    private final Instruction instruction;
    private final ScalarType type;
    /** Gives the bits of an operand, or null. */
    private final Function<Operand, Long> bits;
    private boolean unknown;

    private KnownNumbers(Instruction instruction, Function<Operand, Long> bits) {
        this.instruction = instruction;
        this.type = instruction.type();
        this.bits = bits;
    }

    /**
     * The bits that the instruction leaves in the register that is its only result; null where they are not known.
     *
     * @param bits gives those of an operand that the instruction reads, all that its register has, or null
     */
    public static Long result(Instruction instruction, Function<Operand, Long> bits) {
        ScalarType type = instruction.type();
        if (type == null || type.bits() > Long.SIZE || type.packed() || instruction.operands().isEmpty() || !(instruction.operand(0) instanceof Operand.Reg to) || to.register().type().bits() > Long.SIZE) {
            return null;
        }
        KnownNumbers numbers = new KnownNumbers(instruction, bits);
        Long found = numbers.result();
        return found == null || numbers.unknown ? null : Long.valueOf(numbers.written(to, found));
    }

    /** What a special register holds that a thread's place in its block decides, or the block's shape; null for the others. */
    public static Long special(Operand.Special special, BlockShape block, int thread) {
        return switch (special.register()) {
            case TID_X -> Long.valueOf(thread % block.x());
            case TID_Y -> Long.valueOf(thread / block.x() % block.y());
            case TID_Z -> Long.valueOf(thread / (block.x() * block.y()));
            case NTID_X -> Long.valueOf(block.x());
            case NTID_Y -> Long.valueOf(block.y());
            case NTID_Z -> Long.valueOf(block.z());
            case LANEID -> Long.valueOf(thread % BlockShape.WARP);
            default -> null;
        };
    }

    /** Which of the bits count that a register has, of a number that is written into it. */
    private long written(Operand.Reg to, long number) {
        int result = to.type() == ScalarType.PRED ? 1 : instruction.spelling().has(Modifier.WIDE) ? 2 * type.bits() : type.bits();
        return cut(cut(number, result, type.signed()), to.register().type().bits(), false);
    }

    /** The low bits of a number, as one of so many bits. */
    public static long cut(long number, int bits, boolean signed) {
        int unused = Long.SIZE - bits;
        return unused <= 0 ? number : signed ? number << unused >> unused : number << unused >>> unused;
    }

    private long number(int place, ScalarType read) {
        Operand operand = instruction.operand(place);
        Long all = bits.apply(operand);
        if (all == null) {
            unknown = true;
            return 0;
        }
        if (read == ScalarType.PRED) {
            return all & 1 ^ (operand instanceof Operand.Reg r && r.negated() ? 1 : 0);
        }
        return cut(all, read.bits(), read.signed());
    }

    private long number(int place) {
        return number(place, type);
    }

    private Long result() {
        Set<Modifier> modifiers = instruction.spelling().modifiers();
        boolean multiplies = instruction.opcode() == Opcode.MUL || instruction.opcode() == Opcode.MAD;
        if (instruction.opcode() == Opcode.SETP) {
            return type.isFloat() || modifiers.size() != 1 || instruction.operands().size() != 4 || !(instruction.operand(1) instanceof Operand.Absent) ? null : Long.valueOf(holds() ? 1 : 0);
        }
        if (multiplies ? !MULTIPLIES.containsAll(modifiers) : !modifiers.isEmpty()) {
            return null;
        }
        return switch (instruction.opcode()) {
            case MOV -> number(1);
            case SELP -> number(3, ScalarType.PRED) != 0 ? number(1) : number(2);
            case CVT -> type.isInteger() && instruction.spelling().lastType().isInteger() ? Long.valueOf(number(1, instruction.spelling().lastType())) : null;
            default -> type.isFloat() ? null : type == ScalarType.PRED ? predicate() : integer();
        };
    }

    private Long predicate() {
        return switch (instruction.opcode()) {
            case AND -> number(1) & number(2);
            case OR -> number(1) | number(2);
            case XOR -> number(1) ^ number(2);
            case NOT -> 1 - number(1);
            default -> null;
        };
    }

    private Long integer() {
        return switch (instruction.opcode()) {
            case ADD -> number(1) + number(2);
            case SUB -> number(1) - number(2);
            case MUL -> number(1) * number(2);
            case MAD -> number(1) * number(2) + number(3, instruction.spelling().has(Modifier.WIDE) ? type.widened() : type);
            case AND -> number(1) & number(2);
            case OR -> number(1) | number(2);
            case XOR -> number(1) ^ number(2);
            case NOT -> ~number(1);
            case NEG -> -number(1);
            case MIN -> compared(1, 2) <= 0 ? number(1) : number(2);
            case MAX -> compared(1, 2) >= 0 ? number(1) : number(2);
            case SHL -> amount() < type.bits() ? number(1) << amount() : 0;
            case SHR -> type.signed() ? number(1) >> Math.min(amount(), Long.SIZE - 1) : amount() < type.bits() ? number(1) >>> amount() : 0;
            case DIV -> divides() ? type.signed() ? number(1) / number(2) : Long.divideUnsigned(number(1), number(2)) : null;
            case REM -> divides() ? type.signed() ? number(1) % number(2) : Long.remainderUnsigned(number(1), number(2)) : null;
            default -> null;
        };
    }

    private int amount() {
        return (int) Math.min(number(2, ScalarType.U32), Long.SIZE);
    }

    private boolean divides() {
        return number(2) != 0;
    }

    private int compared(int one, int two) {
        return type.signed() ? Long.compare(number(one), number(two)) : Long.compareUnsigned(number(one), number(two));
    }

    private boolean holds() {
        int unsigned = Long.compareUnsigned(number(2), number(3));
        int compared = compared(2, 3);
        return switch (instruction.spelling().modifiers().iterator().next()) {
            case EQ -> compared == 0;
            case NE -> compared != 0;
            case LT -> compared < 0;
            case LE -> compared <= 0;
            case GT -> compared > 0;
            case GE -> compared >= 0;
            case LO -> unsigned < 0;
            case LS -> unsigned <= 0;
            case HI -> unsigned > 0;
            case HS -> unsigned >= 0;
            default -> {
                unknown = true;
                yield false;
            }
        };
    }
}
