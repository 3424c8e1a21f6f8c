package io.ptx4j.jit.coarse;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.KnownNumbers;
import io.ptx4j.jit.flow.Operands;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The kernel under construction: what threads' numbers alone decide is computed first, then comes what the warps do. */
final class CoarseCode {
    private static final int WARP = BlockShape.WARP;
    private static final Operand ALL_MEMBERS = new Operand.Immediate(ScalarType.U32, 0xFFFF_FFFFL);
    /** By bit of a lane's number, the lanes in which it is set. */
    private static final int[] LANE_BITS = {0xAAAA_AAAA, 0xCCCC_CCCC, 0xF0F0_F0F0, 0xFF00_FF00, 0xFFFF_0000};

    /** @param given the lanes in which a register has them that an instruction makes, which does not know of the others; 0 where it is made from the numbers themselves */
    private record Numbers(ScalarType type, List<Long> bits, int given) {
    }

    private record Computed(Spelling spelling, List<Operand> operands) {
    }

    private final Graph graph;
    private final Location start;
    private final List<Register> registers;
    /** What is computed at the kernel's begin, from lanes' numbers alone. */
    private final List<Instruction> first = new ArrayList<>();
    private final List<BasicBlock> blocks = new ArrayList<>();
    private List<Instruction> code = new ArrayList<>();
    private int step;
    private final Map<Numbers, Value> known = new HashMap<>();
    /** Predicates, by the lanes in which they hold. */
    private final Map<Integer, Register> lanes = new HashMap<>();
    private final Map<Computed, List<Register>> computed = new HashMap<>();
    private final Map<Register, Value> values = new HashMap<>();
    /** What {@link #ofRow} has made. */
    private final Map<String, Register> rows = new HashMap<>();
    private Register lane;
    private int size;
    private boolean stores;

    CoarseCode(Graph graph, Location start) {
        this.graph = graph;
        this.start = start;
        this.registers = new ArrayList<>(graph.registers());
    }

    /** From here on instructions are of another of the {@link Steps}. */
    void step(int number) {
        step = number;
    }

    /** Instructions so far. */
    int size() {
        return size + first.size();
    }

    Register newRegister(Register like) {
        return newRegister(like.name(), like.type());
    }

    private Register newRegister(String name, ScalarType type) {
        Register register = new Register(registers.size(), name, type);
        registers.add(register);
        return register;
    }

    // Numbers that lanes have

    /**
     * Numbers of a type; lanes that are not among those given may have any.
     *
     * @param otherwise makes a register that holds them if their order does not; null where they are made bit by bit
     */
    Value known(ScalarType type, long[] bits, int given, Supplier<Register> otherwise) {
        long[] all = bits.clone();
        fill(type, all, given);
        List<Long> key = new ArrayList<>();
        for (long b : all) {
            key.add(b);
        }
        int columns = type == ScalarType.PRED ? 0 : columns(type, all);
        Supplier<Register> maker = type == ScalarType.PRED ? () -> lanesWith(mask(all, 0)) : columns > 0 ? () -> inRows(type, all, columns) : otherwise == null ? () -> ofBits(type, all) : otherwise;
        return known.computeIfAbsent(new Numbers(type, key, maker == otherwise ? given : 0), k -> Value.known(type, all, maker));
    }

    /** Gives lanes that have none numbers that continue those of the others, if those are in line. */
    private static void fill(ScalarType type, long[] bits, int given) {
        int low = Integer.numberOfTrailingZeros(given);
        int rest = given & given - 1;
        int next = Integer.numberOfTrailingZeros(rest);
        long stride = rest == 0 || type == ScalarType.PRED ? 0 : next == low + 1 ? bits[next] - bits[low] : bits[next] == bits[low] ? 0 : (bits[next] - bits[low]) / (next - low);
        for (int l = 0; l < WARP; l++) {
            if ((given >>> l & 1) == 0) {
                bits[l] = cut(type, bits[low] + stride * (l - low));
            }
        }
    }

