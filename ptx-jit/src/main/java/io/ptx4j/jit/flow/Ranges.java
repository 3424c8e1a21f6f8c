package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Between which numbers the values of a register lie, by all instructions that write it. Registers of 32 and 64 bits are read as signed numbers, shorter ones as
 * unsigned ones, predicates as 0 and 1.
 */
public final class Ranges {
    private static final Range PREDICATE = new Range(0, 1);
    private static final int BLOCKS_YZ = 65_535;
    private static final Set<Opcode> COPIES = EnumSet.of(Opcode.MOV, Opcode.CVT);
    private static final int COPIES_OF_COPIES = 8;
    private static final Set<Modifier> MULTIPLIES = EnumSet.of(Modifier.LO, Modifier.WIDE);
    /** Operands of operands are looked up that far; who asks in the order of the code is told all. */
    private static final int DEPTH = 200;

    private final Map<Register, List<Instruction>> definitions;
    private final Map<Register, Range> known = new HashMap<>();
    /** What registers hold at the instruction asked of, where that is less than they ever do. */
    private Map<Register, Range> here = Map.of();
    private final ToLongFunction<Operand.AddressOf> addresses;
    private final BlockShape block;
    private final Counters counters;
    private final Set<Register> zeroAtFirst;
    private int depth;

    /** All numbers from {@code least} to {@code most}. */
    record Range(long least, long most) {
        static Range of(long number) {
            return new Range(number, number);
        }

        static Range any(int bits, boolean signed) {
            if (bits >= Long.SIZE) {
                return new Range(Long.MIN_VALUE, Long.MAX_VALUE);
            }
            return signed ? new Range(-1L << bits - 1, (1L << bits - 1) - 1) : new Range(0, (1L << bits) - 1);
        }

        boolean single() {
            return least == most;
        }

        boolean within(Range other) {
            return other.least <= least && most <= other.most;
        }

        Range or(Range other) {
            return new Range(Math.min(least, other.least), Math.max(most, other.most));
        }

        private boolean positive() {
            return least >= 0;
        }
    }

    /**
     * What any lane of a vector holds, also where no thread reads it.
     *
     * @param addresses gives the address of a variable; a negative number if it is not known
     */
    public Ranges(Graph graph, ToLongFunction<Operand.AddressOf> addresses) {
        this(graph, graph.writes().all(), addresses, null, null);
    }

    private Ranges(Graph graph, Map<Register, List<Instruction>> definitions, ToLongFunction<Operand.AddressOf> addresses, BlockShape block, Liveness liveness) {
        this.definitions = definitions;
        this.addresses = addresses;
        this.block = block;
        this.zeroAtFirst = liveness == null ? null : Set.copyOf(liveness.liveIn(0));
        this.counters = liveness == null ? null : new Counters(graph, definitions, liveness);
    }

    /**
     * What threads read: more is known of {@link Counters}.
     *
     * @param block the shape of the blocks, or null if they may be any
     */
    static Ranges ofReads(Graph graph, BlockShape block) {
        return ofReads(graph, block, a -> -1);
    }

    /** @param addresses as above */
    static Ranges ofReads(Graph graph, BlockShape block, ToLongFunction<Operand.AddressOf> addresses) {
        Ranges ranges = new Ranges(graph, graph.writes().all(), addresses, block, graph.liveness());
        for (int b : graph.order()) {
            graph.blocks().get(b).instructions().forEach(i -> Operands.definitions(i, ranges::of));
        }
        return ranges;
    }

    /** The largest unsigned number that a register of at most 64 bits may hold; {@link Long#MAX_VALUE} if it may be any beyond that. */
    public long most(Register register) {
        Range range = of(register);
        return range.positive() ? range.most : register.type().bits() < Long.SIZE ? (1L << register.type().bits()) - 1 : Long.MAX_VALUE;
    }

    Range of(Register register) {
        Range range = depth == 0 ? here.get(register) : null;
        if (range != null) {
            return range;
        }
        range = known.get(register);
        if (range != null) {
            return range;
        }
        Range any = all(register.type());
        if (depth > DEPTH) {
            return any;
        }
        // In a cycle, the register may hold anything.
        known.put(register, any);
        depth++;
        range = found(register, any);
        depth--;
        known.put(register, range);
        return range;
    }

    private static Range all(ScalarType type) {
        return type == ScalarType.PRED ? PREDICATE : Range.any(type.bits(), type.bits() >= Integer.SIZE);
    }

