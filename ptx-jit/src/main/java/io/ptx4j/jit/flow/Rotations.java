package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds rotations by constants in what compilers write for them, which machines and the Vector API have as one operation:
 *
 * <ul>
 * <li>{@code x << n}, {@code x >> w − n} and their sum, OR or XOR (no bit is in both), in 32 and 64 bits;
 * <li>the halves of a 64-bit register, two funnel shifts of them, and both results as the halves of another one; or the halves alone,
 *     in the other order.
 * </ul>
 *
 * <p>A rotation of 64 bits is held as {@code shf.l.wrap} of that width, which PTX does not have.
 */
final class Rotations {
    private static final Spelling NARROW = Matcher.match("shf.l.wrap.b32").getFirst();
    private static final Spelling WIDE = new Spelling(Opcode.SHF, NARROW.form(), "shf.l.wrap.b64", List.of(ScalarType.B64), NARROW.modifiers());

    /** The instruction that wrote a register, and its place on the line. */
    private record Made(Instruction by, int at) {
    }

    private final Graph graph;
    private final Writes writes;
    /** By register written once, on the lines so far: where. */
    private final Made[] made;
    /** Where on the lines a register was written last. */
    private final int[] written;
    /** Places of the line that begins here are no smaller. */
    private int start = 1;
    private final Map<Instruction, Instruction> rotations = new IdentityHashMap<>();

    private Rotations(Graph graph) {
        this.graph = graph;
        int registers = graph.registers().size();
        writes = graph.writes();
        made = new Made[registers];
        written = new int[registers];
    }

    static Graph rewrite(Graph graph) {
        boolean shifts = Operands.any(graph.blocks(), i -> i.opcode() == Opcode.SHL) && Operands.any(graph.blocks(), i -> i.opcode() == Opcode.SHR);
        boolean halves = Operands.any(graph.blocks(), i -> i.opcode() == Opcode.MOV && i.operand(1) instanceof Operand.Vector);
        return shifts || halves ? new Rotations(graph).run() : graph;
    }