    /** So many lanes side by side have numbers that grow from lane to lane by a constant, as do those of the lanes a row of them further; 0 if numbers are in no such rows. */
    private static int columns(ScalarType type, long[] bits) {
        boolean fits = type.bits() == Integer.SIZE || type.bits() == Long.SIZE;
        for (int columns = WARP; fits && columns > 1; columns /= 2) {
            if (isInRows(type, bits, columns)) {
                return columns;
            }
        }
        return 0;
    }

    private static boolean isInRows(ScalarType type, long[] bits, int columns) {
        long stride = stride(type, bits, 1);
        long between = columns == WARP ? 0 : stride(type, bits, columns);
        if (stride != (int) stride || between != (int) between || type.isFloat() && (stride != 0 || between != 0)) {
            return false;
        }
        for (int l = 0; l < WARP; l++) {
            if (bits[l] != cut(type, bits[0] + stride * (l % columns) + between * (l / columns))) {
                return false;
            }
        }
        return true;
    }

    private static long stride(ScalarType type, long[] bits, int lane) {
        long stride = bits[lane] - bits[0];
        return type.bits() == Integer.SIZE ? (int) stride : stride;
    }

    private static long cut(ScalarType type, long number) {
        return KnownNumbers.cut(number, type.bits(), false);
    }

    private Register inRows(ScalarType type, long[] bits, int columns) {
        ScalarType as = ScalarType.bitsOf(type.bits());
        long stride = stride(type, bits, 1);
        long between = columns == WARP ? 0 : stride(type, bits, columns);
        Operand sum = new Operand.Immediate(as, bits[0]);
        Register to = null;
        if (stride != 0) {
            to = newRegister("%known" + registers.size(), type);
            addFirst(to, columns == WARP ? lane() : ofRow("and", columns - 1), stride, sum);
            sum = new Operand.Reg(to, as, false);
        }
        if (between != 0) {
            to = newRegister("%known" + registers.size(), type);
            addFirst(to, ofRow("shr", Integer.numberOfTrailingZeros(columns)), between, sum);
        }
        if (to == null) {
            to = newRegister("%known" + registers.size(), type);
            first.add(Instruction.of("mov" + as, start, new Operand.Reg(to, as, false), sum));
        }
        return to;
    }

    /** A register with the sum of a number and so many times another. */
    private void addFirst(Register to, Register number, long times, Operand sum) {
        boolean wide = to.type().bits() == Long.SIZE;
        ScalarType factor = wide ? ScalarType.S32 : ScalarType.U32;
        ScalarType result = wide ? ScalarType.S64 : ScalarType.U32;
        Operand addend = sum instanceof Operand.Reg r ? new Operand.Reg(r.register(), result, false) : new Operand.Immediate(result, ((Operand.Immediate) sum).bits());
        first.add(Instruction.of(wide ? "mad.wide.s32" : "mad.lo.u32", start, new Operand.Reg(to, result, false), new Operand.Reg(number, factor, false),
                new Operand.Immediate(factor, wide ? times : times & 0xFFFF_FFFFL), addend));
    }

    /** The lane's place in its row, or its row. */
    private Register ofRow(String operation, int number) {
        return rows.computeIfAbsent(operation + number, k -> {
            Register to = newRegister("%" + operation + number, ScalarType.B32);
            ScalarType type = operation.equals("and") ? ScalarType.B32 : ScalarType.U32;
            first.add(Instruction.of(operation + type, start, new Operand.Reg(to, type, false), new Operand.Reg(lane(), type, false),
                    new Operand.Immediate(operation.equals("and") ? ScalarType.B32 : ScalarType.U32, number)));
            return to;
        });
    }

    private Register lane() {
        return lane(ScalarType.U32).register();
    }

