package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Where NaNs must be made canonical. PTX arithmetic yields one NaN, the JVM's whatever the processor makes of its operands;
 * the difference shows only where bits are looked at. A register is cleaned where its bits are read, unless it may hold a NaN that was
 * loaded there, whose bits must stay ({@link LoadedNans}): then it is cleaned where arithmetic writes it.
 */
public final class Nans {
    private static final int CANONICAL = 0x7fff_ffff;

    private final BitSet computed = new BitSet();
    private final BitSet loaded = new BitSet();
    /** Registers of both kinds that are cleaned where arithmetic writes them. */
    private final BitSet observed;
    /** By register: loops around the innermost place where it is written. */
    private final int[] depth;

    public Nans(Graph graph) {
        Representation representation = graph.representation();
        List<Register[]> copies = new ArrayList<>();
        LoadedNans nans = new LoadedNans();
        depth = new int[graph.registers().size()];
        for (BasicBlock block : graph.blocks()) {
            nans.beginBlock();
            int loops = graph.loopDepth()[block.index()];
            for (Instruction instruction : block.instructions()) {
                Operands.definitions(instruction, r -> depth[r.index()] = Math.max(depth[r.index()], loops));
                looks(instruction, representation, nans);
                classify(instruction, representation, copies, nans);
            }
            Register use = Operands.use(block.terminator());
            if (use != null) {
                nans.look(use);
            }
        }
        boolean changed = true;
        while (changed) {
            CompileTime.ask();
            changed = false;
            for (Register[] copy : copies) {
                changed |= flow(computed, copy) | flow(loaded, copy);
            }
        }
        BitSet mixed = (BitSet) computed.clone();
        mixed.and(loaded);
        observed = mixed.isEmpty() ? mixed : nans.observed(graph, mixed, loaded);
    }

    private static void looks(Instruction instruction, Representation representation, LoadedNans nans) {
        List<OperandSpec> specs = instruction.spelling().form().operands();
        for (int i = 0; i < specs.size(); i++) {
            Operand operand = instruction.operand(i);
            if (specs.get(i).role() != OperandSpec.Role.DESTINATION && !isNumber(instruction, operand) && !isCopy(instruction, representation)) {
                Operands.read(operand, nans::look);
            }
        }
    }

    /** Whether all NaNs are the same to the instruction. */
    private static boolean isNumber(Instruction instruction, Operand operand) {
        return operand instanceof Operand.Reg reg && reg.type() == ScalarType.F32 && (instruction.opcode() == Opcode.SETP
                || instruction.opcode() == Opcode.CVT && instruction.type().isInteger()
                || isArithmetic(instruction) && !instruction.spelling().has(Modifier.XORSIGN));
    }

    private static boolean flow(BitSet set, Register[] copy) {
        if (set.get(copy[1].index()) && !set.get(copy[0].index())) {
            set.set(copy[0].index());
            return true;
        }
        return false;
    }

    private void classify(Instruction instruction, Representation representation, List<Register[]> copies, LoadedNans nans) {
        List<OperandSpec> specs = instruction.spelling().form().operands();
        for (int i = 0; i < specs.size(); i++) {
            if (specs.get(i).role() != OperandSpec.Role.DESTINATION) {
                continue;
            }
            Operand operand = instruction.operand(i);
            List<Operand> parts = operand instanceof Operand.Vector v ? v.elements() : List.of(operand);
            for (Operand part : parts) {
                Operand.Reg reg = part instanceof Operand.Part some ? some.reg() : part instanceof Operand.Reg whole ? whole : null;
                if (reg != null && isFloat(representation.of(reg.register()))) {
                    classify(instruction, reg.register(), representation, copies, nans);
                }
            }
        }
    }

    private void classify(Instruction instruction, Register destination, Representation representation, List<Register[]> copies, LoadedNans nans) {
        boolean partial = instruction.guard() != null;
        if (isCopy(instruction, representation)) {
            Register source = ((Operand.Reg) instruction.operand(1)).register();
            copies.add(new Register[] {destination, source});
            nans.copy(destination, source, partial);
        } else if (isArithmetic(instruction)) {
            computed.set(destination.index());
            nans.compute(destination, partial);
        } else if (instruction.opcode() == Opcode.MOV && instruction.operand(0) instanceof Operand.Reg
                && instruction.operand(1) instanceof Operand.Immediate constant && survivesCleaning((int) constant.bits())) {
            nans.compute(destination, partial);
        } else {
            loaded.set(destination.index());
            nans.load(destination);
        }
    }

    private static boolean survivesCleaning(int bits) {
        return bits == CANONICAL || !Float.isNaN(Float.intBitsToFloat(bits));
    }

    /** A move, or a conversion that is one, between two registers that are both held as floats. */
    private static boolean isCopy(Instruction instruction, Representation representation) {
        boolean moves = instruction.opcode() == Opcode.MOV || instruction.opcode() == Opcode.CVT && instruction.type() == ScalarType.F32
                && instruction.spelling().lastType() == ScalarType.F32 && instruction.spelling().modifiers().isEmpty();
        return moves && instruction.operand(0) instanceof Operand.Reg destination && isFloat(representation.of(destination.register()))
                && instruction.operand(1) instanceof Operand.Reg source && isFloat(representation.of(source.register()));
    }

    /** A NaN of {@code .f64} depends on the sources of the instruction, so it is seen to where it is made. */
    private static boolean isFloat(Held held) {
        return held == Held.FLOAT;
    }

    /** Whether a NaN result may be of the processor's choice; what moves bits passes on the NaN it is given. */
    public static boolean isArithmetic(Instruction instruction) {
        if (instruction.type() != ScalarType.F32) {
            return false;
        }
        return switch (instruction.family()) {
            case FLOATING_POINT -> instruction.opcode() != Opcode.COPYSIGN;
            case MIXED_PRECISION -> true;
            case CONVERSION -> !keepsPayload(instruction.spelling());
            case COMPARISON -> instruction.opcode() == Opcode.SET;
            default -> false;
        };
    }

    /** Whether a conversion to {@code .f32} keeps what a NaN carries: from {@code .f64}, and where it only moves bits. */
    private static boolean keepsPayload(Spelling conversion) {
        boolean changes = conversion.has(Modifier.FTZ) || conversion.has(Modifier.SAT);
        return switch (conversion.lastType()) {
            case F64 -> true;
            case F32 -> conversion.modifiers().isEmpty();
            case BF16 -> !changes;
            default -> false;
        };
    }

    /** Whether a read of the register's bits must clean them. */
    public boolean cleanAtUse(Register register) {
        return computed.get(register.index()) && !(loaded.get(register.index()) && observed.get(register.index()));
    }

    /** Whether arithmetic that writes the register must clean its result. */
    public boolean cleanAtDefinition(Register register) {
        return observed.get(register.index());
    }

    /** Whether a source is written outside the loop in which the destination is. */
    public boolean isSteady(Operand source, Operand destination) {
        return !(source instanceof Operand.Reg from)
                || destination instanceof Operand.Reg to && depth[from.register().index()] < depth[to.register().index()];
    }
}