    private Range found(Register register, Range any) {
        List<Instruction> all = definitions.get(register);
        if (all == null) {
            return any;
        }
        Counters.Counter counter = counters == null ? null : counters.of(register);
        Range range = zeroAtFirst == null || zeroAtFirst.contains(register) ? Range.of(0) : null;
        boolean halves = false;
        for (Instruction i : all) {
            if (counter != null && i == counter.step()) {
                continue;
            }
            if (halves(i, register)) {
                halves = true;
                continue;
            }
            Range result = result(i, register);
            range = range == null ? result : range.or(result);
            if (range.equals(any)) {
                return any;
            }
        }
        if (halves && range != null) {
            range = range.positive() ? new Range(0, range.most) : any;
        }
        if (counter != null && range != null) {
            long most = counter.most(range.most);
            return range.positive() && most <= any.most ? new Range(range.least, most) : any;
        }
        return range == null ? any : range;
    }

    /** Whether an instruction shifts the register to the right, as loops of reductions do with a distance: what has not been negative stays so, and gets no larger. */
    private static boolean halves(Instruction i, Register register) {
        return i.opcode() == Opcode.SHR && i.type().bits() == register.type().bits() && register.type().bits() >= Integer.SIZE && i.operand(0) instanceof Operand.Reg to && to.register() == register
                && i.operand(1) instanceof Operand.Reg from && from.register() == register;
    }

    /** For instructions asked of from now on: what some registers hold there, of all that they ever do. The map may change. */
    void here(Map<Register, Range> ranges) {
        here = ranges;
    }

    /** What an instruction gives whose only result is a register; null if nothing is known of it. */
    Range resultOf(Instruction i) {
        return i.operand(0) instanceof Operand.Reg to ? result(i, to.register()) : null;
    }

    /** What an instruction leaves in a register that it writes. */
    private Range result(Instruction i, Register to) {
        Range any = all(to.type());
        if (!(i.operand(0) instanceof Operand.Reg r) || r.register() != to) {
            return any;
        }
        Range result = result(i);
        return result != null && result.within(any) ? result : any;
    }

    /** The numbers that are an instruction's only result, or null if nothing is known of them. */
    private Range result(Instruction i) {
        ScalarType type = i.type();
        if (type == null || type.isFloat() || type.packed() || type.bits() > Long.SIZE || !(i.operand(0) instanceof Operand.Reg to)) {
            return null;
        }
        Set<Modifier> modifiers = i.spelling().modifiers();
        return switch (i.opcode()) {
            case SETP -> holds(i);
            case LD -> loaded(i, type);
            case MUL -> MULTIPLIES.containsAll(modifiers) ? fitting(product(i, type), i, type, to) : null;
            case MAD -> MULTIPLIES.containsAll(modifiers) ? fitting(sum(product(i, type), number(i.operand(3), resultBits(i, type), type.signed())), i, type, to) : null;
            default -> modifiers.isEmpty() ? fitting(plain(i, type), i, type, to) : null;
        };
    }

    /** Sums and products that pass a type wrap around, which leaves them what they are where registers can hold them. */
    private static Range fitting(Range range, Instruction i, ScalarType type, Operand.Reg to) {
        return to.register().type() == ScalarType.PRED || to.register().type().bits() == resultBits(i, type) ? range : null;
    }

    private static int resultBits(Instruction i, ScalarType type) {
        return switch (i.opcode()) {
            case POPC, CLZ -> Integer.SIZE;
            default -> i.spelling().has(Modifier.WIDE) ? 2 * type.bits() : type.bits();
        };
    }

