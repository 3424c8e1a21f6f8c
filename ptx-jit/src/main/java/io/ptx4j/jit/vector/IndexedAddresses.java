package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Writes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Addresses of {@link LaneAccesses} that a block computes from a 32-bit index of each lane and numbers that are one for all lanes, as compilers do for an element
 * of an array: {@code mul.wide} and {@code add.s64}, for one of a table {@code and.b64} before. The access computes them where it needs them, from the index, which takes half the vectors; what else would
 * compute them is left out.
 */
final class IndexedAddresses {
    private static final int BASES = 2;

    /**
     * The address of an access.
     *
     * @param bases registers added to it, one for all lanes
     * @param constant added to it, as is the offset that the access names
     * @param index of each lane, of 32 bits, extended and multiplied by {@code scale}
     */
    record Indexed(List<Register> bases, long constant, Index index, long scale, boolean signed) {
        private Indexed plus(Register base) {
            List<Register> more = new ArrayList<>(bases);
            more.add(base);
            return new Indexed(more, constant, index, scale, signed);
        }

        private Indexed plus(long more) {
            return new Indexed(bases, constant + more, index, scale, signed);
        }

        private Indexed times(long factor) {
            return bases.isEmpty() ? new Indexed(bases, constant * factor, index, scale * factor, signed) : null;
        }

        /** Some bits of it, as of {@code table[x & 255]}; null if they are not bits of the index. */
        private Indexed and(long mask) {
            long bits = Long.bitCount(scale) == 1 ? mask >>> Long.numberOfTrailingZeros(scale) : 0;
            if (bits == 0 || bits >>> 32 != 0 || constant != 0 || !bases.isEmpty() || !index.isWhole()) {
                return null;
            }
            int low = Long.numberOfTrailingZeros(bits);
            return new Indexed(bases, 0, new Index(index.register, (int) bits, low), scale << low, false);
        }
    }

    /**
     * A number of each lane.
     *
     * @param mask bits of the register that count
     * @param shift by which these are shifted right
     */
    record Index(Register register, int mask, int shift) {
        boolean isWhole() {
            return mask == -1 && shift == 0;
        }

        /** Cut to the bits of a register that holds no more than that, unsigned; as it is if that may be negative. */
        Index cut(long most) {
            return !isWhole() || most > Integer.MAX_VALUE ? this : new Index(register, most == 0 ? 0 : (int) (Long.highestOneBit(most) << 1) - 1, 0);
        }
    }

    private final Forms forms;
    private final Liveness liveness;
    private final Writes writes;
    private final Map<Register, Long> constants;
    private final Map<Instruction, Indexed> accesses = new IdentityHashMap<>();
    private final Set<Instruction> unneeded = Collections.newSetFromMap(new IdentityHashMap<>());
    /** What a block has computed so far, and by which instruction; forgotten when what it is made of changes. */
    private final Map<Register, Indexed> known = new HashMap<>();
    private final Map<Register, Instruction> makers = new HashMap<>();

    /**
     * @param constants what registers hold of which that is known
     * @param fits whether a load or store of lanes at any addresses has vector code
     */
    IndexedAddresses(Graph graph, Liveness liveness, Forms forms, Map<Register, Long> constants, Predicate<Instruction> fits) {
        this.forms = forms;
        this.constants = constants;
        this.liveness = liveness;
        this.writes = graph.writes();
        graph.blocks().forEach(b -> find(b, fits));
    }

    /** How the address of an access is computed; null if only its register tells. */
    Indexed of(Instruction access) {
        return accesses.get(access);
    }

    /** Whether what the instruction computes nobody reads but accesses that have an index. */
    boolean isUnneeded(Instruction i) {
        return unneeded.contains(i);
    }

    private void find(BasicBlock block, Predicate<Instruction> fits) {
        known.clear();
        makers.clear();
        for (Instruction i : block.instructions()) {
            Operand.Address address = address(i);
            if (address != null && address.register() != null && known.get(address.register()) instanceof Indexed x && fits.test(i)) {
                accesses.put(i, x);
            }
            Indexed made = made(i);
            Operands.definitions(i, this::forget);
            if (made != null) {
                Register result = ((Operand.Reg) i.operand(0)).register();
                known.put(result, made);
                makers.put(result, i);
            }
        }
        leaveOut(block);
    }

    private void forget(Register changed) {
        known.entrySet().removeIf(e -> e.getKey() == changed || e.getValue().index().register() == changed || e.getValue().bases().contains(changed));
    }

