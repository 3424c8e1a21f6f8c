package io.ptx4j.ir;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.List;

/**
 * An instruction that does not end a basic block. {@code bra}, {@code brx.idx}, {@code ret} and {@code exit} are
 * {@link Terminator}s; {@code call} and {@code trap} are instructions.
 *
 * @param guard {@code @p} or {@code @!p} before the instruction; null for none
 * @param operands one for each operand of {@code spelling.form()}, in that order
 */
public record Instruction(Spelling spelling, Guard guard, List<Operand> operands, Location location) {
    /** Executes only where the predicate register is true (false when {@code negated}). */
    public record Guard(Register predicate, boolean negated) {
        @Override
        public String toString() {
            return (negated ? "@!" : "@") + predicate;
        }
    }

    /** One without a guard. */
    public static Instruction of(String spelling, Location at, Operand... operands) {
        return of(spelling, null, at, operands);
    }

    /**
     * One that stands in no text.
     *
     * @param spelling as in PTX, such as {@code add.u64}; where several forms are spelled so, the table's first is meant
     */
    public static Instruction of(String spelling, Guard guard, Location at, Operand... operands) {
        return new Instruction(Matcher.match(spelling).getFirst(), guard, List.of(operands), at);
    }

    public Opcode opcode() {
        return spelling.opcode();
    }

    public Family family() {
        return spelling.family();
    }

    /** The instruction type: the first type spelled. */
    public ScalarType type() {
        return spelling.type();
    }

    public Operand operand(int index) {
        return operands.get(index);
    }

    /** The operand that the form calls {@code name}; null when it is not there. */
    public Operand operand(String name) {
        int place = place(name);
        return place < 0 ? null : operands.get(place);
    }

    /** Where the operand stands that the form calls {@code name}; -1 when it is not there. */
    public int place(String name) {
        List<OperandSpec> specs = spelling.form().operands();
        for (int i = 0; i < specs.size(); i++) {
            if (specs.get(i).name().equals(name) && !(operands.get(i) instanceof Operand.Absent)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(guard == null ? "" : guard + " ").append(spelling);
        String separator = " ";
        for (Operand operand : operands) {
            if (!(operand instanceof Operand.Absent)) {
                text.append(separator).append(operand);
                separator = ", ";
            }
        }
        return text.toString();
    }
}