    /** Numbers in any order: bits of the lane's number, moved to other places, and what masks say for the other bits. */
    private Register ofBits(ScalarType type, long[] bits) {
        if (type.bits() != Integer.SIZE) {
            throw new NotCoarse("numbers in no order");
        }
        Map<Integer, Integer> moved = new TreeMap<>();
        List<Integer> others = new ArrayList<>();
        int flipped = 0;
        for (int b = 0; b < Integer.SIZE; b++) {
            int mask = mask(bits, b);
            int lane = laneBit(mask);
            if (lane >= 0) {
                moved.merge(b - lane, 1 << lane, (x, y) -> x | y);
            } else if (mask != 0 && mask != -1) {
                others.add(b);
            }
            flipped |= mask == -1 || lane >= 0 && mask(bits, b) != LANE_BITS[lane] ? 1 << b : 0;
        }
        Operand.Reg to = new Operand.Reg(newRegister("%known" + registers.size(), type), ScalarType.B32, false);
        Operand.Reg bit = reg(newRegister("%bit" + registers.size(), ScalarType.B32), ScalarType.B32);
        first.add(Instruction.of("mov.b32", start, to, new Operand.Immediate(ScalarType.B32, flipped & 0xFFFF_FFFFL)));
        moved.forEach((distance, from) -> {
            first.add(Instruction.of("and.b32", start, bit, lane(ScalarType.B32), new Operand.Immediate(ScalarType.B32, from)));
            merge(to, bit, distance);
        });
        for (int b : others) {
            merge(to, bitOf(mask(bits, b)), b);
        }
        return to.register();
    }

    /** A register with each lane's bit of a mask. */
    private Operand.Reg bitOf(int mask) {
        Operand.Reg bit = reg(newRegister("%bit" + registers.size(), ScalarType.B32), ScalarType.B32);
        first.add(Instruction.of("shr.b32", start, bit, new Operand.Immediate(ScalarType.B32, mask & 0xFFFF_FFFFL), lane(ScalarType.U32)));
        first.add(Instruction.of("and.b32", start, bit, bit, new Operand.Immediate(ScalarType.B32, 1)));
        return bit;
    }

    private void merge(Operand.Reg to, Operand.Reg bits, int distance) {
        if (distance != 0) {
            first.add(Instruction.of(distance > 0 ? "shl.b32" : "shr.b32", start, bits, bits, new Operand.Immediate(ScalarType.U32, Math.abs(distance))));
        }
        first.add(Instruction.of("xor.b32", start, to, to, bits));
    }

    /** By lane, one bit of its number. */
    private static int mask(long[] bits, int bit) {
        int mask = 0;
        for (int l = 0; l < WARP; l++) {
            mask |= (int) (bits[l] >>> bit & 1) << l;
        }
        return mask;
    }

    /** The bit of lanes' numbers that a mask is, or is the opposite of; -1 if it is none. */
    private static int laneBit(int mask) {
        for (int b = 0; b < LANE_BITS.length; b++) {
            if (mask == LANE_BITS[b] || mask == ~LANE_BITS[b]) {
                return b;
            }
        }
        return -1;
    }

    private Operand.Reg lane(ScalarType type) {
        if (lane == null) {
            lane = newRegister("%lane", ScalarType.B32);
            first.addFirst(Instruction.of("mov.u32", start, new Operand.Reg(lane, ScalarType.U32, false), new Operand.Special(SpecialRegister.TID_X, 0, ScalarType.U32)));
        }
        return new Operand.Reg(lane, type, false);
    }