    /** From the last instruction on, so that who reads a register is known where it is written. */
    private void leaveOut(BasicBlock block) {
        Set<Register> needed = new HashSet<>();
        if (Operands.use(block.terminator()) instanceof Register tested) {
            needed.add(tested);
        }
        for (Instruction i : block.instructions().reversed()) {
            Operand result = i.operands().isEmpty() ? null : i.operand(0);
            if (result instanceof Operand.Reg r && makers.get(r.register()) == i && liveness.staysInBlocks(r.register()) && !needed.contains(r.register())) {
                unneeded.add(i);
                continue;
            }
            Operand.Address address = accesses.containsKey(i) ? address(i) : null;
            if (address == null) {
                Operands.uses(i, needed::add);
                continue;
            }
            if (i.guard() != null) {
                needed.add(i.guard().predicate());
            }
            i.operands().stream().filter(o -> o != address).forEach(o -> MemoryVectors.values(o).forEach(value -> {
                if (value instanceof Operand.Reg r) {
                    needed.add(r.register());
                }
            }));
            needed.add(accesses.get(i).index().register());
            needed.addAll(accesses.get(i).bases());
        }
    }

    /** Where an instruction loads or stores; null if it does neither. */
    static Operand.Address address(Instruction i) {
        return MemoryVectors.isLoad(i) || i.opcode() == Opcode.ST ? SteadyLoop.address(i) : null;
    }

    /** What an instruction computes, if it is an address or part of one. */
    private Indexed made(Instruction i) {
        if (i.guard() != null || i.operands().isEmpty() || !(i.operand(0) instanceof Operand.Reg to) || to.register().type().bits() != 64
                || to.type().bits() != 64 || !writes.isOnce(to.register()) || forms.of(to.register()) != Form.VARYING) {
            return null;
        }
        return switch (i.opcode()) {
            case MUL -> isWide(i) ? product(i) : null;
            case MAD -> isWide(i) && product(i) instanceof Indexed x ? sum(x, i.operand(3)) : null;
            case CVT -> i.type().bits() == 64 && !i.type().isFloat() && (i.spelling().lastType() == ScalarType.S32 || i.spelling().lastType() == ScalarType.U32) ? index(i.operand(1), i.spelling().lastType().signed()) : null;
            case SHL -> i.type().bits() == 64 && i.operand(2) instanceof Operand.Immediate by && by.bits() >= 0 && by.bits() < 16
                    && computed(i.operand(1)) instanceof Indexed x ? x.times(1L << by.bits()) : null;
            case AND -> i.operand(2) instanceof Operand.Immediate mask && computed(i.operand(1)) instanceof Indexed x ? x.and(mask.bits()) : null;
            case ADD -> i.family() == Family.INTEGER && i.type().bits() == 64 && !i.type().packed() ? sum(i) : null;
            default -> null;
        };
    }

    private static boolean isWide(Instruction i) {
        return i.spelling().has(Modifier.WIDE) && i.type().bits() == 32;
    }

    private Indexed product(Instruction i) {
        return i.operand(2) instanceof Operand.Immediate factor && index(i.operand(1), i.type().signed()) instanceof Indexed x
                ? x.times(i.type().signed() ? (int) factor.bits() : factor.bits() & 0xFFFF_FFFFL) : null;
    }

    private Indexed sum(Instruction i) {
        if (computed(i.operand(1)) instanceof Indexed x) {
            return sum(x, i.operand(2));
        }
        return computed(i.operand(2)) instanceof Indexed x ? sum(x, i.operand(1)) : null;
    }

    private Indexed sum(Indexed x, Operand more) {
        if (more instanceof Operand.Immediate constant) {
            return x.plus(constant.bits());
        }
        if (more instanceof Operand.Reg r && constants.get(r.register()) instanceof Long constant) {
            return x.plus(constant);
        }
        boolean one = more instanceof Operand.Reg r && r.register().type().bits() == 64 && forms.of(r.register()) instanceof Form.Uniform;
        return one && x.bases().size() < BASES ? x.plus(((Operand.Reg) more).register()) : null;
    }

    private Indexed index(Operand operand, boolean signed) {
        return operand instanceof Operand.Reg r && r.register().type().bits() == 32 && r.register().type() != ScalarType.PRED && !forms.of(r.register()).scalar()
                ? new Indexed(List.of(), 0, new Index(r.register(), -1, 0), 1, signed) : null;
    }

    private Indexed computed(Operand operand) {
        return operand instanceof Operand.Reg r ? known.get(r.register()) : null;
    }
}
