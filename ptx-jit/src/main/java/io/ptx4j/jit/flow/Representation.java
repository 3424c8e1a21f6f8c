package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.JvmType;

import java.util.ArrayList;
import java.util.List;

/**
 * How each virtual register is held in a JVM local. Declared types do not tell (newer compilers keep floats in {@code .b32}
 * registers), so the instructions that read and write a register vote, those in loops more.
 */
public final class Representation {
    /** What a local holds. */
    public enum Held {
        /** Predicates as 0 or 1; 8- and 16-bit registers zero-extended; 32-bit registers as they are. */
        INT(JvmType.INT),
        /** A 32-bit register zero-extended, for carry chains. */
        WIDE(JvmType.LONG),
        /** A 64-bit register. */
        LONG(JvmType.LONG),
        FLOAT(JvmType.FLOAT),
        DOUBLE(JvmType.DOUBLE);

        private final JvmType type;

        Held(JvmType type) {
            this.type = type;
        }

        public JvmType type() {
            return type;
        }
    }

    private static final int DEPTH_LIMIT = 4;

    private final Held[] held;

    Representation(Graph graph) {
        int count = graph.registers().size();
        long[] floating = new long[count];
        long[] integer = new long[count];
        long[] carry = new long[count];
        long[] moved = new long[count];
        List<Register[]> links = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            long weight = 1L << 3 * Math.min(DEPTH_LIMIT, graph.loopDepth()[block.index()]);
            for (Instruction instruction : block.instructions()) {
                vote(graph, instruction, weight, floating, integer, carry, moved, links);
            }
        }
        held = new Held[count];
        for (int round = 0; round < 3; round++) {
            for (Register r : graph.registers()) {
                held[r.index()] = decide(r, floating[r.index()], integer[r.index()], carry[r.index()], moved[r.index()]);
            }
            for (Register[] link : links) {
                follow(link[0], link[1], floating, integer, carry, moved);
                follow(link[1], link[0], floating, integer, carry, moved);
            }
        }
    }

    private void follow(Register undecided, Register leader, long[] floating, long[] integer, long[] carry, long[] moved) {
        int r = undecided.index();
        if (floating[r] + integer[r] + carry[r] + moved[r] > 0 || undecided.type().bits() != leader.type().bits()) {
            return;
        }
        switch (held[leader.index()]) {
            case FLOAT, DOUBLE -> floating[r] = 1;
            case WIDE -> carry[r] = 1;
            case INT, LONG -> { }
        }
    }

    private static void vote(Graph graph, Instruction instruction, long weight, long[] floating, long[] integer, long[] carry,
            long[] moved, List<Register[]> links) {
        boolean words = instruction.family() == Family.EXTENDED_PRECISION;
        for (Operand operand : instruction.operands()) {
            words |= operand instanceof Operand.Reg r && graph.isSum(r.register());
        }
        boolean neutral = neutral(instruction);
        Register linked = null;
        for (Operand operand : instruction.operands()) {
            List<Operand> elements = operand instanceof Operand.Vector v ? v.elements() : null;
            for (int k = 0; k < (elements == null ? 1 : elements.size()); k++) {
                Operand part = elements == null ? operand : elements.get(k);
                if (part instanceof Operand.Address address && address.register() != null) {
                    integer[address.register().index()] += weight;
                }
                if (!(part instanceof Operand.Reg reg)) {
                    continue;
                }
                int r = reg.register().index();
                if (words) {
                    carry[r] += weight;
                } else if (reg.type() == ScalarType.F32 || reg.type() == ScalarType.F64) {
                    floating[r] += weight;
                } else if (neutral) {
                    if (linked != null) {
                        links.add(new Register[] {linked, reg.register()});
                    }
                    linked = reg.register();
                } else if (instruction.family() == Family.MEMORY) {
                    // Loads and stores of words cost the same either way.
                    moved[r] += weight;
                } else {
                    integer[r] += weight;
                }
            }
        }
    }

    private static boolean neutral(Instruction instruction) {
        return instruction.type() != null && instruction.type().kind() == ScalarType.Kind.BITS
                && switch (instruction.family()) {
                    case MEMORY, DATA_MOVEMENT, COMPARISON, WARP -> true;
                    default -> false;
                };
    }

    private static Held decide(Register register, long floating, long integer, long carry, long moved) {
        return switch (register.type().bits()) {
            case 32 -> floating > integer + carry + moved || register.type() == ScalarType.F32 && integer + carry + moved == 0 ? Held.FLOAT
                    : carry > integer ? Held.WIDE : Held.INT;
            case 64 -> floating > integer + carry + moved || register.type() == ScalarType.F64 && integer + carry + moved == 0 ? Held.DOUBLE
                    : Held.LONG;
            default -> Held.INT;
        };
    }

    public Held of(Register register) {
        return held[register.index()];
    }
}