    /** A predicate that holds in some lanes. */
    Register lanesWith(int mask) {
        Register known = lanes.get(mask);
        if (known != null) {
            return known;
        }
        Register to = newRegister("%lanes" + registers.size(), ScalarType.PRED);
        int count = Integer.bitCount(mask);
        int low = Integer.numberOfTrailingZeros(mask);
        if (mask == (1 << count) - 1 && count > 0) {
            test("lt", to, lane(ScalarType.U32), count);
        } else if (mask == -1 << low) {
            test("ge", to, lane(ScalarType.U32), low);
        } else if (count == 1) {
            test("eq", to, lane(ScalarType.U32), low);
        } else {
            test("ne", to, reg(bitOf(mask).register(), ScalarType.U32), 0);
        }
        lanes.put(mask, to);
        return to;
    }

    private void test(String comparison, Register to, Operand.Reg a, int b) {
        first.add(Instruction.of("setp." + comparison + ".u32", start, new Operand.Reg(to, ScalarType.PRED, false), new Operand.Absent(), a, new Operand.Immediate(ScalarType.U32, b)));
    }

    // What is done

    /** What a register holds that is written once. */
    Value valueOf(Register register, boolean same) {
        return values.computeIfAbsent(register, r -> Value.computed(r, same));
    }

    Location at(Location place) {
        return Steps.at(place, step);
    }

    void add(Instruction i) {
        code.add(new Instruction(i.spelling(), i.guard(), i.operands(), at(i.location())));
        stores |= i.opcode() == Opcode.ST || i.family() == Family.ATOMIC;
        size++;
    }

    /** Adds an instruction that computes registers from its operands alone, or gives those that hold the same already. */
    List<Register> compute(Instruction i, List<Register> results) {
        List<Operand> sources = new ArrayList<>();
        for (int o = 0; o < i.operands().size(); o++) {
            sources.add(i.spelling().form().operands().get(o).role() == OperandSpec.Role.DESTINATION ? new Operand.Absent() : i.operand(o));
        }
        List<Register> before = computed.putIfAbsent(new Computed(i.spelling(), sources), results);
        if (before != null) {
            return before;
        }
        add(i);
        return results;
    }

    private static Operand.Reg reg(Register register, ScalarType type) {
        return new Operand.Reg(register, type, false);
    }

    /** The type by which a register's bits are moved. */
    static ScalarType typeOf(Register register) {
        return ScalarType.bitsOf(register.type().bits());
    }

    void move(Register to, Operand from, Location place) {
        add(Instruction.of("mov" + typeOf(to), place, reg(to, typeOf(to)), from));
    }

    /** One of two operands, by a predicate. */
    Register choose(Register like, Register predicate, Operand one, Operand other, Location place) {
        Register to = newRegister(like);
        if (like.type() == ScalarType.PRED) {
            Register a = newRegister(like);
            Register b = newRegister(like);
            add(Instruction.of("and.pred", place, reg(a, ScalarType.PRED), reg(predicate, ScalarType.PRED), one));
            add(Instruction.of("and.pred", place, reg(b, ScalarType.PRED), new Operand.Reg(predicate, ScalarType.PRED, true), other));
            add(Instruction.of("or.pred", place, reg(to, ScalarType.PRED), reg(a, ScalarType.PRED), reg(b, ScalarType.PRED)));
            return to;
        }
        ScalarType as = typeOf(like);
        add(Instruction.of("selp" + as, place, reg(to, as), one, other, reg(predicate, ScalarType.PRED)));
        return to;
    }

    /** Both predicates. */
    Register both(Register one, boolean negated, Register other, Location place) {
        Register to = newRegister(one);
        add(Instruction.of("and.pred", place, reg(to, ScalarType.PRED), new Operand.Reg(one, ScalarType.PRED, negated), reg(other, ScalarType.PRED)));
        return to;
    }

