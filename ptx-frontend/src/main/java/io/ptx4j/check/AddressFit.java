package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.OperandSpec.Mark;
import io.ptx4j.isa.OperandSpec.Role;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.OperandSyntax;
import java.util.List;

/** Fits addresses: {@code [register + 8]}, {@code [variable]} (manual: "Addresses as Operands"). */
final class AddressFit {
    private final Names names;
    private final Dialect dialect;
    private final Spelling spelling;
    private final List<Mismatch> mismatches;

    AddressFit(Names names, Dialect dialect, Spelling spelling, List<Mismatch> mismatches) {
        this.names = names;
        this.dialect = dialect;
        this.spelling = spelling;
        this.mismatches = mismatches;
    }

    Operand fit(OperandSyntax operand, OperandSpec spec) {
        if (!(operand instanceof OperandSyntax.Address address)) {
            return wrong(operand, "an address in brackets is expected");
        }
        if (!address.more().isEmpty()) {
            return wrong(operand, "this address takes no coordinates");
        }
        StateSpace space = spec.space() == null ? spelling.space() : spec.space();
        boolean loads = spelling.form().operands().getFirst().role() == Role.DESTINATION
                && (space == StateSpace.GLOBAL || space == StateSpace.GENERIC);
        if (address.unified() && !loads) {
            return wrong(operand, ".unified stands behind the global and generic addresses of loads");
        }
        return switch (address.base()) {
            case OperandSyntax.Name name -> based(name, 0, space, spec);
            case OperandSyntax.Offset offset -> based(offset.name(), offset.offset(), space, spec);
            case OperandSyntax.Immediate immediate -> absolute(immediate, space);
            default -> wrong(operand, "an address is a register, a variable or a constant, plus a constant");
        };
    }

    private Operand absolute(OperandSyntax.Immediate immediate, StateSpace space) {
        if (space == StateSpace.LOCAL && Immediates.of(immediate.value(), ScalarType.S64) instanceof Operand.Immediate value) {
            return new Operand.Address(space, null, null, value.bits());
        }
        return wrong(immediate, "a constant is an address only in .local");
    }

    private Operand based(OperandSyntax.Name name, long offset, StateSpace space, OperandSpec spec) {
        return switch (names.symbol(name)) {
            case null -> unknown(name);
            case Symbol.OfVariable(Variable variable, boolean input, boolean _) -> variable(name, variable, input, offset, space);
            case Symbol.OfRegister _, Symbol.OfVector _ -> register(name, offset, space, spec);
            case Symbol other -> wrong(name, "an address is expected; '" + name.name() + "' is a " + other.kind());
        };
    }

    private Operand variable(OperandSyntax.Name name, Variable variable, boolean input, long offset, StateSpace space) {
        boolean generic = space == StateSpace.GENERIC
                && (variable.space() == StateSpace.GLOBAL || variable.space() == StateSpace.SHARED
                        || variable.space() == StateSpace.LOCAL);
        if (!generic && variable.space() != space) {
            mismatches.add(new Mismatch(DiagnosticCode.STATE_SPACE, name.span(),
                    "'" + spelling + "' accesses " + space + "; variable '" + variable.name() + "' lies in " + variable.space(),
                    "an access to it is spelled '" + spelling.opcode() + variable.space() + "'"));
        }
        if (input && writes()) {
            mismatches.add(new Mismatch(DiagnosticCode.STATE_SPACE, name.span(),
                    "parameter '" + variable.name() + "' is read only", ""));
        }
        return new Operand.Address(variable.space(), null, variable, offset);
    }

    /** A store: the address stands first. */
    private boolean writes() {
        return spelling.form().operands().getFirst().role() == Role.ADDRESS && spelling.form().operands().size() > 1;
    }

    private Operand register(OperandSyntax.Name name, long offset, StateSpace space, OperandSpec spec) {
        Register register = names.register(name);
        if (register == null || !register.type().isInteger() || register.type().packed() || register.type().bits() > 64
                || register.type().bits() < (spelling.family() == Family.MATRIX ? 32 : 16)) {
            return wrong(name, "an address stands in an integer register of 32 or 64 bits");
        }
        boolean wide = space == StateSpace.GLOBAL || space == StateSpace.GENERIC;
        if (wide && register.type().bits() == 32 && dialect.addressBits() > 32) {
            if (space == StateSpace.GENERIC && spec.has(Mark.SHARED_WORD)) {
                return new Operand.Address(StateSpace.SHARED, register, null, offset);
            }
            return wrong(name, "addresses in " + space + " have " + dialect.addressBits() + " bits; " + register.name() + " is "
                    + register.type());
        }
        return new Operand.Address(space, register, null, offset);
    }

    private Operand unknown(OperandSyntax.Name name) {
        mismatches.add(names.unknown(name));
        return new Operand.Absent();
    }

    private Operand wrong(OperandSyntax operand, String message) {
        mismatches.add(new Mismatch(DiagnosticCode.OPERAND_TYPE, operand.span(), message, ""));
        return new Operand.Absent();
    }
}
