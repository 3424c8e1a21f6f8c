package io.ptx4j.jit.flow;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** The lowest bits that a register surely holds, by all instructions that write it: of multiples of a power of two they are zero. */
public final class LowBits {
    /**
     * The lowest bits of a number.
     *
     * @param count how many are known, 0 to 64
     * @param value those; the bits above are zero
     */
    public record Low(int count, long value) {
        public static final Low NONE = new Low(0, 0);

        public Low {
            value = count >= Long.SIZE ? value : value & (1L << count) - 1;
        }

        static Low all(long number) {
            return new Low(Long.SIZE, number);
        }

        /** What of them lies in a number of so many bits. */
        public Low most(int bits) {
            return new Low(Math.min(count, bits), value);
        }

        /** How many of them are zeros, before the first that is one. */
        int zeros() {
            return Math.min(count, Long.numberOfTrailingZeros(value));
        }

        /** What is known of a number that is this one or the other. */
        public Low or(Low other) {
            return new Low(Math.min(Math.min(count, other.count), Long.numberOfTrailingZeros(value ^ other.value)), value);
        }

        public Low plus(Low other) {
            return new Low(Math.min(count, other.count), value + other.value);
        }

        public Low minus(Low other) {
            return new Low(Math.min(count, other.count), value - other.value);
        }

        public Low times(Low other) {
            return new Low(Math.min(Long.SIZE, Math.min(count + other.zeros(), other.count + zeros())), value * other.value);
        }

        public Low shiftedLeft(int by) {
            return by >= Long.SIZE ? all(0) : new Low(Math.min(Long.SIZE, count + by), value << by);
        }

        public Low shiftedRight(int by) {
            return by >= count ? NONE : new Low(count - by, value >>> by);
        }

        /** Bit by bit: known where both are, or one is zero. */
        public Low and(Low other) {
            int known = Math.min(count, other.count);
            Low longer = count > other.count ? this : other;
            while (known < longer.count && (longer.value >>> known & 1) == 0) {
                known++;
            }
            return new Low(known, value & other.value);
        }
    }

    /** Registers computed one from the other of which the last is asked for; nothing is known of those before. */
    private static final int DEEPEST = 500;

    private final Map<Register, List<Instruction>> definitions;
    private final Map<Register, Low> known = new HashMap<>();
    private final Function<SpecialRegister, Long> special;
    private final Predicate<Register> zeroAtFirst;
    private int depth;

    /**
     * @param special the value of a special register; null if it is not known
     * @param zeroAtFirst whether a register may be read before it is written
     */
    public LowBits(Graph graph, Function<SpecialRegister, Long> special, Predicate<Register> zeroAtFirst) {
        this.special = special;
        this.zeroAtFirst = zeroAtFirst;
        this.definitions = graph.writes().all();
    }

    /** Of an integer operand. */
    public Low of(Operand operand) {
        return switch (operand) {
            case Operand.Immediate i -> Low.all(i.bits());
            case Operand.Special s -> special.apply(s.register()) instanceof Long value ? Low.all(value) : Low.NONE;
            case Operand.Reg r -> of(r.register()).most(r.type().bits());
            default -> Low.NONE;
        };
    }

    private Low of(Register register) {
        Low before = known.get(register);
        if (before != null) {
            return before;
        }
        if (depth > DEEPEST) {
            return Low.NONE;
        }
        // In a cycle, the register may hold anything.
        known.put(register, Low.NONE);
        depth++;
        Low low = zeroAtFirst.test(register) || !definitions.containsKey(register) ? Low.all(0) : null;
        int unchanged = Long.SIZE;
        for (Instruction i : definitions.getOrDefault(register, List.of())) {
            if (step(i, register) instanceof Operand.Immediate by) {
                unchanged = Math.min(unchanged, Long.numberOfTrailingZeros(by.bits()));
                continue;
            }
            boolean alone = i.operand(0) instanceof Operand.Reg r && r.register() == register;
            Low result = alone ? result(i, this::of).most(register.type().bits()) : Low.NONE;
            low = low == null ? result : low.or(result);
        }
        depth--;
        low = low == null ? Low.NONE : low.most(unchanged);
        known.put(register, low);
        return low;
    }

    /** The constant by which an instruction takes the register up, itself or with what it moves there; null if it does something else. */
    private Operand step(Instruction i, Register register) {
        List<Instruction> moved = i.opcode() == Opcode.MOV && i.operand(1) instanceof Operand.Reg from && !zeroAtFirst.test(from.register()) ? definitions.getOrDefault(from.register(), List.of()) : List.of();
        Instruction sum = moved.size() == 1 && moved.getFirst().guard() == null ? moved.getFirst() : i;
        boolean takesUp = sum.opcode() == Opcode.ADD && sum.type().isInteger() && !sum.type().packed() && sum.spelling().modifiers().isEmpty()
                && i.operand(0) instanceof Operand.Reg to && to.register() == register
                && sum.operand(1) instanceof Operand.Reg of && of.register() == register && of.type().bits() == register.type().bits() && sum.type().bits() == register.type().bits();
        return takesUp ? sum.operand(2) : null;
    }

    /** Of what an instruction gives, by what is known of its operands. */
    public static Low result(Instruction i, Function<Operand, Low> of) {
        ScalarType type = i.type();
        if (type == null || type.isFloat() || type.packed() || i.spelling().has(Modifier.SAT) || i.spelling().has(Modifier.CC)) {
            return Low.NONE;
        }
        return switch (i.opcode()) {
            case MOV -> of.apply(i.operand(1));
            case NEG -> Low.all(0).minus(of.apply(i.operand(1)));
            case NOT -> Low.all(-1).minus(of.apply(i.operand(1)));
            case CVT -> i.spelling().modifiers().isEmpty() && i.spelling().lastType().isInteger() ? of.apply(i.operand(1)).most(Math.min(type.bits(), i.spelling().lastType().bits())) : Low.NONE;
            case ADD -> of.apply(i.operand(1)).plus(of.apply(i.operand(2)));
            case SUB -> of.apply(i.operand(1)).minus(of.apply(i.operand(2)));
            case AND -> of.apply(i.operand(1)).and(of.apply(i.operand(2)));
            case SHL -> i.operand(2) instanceof Operand.Immediate n ? of.apply(i.operand(1)).shiftedLeft(amount(n)) : Low.NONE;
            case SHR -> i.operand(2) instanceof Operand.Immediate n ? of.apply(i.operand(1)).shiftedRight(amount(n)) : Low.NONE;
            case MUL -> product(i, of);
            case MAD -> product(i, of).plus(of.apply(i.operand(3)));
            default -> Low.NONE;
        };
    }

    private static int amount(Operand.Immediate n) {
        return (int) Math.min(Long.SIZE, n.bits() & 0xFFFF_FFFFL);
    }

    private static Low product(Instruction i, Function<Operand, Low> of) {
        Low product = of.apply(i.operand(1)).times(of.apply(i.operand(2)));
        return i.spelling().has(Modifier.LO) ? product : i.spelling().has(Modifier.WIDE) ? product.most(i.type().bits()) : Low.NONE;
    }
}