    private Range plain(Instruction i, ScalarType type) {
        return switch (i.opcode()) {
            case MOV -> number(i.operand(1), type);
            case CVT -> i.spelling().lastType().isInteger() ? number(i.operand(1), i.spelling().lastType()) : null;
            case ADD -> sum(number(i.operand(1), type), number(i.operand(2), type));
            case SUB -> rest(i, difference(number(i.operand(1), type), number(i.operand(2), type)));
            case MIN -> inOrder(i, type, 1) ? least(number(i.operand(1), type), number(i.operand(2), type)) : null;
            case MAX -> inOrder(i, type, 1) ? greatest(number(i.operand(1), type), number(i.operand(2), type)) : null;
            case AND -> type == ScalarType.PRED ? least(number(i.operand(1), type), number(i.operand(2), type)) : both(read(i.operand(1), type), read(i.operand(2), type));
            case OR -> type == ScalarType.PRED ? greatest(number(i.operand(1), type), number(i.operand(2), type)) : either(read(i.operand(1), type), read(i.operand(2), type), true);
            case XOR -> type == ScalarType.PRED ? null : either(read(i.operand(1), type), read(i.operand(2), type), false);
            case NOT -> type == ScalarType.PRED ? difference(Range.of(1), number(i.operand(1), type)) : null;
            case SHL -> i.operand(2) instanceof Operand.Immediate n ? shiftedLeft(read(i.operand(1), type), n.bits(), type) : null;
            case SHR -> i.operand(2) instanceof Operand.Immediate n ? shiftedRight(number(i.operand(1), type), n.bits(), type) : null;
            case DIV -> quotient(number(i.operand(1), type), number(i.operand(2), type));
            case REM -> remainder(number(i.operand(1), type), number(i.operand(2), type));
            case SELP -> chosen(i, type);
            case BFE -> type.signed() || !(i.operand(3) instanceof Operand.Immediate n) ? null : Range.any(fieldLength(n, type), false);
            case POPC, CLZ -> new Range(0, type.bits());
            default -> null;
        };
    }

    /** The low byte counts, of 64-bit fields the word. */
    private static int fieldLength(Operand.Immediate given, ScalarType type) {
        return (int) Math.min(given.bits() & (type.bits() == Long.SIZE ? 0xFFFF_FFFFL : 0xFF), type.bits());
    }

    /** The low bits of an operand, as registers are read. */
    private Range read(Operand operand, ScalarType type) {
        return number(operand, type.bits(), type.bits() >= Integer.SIZE);
    }

    private Range number(Operand operand, ScalarType type) {
        return number(operand, type.bits(), type.signed());
    }

    /** An operand as a number of so many bits: of its low ones, if it has more. */
    private Range number(Operand operand, int bits, boolean signed) {
        Range any = Range.any(bits, signed);
        Range range = switch (operand) {
            case Operand.Immediate n -> Range.of(cut(n.bits(), bits, signed));
            case Operand.AddressOf a -> addresses.applyAsLong(a) >= 0 ? Range.of(addresses.applyAsLong(a)) : any;
            case Operand.Special s -> special(s.register());
            case Operand.Reg r -> r.negated() ? difference(Range.of(1), of(r.register())) : of(r.register());
            default -> any;
        };
        return range.within(any) ? range : any;
    }

    private static long cut(long value, int bits, boolean signed) {
        int unused = Long.SIZE - bits;
        return signed ? value << unused >> unused : value << unused >>> unused;
    }

    private Range special(SpecialRegister register) {
        return switch (register) {
            case TID_X -> new Range(0, extent(BlockShape::x).most - 1);
            case TID_Y -> new Range(0, extent(BlockShape::y).most - 1);
            case TID_Z -> new Range(0, extent(BlockShape::z).most - 1);
            case NTID_X -> extent(BlockShape::x);
            case NTID_Y -> extent(BlockShape::y);
            case NTID_Z -> extent(BlockShape::z);
            case LANEID -> new Range(0, BlockShape.WARP - 1);
            case CTAID_X -> new Range(0, Integer.MAX_VALUE - 1);
            case CTAID_Y, CTAID_Z -> new Range(0, BLOCKS_YZ - 1);
            case NCTAID_X -> new Range(1, Integer.MAX_VALUE);
            case NCTAID_Y, NCTAID_Z -> new Range(1, BLOCKS_YZ);
            default -> new Range(Long.MIN_VALUE, Long.MAX_VALUE);
        };
    }

    private Range extent(ToIntFunction<BlockShape> dimension) {
        return block == null ? new Range(1, BlockShape.MOST_THREADS) : Range.of(dimension.applyAsInt(block));
    }

    private static Range sum(Range a, Range b) {
        return a == null || b == null || !small(a) || !small(b) ? null : new Range(a.least + b.least, a.most + b.most);
    }

    private static Range difference(Range a, Range b) {
        return !small(a) || !small(b) ? null : new Range(a.least - b.most, a.most - b.least);
    }

