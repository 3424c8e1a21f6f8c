package io.ptx4j.check;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets the threads of a warp go in step where code for targets before sm_70 may rely on it. There, a warp executes one instruction for all of its threads that are at it, and reductions, scans and
 * sorts exchange words of shared memory within a warp without a barrier. Before an access that may touch what another thread has accessed since the last barrier, a <em>step</em> is put: the threads of
 * the warp meet, those that stand first in the text going on first, as with {@code activemask}, which it is to both engines.
 */
public final class WarpSteps {
    /** The first target whose threads go on by themselves: the manual's "independent thread scheduling". */
    private static final int INDEPENDENT = 70;
    /** Name of the register that steps write; it is none that a program can have. */
    private static final String REGISTER = "+step";
    /** Beyond so many accesses of one body, only loads and stores are told apart. */
    private static final int MOST = 1_024;

    private final List<BasicBlock> blocks;
    private final List<Access> accesses = new ArrayList<>();
    private final Map<Register, Integer> writes = new HashMap<>();
    private final boolean coarse;
    /** Stands, in a set of accesses, for those of other bodies. */
    private final int unknown;
    private final BitSet steps = new BitSet();

    /** An access to memory that the threads of a warp may exchange words through. */
    private record Access(Operand.Address address, boolean stores, boolean atomic) {
    }

    private WarpSteps(List<BasicBlock> blocks) {
        this.blocks = blocks;
        for (BasicBlock block : blocks) {
            for (Instruction i : block.instructions()) {
                if (exchanges(i)) {
                    accesses.add(access(i));
                }
                List<OperandSpec> specs = i.spelling().form().operands();
                for (int k = 0; k < specs.size(); k++) {
                    if (specs.get(k).role() == OperandSpec.Role.DESTINATION) {
                        count(i.operand(k));
                    }
                }
            }
        }
        this.coarse = accesses.size() > MOST;
        this.unknown = coarse ? 2 : accesses.size();
    }

    private void count(Operand written) {
        if (written instanceof Operand.Reg r) {
            writes.merge(r.register(), 1, Integer::sum);
        } else if (written instanceof Operand.Vector v) {
            v.elements().forEach(this::count);
        }
    }

    /** Whether an instruction is a step: then it orders the memory accesses of the threads that meet at it. */
    public static boolean isStep(Instruction i) {
        return i.opcode() == Opcode.ACTIVEMASK && i.operand(0) instanceof Operand.Reg r && r.register().name().equals(REGISTER);
    }

    /**
     * The blocks with steps.
     *
     * @param kernel whether nothing has been accessed before
     * @param registers those of the body; one more if there are steps
     */
    static List<BasicBlock> insert(List<BasicBlock> blocks, Dialect dialect, boolean kernel, List<Register> registers) {
        if (dialect.target().number() >= INDEPENDENT) {
            return blocks;
        }
        WarpSteps steps = new WarpSteps(blocks);
        if (steps.accesses.stream().noneMatch(Access::stores)) {
            return blocks;
        }
        steps.find(kernel);
        return steps.steps.isEmpty() ? blocks : steps.insert(registers);
    }

    private static boolean exchanges(Instruction i) {
        boolean access = i.opcode() == Opcode.LD || i.opcode() == Opcode.ST || i.family() == Family.ATOMIC;
        if (!access || address(i) == null) {
            return false;
        }
        boolean shared = i.spelling().space() == StateSpace.SHARED;
        boolean anywhere = i.spelling().space() == StateSpace.GENERIC || i.spelling().space() == StateSpace.GLOBAL;
        return shared || anywhere && i.spelling().has(Modifier.VOLATILE);
    }

    private static Operand.Address address(Instruction i) {
        for (Operand operand : i.operands()) {
            if (operand instanceof Operand.Address address) {
                return address;
            }
        }
        return null;
    }

    private static Access access(Instruction i) {
        return new Access(address(i), i.opcode() != Opcode.LD, i.family() == Family.ATOMIC);
    }

    // Where

    private void find(boolean kernel) {
        List<BitSet> before = new ArrayList<>();
        blocks.forEach(b -> before.add(new BitSet()));
        before.getFirst().set(unknown, !kernel);
        boolean more = true;
        while (more) {
            more = false;
            int number = 0;
            for (BasicBlock block : blocks) {
                BitSet since = (BitSet) before.get(block.index()).clone();
                for (Instruction i : block.instructions()) {
                    if (meets(i)) {
                        since.clear();
                    } else if (i.opcode() == Opcode.CALL) {
                        since.set(unknown);
                    } else if (exchanges(i)) {
                        more |= access(number, since);
                        number++;
                    }
                }
                for (int successor : block.successors()) {
                    BitSet into = before.get(successor);
                    int size = into.cardinality();
                    into.or(since);
                    more |= into.cardinality() > size;
                }
            }
        }
    }

    /** Notes an access, and that there is a step before it if it needs one; whether that is new. */
    private boolean access(int number, BitSet since) {
        boolean needed = !steps.get(number) && since.stream().anyMatch(other -> other == unknown || conflict(number, other));
        if (needed) {
            steps.set(number);
        }
        if (steps.get(number)) {
            since.clear();
        }
        since.set(coarse ? accesses.get(number).stores ? 1 : 0 : number);
        return needed;
    }

    private boolean conflict(int number, int other) {
        Access one = accesses.get(number);
        if (coarse) {
            return one.stores || other == 1;
        }
        Access two = accesses.get(other);
        boolean same = one.address.equals(two.address) && (one.address.register() == null || writes.getOrDefault(one.address.register(), 0) == 1);
        return (one.stores || two.stores) && !(one.atomic && two.atomic) && !same;
    }

    /** Where threads of a warp meet anyway. */
    private static boolean meets(Instruction i) {
        return i.family() == Family.WARP || i.family() == Family.BARRIER && !i.spelling().has(Modifier.ARRIVE) || i.family() == Family.MATRIX;
    }

    // The steps

    private List<BasicBlock> insert(List<Register> registers) {
        Register register = new Register(registers.size(), REGISTER, ScalarType.B32);
        registers.add(register);
        Operand.Reg written = new Operand.Reg(register, ScalarType.B32, false);
        List<BasicBlock> result = new ArrayList<>();
        int number = 0;
        for (BasicBlock block : blocks) {
            List<Instruction> code = new ArrayList<>();
            for (Instruction i : block.instructions()) {
                if (exchanges(i) && steps.get(number++)) {
                    code.add(Instruction.of("activemask.b32", i.location(), written));
                }
                code.add(i);
            }
            result.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return List.copyOf(result);
    }
}
