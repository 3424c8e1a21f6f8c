package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Writes;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.LaneAtomics;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Sums of one number in words of shared memory that neighbouring bytes of global memory choose, as histograms have them. Where nothing else is done with the
 * bytes they never become lanes of vectors: code that all kernels share takes eight at a time from where they lie.
 */
final class ByteSums {
    private static final int WORDS = 1 << Byte.SIZE;

    private final VectorCode vc;
    private final List<Instruction> run;
    private final Map<Instruction, Sum> sums = new IdentityHashMap<>();
    private final Set<Instruction> parts = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Counted when asked for: in most runs there are no such sums. */
    private Writes writes;

    /**
     * @param all load of the bytes, what makes addresses of them, and the sum
     * @param offset of the word that byte 0 chooses
     */
    private record Sum(List<Instruction> all, long offset) {
    }

    /** What an operand holds: a multiple of the byte and a constant. */
    private record Linear(long factor, long constant) {
        /** This, or null if a value may be negative or not fit into so many bits. */
        Linear within(int bits, boolean signed) {
            int room = Math.min(signed ? bits - 1 : bits, Integer.SIZE - 1);
            boolean bounded = factor >= 0 && factor <= WORDS && constant >= 0 && constant <= Integer.MAX_VALUE;
            return bounded && factor * (WORDS - 1) + constant < 1L << room ? this : null;
        }
    }

    private ByteSums(VectorCode vc, List<Instruction> run) {
        this.vc = vc;
        this.run = run;
    }

    /** Those among instructions that follow one another. */
    static ByteSums of(VectorCode vc, List<Instruction> run) {
        ByteSums found = new ByteSums(vc, run);
        for (int end = 0; end < run.size(); end++) {
            Instruction i = run.get(end);
            if (vc.group.rows() == 1 && i.guard() == null && i.family() == Family.ATOMIC && PlaceVectors.fits(vc, i) && vc.group.lanes() % Long.BYTES == 0) {
                found.find(i, end);
            }
        }
        return found;
    }

    private void find(Instruction sum, int end) {
        Operand.Address target = PlaceVectors.target(sum);
        Set<Instruction> all = Collections.newSetFromMap(new IdentityHashMap<>());
        all.add(sum);
        boolean same = vc.forms.of(PlaceVectors.value(sum)) instanceof Form.Uniform;
        Linear place = same ? linear(new Operand.Reg(target.register(), ScalarType.U32, false), end, all) : null;
        List<Instruction> chain = run.stream().filter(all::contains).toList();
        if (place == null || place.factor != Integer.BYTES || chain.size() != all.size() || chain.getFirst().opcode() != Opcode.LD || !closed(all)
                || accesses(SteadyLoop.address(chain.getFirst()).register()) > 1) {
            return;
        }
        long offset = place.constant + target.offset();
        boolean there = offset >= 0 && offset % Integer.BYTES == 0 && offset + (long) WORDS * Integer.BYTES <= vc.c.context().kernel().sharedBytes();
        if (there && run.subList(run.indexOf(chain.getFirst()), end).stream().allMatch(i -> all.contains(i) || mayComeBefore(i, chain.getFirst()))) {
            sums.put(sum, new Sum(chain, offset));
            parts.addAll(chain);
        }
    }

    /** How often memory is accessed by a register: several accesses share a test, which belongs to the first. */
    private long accesses(Register address) {
        return run.stream().filter(i -> i.family() == Family.MEMORY)
                .filter(i -> i.operands().stream().anyMatch(o -> o instanceof Operand.Address a && a.register() == address)).count();
    }

    /** Whether nothing but these instructions uses what they compute. */
    private boolean closed(Set<Instruction> all) {
        Set<Register> results = new HashSet<>();
        all.forEach(i -> Operands.definitions(i, results::add));
        boolean[] others = {false};
        for (BasicBlock block : vc.c.context().graph().blocks()) {
            block.instructions().stream().filter(i -> !all.contains(i)).forEach(i -> {
                Operands.uses(i, r -> others[0] |= results.contains(r));
                Operands.definitions(i, r -> others[0] |= results.contains(r));
            });
            others[0] |= results.contains(Operands.use(block.terminator()));
        }
        return !others[0];
    }

    /** Whether an instruction between load and sum may be done before the load. */
    private static boolean mayComeBefore(Instruction i, Instruction load) {
        boolean[] moves = {false};
        Operands.definitions(i, r -> moves[0] |= r == SteadyLoop.address(load).register());
        return !moves[0] && switch (i.family()) {
            case INTEGER, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION -> true;
            default -> false;
        };
    }