    /** What other lanes hold; {@code from} says which, of the lanes given. */
    Register exchanged(Register of, int[] from, int given, Location place) {
        if (of.type().bits() == Long.SIZE) {
            Register low = newRegister("%low" + registers.size(), ScalarType.B32);
            Register high = newRegister("%high" + registers.size(), ScalarType.B32);
            add(Instruction.of("mov.b64", place, new Operand.Vector(List.of(reg(low, ScalarType.B32), reg(high, ScalarType.B32))), reg(of, ScalarType.B64)));
            Register to = newRegister(of);
            Operand both = new Operand.Vector(List.of(reg(exchanged(low, from, given, place), ScalarType.B32), reg(exchanged(high, from, given, place), ScalarType.B32)));
            add(Instruction.of("mov.b64", place, reg(to, ScalarType.B64), both));
            return to;
        }
        Register to = newRegister(of);
        int low = Integer.numberOfTrailingZeros(given);
        int distance = from[low] - low;
        int flipped = from[low] ^ low;
        boolean shifted = true;
        boolean crossed = true;
        boolean one = true;
        for (int l = 0; l < WARP; l++) {
            if ((given >>> l & 1) != 0) {
                shifted &= from[l] - l == distance;
                crossed &= (from[l] ^ l) == flipped;
                one &= from[l] == from[low];
            }
        }
        // Lanes that have no other to take from keep what they have, which costs a choice.
        String mode = one ? "idx" : crossed ? "bfly" : shifted ? distance > 0 ? "down" : "up" : "idx";
        Operand amount;
        if (one || shifted || crossed) {
            amount = new Operand.Immediate(ScalarType.B32, one ? from[low] : crossed ? flipped : Math.abs(distance));
        } else {
            long[] bits = new long[WARP];
            for (int l = 0; l < WARP; l++) {
                bits[l] = from[l];
            }
            amount = reg(known(ScalarType.B32, bits, given, null).register(), ScalarType.B32);
        }
        add(Instruction.of("shfl.sync." + mode + ".b32", place, reg(to, ScalarType.B32), new Operand.Absent(), reg(of, ScalarType.B32), amount,
                new Operand.Immediate(ScalarType.B32, mode.equals("up") ? 0 : WARP - 1), ALL_MEMBERS));
        return to;
    }

    /** Lanes see what others have stored before, if anything has been. */
    void orderStores(Location place) {
        if (stores) {
            add(Instruction.of("bar.warp.sync", place, ALL_MEMBERS));
        }
    }

    // Blocks

    /** The number of the block that {@link #end} ends. */
    int current() {
        return blocks.size() + 1;
    }

    void end(Terminator end) {
        int index = current();
        blocks.add(new BasicBlock(index, "bb" + index, List.copyOf(code), end));
        code = new ArrayList<>();
        size++;
    }

    Graph graph() {
        List<BasicBlock> all = new ArrayList<>();
        all.add(new BasicBlock(0, "entry", List.copyOf(first), new Terminator.Jump(1, start)));
        all.addAll(blocks);
        return withoutUnread(graph.with(all, registers, Collections.nCopies(all.size(), null)));
    }

    private static Graph withoutUnread(Graph graph) {
        Graph left = graph;
        boolean more = true;
        while (more) {
            int[] reads = new int[left.registers().size()];
            for (BasicBlock block : left.blocks()) {
                block.instructions().forEach(i -> Operands.uses(i, r -> reads[r.index()]++));
                Register last = Operands.use(block.terminator());
                if (last != null) {
                    reads[last.index()]++;
                }
            }
            List<BasicBlock> blocks = new ArrayList<>();
            boolean found = false;
            for (BasicBlock block : left.blocks()) {
                List<Instruction> needed = block.instructions().stream().filter(i -> !mayGo(i) || Operands.writes(i, r -> reads[r.index()] > 0)).toList();
                found |= needed.size() < block.instructions().size();
                blocks.add(new BasicBlock(block.index(), block.label(), needed, block.terminator()));
            }
            more = found;
            left = found ? left.with(blocks) : left;
        }
        return left;
    }

    private static boolean mayGo(Instruction i) {
        return i.family().isPure() || i.opcode() == Opcode.SHFL || i.opcode() == Opcode.CVTA;
    }
}
