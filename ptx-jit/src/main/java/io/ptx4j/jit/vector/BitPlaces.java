package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.flow.Writes;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Registers of 32 bits from which sums and products by constants make addresses of words of shared memory and nothing else, all in one block: these may
 * have a form with {@link Form.Bits}. Within a run through a block a register that is written once has one value, so that one origin means one {@code m}.
 * For other uses vectors are better.
 */
final class BitPlaces {
    private final Liveness liveness;
    private final Representation representation;
    private final Writes writes;
    private final Set<Register> places = new HashSet<>();
    private final Set<Register> otherwise = new HashSet<>();

    private BitPlaces(Graph graph) {
        this.liveness = graph.liveness();
        this.representation = graph.representation();
        this.writes = graph.writes();
        graph.blocks().forEach(this::find);
    }

    static Set<Register> of(Graph graph) {
        return new BitPlaces(graph).places;
    }

    /** From the last instruction on, so that what becomes of a register is known where it is written. */
    private void find(BasicBlock block) {
        Register tested = Operands.use(block.terminator());
        if (tested != null) {
            otherwise.add(tested);
        }
        for (Instruction i : block.instructions().reversed()) {
            if (isLinear(i) && fits(i.operand(0))) {
                places.add(((Operand.Reg) i.operand(0)).register());
            } else if (address(i) instanceof Register address) {
                i.operands().forEach(o -> {
                    if (o instanceof Operand.Reg r) {
                        otherwise.add(r.register());
                    }
                });
                Operands.uses(i, r -> {
                    if (r != address) {
                        otherwise.add(r);
                    }
                });
            } else {
                Operands.uses(i, otherwise::add);
            }
        }
    }

    private boolean fits(Operand result) {
        return result instanceof Operand.Reg r && r.register().type().bits() == 32 && representation.of(r.register()) == Held.INT
                && liveness.staysInBlocks(r.register()) && writes.isOnce(r.register()) && !otherwise.contains(r.register());
    }

    private static boolean isLinear(Instruction i) {
        if (i.guard() != null || i.type() == null || i.type().packed() || i.type().isFloat() || i.type().bits() != 32 || i.spelling().has(Modifier.SAT)) {
            return false;
        }
        if (i.family() != Family.INTEGER && i.family() != Family.LOGIC && i.family() != Family.DATA_MOVEMENT) {
            return false;
        }
        return switch (i.opcode()) {
            case MOV, ADD, SUB, NEG, NOT, SHL, AND, OR, XOR -> true;
            case MUL, MAD -> i.spelling().has(Modifier.LO);
            default -> false;
        };
    }

    /** The register that says where a load or store of one word of shared memory goes; null if the instruction is none. */
    static Register address(Instruction i) {
        if (i.opcode() != Opcode.LD && i.opcode() != Opcode.ST || i.type() == null || i.type().bits() != 32) {
            return null;
        }
        List<Operand> operands = i.operands();
        return operands.get(i.opcode() == Opcode.LD ? 1 : 0) instanceof Operand.Address a && a.space() == StateSpace.SHARED
                && operands.get(i.opcode() == Opcode.LD ? 0 : 1) instanceof Operand.Reg ? a.register() : null;
    }
}