    /** What an operand of the instruction at {@code user} holds; null if it is something else. Collects the instructions that compute it. */
    private Linear linear(Operand operand, int user, Set<Instruction> all) {
        return switch (operand) {
            case Operand.Immediate n when !n.type().isFloat() -> new Linear(0, n.bits()).within(Integer.SIZE, true);
            case Operand.AddressOf a when vc.c.context().kernel().sharedOffsets().get(a.variable()) instanceof Integer at ->
                new Linear(0, at + a.offset()).within(Integer.SIZE, true);
            case Operand.Reg r when r.type().isInteger() && !r.negated() && definition(r.register()) instanceof Instruction i && i.guard() == null -> {
                if (i.opcode() == Opcode.MOV && !(i.operand(1) instanceof Operand.Reg)) {
                    // Registers begin with 0.
                    yield vc.c.context().graph().liveness().liveIn(0).contains(r.register()) ? null : linear(i.operand(1), user, all);
                }
                int at = run.indexOf(i);
                boolean known = i.type() != null && i.type().isInteger() && !i.type().packed() && !i.spelling().has(Modifier.SAT)
                        && !i.spelling().has(Modifier.CC);
                Linear result = known && at >= 0 && at < user ? result(i, at, all) : null;
                all.add(i);
                int bits = i.spelling().has(Modifier.WIDE) ? 2 * i.type().bits() : i.type().bits();
                Linear whole = result == null || i.opcode() == Opcode.LD ? result : result.within(bits, i.type().signed());
                yield whole == null ? null : whole.within(r.type().bits(), r.type().signed());
            }
            default -> null;
        };
    }

    private Instruction definition(Register register) {
        if (writes == null) {
            writes = vc.c.context().graph().writes();
        }
        return writes.only(register);
    }

    private Linear result(Instruction i, int at, Set<Instruction> all) {
        return switch (i.opcode()) {
            case LD -> isLoad(i) ? new Linear(1, 0) : null;
            case MOV, CVT -> linear(i.operand(1), at, all);
            case ADD -> sum(linear(i.operand(1), at, all), linear(i.operand(2), at, all));
            case SHL -> i.operand(2) instanceof Operand.Immediate n && n.bits() >= 0 && n.bits() < Byte.SIZE
                    ? product(linear(i.operand(1), at, all), new Linear(0, 1L << n.bits())) : null;
            case MUL -> i.spelling().has(Modifier.HI) ? null : product(linear(i.operand(1), at, all), linear(i.operand(2), at, all));
            case MAD -> i.spelling().has(Modifier.HI) ? null
                    : sum(product(linear(i.operand(1), at, all), linear(i.operand(2), at, all)), linear(i.operand(3), at, all));
            default -> null;
        };
    }

    private boolean isLoad(Instruction i) {
        return i.type().bits() == Byte.SIZE && !i.type().signed() && SteadyLoop.address(i).space() == StateSpace.GLOBAL
                && MemoryVectors.fitsNeighbours(vc, i) && Addresses.part(vc.c, SteadyLoop.address(i)) == Part.MEMORY;
    }

    private static Linear sum(Linear a, Linear b) {
        return a == null || b == null ? null : new Linear(a.factor + b.factor, a.constant + b.constant).within(Integer.SIZE, true);
    }

    private static Linear product(Linear a, Linear b) {
        if (a == null || b == null || a.factor != 0 && b.factor != 0) {
            return null;
        }
        long times = a.factor == 0 ? a.constant : b.constant;
        Linear other = a.factor == 0 ? b : a;
        return new Linear(other.factor * times, other.constant * times).within(Integer.SIZE, true);
    }

    /** Whether the instruction is the sum or leads to it. */
    boolean has(Instruction i) {
        return parts.contains(i);
    }

    /**
     * Emits an instruction that {@link #has}: all of them at the sum, none at the others.
     *
     * @param ordinary emits an instruction by itself
     */
    void emit(Instruction i, Consumer<Instruction> ordinary) {
        Sum sum = sums.get(i);
        if (sum == null) {
            return;
        }
        Code code = vc.code;
        Place slow = new Place();
        Place done = new Place();
        Operand.Address address = SteadyLoop.address(sum.all.getFirst());
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        if (vc.sure()) {
            Addresses.pushOffset(vc.c, address, 0);
            code.store(offset);
        } else {
            code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, slow);
            MemoryVectors.findNeighbours(vc, sum.all.getFirst(), address, slow);
        }
        vc.windows.pushSegment(Part.MEMORY);
        vc.windows.pushPlace(Part.MEMORY, offset, 0);
        code.push(vc.group.lanes());
        vc.c.push(Part.SHARED);
        code.push(sum.offset);
        vc.c.pushInt(PlaceVectors.value(i));
        code.call(LaneAtomics.class, "addByBytes");
        if (vc.sure()) {
            return;
        }
        code.jump(done).place(slow);
        sum.all.forEach(ordinary);
        vc.forget();
        code.place(done);
    }
}
