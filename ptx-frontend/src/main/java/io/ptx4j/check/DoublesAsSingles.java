package io.ptx4j.check;

import io.ptx4j.ir.Function.Formal;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec.Role;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the instructions of one body on {@code .f64} as ones on {@code .f32}, as {@code .target map_f64_to_f32} asks for (manual of
 * PTX 1.4: ".target"). Memory keeps 64 bits for each number and has the single one in its lower half; the upper half is neither
 * read nor written. A register declared {@code .f64} becomes one of 32 bits; where an instruction takes its 64 bits, the upper ones are 0.
 */
final class DoublesAsSingles {
    private static final Spelling MOVE = Matcher.match("mov.b64").getFirst();
    private static final String ROUNDING = "[.]r[nzmp](?=[.])";

    private final Dialect dialect;
    private final List<Register> registers;

    /** @param registers those of the body; what is needed besides is added */
    DoublesAsSingles(Dialect dialect, List<Register> registers) {
        this.dialect = dialect;
        this.registers = registers;
    }

    /** The instructions for one of the body. */
    List<Instruction> rewrite(Instruction instruction) {
        List<Instruction> before = new ArrayList<>(1);
        List<Instruction> after = new ArrayList<>(1);
        List<Operand> operands = new ArrayList<>();
        for (int i = 0; i < instruction.operands().size(); i++) {
            Operand operand = instruction.operand(i);
            boolean writes = !(operand instanceof Operand.Call) && instruction.spelling().form().operands().get(i).role() == Role.DESTINATION;
            operands.add(single(operand, writes, instruction, before, after));
        }
        boolean doubles = instruction.spelling().types().contains(ScalarType.F64);
        Spelling spelling = doubles ? single(instruction.spelling()) : instruction.spelling();
        Instruction whole = new Instruction(spelling, instruction.guard(), List.copyOf(operands), instruction.location());
        List<Instruction> all = new ArrayList<>(before);
        all.addAll(doubles && spelling.vectorLength() > 1 ? lanes(whole) : List.of(whole));
        all.addAll(after);
        return all;
    }

    private Spelling single(Spelling spelling) {
        String text = spelling.text().replace(".f64", ".f32");
        boolean alike = spelling.types().stream().allMatch(type -> type == ScalarType.F64 || type == ScalarType.F32);
        if (spelling.opcode() == Opcode.MAD || spelling.opcode() == Opcode.CVT && alike) {
            text = text.replaceAll(ROUNDING, "");
        }
        return Matcher.match(text).stream().filter(other -> other.form().means() == null
                        && other.form().operands().size() == spelling.form().operands().size()).findFirst()
                .map(other -> OldDialect.modern(other, dialect))
                .orElseThrow(() -> new IllegalStateException("'" + spelling + "' has no form on .f32"));
    }

    /** A vector access by its elements, which keep their distance of eight bytes. */
    private static List<Instruction> lanes(Instruction access) {
        String text = access.spelling().text().replaceAll("[.]v[24]", "");
        Spelling single = Matcher.match(text).stream()
                .filter(other -> other.form().operands().size() == access.operands().size()).findFirst().orElseThrow();
        List<Instruction> lanes = new ArrayList<>();
        for (int lane = 0; lane < access.spelling().vectorLength(); lane++) {
            List<Operand> operands = new ArrayList<>();
            for (Operand operand : access.operands()) {
                operands.add(switch (operand) {
                    case Operand.Vector vector -> vector.elements().get(lane);
                    case Operand.Address(StateSpace space, Register register, var variable, long offset) ->
                            new Operand.Address(space, register, variable, offset + (long) lane * Double.BYTES);
                    default -> operand;
                });
            }
            if (operands.stream().noneMatch(Operand.Sink.class::isInstance)) {
                lanes.add(new Instruction(single, access.guard(), List.copyOf(operands), access.location()));
            }
        }
        return lanes;
    }

    private Operand single(Operand operand, boolean writes, Instruction of, List<Instruction> before, List<Instruction> after) {
        return switch (operand) {
            case Operand.Reg reg when reg.type() == ScalarType.F64 && reg.register().type() != ScalarType.F64 -> {
                Register half = added(reg.register().name() + ".f32", ScalarType.F32);
                (writes ? after : before).add(writes ? widened(reg.register(), half, of) : narrowed(half, reg.register(), of));
                yield new Operand.Reg(half, ScalarType.F32, false);
            }
            case Operand.Reg reg when reg.type() == ScalarType.F64 -> new Operand.Reg(single(reg.register()), ScalarType.F32, false);
            case Operand.Reg reg when reg.register().type() == ScalarType.F64 -> {
                Register whole = added(reg.register().name() + ".b64", ScalarType.B64);
                Register half = single(reg.register());
                (writes ? after : before).add(writes ? narrowed(half, whole, of) : widened(whole, half, of));
                yield new Operand.Reg(whole, reg.type(), reg.negated());
            }
            case Operand.Immediate(ScalarType type, long bits) when type == ScalarType.F64 -> new Operand.Immediate(ScalarType.F32,
                    Integer.toUnsignedLong(Float.floatToRawIntBits((float) Double.longBitsToDouble(bits))));
            case Operand.Vector vector -> new Operand.Vector(
                    vector.elements().stream().map(element -> single(element, writes, of, before, after)).toList());
            case Operand.Call call -> new Operand.Call(call.function(), call.target(), prototype(call.prototype()), call.candidates(),
                    call.results().stream().map(result -> single(result, true, of, before, after)).toList(),
                    call.arguments().stream().map(argument -> single(argument, false, of, before, after)).toList());
            default -> operand;
        };
    }

    private Register added(String name, ScalarType type) {
        Register register = new Register(registers.size(), name, type);
        registers.add(register);
        return register;
    }

    private static Instruction widened(Register whole, Register half, Instruction of) {
        Operand upper = new Operand.Immediate(ScalarType.B32, 0);
        return move(new Operand.Reg(whole, ScalarType.B64, false),
                new Operand.Vector(List.of(new Operand.Reg(half, ScalarType.B32, false), upper)), of);
    }

    private static Instruction narrowed(Register half, Register whole, Instruction of) {
        return move(new Operand.Vector(List.of(new Operand.Reg(half, ScalarType.B32, false), new Operand.Sink())),
                new Operand.Reg(whole, ScalarType.B64, false), of);
    }

    private static Instruction move(Operand to, Operand from, Instruction of) {
        return new Instruction(MOVE, of.guard(), List.of(to, from), of.location());
    }

    /** The register that holds a {@code .f64} one's number; any other register itself. */
    static Register single(Register register) {
        return register.type() == ScalarType.F64 ? new Register(register.index(), register.name(), ScalarType.F32) : register;
    }

    /** The formal parameter of a function as its callers and its body have it. */
    static Formal single(Formal formal) {
        return formal.register() == null ? formal : new Formal(null, single(formal.register()));
    }

    static Prototype prototype(Prototype prototype) {
        return new Prototype(parameters(prototype.results()), parameters(prototype.parameters()), prototype.noReturn());
    }

    private static List<Prototype.Parameter> parameters(List<Prototype.Parameter> parameters) {
        return parameters.stream().map(one -> one.inRegister() && one.type() == ScalarType.F64
                ? new Prototype.Parameter(ScalarType.F32, Float.BYTES, Float.BYTES, true) : one).toList();
    }
}