    /** {@code x - (y & mask)}, where {@code x} is {@code y} or a multiple of it, is not negative: so transforms and sorts leave bits of a thread's number out. */
    private Range rest(Instruction i, Range range) {
        if (range == null || range.least >= 0 || !(i.operand(1) instanceof Operand.Reg whole) || !(i.operand(2) instanceof Operand.Reg bits)) {
            return range;
        }
        Instruction mask = lasting(bits.register(), Set.of(Opcode.AND));
        if (mask == null) {
            return range;
        }
        Register multiple = source(whole.register());
        boolean rest = mask.operands().stream().skip(1).anyMatch(o -> o instanceof Operand.Reg y && isThread(source(y.register())) && (multiple == source(y.register()) || isMultiple(multiple, source(y.register()))));
        return rest && of(whole.register()).positive() ? new Range(0, range.most) : range;
    }

    private boolean isMultiple(Register multiple, Register of) {
        Instruction i = lasting(multiple, Set.of(Opcode.SHL, Opcode.MUL));
        return i != null && i.operand(1) instanceof Operand.Reg from && source(from.register()) == of && i.operand(2) instanceof Operand.Immediate n && n.bits() > 0 && n.bits() < Integer.SIZE;
    }

    /** The only instruction that writes a register, if it is one of these; null else. */
    private Instruction lasting(Register register, Set<Opcode> opcodes) {
        List<Instruction> all = definitions.getOrDefault(register, List.of());
        boolean plain = all.size() == 1 && all.getFirst().guard() == null && (zeroAtFirst == null || !zeroAtFirst.contains(register)) && opcodes.contains(all.getFirst().opcode());
        return plain && all.getFirst().spelling().modifiers().stream().allMatch(m -> m == Modifier.LO) ? all.getFirst() : null;
    }

    /** The register that a copy is of, also one that has been extended and cut again. */
    private Register source(Register register) {
        Register source = register;
        for (int k = 0; k < COPIES_OF_COPIES && lasting(source, COPIES) instanceof Instruction copy && copy.operand(1) instanceof Operand.Reg from && !from.negated() && (copy.opcode() == Opcode.MOV || of(from.register()).positive() && of(from.register()).most <= Integer.MAX_VALUE); k++) {
            source = from.register();
        }
        return source;
    }

    /** Whether a register holds a number of the thread, and so the same for good. */
    private boolean isThread(Register register) {
        return lasting(register, COPIES) instanceof Instruction i && i.operand(1) instanceof Operand.Special;
    }

    /** Whether sums and differences of such numbers do not leave 64 bits. */
    private static boolean small(Range range) {
        return range.least >= Long.MIN_VALUE / 4 && range.most <= Long.MAX_VALUE / 4;
    }

    private Range product(Instruction i, ScalarType type) {
        Range a = number(i.operand(1), type);
        Range b = number(i.operand(2), type);
        if (bits(a) + bits(b) > Long.SIZE - 2) {
            return null;
        }
        long[] corners = {a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most};
        Range all = Range.of(corners[0]);
        for (long corner : corners) {
            all = all.or(Range.of(corner));
        }
        return all;
    }

    /** How long the magnitudes of numbers are at most. */
    private static int bits(Range range) {
        long magnitudes = (range.least ^ range.least >> Long.SIZE - 1) | (range.most ^ range.most >> Long.SIZE - 1);
        return Long.SIZE - Long.numberOfLeadingZeros(magnitudes) + (range.least < 0 ? 1 : 0);
    }

    /** Whether two operands, the first at {@code first}, are in the order of their numbers here: unsigned ones of 64 bits are read as signed ones. */
    private boolean inOrder(Instruction i, ScalarType type, int first) {
        return type.bits() < Long.SIZE || type.signed() || number(i.operand(first), type).positive() && number(i.operand(first + 1), type).positive();
    }

    private static Range least(Range a, Range b) {
        return new Range(Math.min(a.least, b.least), Math.min(a.most, b.most));
    }

    private static Range greatest(Range a, Range b) {
        return new Range(Math.max(a.least, b.least), Math.max(a.most, b.most));
    }

    private static Range both(Range a, Range b) {
        if (b.single() && a.positive() && isMask(b.most) && (a.least & ~b.most) == (a.most & ~b.most)) {
            return new Range(a.least & b.most, a.most & b.most);
        }
        if (b.single() && a.positive() && isMask(~b.most)) {
            return new Range(a.least & b.most, a.most & b.most);
        }
        if (a.single() && b.single()) {
            return Range.of(a.most & b.most);
        }
        return a.positive() && b.positive() ? new Range(0, Math.min(a.most, b.most)) : a.positive() ? new Range(0, a.most) : b.positive() ? new Range(0, b.most) : null;
    }