    private Graph run() {
        CarryChains.lines(graph).forEach(line -> find(line.code()));
        if (rotations.isEmpty()) {
            return graph;
        }
        Set<Instruction> dead = dead();
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> code = block.instructions().stream().filter(i -> !dead.contains(i)).map(i -> rotations.getOrDefault(i, i)).toList();
            blocks.add(new BasicBlock(block.index(), block.label(), code, block.terminator()));
        }
        return graph.with(blocks);
    }

    private void find(List<Instruction> line) {
        for (int at = 0; at < line.size(); at++) {
            Instruction i = line.get(at);
            if (i.guard() == null) {
                Instruction rotation = rotation(i);
                if (rotation != null) {
                    rotations.put(i, rotation);
                }
            }
            int here = start + at;
            Operands.definitions(i, r -> {
                written[r.index()] = here;
                if (i.guard() == null && writes.isOnce(r) && isPart(i)) {
                    made[r.index()] = new Made(i, here);
                }
            });
        }
        start += line.size();
    }

    private Instruction rotation(Instruction i) {
        return switch (i.opcode()) {
            case ADD, OR, XOR -> ofShifts(i);
            case MOV -> ofHalves(i);
            default -> null;
        };
    }

    // x << n + x >> w - n

    private Instruction ofShifts(Instruction i) {
        int width = i.type() == null ? 0 : i.type().bits();
        if (width != 32 && width != 64 || i.type().packed() || !i.type().isInteger() && i.type().kind() != ScalarType.Kind.BITS
                || !i.spelling().modifiers().isEmpty()) {
            return null;
        }
        Made a = maker(i.operand(1), width);
        Made b = maker(i.operand(2), width);
        if (a == null || b == null) {
            return null;
        }
        Made left = a.by.opcode() == Opcode.SHL ? a : b;
        Made right = left == a ? b : a;
        Long n = amount(left, Opcode.SHL, width);
        Long m = amount(right, Opcode.SHR, width);
        if (n == null || m == null || n + m != width || n <= 0 || m <= 0) {
            return null;
        }
        Register source = source(left.by.operand(1), width);
        boolean same = source != null && source == source(right.by.operand(1), width) && unchanged(source, Math.min(left.at, right.at));
        return same ? make(i, source, n) : null;
    }

    private static Long amount(Made shift, Opcode opcode, int width) {
        boolean fits = shift.by.opcode() == opcode && shift.by.type().bits() == width && !shift.by.type().signed()
                || shift.by.opcode() == opcode && opcode == Opcode.SHL && shift.by.type().bits() == width;
        return fits && shift.by.operand(2) instanceof Operand.Immediate i ? (Long) (i.bits() & 0xFFFF_FFFFL) : null;
    }

    // {hi << n | lo >> 32 - n, lo << n | hi >> 32 - n}

    private Instruction ofHalves(Instruction i) {
        if (i.type().bits() != 64 || !(i.operand(0) instanceof Operand.Reg) || !(i.operand(1) instanceof Operand.Vector v)
                || v.elements().size() != 2) {
            return null;
        }
        Made low = maker(v.elements().get(0), 32);
        Made high = maker(v.elements().get(1), 32);
        if (low == null || high == null) {
            return null;
        }
        if (low.by.opcode() == Opcode.MOV) {
            boolean swapped = low.by == high.by && half(v.elements().get(0), low) == 1 && half(v.elements().get(1), high) == 0;
            return swapped ? ofWhole(i, low, 32) : null;
        }
        if (low.by.opcode() != Opcode.SHF || high.by.opcode() != Opcode.SHF || !low.by.spelling().equals(high.by.spelling())
                || !(low.by.operand(3) instanceof Operand.Immediate n) || !low.by.operand(3).equals(high.by.operand(3))
                || !low.by.spelling().has(Modifier.WRAP)) {
            return null;
        }
        Made first = maker(low.by.operand(1), 32);
        Made second = maker(low.by.operand(2), 32);
        boolean crossed = low.by.operand(1).equals(high.by.operand(2)) && low.by.operand(2).equals(high.by.operand(1));
        if (!crossed || first == null || second == null || first.by != second.by || first.by.opcode() != Opcode.MOV) {
            return null;
        }
        int a = half(low.by.operand(1), first);
        int b = half(low.by.operand(2), second);
        if (a < 0 || b != 1 - a) {
            return null;
        }
        boolean left = low.by.spelling().has(Modifier.L);
        int amount = (int) n.bits() & 31;
        // Of [high:low] << n the low word is [low:high] << n of the halves; of >> n it is [high:low] >> n.
        int rotated = left ? a == 1 ? amount : amount + 32 : a == 0 ? 64 - amount : 32 - amount;
        return ofWhole(i, first, rotated & 63);
    }

    /** Which half of a 64-bit register the operand is; -1 if none. */
    private static int half(Operand operand, Made unpacked) {
        if (!(unpacked.by.operand(0) instanceof Operand.Vector v) || v.elements().size() != 2 || unpacked.by.type().bits() != 64) {
            return -1;
        }
        Register register = ((Operand.Reg) operand).register();
        boolean low = v.elements().get(0) instanceof Operand.Reg r && r.register() == register;
        boolean high = v.elements().get(1) instanceof Operand.Reg r && r.register() == register;
        return low == high ? -1 : low ? 0 : 1;
    }

    private Instruction ofWhole(Instruction i, Made unpacked, int amount) {
        Register source = source(unpacked.by.operand(1), 64);
        return source != null && unchanged(source, unpacked.at) ? make(i, source, amount) : null;
    }

    // Both

    /** What made a register that is written once, on this line. */
    private Made maker(Operand operand, int width) {
        return operand instanceof Operand.Reg r && !r.negated() && r.register().type().bits() == width ? onLine(made[r.register().index()]) : null;
    }

    private Made onLine(Made some) {
        return some != null && some.at >= start ? some : null;
    }

    private static Register source(Operand operand, int width) {
        return operand instanceof Operand.Reg r && r.register().type().bits() == width && r.type().bits() == width ? r.register() : null;
    }

    /** Whether the register holds what it held at a place of the line. */
    private boolean unchanged(Register source, int since) {
        return written[source.index()] < since;
    }

    private static Instruction make(Instruction i, Register source, long amount) {
        int width = source.type().bits();
        Operand x = new Operand.Reg(source, width == 64 ? ScalarType.B64 : ScalarType.B32, false);
        return new Instruction(width == 64 ? WIDE : NARROW, null, List.of(i.operand(0), x, x, new Operand.Immediate(ScalarType.U32, amount)),
                i.location());
    }

    /** Shifts and halves that only rotations read. */
    private Set<Instruction> dead() {
        int[] uses = new int[graph.registers().size()];
        for (BasicBlock block : graph.blocks()) {
            block.instructions().forEach(i -> Operands.uses(rotations.getOrDefault(i, i), r -> uses[r.index()]++));
            if (Operands.use(block.terminator()) instanceof Register r) {
                uses[r.index()]++;
            }
        }
        List<Instruction> gone = new ArrayList<>();
        Set<Instruction> dead = Collections.newSetFromMap(new IdentityHashMap<>());
        do {
            gone.forEach(i -> Operands.uses(i, r -> uses[r.index()]--));
            dead.addAll(gone);
            gone.clear();
            for (BasicBlock block : graph.blocks()) {
                block.instructions().stream().filter(i -> isPart(i) && !dead.contains(i) && isUnused(i, uses)).forEach(gone::add);
            }
        } while (!gone.isEmpty());
        return dead;
    }

    /** Whether rotations may be made of the instruction's result. */
    private static boolean isPart(Instruction i) {
        return switch (i.opcode()) {
            case SHL, SHR, SHF -> i.guard() == null;
            case MOV -> i.guard() == null && i.operand(0) instanceof Operand.Vector;
            default -> false;
        };
    }

    private boolean isUnused(Instruction i, int[] uses) {
        boolean[] used = {rotations.containsKey(i)};
        Operands.definitions(i, r -> used[0] |= uses[r.index()] > 0);
        return !used[0];
    }
}
