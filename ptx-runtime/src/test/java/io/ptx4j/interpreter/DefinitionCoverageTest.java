package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Program;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.isa.Target;
import io.ptx4j.jit.Jit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

class DefinitionCoverageTest {
    private static final Location HERE = new Location(1, 1);

    @ParameterizedTest
    @EnumSource(value = Family.class, names = {"INTEGER", "EXTENDED_PRECISION", "FLOATING_POINT", "HALF_PRECISION", "MIXED_PRECISION",
        "COMPARISON", "LOGIC", "DATA_MOVEMENT", "CONVERSION", "MEMORY", "BARRIER", "ATOMIC", "WARP", "MATRIX", "STACK", "VIDEO", "SIMD_VIDEO",
        "MISCELLANEOUS", "MBARRIER"})
    void everyRowOfTheFamilyHasADefinition(Family family) {
        List<Instruction> instructions = Spellings.withEachWord(family).stream().map(DefinitionCoverageTest::instruction).toList();
        List<String> missing = unsupported(instructions).stream().map(Unsupported::construct)
                .distinct().sorted().toList();
        assertEquals(List.of(), missing);
    }

    @ParameterizedTest
    @EnumSource(value = Family.class, names = {"INTEGER", "EXTENDED_PRECISION", "FLOATING_POINT", "HALF_PRECISION", "MIXED_PRECISION",
        "COMPARISON", "LOGIC", "DATA_MOVEMENT", "CONVERSION", "MEMORY", "BARRIER", "ATOMIC", "WARP", "STACK", "VIDEO", "SIMD_VIDEO",
        "MISCELLANEOUS", "MBARRIER"})
    void everyRowOfTheFamilyHasCodeInTheJit(Family family) {
        List<Instruction> instructions = Spellings.withEachWord(family).stream().map(DefinitionCoverageTest::instruction).toList();
        Module module = module(instructions);
        List<String> missing = new Jit().unsupported(module, module.kernels().get("k")).stream()
                .map(Unsupported::construct).distinct().sorted().toList();
        assertEquals(List.of(), missing);
    }

    private static List<Unsupported> unsupported(List<Instruction> instructions) {
        Module module = module(instructions);
        return new KernelCode(new Program(module, new long[0], 0), module.kernels().get("k")).unsupported();
    }

    /** A kernel of these instructions, whose registers get numbers of their own. */
    private static Module module(List<Instruction> instructions) {
        List<Register> registers = new ArrayList<>();
        List<Instruction> numbered = new ArrayList<>();
        for (Instruction instruction : instructions) {
            numbered.add(new Instruction(instruction.spelling(), null,
                    instruction.operands().stream().map(operand -> numbered(operand, registers)).toList(),
                    new Location(numbered.size() + 1, 1)));
        }
        BasicBlock block = new BasicBlock(0, "bb0", numbered, new Terminator.Return(HERE));
        Body body = new Body(registers, List.of(), List.of(block), Map.of(), 0);
        Kernel kernel = new Kernel("k", Linkage.VISIBLE, List.of(), List.of(), 0, body, List.of(), Map.of(), 0,
                new Kernel.Limits(null, null, null), HERE);
        return new Module("test.ptx", "", PtxVersion.parse("9.0"), Target.parse("sm_100"), 64, List.of(), Map.of(), 0, 0,
                Map.of("k", kernel), Map.of(), Map.of());
    }

    private static Operand numbered(Operand operand, List<Register> registers) {
        return switch (operand) {
            case Operand.Reg reg -> new Operand.Reg(register(reg.register(), registers), reg.type(), reg.negated());
            case Operand.Address address -> new Operand.Address(address.space(), register(address.register(), registers), null, 0);
            case Operand.Vector vector -> new Operand.Vector(vector.elements().stream().map(e -> numbered(e, registers)).toList());
            case Operand.Part part -> new Operand.Part((Operand.Reg) numbered(part.reg(), registers), part.minus(), part.laneBits(), part.lanes());
            default -> operand;
        };
    }

    private static Register register(Register unnumbered, List<Register> registers) {
        registers.add(new Register(registers.size(), unnumbered.name(), unnumbered.type()));
        return registers.getLast();
    }

    private static Instruction instruction(Spelling spelling) {
        List<Operand> operands = spelling.form().operands().stream().map(spec -> operand(spelling, spec)).toList();
        return new Instruction(spelling, null, operands, HERE);
    }

    private static Operand operand(Spelling spelling, OperandSpec spec) {
        return switch (spec.role()) {
            case ADDRESS -> new Operand.Address(StateSpace.GENERIC, new Register(0, "%a", ScalarType.B64), null, 0);
            case DESTINATION, SOURCE -> {
                Operand register = register(spelling.typeOf(spec), spec);
                int elements = spelling.elementsOf(spec);
                yield elements == 0 ? register : new Operand.Vector(Collections.nCopies(elements, register));
            }
            case TARGET, TEXTURE -> throw new AssertionError(spec + " of " + spelling);
        };
    }

    private static Operand register(ScalarType type, OperandSpec spec) {
        if (spec.constant()) {
            return new Operand.Immediate(type, 8);
        }
        Operand.Reg register = new Operand.Reg(new Register(0, "%x", ScalarType.bitsOf(Math.max(type.bits(), type == ScalarType.PRED ? 1 : 8))), type, false);
        return spec.has(OperandSpec.Mark.PART) ? new Operand.Part(register, false, 32, List.of()) : register;
    }
}
