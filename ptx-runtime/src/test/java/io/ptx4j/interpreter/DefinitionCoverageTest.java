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
                .map(text -> text.replaceFirst("^(multimem)\\..*", "$1")).distinct().sorted().toList();
        // Multicast memory does not exist here.
        List<String> known = family == Family.MEMORY ? List.of("multimem") : List.of();
        assertEquals(known, missing);
    }

    private static List<Unsupported> unsupported(List<Instruction> instructions) {
        List<Register> registers = new ArrayList<>();
        for (Instruction instruction : instructions) {
            instruction.operands().forEach(operand -> collect(operand, registers));
        }
        BasicBlock block = new BasicBlock(0, "bb0", instructions, new Terminator.Return(HERE));
        Body body = new Body(registers, List.of(), List.of(block), Map.of(), 0);
        Kernel kernel = new Kernel("k", Linkage.VISIBLE, List.of(), List.of(), 0, body, List.of(), Map.of(), 0,
                new Kernel.Limits(null, null, null), HERE);
        Module module = new Module("test.ptx", "", PtxVersion.parse("9.0"), Target.parse("sm_100"), 64, List.of(), Map.of(), 0, 0,
                Map.of("k", kernel), Map.of(), Map.of());
        return new KernelCode(new Program(module, new long[0], 0), kernel).unsupported();
    }

    private static void collect(Operand operand, List<Register> registers) {
        if (operand instanceof Operand.Reg reg) {
            registers.add(reg.register());
        } else if (operand instanceof Operand.Vector vector) {
            vector.elements().forEach(element -> collect(element, registers));
        }
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