    /** Whether only the lowest bits are ones. */
    private static boolean isMask(long number) {
        return number >= 0 && (number & number + 1) == 0;
    }

    /** Of {@code a | b}, or else {@code a ^ b}. */
    private static Range either(Range a, Range b, boolean both) {
        if (!a.positive() || !b.positive()) {
            return null;
        }
        if (a.single() && b.single()) {
            return Range.of(both ? a.most | b.most : a.most ^ b.most);
        }
        long longest = Math.max(a.most, b.most);
        return new Range(both ? Math.max(a.least, b.least) : 0, longest == 0 ? 0 : (Long.highestOneBit(longest) << 1) - 1);
    }

    private static Range shiftedLeft(Range range, long amount, ScalarType type) {
        long by = amount & 0xFFFF_FFFFL;
        if (by >= type.bits()) {
            return Range.of(0);
        }
        if (bits(range) + by > Long.SIZE - 2) {
            return null;
        }
        return new Range(range.least << by, range.most << by);
    }

    private static Range shiftedRight(Range range, long amount, ScalarType type) {
        long by = Math.min(amount & 0xFFFF_FFFFL, type.bits());
        if (!type.signed() && type.bits() == Long.SIZE && !range.positive()) {
            return null;
        }
        return by >= Long.SIZE ? Range.of(0).or(Range.of(range.least >> Long.SIZE - 1)) : new Range(range.least >> by, range.most >> by);
    }

    private static Range quotient(Range a, Range b) {
        return a.positive() && b.single() && b.most > 0 ? new Range(a.least / b.most, a.most / b.most) : null;
    }

    private static Range remainder(Range a, Range b) {
        if (!a.positive() || !b.single() || b.most <= 0) {
            return null;
        }
        return a.least / b.most == a.most / b.most ? new Range(a.least % b.most, a.most % b.most) : new Range(0, b.most - 1);
    }

    private Range chosen(Instruction i, ScalarType type) {
        Range which = number(i.operand(3), 1, false);
        Range yes = number(i.operand(1), type);
        Range no = number(i.operand(2), type);
        return which.single() ? which.most == 1 ? yes : no : yes.or(no);
    }

    /** Short numbers are filled up as their type says. */
    private static Range loaded(Instruction i, ScalarType type) {
        int bits = ((Operand.Reg) i.operand(0)).register().type().bits();
        return type.isInteger() && i.spelling().vectorLength() == 1 && bits >= Integer.SIZE && type.bits() < bits ? Range.any(type.bits(), type.signed()) : null;
    }

    /** Whether a comparison holds: 0, 1 or both. */
    private Range holds(Instruction i) {
        if (!(i.operand(1) instanceof Operand.Absent)) {
            return null;
        }
        ScalarType type = i.type();
        Range range = compared(i, type);
        Modifier operator = i.spelling().one(Modifier.Category.BOOLEAN);
        if (operator == null || range == null) {
            return range;
        }
        Range other = number(i.operand(4), 1, false);
        return switch (operator) {
            case AND -> least(range, other);
            case OR -> greatest(range, other);
            default -> null;
        };
    }

    private Range compared(Instruction i, ScalarType type) {
        return inOrder(i, type, 2) ? compared(i.spelling().comparison(), number(i.operand(2), type), number(i.operand(3), type)) : PREDICATE;
    }

    /** What a comparison gives of numbers of two ranges, in the order of signed numbers: 1, 0, or either. */
    static Range compared(Modifier comparison, Range a, Range b) {
        return switch (comparison) {
            case EQ -> equal(a, b);
            case NE -> difference(Range.of(1), equal(a, b));
            case LT, LO -> below(a, b);
            case GE, HS -> difference(Range.of(1), below(a, b));
            case GT, HI -> below(b, a);
            case LE, LS -> difference(Range.of(1), below(b, a));
            default -> PREDICATE;
        };
    }

    private static Range equal(Range a, Range b) {
        return a.most < b.least || b.most < a.least ? Range.of(0) : a.single() && a.equals(b) ? Range.of(1) : PREDICATE;
    }

    private static Range below(Range a, Range b) {
        return a.most < b.least ? Range.of(1) : a.least >= b.most ? Range.of(0) : PREDICATE;
    }
}
